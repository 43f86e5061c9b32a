// Each script is a table of its own: no shell runs the command to complete it, and it completes when the command is not there.
#include "completions.hpp"

#include <seen/base/names.hpp>
#include <seen/base/text.hpp>

#include <algorithm>
#include <vector>

#include "program.hpp"
#include "text_file.hpp"

namespace seen::cli {
namespace {

constexpr std::string_view shells[] = {"bash", "zsh", "fish"};

/// What can be offered for a value.
struct offer {
  enum kind { nothing, files, folders, words } what = nothing;
  std::string names = {};  // with blanks between them
};

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& each : words) (all += all.empty() ? "" : " ") += each;
  return all;
}

std::string actions_of(const option_table& table) {
  std::vector<std::string> names;
  for (const auto& [name, summary] : table.actions) names.push_back(name);
  return joined(names);
}

// The name of a verb or an action as a pattern of a shell's `case`.
std::string pattern(const option_table& table) {
  const std::size_t blank = table.verb.find(' ');
  return blank == table.verb.npos ? table.verb : table.verb.substr(0, blank) + '\\' + table.verb.substr(blank);
}

class completions {
 public:
  explicit completions(const program& about) : about_(about), verbs_(tables_of(about)) {
    for (const option_table& each : verbs_) {
      if (!each.is_action()) names_.push_back(each.verb);
    }
  }

  // Verbs with actions, as a pattern; one that matches nothing where there are none.
  [[nodiscard]] std::string with_actions() const {
    std::string all;
    for (const option_table& each : verbs_) {
      if (!each.actions.empty()) (all += all.empty() ? "" : "|") += each.verb;
    }
    return all.empty() ? "''" : all;
  }

  [[nodiscard]] std::string bash() const;
  [[nodiscard]] std::string zsh() const;
  [[nodiscard]] std::string fish() const;

 private:
  [[nodiscard]] offer offered(const known_option& each) const {
    if (each.value == "FILE") return {offer::files};
    if (each.value == "DIR") return {offer::folders};
    if (each.value == "VERB") return {offer::words, joined(names_)};
    if (each.value == "SHELL") return {offer::words, joined({std::begin(shells), std::end(shells)})};
    for (const choice& known : about_.choices) {
      if (each.value == known.value) return {offer::words, joined(known.names())};
    }
    return {};
  }
  // What the arguments are, all of one sort.
  [[nodiscard]] offer arguments(const option_table& table) const {
    if (!table.actions.empty()) return {offer::words, actions_of(table)};
    const auto& all = table.options;
    const auto found = std::find_if(all.begin(), all.end(), [](const known_option& each) { return !each.is_option(); });
    return found != all.end() ? offered(*found) : offer{};
  }

  // `seen redis add` has the words of two verbs.
  [[nodiscard]] std::string fish_condition(const option_table& table) const {
    const std::string from = "__fish_seen_subcommand_from ";
    if (const std::size_t blank = table.verb.find(' '); blank != table.verb.npos) {
      return from + table.verb.substr(0, blank) + "; and " + from + table.verb.substr(blank + 1);
    }
    if (!table.actions.empty()) return from + table.verb + "; and not " + from + actions_of(table);
    const auto is_over = [&](const option_table& each) {
      return std::any_of(each.actions.begin(), each.actions.end(),
                         [&](const auto& a) { return a.first == table.verb; });
    };
    const auto over = std::find_if(verbs_.begin(), verbs_.end(), is_over);
    return from + table.verb + (over == verbs_.end() ? "" : "; and not " + from + over->verb);
  }

  const program& about_;
  std::vector<option_table> verbs_;
  std::vector<std::string> names_;
};

// --- bash

std::string bash_reply(const offer& of) {
  switch (of.what) {
    case offer::files:
      return "files=1";
    case offer::folders:
      return "folders=1";
    case offer::words:
      return "words='" + of.names + "'";
    default:
      return ":";
  }
}

// Words are split at `=` before the function sees them.
constexpr const char* bash_begin = R"(_@() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}
  local words='' files='' folders='' reply=''
  if [[ $cur == '=' ]]; then cur=''
  elif [[ $prev == '=' ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
  if (( COMP_CWORD == 1 )); then words='$'
  else
    (( COMP_CWORD > 2 )) && case $verb in %) verb+=" ${COMP_WORDS[2]}" ;; esac
    case $verb in
)";
constexpr const char* bash_end = R"(    esac
  fi
  if [[ -n $files ]]; then mapfile -t reply < <(compgen -f -- "$cur"); compopt -o filenames 2> /dev/null
  elif [[ -n $folders ]]; then mapfile -t reply < <(compgen -d -- "$cur"); compopt -o filenames 2> /dev/null
  else mapfile -t reply < <(compgen -W "$words" -- "$cur")
  fi
  COMPREPLY=("${reply[@]}")
}
complete -F _@ @
)";

// The names of the program, of its verbs and of those that have actions, in a script that has @, $ and % for them.
std::string filled(std::string_view script, const std::string& name, const std::string& verbs,
                   const std::string& with_actions) {
  std::string text;
  for (std::size_t i = 0; i < script.size(); ++i) {
    const bool all_verbs = script.substr(i).starts_with("'$'");
    if (all_verbs) {
      text += '\'' + verbs + '\'';
      i += 2;
    } else if (script.substr(i).starts_with("%)")) {
      text += with_actions;
    } else if (script[i] == '@' && !script.substr(i).starts_with("@]")) {
      text += name;
    } else {
      text += script[i];
    }
  }
  return text;
}

