// Patterns of names, as KEYS has them: * ? [a-z] [^a] \x.
#pragma once

#include <cstddef>
#include <string_view>

namespace seen::redis {

/// Whether a name matches. Takes at most pattern times name steps, whatever the pattern: the last * alone is tried again.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name) noexcept;

}  // namespace seen::redis
