// Shared by bits-and-blooms/bloom and willf/bloom, its elder: the files, and positions from four words.
//
//   position i = word[i mod 2] + i · word[2 or 3] mod m, the second in the order 2 3 3 2 2 3 3 2 …
//
// Both formats are the same functions under their own name and with their own choice of hashes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/foreign.hpp"

namespace seen::inline v1::bits_and_blooms {

extern const format_row format;

using four_words = foreign::digest_words<std::uint64_t, 4>;

class four_word_rule : public foreign::shaped_rule<four_word_rule> {
 public:
  using digest_type = four_words;
  struct state {
    const std::uint64_t* word;
    std::uint64_t next;
  };

  // The digest outlives the state: both are gone when the call that was given the digest returns.
  [[nodiscard]] state start(const four_words& d) const noexcept { return {d.word.data(), 0}; }
  template <std::size_t N>
  [[nodiscard]] std::array<std::uint64_t, N> take(state& from) const noexcept {
    std::array<std::uint64_t, N> at;
    for (std::size_t n = 0; n < N; ++n) {
      const std::uint64_t i = from.next + n;
      at[n] = mod_(from.word[i % 2] + i * from.word[2 + (i + 1) / 2 % 2]);
    }
    from.next += N;
    return at;
  }
};

using bloom_type =
    filter<engines::bloom_engine<four_word_rule, plain_access>, foreign::foreign_hash<four_word_rule::digest_type>>;

/// The encodings by name; "-le" after bitset.LittleEndian(), "-std" after bitset.Base64StdEncoding().
inline constexpr std::array<std::string_view, 8> variants{"binary", "json",     "gob",         "binary-le",
                                                          "gob-le", "json-std", "json-std-le", "json-le"};

// The functions of a row, for the format whose row it is.
detection detect_file(const source& from);
result<any_filter> open_as(const format_row& row, const source& from, const open_options& options);
result<any_filter> make_as(const format_row& row, const make_options& options);
conversion convert_to(const format_row& row, any_filter from, std::string_view variant);

}  // namespace seen::inline v1::bits_and_blooms
