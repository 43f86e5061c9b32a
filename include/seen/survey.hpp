// A survey of a filter: how full its table is, region by region and block by block. For pictures, and for whoever looks for
// what is wrong with a filter that answers strangely.
//
//   table      [▓▓▓▒▓▓▓▓░▓▓▓▓▓▒▓▓]     every region as full as the whole, but for chance
//   blocks      ▁▂▅█▇▄▂▁               so many of them have u bits set
//
// Keys fall everywhere alike if the hash is any good, so a region far from the rest says that bits were lost, that the file is
// two files, or that keys were chosen by someone who knew the hash. `deviation` counts in standard deviations of what chance
// does: of independent places, or of blocks that hold unequal numbers of keys (math/block_fill.hpp). Kinds that move keys to
// where there is room (cuckoo) vary less than that.
//
// Engines that can be surveyed are tables counted piece by piece, or several tables (links, slices):
//
//   place                          what is counted: "bit", "counter", "slot"
//   pieces()                       how many pieces there are: words, buckets
//   count_pieces(first, last)      the places in them, and how many of these are in use
//   block(), block_pieces()        if the places of a key lie in one block: its lanes, and its pieces
//   for_each_table(use)            where there are several: use(table) for each, the oldest first
//
// Tables of static kinds are full by construction: there is nothing to count. It reads all bits once.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/math/lanes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace seen::inline v1 {

/// Bits, counters or slots, and how many of them are in use.
struct counted_places {
  std::uint64_t places = 0;
  std::uint64_t used = 0;

  /// The share in use.
  [[nodiscard]] double fill() const noexcept {
    return places == 0 ? 0 : static_cast<double>(used) / static_cast<double>(places);
  }
};

/// One table of a filter.
struct surveyed_table {
  counted_places whole;
  std::vector<counted_places> regions;  ///< in the order of its bytes, of equal size but for rounding
  math::lane_shape block = {};          ///< where the places of a key lie in one block; no lanes: anywhere
  std::vector<std::uint64_t> blocks;    ///< [u]: how many blocks have u places in use; empty without blocks

  /// How far a region's fill is from the whole table's, in standard deviations; 0 where nothing can vary.
  [[nodiscard]] double deviation(const counted_places& region) const noexcept;
  /// The standard deviation of the fill of a region of so many places.
  [[nodiscard]] double sigma(std::uint64_t places) const noexcept;
  /// Further off than six of them, in a region with keys enough (49) for that to be no accident: once in 10^8 regions.
  [[nodiscard]] bool is_odd(const counted_places& region) const noexcept;
};

/// A filter's tables: one, or one for each link or slice.
struct filter_survey {
  std::string_view place = {};  ///< what is counted: "bit", "counter", "slot", "home slot"
  std::vector<surveyed_table> tables = {};
};

namespace detail {

template <class T>
concept countable_table = requires(const T& table) {
  T::place;
  table.pieces();
  table.count_pieces(table.pieces(), table.pieces());
};
template <class T>
concept several_tables = requires(const T& all) {
  all.for_each_table([](const auto&) {});
};
template <class E>
concept can_be_surveyed = countable_table<E> || several_tables<E>;

template <countable_table T>
void survey_table(filter_survey& survey, const T& table, std::size_t regions) {
  survey.place = T::place;
  surveyed_table made;
  const std::uint64_t pieces = table.pieces();
  std::uint64_t step = 1;  // a region ends where a block does
  if constexpr (requires { table.block(); }) {
    made.block = table.block();
    if (made.block.lanes != 0) step = table.block_pieces();
  }
  const std::uint64_t steps = ceil_div(pieces, step), parts = std::min<std::uint64_t>(regions, steps);
  for (std::uint64_t i = 0; i < parts; ++i) {
    // Not steps·i / parts, which may be beyond 2^64.
    const auto border = [&](std::uint64_t at) {
      return std::min(pieces, (steps / parts * at + steps % parts * at / parts) * step);
    };
    const counted_places counted = table.count_pieces(border(i), border(i + 1));
    if (counted.places == 0) continue;
    made.regions.push_back(counted);
    made.whole.places += counted.places;
    made.whole.used += counted.used;
  }
  if (made.block.lanes != 0) {
    made.blocks.resize(math::bits_of_block(made.block) + std::size_t{1});
    for (std::uint64_t at = 0; at + step <= pieces; at += step) {
      ++made.blocks[static_cast<std::size_t>(table.count_pieces(at, at + step).used)];
    }
  }
  survey.tables.push_back(std::move(made));
}

template <can_be_surveyed E>
[[nodiscard]] filter_survey survey_of(const E& engine, std::size_t regions) {
  filter_survey survey;
  if constexpr (several_tables<E>) {
    engine.for_each_table([&](const auto& table) { survey_table(survey, table, regions); });
  } else {
    survey_table(survey, engine, regions);
  }
  return survey;
}

}  // namespace detail

}  // namespace seen::inline v1
