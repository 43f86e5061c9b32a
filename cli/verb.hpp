// A verb of the command: `seen NAME …`.
//
//   main.cpp ──define──► options on the command line ──parse──► action ──► exit status
//
// Each verb lives in the file of its name. It adds its options to the parser and returns what to do once they are
// read; main turns the outcome into words on stderr and an exit status. Verbs know filters only through any_filter and
// the registry, so a new kind or format needs no change here.
#pragma once

#include <seen/base/result.hpp>

#include <CLI/CLI.hpp>
#include <functional>

namespace seen::cli {

/// What the command tells the shell, as grep does.
enum class exit_status : int {
  yes = 0,    ///< something matched; done; verified
  no = 1,     ///< nothing matched; a key was lost
  error = 2,  ///< and stderr says why
};

/// What a verb does once its options are read.
using action = std::function<result<exit_status>()>;

/// A verb by name, with its line in `seen --help`.
struct verb {
  const char* name;
  const char* summary;
  action (*define)(CLI::App& app);
};

action define_add(CLI::App& app);
action define_bench(CLI::App& app);
action define_build(CLI::App& app);
action define_convert(CLI::App& app);
action define_formats(CLI::App& app);
action define_info(CLI::App& app);
action define_intersect(CLI::App& app);
action define_merge(CLI::App& app);
action define_plan(CLI::App& app);
action define_query(CLI::App& app);
action define_remove(CLI::App& app);
action define_shrink(CLI::App& app);
action define_verify(CLI::App& app);

}  // namespace seen::cli
