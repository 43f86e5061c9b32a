// Lines that were seen, kept so that no two are ever taken for one: `seen uniq --exact`.
//
//   memory   slots of [digest 64][place 64], in 256 tables that grow each on its own: at most a sixth of them is ever
//            doubled at once, and nothing stops for long
//   file     [length][bytes][length][bytes] …     a temporary file that has no name, mapped piece by piece
//
// A digest that is known says where a line with it lies, and the line itself is compared. 16 to 32 bytes of memory per
// different line, whatever its length; the text is the system's to keep in its cache or on the disk.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/hash/xxh3.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "input.hpp"

namespace seen::cli {

/// Bytes that only ever grow, in a file that goes when this does. What was put never moves.
class spill {
 public:
  spill() = default;
  spill(const spill&) = delete;
  spill& operator=(const spill&) = delete;
  ~spill();

  /// Keeps a copy, and says where it is.
  result<std::uint64_t> put(bytes_view text);
  /// What was put there.
  [[nodiscard]] bytes_view at(std::uint64_t place) const noexcept;

 private:
  struct piece {
    std::byte* begin;
    std::size_t bytes;
  };

  result<void> grow(std::size_t needed);

  descriptor file_;
  std::string name_;  // as messages say it
  std::uint64_t file_bytes_ = 0;
  std::vector<piece> pieces_;
  std::size_t used_ = 0;  // of the last piece
};

/// A set of byte strings.
class exact_lines {
 public:
  /// `seed`: a number that whoever wrote the lines does not know, or they may be chosen to lie in each other's way.
  explicit exact_lines(std::uint64_t seed) noexcept : hash_(seed) {}

  /// True if it was not in the set; it is then.
  result<bool> insert(bytes_view line);
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

 private:
  struct slot {
    std::uint64_t digest = 0;
    std::uint64_t place = 0;  // and one more; 0: empty
  };
  struct table {
    std::vector<slot> slots;
    std::size_t used = 0;
  };

  static std::size_t first_slot(const table& t, std::uint64_t digest) noexcept;
  static void grow(table& t);

  xxh3_64 hash_;
  std::array<table, 256> tables_;
  spill text_;
  std::uint64_t size_ = 0;
};

}  // namespace seen::cli
