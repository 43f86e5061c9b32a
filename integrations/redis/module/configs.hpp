// CONFIG GET and SET of the settings, and the words that older servers have them as, behind the name of the module where it is loaded.
#pragma once

#include <span>

#include "module/api.hpp"
#include "table/settings.hpp"

namespace seen::redis {

/// Reads ERROR_RATE, INITIAL_SIZE, CF_MAX_EXPANSIONS; then registers the settings and reads those of the configuration file.
[[nodiscard]] bool configure(context* ctx, std::span<server_string*> words);

/// What is set now.
[[nodiscard]] settings& server_settings() noexcept;

}  // namespace seen::redis
