// A verb is defined when it is asked for: all of them only for what tells of all of them.
#include "program.hpp"

#include <seen/base/names.hpp>
#include <seen/base/text.hpp>

#include <algorithm>
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
    std::string verb, action, folder;
  };
  auto o = std::make_shared<asked>();
  options.value({"verb", "the verb to tell of (default: all of them)", "VERB"}, o->verb);
  options.value({"action", "the action to tell of, of a verb that has some", "ACTION"}, o->action);
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
    const std::string name = o->verb + (o->action.empty() ? "" : ' ' + o->action);
    const auto verb = define_verb(about, name);
    if (!verb) {
      return no_such_verb(about, name, std::string(" (") + about.name + " help lists them)").prefixed("help: ");
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

// "; did you mean query?" if one of the names, or of the words that people have for them, comes near.
std::string meant(std::span<const verb> verbs, std::vector<std::string_view> names, std::string_view name) {
  for (const verb& each : verbs) {
    for (const std::string& also : parts_of(each.also, " ")) {
      if (also == name) return std::string("; did you mean ") + each.name + '?';
    }
    names.push_back(each.name);
  }
  return did_you_mean(name, names);
}

const verb* find_verb(std::span<const verb> verbs, std::string_view name) {
  const auto found = std::find_if(verbs.begin(), verbs.end(), [&](const verb& each) { return name == each.name; });
  return found == verbs.end() ? nullptr : &*found;
}

// A verb that has actions, without one.
error no_action(const program& about, const option_table& table) {
  return table.mistake("which action? " + listed(table.actions, [](const auto& each) { return each.first; }) + "; " +
                       about.name + ' ' + table.verb + " ACTION --help says what one takes");
}

}  // namespace

std::optional<defined_verb> define_verb(const program& about, std::string_view name) {
  const std::size_t blank = name.find(' ');
  if (const verb* const found = find_verb(about.verbs, name.substr(0, blank)); found != nullptr) {
    if (blank == name.npos) return define_verb(about.name, *found);
    const verb* const action =
        found->actions == nullptr ? nullptr : find_verb(found->actions(), name.substr(blank + 1));
    return action == nullptr ? std::nullopt : std::optional(define_verb(about.name, *action, found));
  }
  for (const own_verb& each : own_verbs) {
    if (name == each.name) return defined(about, each);
  }
  return std::nullopt;
}

std::vector<option_table> tables_of(const program& about) {
  std::vector<option_table> all;
  for (const verb& each : about.verbs) {
    all.push_back(define_verb(about.name, each).table);
    if (each.actions == nullptr) continue;
    for (const verb& action : each.actions()) all.push_back(define_verb(about.name, action, &each).table);
  }
  for (const own_verb& each : own_verbs) all.push_back(defined(about, each).table);
  return all;
}

error no_such_verb(const program& about, std::string_view name, const std::string& see) {
  const std::size_t blank = name.find(' ');
  const verb* const of = blank == name.npos ? nullptr : find_verb(about.verbs, name.substr(0, blank));
  if (of != nullptr) {
    const std::string_view action = name.substr(blank + 1);
    const std::string near = of->actions == nullptr ? std::string() : meant(of->actions(), {}, action);
    return {errc::invalid_argument, std::string(of->name) + ": no action is called \"" + std::string(action) + '"' +
                                        near + " (see " + about.name + ' ' + of->name + " --help)"};
  }
  std::vector<std::string_view> own;
  for (const own_verb& each : own_verbs) own.push_back(each.name);
  if (name.starts_with('-')) {
    constexpr std::array<std::string_view, 2> options{"--help", "--version"};
    const std::string near = did_you_mean(name, options);
    return {errc::invalid_argument, "no option is called " + std::string(name) +
                                        (near.empty() ? "; those of a verb come after it" : near) + see};
  }
  return {errc::invalid_argument,
          "no verb is called \"" + std::string(name) + '"' + meant(about.verbs, own, name) + see};
}

result<action> read_command_line(const program& about, int argc, char** argv) {
  if (argc < 2) return short_usage(about);
  const std::string_view name = verb_of(argv[1]);
  const std::string see = std::string(" (see ") + about.name + " --help)";
  std::span<char* const> words(argv + 2, argv + argc);
  auto verb = define_verb(about, name);
  if (!verb) return no_such_verb(about, name, see);
  if (verb->table.actions.empty()) return verb->read(words);
  if (words.empty()) return no_action(about, verb->table);
  if (words.front()[0] == '-') {
    auto asked = verb->read(words);
    return asked && !verb->table.find("--help")->given ? result<action>(no_action(about, verb->table)) : asked;
  }
  const std::string both = std::string(name) + ' ' + words.front();
  auto action = define_verb(about, both);
  if (!action) return no_such_verb(about, both, see);
  return action->read(words.subspan(1));
}

}  // namespace seen::cli
