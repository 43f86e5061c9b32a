// The file of a name that clients choose: letters, digits, _ and - are themselves, any other byte is %XX, so that no name leads out of the
// directory, hides, or meets another one. What a name never has, a dot, begins the ending:
//
//   users.seen               a filter for the commands that its kind is usually for
//   users.bf.seen   .cf .sf  one that was made for others: a quotient filter of CF.RESERVE, a Bloom filter of SF.LOAD
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "table/value.hpp"

namespace seen::redis {

/// The file of a filter for these commands, or for the usual ones. Nothing if the name is too long for a file, beside which a save has room for
/// its own, or empty.
[[nodiscard]] std::optional<std::string> file_name_of(std::string_view name, std::optional<family> of = {});

struct filed_name {
  std::string name;
  std::optional<family> of;
};
/// The name whose file this is, if it is one.
[[nodiscard]] std::optional<filed_name> name_of_file(std::string_view file);

}  // namespace seen::redis
