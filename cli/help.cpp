// Two columns where there is room for them, and lines that break between words.
#include "help.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

#include "option_table.hpp"
#include "output.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

constexpr std::size_t shown_first = 2;  // examples

std::size_t width_of_help() {
  std::size_t columns = 0;
  if (const char* const text = std::getenv("COLUMNS"); text != nullptr) {
    std::from_chars(text, text + std::string_view(text).size(), columns);
  }
  if (columns == 0) columns = columns_of(STDOUT_FILENO);
  return columns == 0 ? 80 : std::clamp<std::size_t>(columns, 40, 120);
}

// The text of a help, as it grows.
class page {
 public:
  void line(std::string_view text = {}) { (text_ += text) += '\n'; }
  void paragraph(const std::string& first, std::string_view text) { text_ += wrapped(first, text, width_ + 1); }
  void heading(std::string_view text) {
    line();
    paragraph("", std::string(text) + ':');
  }

  // What stands on the left, and what it is.
  void row(std::string left, std::string_view right) {
    const bool is_narrow = width_ < two_columns;
    if (is_narrow) left.erase(0, left.find_first_not_of(' '));
    if (is_narrow || left.size() + 2 > left_) {
      paragraph("  ", left);
      if (!right.empty()) paragraph("      ", right);
    } else {
      paragraph("  " + left + std::string(left_ - left.size(), ' '), right);
    }
  }
  void fit_left(std::size_t longest) { left_ = std::max(left_, std::min(longest + 2, widest_left)); }

  void examples(const char* title, std::span<const example> all) {
    if (all.empty()) return;
    heading(title);
    std::size_t longest = 0;
    for (const example& each : all) longest = std::max(longest, each.command.size());
    const bool fits = std::all_of(all.begin(), all.end(), [&](const example& each) {
      return each.note.empty() || 2 + longest + 3 + each.note.size() <= width_;
    });
    for (const example& each : all) {
      if (fits && !each.note.empty()) {
        line("  " + each.command + std::string(longest + 3 - each.command.size(), ' ') + each.note);
        continue;
      }
      command(each.command);
      if (!each.note.empty()) paragraph("      ", each.note);
    }
  }

  [[nodiscard]] std::string text() && { return in_ascii(std::move(text_)); }

 private:
  static constexpr std::size_t two_columns = 60, widest_left = 30;

  // A command too long for a line goes on in the next, in a way that a shell understands.
  void command(std::string_view rest) {
    std::string begun = "  ";
    while (begun.size() + rest.size() > width_) {
      const std::size_t at = break_before(rest, width_ - begun.size() - 2);
      if (at == 0) break;
      line(begun.append(rest.substr(0, at)) + " \\");
      rest.remove_prefix(at + 1);
      begun = "    ";
    }
    line(begun.append(rest));
  }

  // The last blank outside quotes before `room` is used up, otherwise the first; 0: there is none. A file stays with its `<`.
  static std::size_t break_before(std::string_view text, std::size_t room) {
    std::size_t at = 0;
    char quote = 0;
    for (std::size_t i = 0; i < text.size() && (i <= room || at == 0); ++i) {
      if (quote != 0 ? text[i] == quote : text[i] == '\'' || text[i] == '"') {
        quote = quote != 0 ? char{0} : text[i];
      } else if (quote == 0 && text[i] == ' ' && i != 0 && text[i - 1] != '<') {
        at = i;
      }
    }
    return at;
  }

  std::string text_;
  std::size_t width_ = width_of_help(), left_ = 0;
};

// Names in one column whether or not there is a short one.
std::string aligned_names(const known_option& each) {
  const bool lacks_short = each.is_option() && each.names.front().starts_with("--");
  return (lacks_short ? "    " : "") + names_in_full(each);
}

template <class Chosen>
void rows(page& into, const std::string& heading, const option_table& table, Chosen chosen) {
  const auto& all = table.options;
  if (std::none_of(all.begin(), all.end(), chosen)) return;
  into.heading(heading);
  for (const known_option& each : all) {
    if (chosen(each)) into.row(aligned_names(each), help_in_full(each));
  }
}

}  // namespace

std::string in_ascii(std::string text) {
  constexpr std::string_view ellipsis = "…";
  for (std::size_t at = 0; (at = text.find(ellipsis, at)) != std::string::npos;)
    text.replace(at, ellipsis.size(), "...");
  return text;
}

std::string names_in_full(const known_option& each) {
  if (!each.is_option()) return each.placeholder() + (each.repeats() ? "..." : "");
  std::string text;
  for (const std::string& name : each.names) append_name(text, name);
  if (each.is_flag()) return text;
  return text + (each.may_lack_value() ? "[=" + each.value + ']' : ' ' + each.value);
}

std::string help_in_full(const known_option& each) {
  std::string text = each.help;
  if (each.required) text += " (required)";
  if (each.is_option() && each.repeats() && !each.has_commas) text += " (may be given again)";
  return text;
}

std::string help_of(const option_table& table) {
  page help;
  help.paragraph("Usage: ", table.usage());
  help.line();
  help.paragraph("", table.summary);
  const std::span<const example> all = table.examples;
  const std::size_t first = std::min(all.size(), shown_first);
  help.examples("Examples", all.first(first));
  for (const known_option& each : table.options) help.fit_left(aligned_names(each).size());
  for (const auto& [name, summary] : table.actions) help.fit_left(name.size());
  if (!table.actions.empty()) help.heading("Actions");
  for (const auto& [name, summary] : table.actions) help.row(name, summary);
  rows(help, "Arguments", table, [](const known_option& each) { return !each.is_option(); });
  for (const std::string& heading : table.headings()) {
    rows(help, heading.empty() ? "Options" : heading, table,
         [&](const known_option& each) { return each.is_option() && each.heading == heading; });
  }
  for (const std::string& remark : table.remarks) {
    help.line();
    help.paragraph("", remark);
  }
  help.examples("More examples", all.subspan(first));
  if (!table.verb.empty()) {
    const std::size_t blank = table.verb.find(' ');
    help.line();
    help.paragraph("", "More: `man " + table.page() + "`, and `" + table.program + " help" +
                           (table.is_action() ? ' ' + table.verb.substr(0, blank) + "` for the other actions."
                                              : "` for the other verbs."));
  }
  return std::move(help).text();
}

std::string help_of(const program& about, std::span<const option_table> verbs) {
  page help;
  help.paragraph("Usage: ", std::string(about.name) + " VERB [OPTION]... [ARGUMENT]...");
  help.line();
  help.paragraph("", about.summary);
  option_table said;
  read_footer(said, about.footer);
  help.examples("Examples", said.examples);
  help.heading("Verbs");
  for (const option_table& each : verbs) help.fit_left(each.is_action() ? 0 : each.verb.size());
  for (const option_table& each : verbs) {
    if (!each.is_action()) help.row(each.verb, each.summary);
  }
  for (const std::string& remark : said.remarks) {
    help.line();
    help.paragraph("", remark);
  }
  return std::move(help).text();
}

std::string brief_help(const program& about, std::span<const option_table> verbs) {
  page help;
  std::string names;
  for (const option_table& each : verbs) {
    if (!each.is_action()) append_name(names, each.verb);
  }
  help.paragraph("Usage: ", std::string(about.name) + " VERB [OPTION]... [ARGUMENT]...");
  help.paragraph("Verbs: ", names);
  help.paragraph("",
                 std::string(about.name) + " help says what they do, and " + about.name + " help VERB what one takes.");
  return std::move(help).text();
}

}  // namespace seen::cli
