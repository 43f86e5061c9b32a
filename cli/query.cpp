// seen query: which of these lines may be in the filter? Reads and answers like grep.
//
//   seen query FILTER [LIST…]      -F FILTER [-F FILTER…] [LIST…]      -e KEY
//
//   one filter        prints the lines that may be present; -v those surely absent; -c how many
//   several filters   the same for each of them, with the filter's name and a tab before it; --any, --all and --none
//                     make one decision of theirs
//   --json            one object per line, in order, matching or not
//   --confirm LIST    "may be" becomes "is" (confirm.hpp)
//
// asking.hpp does the asking and printing.
#include <seen/any_filter.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "asked_filters.hpp"
#include "asking.hpp"
#include "confirm.hpp"
#include "feed.hpp"
#include "filter_file.hpp"
#include "key_lists.hpp"
#include "options.hpp"
#include "verb.hpp"
#include "window_time.hpp"

namespace seen::cli {
namespace {

struct query_options : question_options {
  std::vector<std::string> confirm;
  filter_options filter;
  std::string now;
};

// Collects what may be in the filter, and finds it in the lists that the filter was made of. These have a key per line.
result<confirmed_keys> confirm(const query_options& o, const key_format& format, key_lists& lists,
                               const asked_filters& filters) {
  if (auto kept = lists.keep(); !kept) return kept.error();
  confirmed_keys keys;
  answer_buffer answers;
  for (std::size_t list = 0; list < lists.size(); ++list) {
    auto reader = lists.read(list);
    if (!reader) return reader.error();
    auto asked = feed(*reader, "asking", !o.quiet(), [&](const key_batch& batch) -> result<void> {
      const std::span<bool> said = answers.of(batch.keys.size());
      filters.filter(0).may_contain_many(batch.keys, said);
      keys.collect(batch.keys, said);
      return {};
    });
    if (!asked) return asked.error();
  }
  auto list = key_reader::open(o.confirm, whole_lines(format));
  if (!list) return list.error();
  if (auto read = keys.read(*list, filters.name(0), filters.filter(0), !o.quiet()); !read) return read.error();
  if (auto again = lists.rewind(); !again) return again.error();
  return keys;
}

// Who names the list first is told.
error hint_at_order(error e, const std::vector<std::string>& lists) {
  if (e.code == errc::not_recognised && std::any_of(lists.begin(), lists.end(), begins_as_filter)) {
    e.detail += " (the filter comes first, then the lists)";
  }
  return e;
}

result<void> check(const query_options& o, const question_files& files) {
  if (!o.confirm.empty() && files.filters.size() > 1) {
    return {errc::invalid_argument, "--confirm: goes with one filter, and here are " +
                                        std::to_string(files.filters.size()) + ": ask them one by one"};
  }
  const std::vector<std::string> asked = o.given_keys.empty() ? files_or_stdin(files.lists) : files.lists;
  const bool asks_stdin = std::find(asked.begin(), asked.end(), dash) != asked.end();
  if (asks_stdin && std::find(o.confirm.begin(), o.confirm.end(), dash) != o.confirm.end()) {
    return {errc::invalid_argument, "--confirm: standard input (-) cannot be read twice"};
  }
  // The reader would never come to its end, or a filter or a secret would be spoilt.
  return stdout_spares({asked, files.filters, o.filter.secrets(), o.confirm});
}

result<exit_status> query(const query_options& o) {
  auto files = o.filters_and_lists("query");
  if (!files) return files.error();
  auto format = o.keys.read(o.quiet());
  if (!format) return format.error();
  auto most = read_most(o);
  if (!most) return most.error();
  auto now = parse_time(o.now);
  if (!now) return now.error();
  if (auto fine = check(o, *files); !fine) return fine.error();
  auto filters = asked_filters::open(files->filters, o.filter, *now, o.decide(), o.quiet());
  if (!filters) return hint_at_order(filters.error(), files->lists);
  format->accepts = filters->accepts();
  format->written = filters->written();
  auto lists = key_lists::open(files->lists, o.given_keys, *format);
  if (!lists) return lists.error();
  std::optional<confirmed_keys> exact;
  if (!o.confirm.empty()) {
    auto confirmed = confirm(o, *format, *lists, *filters);
    if (!confirmed) return confirmed.error();
    exact = std::move(*confirmed);
    filters->keep_to(*exact);
  }
  auto any =
      ask_lists(o, *format, *lists, *filters, {.most = *most, .decide = o.decide(), .confirmed = exact.has_value()});
  if (!any) return any.error();
  return *any ? exit_status::yes : exit_status::no;
}

}  // namespace

action define_query(option_list& app) {
  auto o = std::make_shared<query_options>();
  o->define(app, "the filter file; with -F a list of keys, too",
            "a filter file; may be given again. Then all arguments are lists", "FILTER");
  app.values(
      {"--confirm",
       "a list that the filter was made of; may be given again. A line that may be in the filter is looked up in "
       "it, so that the answers are exact",
       "LIST"},
      o->confirm);
  define_now(app, o->now);
  o->filter.define(app);
  o->filter.define_check(app);
  o->keys.define(app);
  app.footer(exit_status_of_answers);
  app.footer(
      "Examples:\n"
      "  seen query users.seen candidates.txt                         lines that may be present\n"
      "  seen query -v users.seen < candidates.txt                    lines surely absent\n"
      "  seen query -q users.seen -e alice && echo perhaps            one key\n"
      "  seen query -F monday.seen -F tuesday.seen --none today.gz    new since\n"
      "  seen query old.seen --confirm old.txt -v new.txt             what new.txt has more, exactly\n"
      "  seen query users.seen --json < candidates.txt                {\"line_number\": 1, \"key\": \"alice\", …");
  return [o] { return query(*o); };
}

}  // namespace seen::cli
