// The engines of pyprobables' four filters, and its hash.
#pragma once

#include <seen/hash/fnv1a.hpp>

#include <array>
#include <charconv>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "formats/engines/bloom_rules.hpp"
#include "formats/engines/bucket.hpp"
#include "formats/engines/chain.hpp"
#include "formats/engines/packed_counters.hpp"
#include "formats/engines/tally.hpp"
#include "formats/hashing/key_forms.hpp"

namespace seen::inline v1::pyprobables {

using foreign::digest_pair;
using foreign::foreign_hash;
using foreign::probe_shape;

// --- hashing

using list_type =
    foreign::digest_list<std::uint64_t, 160>;  // the smallest rate that a 32-bit float can say has 149 probes

/// FNV-1a from k offset bases at once: word j has the usual one + 31·j.
struct fnv_list {
  std::uint32_t probes;

  void start(list_type& list) const noexcept {
    for (std::uint32_t j = 0; j < probes; ++j) list.word[j] = fnv1a_64_offset_basis + std::uint64_t{31} * j;
  }
  void take(list_type& list, std::uint64_t value) const noexcept {
    for (std::uint32_t j = 0; j < probes; ++j) list.word[j] = (list.word[j] ^ value) * 0x0000'0100'0000'01b3;
  }
};
struct hash_bytes : fnv_list {
  list_type operator()(bytes_view key) const noexcept {
    list_type list;
    start(list);
    for (const std::byte b : key) take(list, std::to_integer<std::uint64_t>(b));
    return list;
  }
};
struct hash_text : fnv_list {  // by code points, not by bytes
  list_type operator()(bytes_view key) const noexcept {
    list_type list;
    start(list);
    while (!key.empty()) {
      const foreign::character c = foreign::first_character(key);
      take(list, c.code_point);
      key = key.subspan(c.bytes);
    }
    return list;
  }
};

// --- engines

using bits_engine = engines::bloom_engine<foreign::list_rule<list_type>, plain_access>;
using bloom_engine = foreign::tally_engine<bits_engine, foreign::counts_adds>;
using bloom_type = filter<bloom_engine, foreign_hash<list_type>>;

using counting_engine = foreign::counted_counters<foreign::list_rule<list_type>>;
using counting_type = filter<counting_engine, foreign_hash<list_type>>;

/// Another filter of the same shape after n keys.
struct equal_links {
  static constexpr bool skips_present = true;
  probe_shape shape;
  std::uint64_t each = 0;

  result<void> make_room(std::vector<bloom_engine>& links) const {
    if (!links.empty() && links.back().size() < each) return {};
    auto next = bloom_engine::make(shape);
    if (!next) return next.error();
    links.push_back({std::move(*next), 0});
    return {};
  }
};
/// The peer counts keys that are there already too.
class expanding_engine : public foreign::chain_engine<bloom_engine, equal_links> {
  using base = foreign::chain_engine<bloom_engine, equal_links>;

 public:
  expanding_engine() = default;
  expanding_engine(base chain, std::uint64_t count) : base(std::move(chain)), count_(count) {}

  void add(const list_type& d) {
    base::add(d);
    ++count_;
  }
  void add_many(std::span<const list_type> digests) {
    for (const list_type& d : digests) add(d);
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return count_; }
  [[nodiscard]] double estimated_count() const noexcept { return static_cast<double>(count_); }

 private:
  std::uint64_t count_ = 0;
};
using expanding_type = filter<expanding_engine, foreign_hash<list_type>>;

/// Fingerprints of 32 bits; their buckets follow from them alone.
struct decimal_rule {
  using fingerprint_type = std::uint32_t;
  static constexpr bool skips_present = true;

  [[nodiscard]] static std::uint64_t second(std::uint32_t fingerprint, std::uint64_t buckets) noexcept {
    std::array<char, 10> digits;
    const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), fingerprint).ptr;
    const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
    return fnv1a_64_word(std::as_bytes(std::span(text))) % buckets;
  }
  [[nodiscard]] std::array<std::uint64_t, 2> places(digest_pair d, std::uint64_t buckets) const noexcept {
    return {d.b % buckets, second(static_cast<std::uint32_t>(d.b), buckets)};
  }
  [[nodiscard]] std::uint64_t alternate(std::uint64_t bucket, std::uint32_t fingerprint,
                                        std::uint64_t buckets) const noexcept {
    const auto at = places({0, fingerprint}, buckets);
    return bucket == at[0] ? at[1] : bucket == at[1] ? at[0] : bucket;
  }
};
using cuckoo_engine = foreign::bucket_engine<decimal_rule>;
using cuckoo_type = filter<cuckoo_engine, foreign_hash<digest_pair>>;

}  // namespace seen::inline v1::pyprobables
