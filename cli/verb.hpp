// The verbs of the command: `seen NAME …`.
//
// Each verb lives in the file of its name. It adds its options to the command line and returns what to do once they are
// read; main turns the outcome into words on stderr and an exit status. Verbs know filters only through any_filter and
// the registry, so a new kind or format needs no change here.
#pragma once

#include "command_line.hpp"

namespace seen::cli {

action define_add(option_list& options);
action define_bench(option_list& options);
action define_build(option_list& options);
action define_convert(option_list& options);
action define_formats(option_list& options);
action define_info(option_list& options);
action define_intersect(option_list& options);
action define_merge(option_list& options);
action define_plan(option_list& options);
action define_query(option_list& options);
action define_redis(option_list& options);
action define_remove(option_list& options);
action define_report(option_list& options);
action define_serve(option_list& options);
action define_shrink(option_list& options);
action define_uniq(option_list& options);
action define_verify(option_list& options);

/// What `seen redis` can do.
[[nodiscard]] std::span<const verb> redis_actions();

}  // namespace seen::cli
