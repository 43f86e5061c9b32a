// Manual pages: seen(1), and one for each verb, of what the help says.
#pragma once

#include <string>

#include "command_line.hpp"

namespace seen::cli {

/// Writes man/man1/*.1 below a folder.
[[nodiscard]] result<void> write_man_pages(const program& about, const std::string& folder);

}  // namespace seen::cli
