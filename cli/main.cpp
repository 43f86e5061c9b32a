// seen: the command. Reads the command line, runs one verb, and turns what comes of it into an exit status.
//
//   stdout   data            stderr   words            exit   0 yes or done · 1 no · 2 error        as grep
//
// No exception leaves this file, and every error is one line that begins with "seen: ".
#include <seen/base/version.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "output.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

constexpr std::array verbs{
    verb{"build", "make a filter from keys", define_build},
    verb{"add", "add keys to a filter", define_add},
    verb{"remove", "take keys out of a filter", define_remove},
    verb{"query", "print the lines that may be in a filter, like grep", define_query},
    verb{"info", "say what a filter holds", define_info},
    verb{"plan", "compare the kinds for a number of keys and a rate", define_plan},
    verb{"merge", "unite filters", define_merge},
    verb{"intersect", "keep what several filters have in common", define_intersect},
    verb{"shrink", "fold a filter that is too large", define_shrink},
    verb{"convert", "write a filter as a file of another library", define_convert},
    verb{"verify", "check a file, its keys and its rate", define_verify},
    verb{"formats", "list file formats and kinds", define_formats},
    verb{"bench", "measure the kinds on this machine", define_bench},
};

constexpr const char* examples =
    "Examples:\n"
    "  seen build -o users.seen --fpr 0.001 users.txt     a filter of the lines of a file\n"
    "  seen query users.seen < candidates.txt             the lines that may be in it\n"
    "  seen query -v users.seen < candidates.txt          the lines that are surely not\n"
    "  seen info users.seen                               what it holds\n"
    "  seen plan -n 1e9 -p 0.001                          what it would cost\n"
    "\n"
    "\"seen VERB --help\" tells more. Exit status: 0 matched or done, 1 nothing matched, 2 error.";

int status_of(exit_status status) {
  return static_cast<int>(status);
}

int run(int argc, char** argv) {
  CLI::App app(
      "Have I seen this before? Filters that answer in a few bits a key, and are never wrong when they say no.",
      "seen");
  app.set_version_flag("--version", std::string("seen ") + version);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.footer(examples);
  std::array<action, verbs.size()> actions;
  std::array<CLI::App*, verbs.size()> parsers{};
  for (std::size_t i = 0; i < verbs.size(); ++i) {
    parsers[i] = app.add_subcommand(verbs[i].name, verbs[i].summary)->group("Verbs");
    actions[i] = verbs[i].define(*parsers[i]);
  }
  // The parser would say that an argument was not expected; this says what was.
  if (argc < 2) {
    report({errc::invalid_argument, "which verb? (see seen --help)"});
    return status_of(exit_status::error);
  }
  if (argv[1][0] != '-' &&
      std::none_of(verbs.begin(), verbs.end(), [&](const verb& v) { return std::string_view(v.name) == argv[1]; })) {
    report({errc::invalid_argument, "no verb is called \"" + std::string(argv[1]) + "\" (see seen --help)"});
    return status_of(exit_status::error);
  }
  const auto chosen = [&]() -> std::size_t {
    std::size_t i = 0;
    while (i < verbs.size() && !parsers[i]->parsed()) ++i;
    return i;
  };

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const std::size_t i = chosen();
    auto printed = print(i < verbs.size() ? parsers[i]->help("seen") : app.help());
    if (!printed) report(printed.error());
    return status_of(printed ? exit_status::yes : exit_status::error);
  } catch (const CLI::CallForVersion& version_text) {
    auto printed = print(std::string(version_text.what()) + '\n');
    if (!printed) report(printed.error());
    return status_of(printed ? exit_status::yes : exit_status::error);
  } catch (const CLI::ParseError& wrong) {
    const std::size_t i = chosen();
    const std::string verb = i < verbs.size() ? std::string(verbs[i].name) + ": " : "";
    report({errc::invalid_argument, verb + wrong.what() + " (see seen " +
                                        (i < verbs.size() ? std::string(verbs[i].name) + " " : "") + "--help)"});
    return status_of(exit_status::error);
  }

  auto outcome = actions[chosen()]();
  if (!outcome) {
    report(outcome.error());
    return status_of(exit_status::error);
  }
  return status_of(*outcome);
}

}  // namespace
}  // namespace seen::cli

int main(int argc, char** argv) {
  // A reader of ours that goes away ends us quietly, even if a parent had the signal ignored.
  std::signal(SIGPIPE, SIG_DFL);
  try {
    return seen::cli::run(argc, argv);
  } catch (const seen::out_of_memory& e) {
    seen::cli::report({seen::errc::no_memory, e.what()});
  } catch (const std::bad_alloc&) {
    seen::cli::report({seen::errc::no_memory, "out of memory"});
  } catch (const std::exception& e) {
    seen::cli::report({seen::errc::invalid_argument, e.what()});
  }
  return 2;
}
