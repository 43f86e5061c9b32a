// The kinds as `seen bench` runs them: made and asked through any_filter, by name, as every verb does.
#pragma once

#include <vector>

#include "../bench/core/harness.hpp"

namespace seen::cli {

/// The families of `make bench`, as far as the command has their filters, without peers.
[[nodiscard]] std::vector<bench::family> bench_families();

}  // namespace seen::cli
