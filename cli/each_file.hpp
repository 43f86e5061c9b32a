// One verb over many files: each is done whatever becomes of the others, and the worst status is the command's.
#pragma once

#include <seen/base/result.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "words.hpp"

namespace seen::cli {

/// Calls use(path, whether it is the first) -> result<exit_status> for every file. An error is reported, and the next file
/// has its turn; of one file it is returned. Worst is an error, then the larger status.
template <class Use>
result<exit_status> each_file(const std::vector<std::string>& files, Use use) {
  if (files.size() == 1) return use(files[0], true);
  const auto badness = [](exit_status s) { return s == exit_status::error ? 100 : static_cast<int>(s); };
  exit_status worst = exit_status::yes;
  bool first = true;
  for (const std::string& path : files) {
    result<exit_status> done = use(path, first);
    if (!done) report(done.error());
    const bool is_busy = !done && done.error().code == errc::busy;
    const exit_status status = done ? *done : is_busy ? exit_status::busy : exit_status::error;
    if (badness(status) > badness(worst)) worst = status;
    if (done) first = false;
  }
  return worst;
}

}  // namespace seen::cli
