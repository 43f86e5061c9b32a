// How verbs fill their table.
#include "option_table.hpp"

#include <algorithm>
#include <cassert>

namespace seen::cli {
namespace {

template <class To>
void add(option_table& table, const option& each, const char* heading, To& to, bool has_commas = false) {
  table.options.push_back({.names = parts_of(each.names, ","),
                           .help = each.help,
                           .value = each.value,
                           .heading = heading,
                           .required = each.needed == need::required,
                           .may_be_empty = each.may_be_empty,
                           .has_commas = has_commas,
                           .to = &to});
}

constexpr std::string_view example_words[] = {"Examples:\n", "Example:\n"};

}  // namespace

std::vector<std::string> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find_first_of(separators);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

const std::string& known_option::name() const noexcept {
  const auto is_long = [](const std::string& each) { return each.starts_with("--"); };
  const auto found = std::find_if(names.begin(), names.end(), is_long);
  return found != names.end() ? *found : names.front();
}

std::string known_option::placeholder() const {
  std::string word = names.front();
  if (repeats() && word.ends_with('s')) word.pop_back();
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
  return word;
}

std::string known_option::usage() const {
  if (is_option()) return names.front() + (is_flag() ? "" : ' ' + value);
  return (required ? placeholder() : '[' + placeholder() + ']') + (repeats() ? "..." : "");
}

std::string option_table::page() const {
  std::string name = command();
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string option_table::usage() const {
  if (!actions.empty()) return command() + " ACTION [OPTION]... [ARGUMENT]...";
  std::string line = command(), arguments;
  bool has_more = false;
  for (const known_option& each : options) {
    if (!each.is_option()) {
      arguments += ' ' + each.usage();
    } else if (each.required) {
      line += ' ' + each.usage();
    } else {
      has_more = true;
    }
  }
  return line + (has_more ? " [OPTION]..." : "") + arguments;
}

known_option* option_table::find(std::string_view name) noexcept {
  for (known_option& each : options) {
    if (std::find(each.names.begin(), each.names.end(), name) != each.names.end()) return &each;
  }
  return nullptr;
}

std::vector<std::string> option_table::headings() const {
  std::vector<std::string> all{""};
  for (const known_option& each : options) {
    if (std::find(all.begin(), all.end(), each.heading) == all.end()) all.push_back(each.heading);
  }
  return all;
}

error option_table::mistake(const std::string& what) const {
  return {errc::invalid_argument, (verb.empty() ? what : verb + ": " + what) + " (see " + command() + " --help)"};
}

void option_list::flag(const option& each, bool& to) {
  add(*table_, each, heading_, to);
}

void option_list::value(const option& each, std::string& to) {
  add(*table_, each, heading_, to);
}

void option_list::optional_value(const option& each, std::optional<std::string>& to) {
  add(*table_, each, heading_, to);
}

void option_list::values(const option& each, std::vector<std::string>& to) {
  add(*table_, each, heading_, to);
}

void option_list::list(const option& each, std::vector<std::string>& to) {
  add(*table_, each, heading_, to, true);
}

void option_list::never_both(const char* one, const char* other) {
  const auto index = [&](const char* name) {
    const known_option* const found = table_->find(name);
    assert(found != nullptr);
    return static_cast<std::size_t>(found - table_->options.data());
  };
  table_->never_both.emplace_back(index(one), index(other));
}

void option_list::footer(const char* text) {
  read_footer(*table_, text);
}

void read_footer(option_table& into, std::string_view text) {
  while (!text.empty()) {
    std::string_view paragraph = text.substr(0, text.find("\n\n"));
    text.remove_prefix(std::min(text.size(), paragraph.size() + 2));
    const auto begins = [&](std::string_view word) { return paragraph.starts_with(word); };
    const auto* const word = std::find_if(std::begin(example_words), std::end(example_words), begins);
    if (word == std::end(example_words)) {
      std::string filled(paragraph);
      std::replace(filled.begin(), filled.end(), '\n', ' ');
      into.remarks.push_back(std::move(filled));
      continue;
    }
    for (const std::string& line : parts_of(paragraph.substr(word->size()), "\n")) {
      const std::string_view shown = std::string_view(line).substr(std::min(line.size(), line.find_first_not_of(' ')));
      const std::string_view command = shown.substr(0, shown.find("  "));
      const std::string_view note = shown.substr(std::min(shown.size(), shown.find_first_not_of(' ', command.size())));
      into.examples.push_back({std::string(command), std::string(note)});
    }
  }
}

}  // namespace seen::cli
