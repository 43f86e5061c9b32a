// seen query: which of these lines may be in the filter? Reads and answers like grep.
//
//   one filter        prints the lines that may be present; -v those surely absent; -c how many
//   several filters   the same for each of them, every line with the filter's name and a tab before it
//   --json            one object per key, in order, matching or not
//
// Batches of some ten thousand keys go through the filter at once, and the answers out at once. What arrives through a
// pipe is answered as soon as it is read.
#include <seen/any_filter.hpp>

#include <algorithm>
#include <memory>

#include "feed.hpp"
#include "filter_file.hpp"
#include "json.hpp"
#include "options.hpp"
#include "output.hpp"
#include "remarks.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

struct query_options {
  std::vector<std::string> filters;
  std::vector<std::string> files;
  filter_options filter;
  key_options keys;
  bool invert = false;
  bool count = false;
  bool json = false;
  bool quiet = false;
};

// A filter that is asked, what it said to the last batch, and how many lines it selected so far.
struct asked_filter {
  std::string name;
  any_filter filter;
  answer_buffer answers = {};
  std::uint64_t selected = 0;

  // An answer per line: yes where any key of it may be present.
  void ask(const key_batch& batch, bool wanted) {
    const std::span<bool> yes = answers.of(batch.keys.size());
    std::size_t found = filter.may_contain_many(batch.keys, yes);
    if (!batch.owner.empty()) {
      for (std::size_t key = 0; key < yes.size(); ++key) {
        const std::uint32_t line = batch.owner[key];
        const bool is_first = key == 0 || batch.owner[key - 1] != line;
        yes[line] = yes[key] || (!is_first && yes[line]);
      }
      found = static_cast<std::size_t>(std::count(yes.begin(), yes.begin() + batch.lines.size(), true));
    }
    selected += wanted ? found : batch.lines.size() - found;
  }
};

// Lines lie side by side in the reader's block, terminators included, unless one between them was left out: runs of them
// are copied at once.
void append_lines(output& out, std::span<const bytes_view> lines, const bool* answers, bool wanted,
                  const record_form& form) {
  for (std::size_t i = 0; i < lines.size();) {
    if (answers[i] != wanted) {
      ++i;
      continue;
    }
    const std::byte* const begin = lines[i].data();
    const std::byte* end = begin + lines[i].size();
    for (++i; i < lines.size() && answers[i] == wanted && lines[i].data() == end + form.gap(); ++i) {
      end = lines[i].data() + lines[i].size();
    }
    out.append(bytes_view(begin, end));
    if (form.gap() != 0) out.append(form.terminator);
  }
}

void append_named_lines(output& out, std::span<const bytes_view> lines, const std::vector<asked_filter>& filters,
                        bool wanted, char terminator) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const asked_filter& each : filters) {
      if (each.answers.data()[i] != wanted) continue;
      out.append(each.name);
      out.append('\t');
      out.append(lines[i]);
      out.append(terminator);
    }
  }
}

void append_objects(output& out, std::span<const bytes_view> keys, const std::vector<asked_filter>& filters,
                    const std::vector<std::string>& names_in_json, bool as_hex) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::string& text = out.text();
    text += '{';
    append_json_bytes(text, "key", keys[i], as_hex);
    std::string matched;
    for (std::size_t f = 0; f < filters.size(); ++f) {
      if (!filters[f].answers.data()[i]) continue;
      if (!matched.empty()) matched += ", ";
      matched += names_in_json[f];
    }
    text += matched.empty() ? ", \"may_contain\": false" : ", \"may_contain\": true";
    if (filters.size() > 1) text += ", \"matched\": [" + matched + ']';
    text += "}\n";
  }
}

// The filters, whose keys must be of one form: a line is read once for all of them.
result<std::vector<asked_filter>> open_all(const query_options& o) {
  auto open = o.filter.read();
  if (!open) return open.error();
  std::vector<asked_filter> filters;
  for (const std::string& path : o.filters) {
    auto opened = open_filter(path, *open, o.filter.how());
    if (!opened) return opened.error();
    filters.push_back({path, std::move(*opened)});
    const accepted_keys& here = filters.back().filter.origin().accepts;
    const accepted_keys& first = filters.front().filter.origin().accepts;
    if (here != first) {
      return {errc::incompatible, path + ": a key is " + here.in_words() + " here, and " + first.in_words() + " in " +
                                      filters.front().name + ": ask them one by one"};
    }
  }
  return filters;
}

