// Changing a filter file by keys, as `add` and `remove` do: FILE and the lists of keys beside it.
//
//   lock ──► open ──► every key of the lists ──► save ──► unlock          change.hpp has the lock
#pragma once

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

/// A filter file in the middle of a change: nobody else has it, and it is as it was until `file.save`.
struct key_change {
  locked_file file;
  any_filter filter;
  key_reader reader;

  /// Refused where the filter's kind cannot do what is needed, before a key is read.
  static result<key_change> begin(const key_change_options& options, ability needed, const char* in_words);
};

}  // namespace seen::cli
