// What a query prints: selected lines as they were, or an object per line.
//
//   alice                              one filter, one list
//   friends.txt:12:alice               -H, -n, as grep
//   monday.seen<tab>friends.txt:alice  several filters that decide each on its own
//
//   {"list": "friends.txt", "line_number": 12, "key": "alice", "may_contain": true, "matched": ["monday.seen"]}
//
// In text a name or a line is printed as it is: one that holds a tab or a colon cannot be told apart, where JSON can.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "asked.hpp"
#include "json.hpp"
#include "keys.hpp"
#include "output.hpp"

namespace seen::cli {

/// How lines are printed.
struct line_form {
  record_form records = {};
  bool list_names = false, line_numbers = false;
};

/// The first lines of a batch, and where they stand.
struct placed_lines {
  const key_batch& batch;
  std::size_t count;         ///< of its lines
  const std::string& list;   ///< its name
  const key_reader& reader;  ///< that read it
};

/// Appends the lines about which the verdict is `wanted`.
void append_lines(output& out, const placed_lines& lines, const std::vector<verdict>& verdicts, bool wanted,
                  const line_form& form);

/// Lines as objects.
class object_printer {
 public:
  struct form {
    bool list_names = false;
    bool hex = false;          ///< keys are written in hexadecimal
    bool key_is_part = false;  ///< of the line, which is then printed too
    bool selected = false;     ///< several filters decide together
    bool confirmed = false;    ///< `contains` instead of `may_contain`
  };

  object_printer(const asked& filters, const form& wanted);
  [[nodiscard]] result<void> print(output& out, const placed_lines& lines, const asked& filters) const;

 private:
  void append_keys(output& out, const key_batch& batch, std::span<const bytes_view> written, std::size_t line,
                   std::size_t& key) const;
  void append_matched(output& out, const asked& filters, std::size_t line) const;

  form form_;
  std::vector<std::string> names_;  // of the filters, in JSON
  json_name line_{"line"}, key_{"key"};
  phrase yes_, no_;
};

}  // namespace seen::cli
