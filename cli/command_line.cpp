// Reads the words of a command line by a table.
//
// Nothing is guessed: a name that is nearly right, or the beginning of one, is an error that tells the right name. A script
// that worked by a guess would mean something else once there is another option.
#include "command_line.hpp"

#include <seen/base/names.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

#include "help.hpp"
#include "option_table.hpp"
#include "output.hpp"

namespace seen::cli {
namespace {

// The words of a command line on their way into the variables.
class reader {
 public:
  reader(option_table& table, std::span<char* const> words) : table_(table), words_(words) {}

  result<void> read() {
    while (at_ < words_.size()) {
      const std::string_view word = words_[at_++];
      result<void> taken;
      if (only_arguments_ || word.size() < 2 || word[0] != '-') {
        taken = argument(word);
      } else if (word == "--") {
        only_arguments_ = true;
      } else {
        taken = word[1] == '-' ? long_option(word) : short_options(word);
      }
      if (!taken) return taken;
    }
    if (table_.find("--help")->given) return {};
    if (!unexpected_.empty()) return table_.mistake("not expected: " + unexpected_);
    return complete();
  }

 private:
  result<void> long_option(std::string_view word) {
    const std::string_view name = word.substr(0, word.find('='));
    known_option* const found = table_.find(name);
    if (found == nullptr) return unknown(name);
    if (name.size() == word.size()) return valued(*found, name, std::nullopt);
    return valued(*found, name, word.substr(name.size() + 1));
  }

  // -qf, -p0.01, -qp 0.01
  result<void> short_options(std::string_view word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::string name{'-', word[i]};
      known_option* const found = table_.find(name);
      if (found == nullptr) {
        // -json: not -j with the value "son" or -j, -s, -o, -n.
        return table_.find('-' + std::string(word)) != nullptr ? unknown(word) : unknown(name);
      }
      if (found->is_flag() || found->may_lack_value() || i + 1 == word.size()) {
        if (auto taken = valued(*found, name, std::nullopt); !taken) return taken;
      } else {
        return valued(*found, name, word.substr(i + 1));
      }
    }
    return {};
  }

  // An option with what stands in the same word; otherwise its value is the next one.
  result<void> valued(known_option& option, std::string_view name, std::optional<std::string_view> value) {
    if (option.is_flag()) {
      if (value) return table_.mistake(std::string(name) + ": takes no value");
      option.given = true;
      if (bool* const to = std::get<bool*>(option.to); to != nullptr) *to = true;
      return {};
    }
    if (!value && option.may_lack_value()) {
      option.given = true;
      std::get<std::optional<std::string>*>(option.to)->emplace();
      return {};
    }
    if (!value && at_ == words_.size()) {
      return table_.mistake(std::string(name) + ": needs a value: " + std::string(name) + ' ' + option.value);
    }
    return fill(option, value ? *value : words_[at_++]);
  }

  result<void> fill(known_option& option, std::string_view value) {
    const bool is_first = !std::exchange(option.given, true);
    if (auto* const one = std::get_if<std::string*>(&option.to)) {
      if (auto fine = check(option, value); !fine) return fine;
      **one = value;
    } else if (auto* const perhaps = std::get_if<std::optional<std::string>*>(&option.to)) {
      if (auto fine = check(option, value); !fine) return fine;
      **perhaps = value;
    } else {
      auto& all = *std::get<known_option::text_list*>(option.to);
      if (is_first) all.clear();  // of the list that is meant where none is given
      for (const std::string& each : parts_of(value, option.has_commas ? "," : "")) {
        if (auto fine = check(option, each); !fine) return fine;
        all.push_back(each);
      }
    }
    return {};
  }

  result<void> check(const known_option& option, std::string_view value) const {
    if (!value.empty() || option.may_be_empty || !option.is_option()) return {};
    return table_.mistake(option.name() + ": is empty");
  }

  // The first argument that has room.
  result<void> argument(std::string_view word) {
    for (known_option& each : table_.options) {
      if (!each.is_option() && (!each.given || each.repeats())) return fill(each, word);
    }
    (unexpected_ += unexpected_.empty() ? "" : " ") += word;
    return {};
  }

  result<void> unknown(std::string_view name) const {
    std::vector<std::string_view> names;
    for (const known_option& each : table_.options) {
      if (each.is_option()) names.insert(names.end(), each.names.begin(), each.names.end());
    }
    return table_.mistake("no option is called " + std::string(name) + did_you_mean(name, names));
  }

  result<void> complete() const {
    for (const known_option& each : table_.options) {
      if (!each.required || each.given) continue;
      return table_.mistake((each.is_option() ? each.name() : each.placeholder()) + " is required: " + table_.usage());
    }
    for (const auto& [a, b] : table_.never_both) {
      const known_option &one = table_.options[a], &other = table_.options[b];
      if (!one.given || !other.given) continue;
      return table_.mistake(one.name() + " excludes " + other.name() + ": leave one of them out");
    }
    return {};
  }

  option_table& table_;
  std::span<char* const> words_;
  std::size_t at_ = 0;
  bool only_arguments_ = false;
  std::string unexpected_;
};

}  // namespace

result<void> option_table::read(std::span<char* const> words) {
  return reader(*this, words).read();
}

void option_table::add_help() {
  known_option help{.names = {"-h", "--help"}, .help = "show this help", .to = static_cast<bool*>(nullptr)};
  if (find("-h") != nullptr) help.names.erase(help.names.begin());
  options.push_back(std::move(help));
}

result<action> defined_verb::read(std::span<char* const> words) {
  if (auto read = table.read(words); !read) return read.error();
  return table.find("--help")->given ? printing(help_of(table)) : run;
}

defined_verb define_verb(const char* program, const verb& each, const verb* of) {
  const bool alone = program == nullptr;
  const std::string name = of == nullptr ? each.name : std::string(of->name) + ' ' + each.name;
  defined_verb made{{.program = alone ? each.name : program, .verb = alone ? "" : name, .summary = each.summary}, {}};
  if (each.actions != nullptr) {
    for (const verb& action : each.actions()) made.table.actions.emplace_back(action.name, action.summary);
  }
  option_list options(made.table);
  made.run = each.define(options);
  made.table.add_help();
  return made;
}

result<action> read_command_line(const verb& only, int argc, char** argv) {
  return define_verb(nullptr, only).read(std::span(argv + 1, argv + argc));
}

action printing(std::string text) {
  return [text = std::move(text)]() -> result<exit_status> {
    if (auto printed = print(text); !printed) return printed.error();
    return exit_status::yes;
  };
}

}  // namespace seen::cli
