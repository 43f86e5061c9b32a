// seen: the command. Reads the command line, runs one verb, and turns what comes of it into an exit status.
//
//   stdout   data            stderr   words            exit   0 yes or done · 1 no · 2 error, as grep · 3 busy
//
// No exception leaves this file, and every error is one line that begins with "seen: ".
#include <seen/base/version.hpp>
#include <seen/hash/hash.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "details.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

constexpr std::array verbs{
    verb{"build", "make a filter from keys", define_build, "create make new"},
    verb{"add", "add keys to a filter", define_add, "insert append put"},
    verb{"remove", "take keys out of a filter", define_remove, "delete rm erase"},
    verb{"query", "print the lines that may be in a filter, like grep", define_query, "grep contains test lookup has"},
    verb{"uniq", "print each line the first time it comes", define_uniq, "unique dedupe distinct"},
    verb{"info", "say what a filter holds", define_info, "show stat stats inspect"},
    verb{"report", "draw a filter: a page with pictures", define_report, "picture html chart draw plot"},
    verb{"plan", "compare the kinds for a number of keys and a rate", define_plan, "size estimate"},
    verb{"merge", "unite filters", define_merge, "union join unite"},
    verb{"intersect", "keep what several filters have in common", define_intersect, "intersection common"},
    verb{"shrink", "fold a filter that is too large", define_shrink, "fold compact"},
    verb{"convert", "write a filter as a file of another library", define_convert, "export"},
    verb{"verify", "check a file, its keys and its rate", define_verify, "check validate fsck"},
    verb{"serve", "answer clients of Redis", define_serve, "server daemon redis listen"},
    verb{"redis", "filters in Redis, Valkey and their clusters", define_redis, "valkey cluster redisbloom",
         redis_actions},
    verb{"formats", "list file formats and kinds", define_formats, "kinds list hashes"},
    verb{"bench", "measure the kinds on this machine", define_bench, "benchmark measure"},
};

constexpr const char* footer =
    "Examples:\n"
    "  seen build -o users.seen -p 0.001 users.txt     a filter of the lines of a file\n"
    "  seen query users.seen < candidates.txt          the lines that may be in it\n"
    "  seen query -v users.seen < candidates.txt       the lines that are surely not\n"
    "  seen info users.seen                            what it holds\n"
    "  seen plan -n 1e9 -p 0.001                       what it would cost\n"
    "\n"
    "`seen help VERB` and `man seen-VERB` tell more. Exit status: 0 matched or done, 1 nothing matched, 2 error,\n"
    "3 another process is changing the file.";

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const kind_row& each : kinds()) names.emplace_back(each.kind.name);
  return names;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const format_row* const each : formats()) names.emplace_back(each->name);
  return names;
}

std::vector<std::string> hash_names() {
  std::vector<std::string> names;
  for (const auto& each : detail::hash_names) names.emplace_back(each.name);
  return names;
}

constexpr std::array choices{
    choice{"KIND", kind_names},
    choice{"FORMAT", format_names},
    choice{"HASH", hash_names},
};

constexpr program seen_command{
    .name = "seen",
    .summary =
        "Have I seen this before? Filters that answer in a few bits per key, and are never wrong when they say no.",
    .version = version,
    .footer = footer,
    .details = details_of_build,
    .verbs = verbs,
    .choices = choices,
};

// Whoever asks for JSON gets errors in it, too; even one of the command line, before that is read.
bool wants_json(std::span<const char* const> words) {
  for (const std::string_view word : words) {
    if (word == "--") return false;
    if (word == "--json") return true;
  }
  return false;
}

result<exit_status> run(int argc, char** argv) {
  const std::span<const char* const> words(argv, static_cast<std::size_t>(argc));
  if (wants_json(words)) speak_json();
  auto asked = read_command_line(seen_command, argc, argv);
  if (!asked) return asked.error();
  return (*asked)();
}

// A file that is opened where a standard one is closed takes its number: keys would be read out of the filter, or answers written
// into it. What takes the place can neither be read nor written, as a closed one.
void occupy_standard_files() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

}  // namespace
}  // namespace seen::cli

int main(int argc, char** argv) {
  // A reader of ours that goes away ends us quietly, even if a parent had the signal ignored.
  std::signal(SIGPIPE, SIG_DFL);
  // A file that may not grow any more is an error with a name, and what was begun is removed.
  std::signal(SIGXFSZ, SIG_IGN);
  seen::cli::occupy_standard_files();
  try {
    const auto outcome = seen::cli::run(argc, argv);
    if (outcome) return static_cast<int>(*outcome);
    seen::cli::report(outcome.error());
    if (outcome.error().code == seen::errc::busy) return static_cast<int>(seen::cli::exit_status::busy);
  } catch (...) {
    seen::cli::report(seen::current_error());
  }
  return static_cast<int>(seen::cli::exit_status::error);
}
