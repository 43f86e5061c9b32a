// How a foreign format is written: everything that one needs, and the order of work.
//
//   file ──byte_reader──► shape, bits, the rest of its header
//                            │
//                            ▼
//   filter<engine<the peer's rule>, foreign_hash>  +  a function that writes it back  =  any_filter
//
// A format is a `format_row` (registry.hpp) called `format` in a namespace of its own. src/formats/<name>.cpp defines it below
// an essay on the layout of the file; all.hpp has a line for it. A file <name>_<part> holds a part of a large format. guava.cpp
// is the model. The parts of a row:
//
//   detect   reads a little, and never claims more certainty than the bytes give
//   open     checks every length against the file's true size before it allocates; keeps what save needs to give the same
//            bytes back in the function that writes; refuses options it has no use for (`check_options`)
//   make     an empty filter sized as the peer would size it (`shape_for`)
//   build    or how one is made of all its keys at once (engines/fingerprint_build.hpp)
//   convert  from the filters of other formats whose bits mean the same
//
// Parts that several formats need are in three folders: encodings/ (bytes, JSON, gobs, …), engines/ (where a peer puts the
// bits of a key, and what else it keeps), hashing/ (how it hashes). Nothing a peer does wrongly is put right: its bits mean
// what it does.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/base/text.hpp>
#include <seen/registry.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "formats/encodings/bytes.hpp"
#include "formats/engines/bloom_rules.hpp"
#include "formats/hashing/foreign_hash.hpp"

namespace seen::inline v1 {
namespace foreign {

/// `chosen`, or the first of the names if nothing was chosen; an error that lists them if it is not one of them.
[[nodiscard]] result<std::string_view> choose(const char* what, std::string_view format,
                                              std::span<const std::string_view> names, std::string_view chosen);

/// Refuses options of opening that the format has no choice of, so that none is silently ignored.
[[nodiscard]] result<void> check_options(const format_row& row, const open_options& options);
/// The same of making one. `kind` is what the format holds.
[[nodiscard]] result<void> check_options(const format_row& row, const make_options& options,
                                         std::string_view kind = chain_rule::kind.name);

/// The value of a field by its name, if the options have it.
[[nodiscard]] std::optional<std::uint64_t> field_of(const make_options& options, std::string_view name);

/// The shape of a new filter: from "bits" and "probes", or as `sizing` has it for the target.
[[nodiscard]] result<probe_shape> shape_for(const format_row& row, const make_options& options,
                                            const std::function<probe_shape(const target&)>& sizing);

/// The sizing of several libraries in Go: m = -n ln p / (ln 2)^2 and k = m/n ln 2, both rounded up.
[[nodiscard]] probe_shape rounded_up(const target& asked);
/// The same as phrozen/bloom computes it: k is (m/n) ln 2 rounded up, not (m ln 2)/n. Where it is next to a whole number, as for
/// 4,759,404 keys at 2^-31, the two differ.
[[nodiscard]] probe_shape rounded_up_phrozen(const target& asked);

/// An identity of a function that takes no seed of its own; foreign_hash computes the check value.
[[nodiscard]] hash_identity named(hash_id id, std::uint64_t seed = 0);

/// A Bloom filter over bits that were read: F is sum_bloom<…>, list_bloom<…> or the like.
template <class F>
[[nodiscard]] result<F> bloom_over(const probe_shape& shape, storage bits, typename F::hash_type hash) {
  auto engine = F::engine_type::over(shape, std::move(bits));
  if (!engine) return engine.error();
  return F(std::move(*engine), std::move(hash));
}

}  // namespace foreign

// Filters that several formats share, compiled once, in src/formats/engines/shared_blooms.cpp.
extern template const any_filter::table any_filter::table_for<foreign::sum_bloom<foreign::as_it_is>>;
extern template const any_filter::table any_filter::table_for<foreign::sum_bloom<foreign::complement_if_negative_32>>;

}  // namespace seen::inline v1
