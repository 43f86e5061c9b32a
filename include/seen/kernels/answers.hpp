// The answers of a batch in other forms than one bool per key.
//
//   bools    0 1 0 0 1 1 …     what engines write
//   bitmap   bit i of a row of words: eight bools, read as one little-endian word, are brought side by side in its top
//            byte by one multiplication
//   indices  1 4 5 …           ascending; without a branch, since nobody can predict the answers
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace seen::inline v1::kernels {

/// Asks for `count` keys, some at a time, by ask(first, how many, answers), and calls use(answers, how many, first) for
/// each lot, which but for the last is a multiple of 64; returns the sum of what ask returns.
template <class Ask, class Use>
std::size_t for_each_answer(std::size_t count, Ask ask, Use use) {
  std::array<bool, 1024> answers;
  std::size_t found = 0;
  for (std::size_t first = 0; first < count; first += answers.size()) {
    const std::size_t n = std::min(answers.size(), count - first);
    found += ask(first, n, answers.data());
    use(answers.data(), n, first);
  }
  return found;
}

/// Writes n answers as bits, the first as bit 0 of out[0]; bits beyond the last are 0.
inline void pack_answers(const bool* answers, std::size_t n, std::uint64_t* out) noexcept {
  constexpr std::uint64_t gather = 0x0102'0408'1020'4080;  // bit 8·i of a factor goes to bit 56 + i of the product
  static_assert(sizeof(bool) == 1);
  for (; n >= 64; n -= 64, answers += 64, ++out) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      const auto* const eight = reinterpret_cast<const std::byte*>(answers + 8 * i);
      word |= (load_le<std::uint64_t>(eight) * gather >> 56) << (8 * i);
    }
    *out = word;
  }
  if (n == 0) return;
  *out = 0;
  for (std::size_t i = 0; i < n; ++i) *out |= std::uint64_t{answers[i]} << i;
}

/// Writes the indices of the answers that are true, the first answer's being `first`; returns how many there are. `out`
/// needs room for n.
template <class Index>
std::size_t select_answers(const bool* answers, std::size_t n, std::size_t first, Index* out) noexcept {
  std::size_t found = 0;
  for (std::size_t i = 0; i < n; ++i) {
    out[found] = static_cast<Index>(first + i);
    found += answers[i];
  }
  return found;
}

[[noreturn]] inline void throw_no_room(const char* call, std::size_t places, std::size_t keys) {
  throw_error({errc::invalid_argument, std::string(call) + ": " + std::to_string(keys) + " keys, but room for " +
                                           std::to_string(places) + " answers"});
}
/// Throws std::invalid_argument where a caller left too little room.
inline void check_room(const char* call, std::size_t places, std::size_t keys) {
  if (places < keys) throw_no_room(call, places, keys);
}

}  // namespace seen::inline v1::kernels
