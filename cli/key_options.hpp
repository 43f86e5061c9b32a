// Options on how keys are read, of every verb that reads some. docs/command.md explains them, records/key_format.hpp says in
// which order they work.
#pragma once

#include <seen/base/result.hpp>

#include <string>

#include "command_line.hpp"
#include "keys.hpp"

namespace seen::cli {

/// What was given of them.
struct key_options {
  bool null = false, csv = false;
  std::string width, parquet;
  std::string field, delimiter, json_key;
  bool blanks = false, header = false;
  bool crlf = false, trim = false, lower = false, skip_blank = false;
  std::string comment;
  bool hex = false;
  std::string digest;
  std::string on_bad;
  bool plain = false;
  std::string threads;

  void define(option_list& app);
  /// `quiet`: of the verb, since what is read may deserve remarks.
  [[nodiscard]] result<key_format> read(bool quiet) const;

 private:
  [[nodiscard]] result<void> check() const;
  [[nodiscard]] result<field_separator> read_separator(char terminator) const;
};

}  // namespace seen::cli
