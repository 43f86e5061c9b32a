// Text that is written to files of a folder, which need not be there yet.
#pragma once

#include <seen/base/result.hpp>

#include <string>
#include <string_view>

namespace seen::cli {

/// Makes the folder and the file, or replaces what was in it.
[[nodiscard]] result<void> write_text(const std::string& folder, const std::string& name, std::string_view text);

}  // namespace seen::cli