// Asks the filters for every key, and prints what they say unless it is only counted.
result<void> ask_all(const query_options& o, const key_format& format, key_reader& reader,
                     std::vector<asked_filter>& filters) {
  std::vector<std::string> names_in_json;
  for (const std::string& name : o.filters) names_in_json.push_back(json(name).text());
  const bool wanted = !o.invert;
  // A bar between lines that someone is reading would only be in the way.
  const bool show_progress = !o.quiet && (o.count || !stdout_is_watched());
  output out;
  auto asked = feed(reader, "asking", show_progress, [&](const key_batch& batch) -> result<void> {
    for (asked_filter& each : filters) each.ask(batch, wanted);
    if (o.count) return {};
    if (o.json) {
      const std::span<const bytes_view> written = o.keys.hex || batch.texts.empty() ? batch.keys : batch.texts;
      append_objects(out, batch.owner.empty() ? written : batch.lines, filters, names_in_json, o.keys.hex);
    } else if (filters.size() == 1) {
      append_lines(out, batch.lines, filters.front().answers.data(), wanted, format);
    } else {
      append_named_lines(out, batch.lines, filters, wanted, format.terminator);
    }
    return out.flush();
  });
  if (!asked) return asked.error();
  return {};
}

result<void> print_counts(const std::vector<asked_filter>& filters) {
  output out;
  for (const asked_filter& each : filters) {
    if (filters.size() > 1) out.append(each.name + '\t');
    out.append(std::to_string(each.selected) + '\n');
  }
  return out.flush();
}

result<exit_status> query(const query_options& o) {
  auto format = o.keys.read(o.quiet);
  if (!format) return format.error();
  // The reader would never come to its end, or a filter or a secret would be spoilt.
  if (auto apart = stdout_spares({files_or_stdin(o.files), o.filters, o.filter.secrets()}); !apart)
    return apart.error();
  auto filters = open_all(o);
  if (!filters) return filters.error();
  format->accepts = filters->front().filter.origin().accepts;
  auto reader = key_reader::open(files_or_stdin(o.files), *format);
  if (!reader) return reader.error();
  for (const asked_filter& each : *filters) remark_guess(o.quiet, each.name, each.filter);

  if (auto asked = ask_all(o, *format, *reader, *filters); !asked) return asked.error();
  if (auto printed = o.count ? print_counts(*filters) : result<void>(); !printed) return printed.error();
  const bool any =
      std::any_of(filters->begin(), filters->end(), [](const asked_filter& each) { return each.selected != 0; });
  return any ? exit_status::yes : exit_status::no;
}

}  // namespace

action define_query(option_list& app) {
  auto o = std::make_shared<query_options>();
  app.values({"filters", "filter files; with several, every line is preceded by a filter's name and a tab", "FILE",
              need::required},
             o->filters);
  app.values({"-k,--keys", "a list of keys, one per line; .gz and .zst too (default: standard input)", "FILE"},
             o->files);
  app.flag({"-v,--invert-match", "print the lines that are surely absent"}, o->invert);
  app.flag({"-c,--count", "print only the number of lines"}, o->count);
  app.flag({"--json", "print one object per key, in order, matching or not"}, o->json);
  app.never_both("--json", "--invert-match");
  app.never_both("--json", "--count");
  o->filter.define(app);
  o->filter.define_check(app);
  define_quiet(app, o->quiet);
  o->keys.define(app);
  app.footer(
      "Exit status: 0 a line was printed or counted (with --json: a key may be present), 1 none, 2 error.\n"
      "\n"
      "Examples:\n"
      "  seen query users.seen < candidates.txt                      lines that may be present\n"
      "  seen query -v users.seen < candidates.txt                   lines surely absent\n"
      "  seen query monday.seen tuesday.seen -k candidates.txt.gz    monday.seen<tab>alice …\n"
      "  seen query users.seen --json < candidates.txt               {\"key\": \"alice\", \"may_contain\": true}");
  return [o] { return query(*o); };
}

}  // namespace seen::cli
