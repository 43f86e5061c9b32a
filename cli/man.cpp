// In the macros of man(7), which groff, mandoc and everything older know.
#include "man.hpp"

#include <algorithm>
#include <string_view>

#include "help.hpp"
#include "program.hpp"
#include "text_file.hpp"

namespace seen::cli {
namespace {

// Text as roff reads it: a line does not begin with a control character, and dashes can be copied.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : in_ascii(std::string(text))) {
    const bool begins = out.empty() || out.back() == '\n';
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '-') {
      out += "\\-";
    } else if (c == '\\') {
      out += "\\e";
    } else if (c == '`') {
      out += '"';  // of `seen plan`
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) {
  return "\\fB" + roff(text) + "\\fR";
}

std::string sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  if (!text.ends_with('.')) text += '.';
  return text;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
  return text;
}

class man_page {
 public:
  man_page(const program& about, const std::string& name, std::string_view summary) {
    const std::string version = std::string(about.name) + ' ' + about.version;
    text_ = ".TH " + upper(name) + " 1 \"\" \"" + version + "\" \"User Commands\"\n";
    section("NAME");
    line(name + " \\- " + roff(summary));
  }

  void section(std::string_view name) { line(".SH " + upper(std::string(name))); }
  void subsection(std::string_view name) { line(".SS " + quoted(name)); }
  void line(std::string_view text) { (text_ += text) += '\n'; }
  void paragraph(std::string_view text) {
    line(".PP");
    line(roff(text));
  }
  void item(const std::string& term, std::string_view text) {
    line(".TP");
    line(term);
    line(roff(text));
  }
  void description(const std::string& summary, const std::vector<std::string>& remarks) {
    section("DESCRIPTION");
    line(roff(sentence(summary)));
    for (const std::string& each : remarks) paragraph(each);
  }
  void examples(const std::vector<example>& all) {
    if (all.empty()) return;
    section("EXAMPLES");
    for (const example& each : all) {
      if (each.note.empty()) {
        if (&each != &all.front()) line(".PP");
        line(bold(each.command));
      } else {
        item(bold(each.command), sentence(each.note));
      }
    }
  }

  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  static std::string quoted(std::string_view text) {
    std::string inside = roff(text);
    std::replace(inside.begin(), inside.end(), '"', '\'');
    return '"' + inside + '"';
  }

  std::string text_;
};

// "-p, --fpr RATE" with names in bold and the value in italics.
std::string term(const known_option& each) {
  if (!each.is_option()) return "\\fI" + roff(names_in_full(each)) + "\\fR";
  std::string names;
  for (const std::string& name : each.names) names += (names.empty() ? "" : ", ") + bold(name);
  if (each.is_flag()) return names;
  const std::string value = "\\fI" + roff(each.value) + "\\fR";
  return names + (each.may_lack_value() ? "[=" + value + ']' : ' ' + value);
}

void options(man_page& page, const option_table& table) {
  for (const known_option& each : table.options) {
    if (!each.is_option()) page.item(term(each), sentence(help_in_full(each)));
  }
  for (const std::string& heading : table.headings()) {
    if (!heading.empty()) page.subsection(heading);
    for (const known_option& each : table.options) {
      if (each.is_option() && each.heading == heading) page.item(term(each), sentence(help_in_full(each)));
    }
  }
}

std::string page_of(const program& about, const option_table& table) {
  man_page page(about, table.page(), table.summary);
  page.section("SYNOPSIS");
  page.line(bold(table.command()) + roff(table.usage().substr(table.command().size())));
  page.description(table.summary, table.remarks);
  if (!table.actions.empty()) page.section("ACTIONS");
  for (const auto& [name, summary] : table.actions) page.item(bold(name), sentence(summary));
  page.section("OPTIONS");
  options(page, table);
  page.examples(table.examples);
  page.section("SEE ALSO");
  page.line(".BR " + table.program + " (1)");
  return std::move(page).text();
}

std::string page_of(const program& about, const std::vector<option_table>& verbs) {
  option_table said;
  read_footer(said, about.footer);
  man_page page(about, about.name, "filters that remember keys in a few bits each");
  page.section("SYNOPSIS");
  page.line(bold(about.name) + " \\fIVERB\\fR [OPTION]... [ARGUMENT]...");
  page.description(about.summary, said.remarks);
  page.section("VERBS");
  for (const option_table& each : verbs) {
    if (!each.is_action()) page.item(bold(each.verb), sentence(each.summary));
  }
  page.section("ENVIRONMENT");
  page.item(bold("COLUMNS"), "How wide the help is; otherwise as wide as the terminal.");
  page.item(bold("NO_COLOR"), "The progress bar has no colour.");
  page.item(bold("TERM"), "There is no progress bar if it is dumb.");
  page.item(bold("TMPDIR"), "Where digests wait that are too many for memory (/tmp).");
  page.examples(said.examples);
  page.section("SEE ALSO");
  for (const option_table& each : verbs) {
    page.line(".BR " + roff(each.page()) + " (1)" + (&each != &verbs.back() ? "," : ""));
  }
  return std::move(page).text();
}

}  // namespace

result<void> write_man_pages(const program& about, const std::string& folder) {
  const std::string pages = folder + "/man/man1";
  const std::vector<option_table> verbs = tables_of(about);
  if (auto written = write_text(pages, std::string(about.name) + ".1", page_of(about, verbs)); !written) return written;
  for (const option_table& each : verbs) {
    if (auto written = write_text(pages, each.page() + ".1", page_of(about, each)); !written) return written;
  }
  return {};
}

}  // namespace seen::cli
