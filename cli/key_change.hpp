// Changing a filter file by keys, as `add` and `remove` do: FILE and the lists of keys beside it.
//
//   a file that is loaded      lock ──► open ──► every key of the lists ──► save ──► unlock      change.hpp has the lock
//   few keys for a large one   lock, map ──► keys are read ──► pages checked ──► bits set ──► seal
//
// The second way takes the time of the keys, not of the file, where bits only go up (any_filter::map_writable). All keys are
// read before the first bit is set, so a list that cannot be read leaves the file as it was, either way. The file is
// unsealed while bits are set: killed then, it answers with every key it had, and the next `seen add` seals it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "abilities.hpp"
#include "change.hpp"
#include "keys.hpp"
#include "options.hpp"
#include "outcome.hpp"

namespace seen::cli {

/// FILE, the lists of keys, and how to read both.
struct key_change_options {
  std::string path;
  std::vector<std::string> files;
  std::string now;  ///< of add: the time told to a filter that forgets
  filter_options filter;
  key_options keys;
  outcome_options outcome;
  std::optional<std::string> wait;  ///< seconds; empty: as long as it takes

  void define(option_list& app, const char* about_the_file);
};

/// A filter file in the middle of a change: nobody else has it, and it is as it was until `save`.
struct key_change {
  open_options open;
  std::uint64_t patience = 0;       ///< how long another process is waited for, in seconds
  std::optional<locked_file> file;  ///< nothing while keys may still be added where the file lies
  any_filter filter;
  key_reader reader;

  /// Refused where the filter's kind cannot do what is needed, before a key is read.
  static result<key_change> begin(const key_change_options& options, ability needed, const char* in_words);

  /// Whether so many keys are added sooner where the file lies than by loading and replacing it.
  [[nodiscard]] bool stays_in_place(std::uint64_t keys) const;
  /// Gives up adding in place: loads the filter.
  [[nodiscard]] result<void> load(const key_change_options& options);
  /// Puts what was changed into the file.
  [[nodiscard]] result<void> save(bool quiet);
};

}  // namespace seen::cli
