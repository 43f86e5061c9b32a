// RedisBloom's BF: a chain of Bloom filters, in chunks of BF.SCANDUMP or in a payload of DUMP.
//
// Anything the file says of a link that the filter does not need (its error, bits per entry, …) stays with the link, and
// what it says of the chain stays with its growth, so that both encodings can be written from the filter alone.
#pragma once

#include <seen/any_filter.hpp>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/encodings/bytes.hpp"
#include "formats/encodings/redis_chunks.hpp"
#include "formats/engines/bloom_rules.hpp"
#include "formats/engines/chain.hpp"
#include "formats/engines/tally.hpp"

namespace seen::inline v1::redisbloom {

enum chain_options : std::uint32_t {
  no_round = 1,
  entries_are_bits = 2,
  force_64 = 4,
  no_scaling = 8,
  all_options = 15
};

using link_engine = foreign::tally_engine<engines::bloom_engine<foreign::sum_rule<foreign::as_it_is>, plain_access>,
                                          foreign::counts_new_keys>;

/// All that a file says of a link.
struct link_fields {
  std::uint64_t bytes = 0;
  std::uint64_t bits = 0;
  std::uint64_t size = 0;
  double error = 0;
  double bits_per_entry = 0;
  std::uint32_t hashes = 0;
  std::uint64_t entries = 0;  ///< when size reaches it, the link is full
  std::uint8_t n2 = 0;        ///< 0, or the modulus is 2^n2

  /// As the server sizes it.
  static link_fields planned(std::uint64_t entries, double error);
  [[nodiscard]] std::uint64_t modulus() const noexcept { return n2 == 0 ? bits : std::uint64_t{1} << n2; }
  /// What LOADCHUNK refuses; `exact_bits`: the bits have to be all of the bytes, as they are in chunks.
  [[nodiscard]] result<void> check(bool exact_bits) const;
};

/// A Bloom filter, and what its file says of it.
struct chain_link : link_engine {
  link_fields said;

  static result<chain_link> make(const link_fields& fields, storage bits);
  static result<chain_link> empty(const link_fields& fields);
};

/// A link is full when as many keys as it has entries changed it; the next is `growth` times larger, its error half.
struct chain_growth {
  static constexpr bool skips_present = true;

  std::uint32_t options = 0;
  std::uint32_t growth = 2;
  std::uint64_t unaccounted = 0;  ///< what the file's number of keys has beyond the links'

  result<void> make_room(std::vector<chain_link>& links) const;
};

using bloom_filter =
    filter<foreign::bounded_chain_engine<chain_link, chain_growth>, foreign::foreign_hash<foreign::digest_pair>>;

/// A filter of links, hashed as the options say.
[[nodiscard]] bloom_filter chain_of(std::vector<chain_link> links, const chain_growth& growth,
                                    const target& asked = {});

/// How a filter is written: in chunks, or as a payload of DUMP.
struct chunk_writer {
  chunk_cuts cuts = {};
  result<void> operator()(const bloom_filter& f, const sink& out) const;
};
struct dump_writer {
  std::uint32_t encoding = 4;
  std::uint16_t rdb_version = 10;  // Redis 7.0
  result<void> operator()(const bloom_filter& f, const sink& out) const;
};

/// A filter read, and how to write it back.
template <class Writer>
struct read_chain {
  bloom_filter filter;
  Writer writer;
};
[[nodiscard]] result<read_chain<chunk_writer>> read_bloom_chunks(foreign::byte_reader& in, bytes_view header);
[[nodiscard]] result<read_chain<dump_writer>> read_bloom_dump(const source& from, std::uint64_t max_bytes);

inline constexpr std::uint64_t chain_header_bytes = 20;
inline constexpr std::uint64_t link_header_bytes = 53;
inline constexpr std::string_view dump_type = "MBbloom--";

}  // namespace seen::inline v1::redisbloom
