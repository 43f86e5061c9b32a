// A verb is defined when it is asked for: all of them only for what tells of all of them.
#include "program.hpp"

#include <seen/base/names.hpp>

#include <array>
#include <memory>
#include <unistd.h>

#include "completions.hpp"
#include "help.hpp"
#include "man.hpp"

namespace seen::cli {
namespace {

action define_help(const program& about, option_list& options) {
  struct asked {
    std::string verb, folder;
  };
  auto o = std::make_shared<asked>();
  options.value({"verb", "the verb to tell of (default: all of them)", "VERB"}, o->verb);
  options.value({"--install", "write the man pages and completions below a folder, as share/ has them", "DIR"},
                o->folder);
  options.footer(
      "Examples:\n"
      "  seen help build                      what it takes\n"
      "  seen help --install ~/.local/share   man pages and completions, if no package brought them");
  return [o, &about]() -> result<exit_status> {
    if (!o->folder.empty()) {
      if (auto written = write_man_pages(about, o->folder); !written) return written.error();
      if (auto written = write_completions(about, o->folder); !written) return written.error();
      return exit_status::yes;
    }
    if (o->verb.empty()) return printing(help_of(about, tables_of(about)))();
    const auto verb = define_verb(about, o->verb);
    if (!verb) {
      return {errc::invalid_argument, "help: no verb is called \"" + o->verb + '"' + verb_meant(about, o->verb) + " (" +
                                          about.name + " help lists them)"};
    }
    return printing(help_of(verb->table))();
  };
}

action define_version(const program& about, option_list& options) {
  options.footer("Example:\n  seen version");
  return [&about] { return printing(std::string(about.name) + ' ' + about.version + '\n' + about.details())(); };
}

action define_completions(const program& about, option_list& options) {
  auto shell = std::make_shared<std::string>();
  options.value({"shell", "bash, zsh or fish", "SHELL", need::required}, *shell);
  options.footer(
      "`make install` puts them where the shells find them; these are for everybody else.\n"
      "\n"
      "Examples:\n"
      "  source <(seen completions bash)\n"
      "  seen completions fish > ~/.config/fish/completions/seen.fish\n"
      "  seen completions zsh > ~/.zfunc/_seen      a folder of $fpath, before compinit");
  return [shell, &about]() -> result<exit_status> {
    auto text = completions_for(about, *shell);
    if (!text) return text.error();
    return printing(std::move(*text))();
  };
}

struct own_verb {
  const char* name;
  const char* summary;
  action (*define)(const program& about, option_list& options);
};

constexpr own_verb own_verbs[] = {
    {"help", "say what a verb takes", define_help},
    {"version", "print the version, and what was compiled in", define_version},
    {"completions", "print what a shell needs to complete command lines", define_completions},
};

defined_verb defined(const program& about, const own_verb& each) {
  defined_verb made{{.program = about.name, .verb = each.name, .summary = each.summary}, {}};
  option_list options(made.table);
  made.run = each.define(about, options);
  made.table.add_help();
  return made;
}

// `seen` alone.
action short_usage(const program& about) {
  return [&about]() -> result<exit_status> {
    const std::string text = brief_help(about, tables_of(about));
    static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
    return exit_status::error;
  };
}

// What a program's own options are short for.
std::string_view verb_of(std::string_view word) {
  if (word == "-h" || word == "--help") return "help";
  if (word == "-V" || word == "--version") return "version";
  return word;
}

error no_verb(const program& about, std::string_view word) {
  const std::string see = std::string(" (see ") + about.name + " --help)";
  if (word.starts_with('-')) {
    constexpr std::array<std::string_view, 2> own{"--help", "--version"};
    const std::string near = did_you_mean(word, own);
    return {errc::invalid_argument, "no option is called " + std::string(word) +
                                        (near.empty() ? "; those of a verb come after it" : near) + see};
  }
  return {errc::invalid_argument, "no verb is called \"" + std::string(word) + '"' + verb_meant(about, word) + see};
}

}  // namespace

std::optional<defined_verb> define_verb(const program& about, std::string_view name) {
  for (const verb& each : about.verbs) {
    if (name == each.name) return define_verb(about.name, each);
  }
  for (const own_verb& each : own_verbs) {
    if (name == each.name) return defined(about, each);
  }
  return std::nullopt;
}

std::vector<option_table> tables_of(const program& about) {
  std::vector<option_table> all;
  for (const verb& each : about.verbs) all.push_back(define_verb(about.name, each).table);
  for (const own_verb& each : own_verbs) all.push_back(defined(about, each).table);
  return all;
}

std::string verb_meant(const program& about, std::string_view name) {
  std::vector<std::string_view> names;
  for (const verb& each : about.verbs) {
    for (const std::string& also : parts_of(each.also, " ")) {
      if (also == name) return std::string("; did you mean ") + each.name + '?';
    }
    names.push_back(each.name);
  }
  for (const own_verb& each : own_verbs) names.push_back(each.name);
  return did_you_mean(name, names);
}

result<action> read_command_line(const program& about, int argc, char** argv) {
  if (argc < 2) return short_usage(about);
  const std::string_view name = verb_of(argv[1]);
  auto verb = define_verb(about, name);
  if (!verb) return no_verb(about, name);
  return verb->read(std::span(argv + 2, argv + argc));
}

}  // namespace seen::cli
