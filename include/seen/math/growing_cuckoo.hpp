// The growing cuckoo filter in numbers: a chain of tables, each stricter than the one before, none coarser.
//
//   link       0          1              2                        rate of the chain ≤ Σ p_j < fpr
//   copies     1          2              4         …              of the table that link 0 is
//   rate       fpr/2      fpr/4          fpr/8     …
//   width      the smallest whose 8·2^-w·(1 + 2·2^-w), the rate of a table without a free slot, is at most that
//
// From some link on 32 bits are not enough for the rate of its place (from the 23rd at 1 %, after four million times the
// first capacity); such links have 32 bits and add 1.9e-9 each. The first link has room for 1000 keys at least, since
// every copy to come is as small, and small tables fill unevenly.
#pragma once

#include <seen/math/cuckoo.hpp>

#include <cstdint>

namespace seen::inline v1::math {

/// The fingerprint width of link `index` of a chain with an overall rate of `fpr`; 0 if the first has none.
[[nodiscard]] std::uint32_t growing_cuckoo_width(double fpr, std::uint32_t index) noexcept;

/// The first link for a target: a multiple of 16 buckets.
[[nodiscard]] result<cuckoo_shape> growing_cuckoo_first(const target& t);

/// The rate of a chain with this first link and `keys` keys, each link holding `capacity`·2^j before the next begins.
[[nodiscard]] double growing_cuckoo_fpr(cuckoo_shape link, const target& t, std::uint64_t keys) noexcept;

}  // namespace seen::inline v1::math