std::string completions::bash() const {
  std::string text = filled(bash_begin, about_.name, joined(names_), with_actions());
  for (const option_table& verb : verbs_) {
    std::vector<std::string> names;
    text += "      " + pattern(verb) + ")\n        case $prev in\n";
    for (const known_option& each : verb.options) {
      if (!each.is_option()) continue;
      names.insert(names.end(), each.names.begin(), each.names.end());
      if (each.is_flag() || each.may_lack_value()) continue;
      std::string patterns;
      for (const std::string& name : each.names) (patterns += patterns.empty() ? "" : "|") += name;
      text += "          " + patterns + ") " + bash_reply(offered(each)) + " ;;\n";
    }
    text += "          *) if [[ $cur == -* ]]; then words='" + joined(names) + "'; else " +
            bash_reply(arguments(verb)) + "; fi ;;\n        esac ;;\n";
  }
  return text + filled(bash_end, about_.name, "", "");
}

// --- zsh

std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_offer(const offer& of) {
  switch (of.what) {
    case offer::files:
      return "_files";
    case offer::folders:
      return "_files -/";
    case offer::words:
      return '(' + of.names + ')';
    default:
      return "";
  }
}

// '(-o --output)'{-o+,--output=}'[the file to write]:FILE:_files'
std::string zsh_spec(const known_option& each, const offer& of) {
  const std::string value =
      each.is_flag() ? "" : (each.may_lack_value() ? "::" : ":") + escaped(each.value, ":") + ':' + zsh_offer(of);
  const std::string told = "'[" + escaped(each.help, "[]:\\") + ']' + value + '\'';
  const auto spelt = [&](const std::string& name) {
    const bool is_long = name.starts_with("--");
    return name + (each.is_flag() ? "" : each.may_lack_value() ? (is_long ? "=-" : "-") : is_long ? "=" : "+");
  };
  std::string specs;
  for (const std::string& name : each.names) {
    const std::string alone = each.repeats() ? "\\*" : "'(" + joined(each.names) + ")'";
    specs += " \\\n        " + alone + spelt(name) + told;
  }
  return specs;
}

std::string completions::zsh() const {
  const std::string name = about_.name;
  std::string text = "#compdef " + name + "\n_" + name + "() {\n  local -a verbs=(\n";
  for (const option_table& each : verbs_) {
    if (!each.is_action()) text += "    '" + each.verb + ':' + escaped(each.summary, ":\\") + "'\n";
  }
  text +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe verb verbs\n    return\n  fi\n"
      "  shift words\n  (( CURRENT-- ))\n  local verb=$words[1]\n"
      "  if [[ $verb == (" +
      with_actions() +
      ") ]] && (( CURRENT > 2 )); then\n"
      "    shift words\n    (( CURRENT-- ))\n    verb+=\" $words[1]\"\n  fi\n  case $verb in\n";
  for (const option_table& verb : verbs_) {
    text += "    " + pattern(verb) + ")\n      _arguments -s -S";
    for (const known_option& each : verb.options) {
      if (each.is_option()) text += zsh_spec(each, offered(each));
    }
    if (const offer of = arguments(verb); of.what != offer::nothing)
      text += " \\\n        '*: :" + zsh_offer(of) + '\'';
    text += " ;;\n";
  }
  // Read by compinit the file is the function's body; sourced it is a script.
  return text + "  esac\n}\nif [[ $funcstack[1] == _" + name + " ]]; then _" + name + " \"$@\"; else compdef _" + name +
         ' ' + name + "; fi\n";
}

// --- fish

std::string fish_offer(const offer& of) {
  switch (of.what) {
    case offer::files:
      return " -F";
    case offer::folders:
      return " -a '(__fish_complete_directories)'";
    case offer::words:
      return " -a '" + of.names + '\'';
    default:
      return "";
  }
}

// Of single quotes, fish understands \' and \\ .
std::string fish_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return '\'' + out + '\'';
}

std::string completions::fish() const {
  const std::string begin = std::string("complete -c ") + about_.name;
  std::string text = begin + " -f\n";
  for (const option_table& verb : verbs_) {
    if (verb.is_action()) continue;
    text += begin + " -n __fish_use_subcommand -a " + verb.verb + " -d " + fish_text(verb.summary) + '\n';
  }
  for (const option_table& verb : verbs_) {
    const std::string of_verb = begin + " -n '" + fish_condition(verb) + '\'';
    if (const offer of = arguments(verb); of.what != offer::nothing) text += of_verb + fish_offer(of) + '\n';
    for (const known_option& each : verb.options) {
      if (!each.is_option()) continue;
      text += of_verb;
      for (const std::string& name : each.names) {
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (!each.is_flag() && !each.may_lack_value()) {
        const offer of = offered(each);
        text += (of.what == offer::files ? " -r" : " -x") + fish_offer(of);
      }
      text += " -d " + fish_text(each.help) + '\n';
    }
  }
  return text;
}

}  // namespace

result<std::string> completions_for(const program& about, std::string_view shell) {
  const completions of(about);
  if (shell == "bash") return of.bash();
  if (shell == "zsh") return of.zsh();
  if (shell == "fish") return of.fish();
  return {errc::invalid_argument, "completions: no shell is called \"" + std::string(shell) + "\" here; there are " +
                                      listed(shells) + did_you_mean(shell, shells)};
}

result<void> write_completions(const program& about, const std::string& folder) {
  const completions of(about);
  const std::string name = about.name;
  if (auto written = write_text(folder + "/bash-completion/completions", name, of.bash()); !written) return written;
  if (auto written = write_text(folder + "/zsh/site-functions", '_' + name, of.zsh()); !written) return written;
  return write_text(folder + "/fish/vendor_completions.d", name + ".fish", of.fish());
}

}  // namespace seen::cli
