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
// Batches of some ten thousand keys go through the filters at once, and the answers out at once. What arrives through a
// pipe is answered as soon as it is read. The lists are read one after another, since -c, -l and -m speak of each.
#include <seen/any_filter.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "answers.hpp"
#include "asked_filters.hpp"
#include "confirm.hpp"
#include "feed.hpp"
#include "filter_file.hpp"
#include "key_lists.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "output.hpp"
#include "verb.hpp"
#include "window_time.hpp"

namespace seen::cli {
namespace {

struct query_options {
  std::string first;                 // an argument: the filter, or a list where -F names filters
  std::vector<std::string> filters;  // -F
  std::vector<std::string> files, more_files, given_keys, confirm;
  filter_options filter;
  key_options keys;
  std::string most, now;
  bool invert = false, count = false, names_with = false, names_without = false;
  bool any = false, all = false, none = false;
  bool line_numbers = false, list_names = false, no_list_names = false;
  bool json = false, silent = false, no_messages = false;

  [[nodiscard]] bool quiet() const noexcept { return silent || no_messages; }
  [[nodiscard]] together decide() const noexcept {
    return any ? together::any : all ? together::all : none ? together::none : together::each;
  }
  // Only how many lines are selected counts, or whether any is.
  [[nodiscard]] bool prints_lines() const noexcept { return !silent && !count && !names_with && !names_without; }
};

// Filters and lists, told apart: without -F the first argument is the filter.
struct query_files {
  std::vector<std::string> filters, lists;
};

result<query_files> files_of(const query_options& o) {
  query_files files{o.filters, {}};
  if (o.filters.empty()) {
    if (o.first.empty()) {
      return {errc::invalid_argument, "query: which filter? seen query FILTER, or -F FILTER (see seen query --help)"};
    }
    files.filters = {o.first};
  } else if (!o.first.empty()) {
    files.lists.push_back(o.first);
  }
  files.lists.insert(files.lists.end(), o.files.begin(), o.files.end());
  files.lists.insert(files.lists.end(), o.more_files.begin(), o.more_files.end());
  return files;
}

// One pass over the lists, and what it selected.
class asking {
 public:
  static constexpr std::uint64_t unlimited = ~std::uint64_t{0};

  asking(const query_options& o, const key_format& format, const key_lists& lists, asked_filters& filters,
         const confirmed_keys* exact, std::uint64_t most)
      : o_(&o), lists_(&lists), filters_(&filters), exact_(exact), most_(most), wanted_(!o.invert) {
    const bool names = o.list_names || (lists.size() > 1 && !o.no_list_names);
    form_ = {.records = format, .list_names = names, .line_numbers = o.line_numbers};
    totals_.resize(filters.verdicts().size());
    if (!o.json) return;
    objects_.emplace(filters, object_printer::form{
                                  .list_names = names,
                                  .hex = format.hex,
                                  .key_is_part = !format.fields.empty() || format.path.has_value(),
                                  .selected = o.decide() != together::each,
                                  .confirmed = exact != nullptr,
                              });
  }

  /// True if a line was selected, or with -L a list named.
  result<bool> run() {
    for (std::size_t list = 0; list < lists_->size(); ++list) {
      auto asked = ask(list);
      if (!asked) return asked.error();
      if (any_ && o_->silent) return true;
    }
    if (o_->count && !form_.list_names && !o_->silent) append_counts({}, totals_);
    if (auto written = out_.flush(); !written) return written.error();
    return any_;
  }

 private:
  using counts = std::vector<std::uint64_t>;  // per verdict

  result<void> ask(std::size_t list) {
    counts selected(totals_.size());
    const std::string name = lists_->name(list);
    if (most_ != 0) {
      auto reader = lists_->read(list);
      if (!reader) return reader.error();
      std::uint64_t left = most_;
      // A bar between lines that someone is reading would only be in the way.
      const bool show_progress = !o_->quiet() && (!o_->prints_lines() || !stdout_is_watched());
      auto asked = feed(*reader, "asking", show_progress, [&](const key_batch& batch) -> result<bool> {
        filters_->ask(batch, exact_);
        const std::size_t count = within(batch.lines.size(), left);
        for (std::size_t v = 0; v < selected.size(); ++v) selected[v] += selected_of(v, count);
        if (o_->prints_lines()) {
          if (auto printed = print({batch, count, name, *reader}); !printed) return printed.error();
        }
        return left != 0 && !is_decided(selected);
      });
      if (!asked) return asked.error();
    }
    end_list(name, selected);
    return out_.flush();
  }

  // How many lines of a batch are looked at, until no more may be selected.
  std::size_t within(std::size_t lines, std::uint64_t& left) const {
    if (most_ == unlimited) return lines;
    const auto& verdicts = filters_->verdicts();
    for (std::size_t i = 0; i < lines; ++i) {
      const bool selected =
          std::any_of(verdicts.begin(), verdicts.end(), [&](const verdict& v) { return v.yes[i] == wanted_; });
      if (selected && --left == 0) return i + 1;
    }
    return lines;
  }

  [[nodiscard]] std::uint64_t selected_of(std::size_t verdict, std::size_t lines) const {
    const bool* const yes = filters_->verdicts()[verdict].yes;
    return static_cast<std::uint64_t>(std::count(yes, yes + lines, wanted_));
  }

  // Whether the rest of a list can change nothing.
  [[nodiscard]] bool is_decided(const counts& selected) const {
    const auto is_some = [](std::uint64_t n) { return n != 0; };
    if (o_->silent) return !o_->names_without && std::any_of(selected.begin(), selected.end(), is_some);
    return (o_->names_with || o_->names_without) && std::all_of(selected.begin(), selected.end(), is_some);
  }

  result<void> print(const placed_lines& lines) {
    if (objects_) {
      if (auto printed = objects_->print(out_, lines, *filters_); !printed) return printed;
      return out_.flush();
    }
    append_lines(out_, lines, filters_->verdicts(), wanted_, form_);
    return out_.flush();
  }

  void end_list(const std::string& name, const counts& selected) {
    for (std::size_t v = 0; v < selected.size(); ++v) {
      totals_[v] += selected[v];
      const bool counts = o_->names_without ? selected[v] == 0 : selected[v] != 0;
      any_ = any_ || counts;
      if (o_->silent || !counts || !(o_->names_with || o_->names_without)) continue;
      append_filter(v);
      out_.append(name);
      out_.append(form_.records.terminator);
    }
    if (o_->count && form_.list_names && !o_->silent) append_counts(name, selected);
  }

  void append_filter(std::size_t verdict) {
    const std::string& name = filters_->verdicts()[verdict].name;
    if (name.empty()) return;
    out_.append(name);
    out_.append('\t');
  }

  void append_counts(const std::string& list, const counts& selected) {
    for (std::size_t v = 0; v < selected.size(); ++v) {
      append_filter(v);
      if (!list.empty()) out_.append(list + ':');
      out_.append(std::to_string(selected[v]) + '\n');
    }
  }

  const query_options* o_;
  const key_lists* lists_;
  asked_filters* filters_;
  const confirmed_keys* exact_;
  std::uint64_t most_;  // lines that may be selected of a list
  bool wanted_;
  line_form form_;
  std::optional<object_printer> objects_;
  counts totals_;
  bool any_ = false;
  output out_;
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

result<void> check(const query_options& o, const query_files& files) {
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
  auto files = files_of(o);
  if (!files) return files.error();
  auto format = o.keys.read(o.quiet());
  if (!format) return format.error();
  std::uint64_t most = asking::unlimited;
  if (!o.most.empty()) {
    auto parsed = parse_option("--max-count", o.most, parse_count);
    if (!parsed) return parsed.error();
    most = *parsed;
  }
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
  }
  auto any = asking(o, *format, *lists, *filters, exact ? &*exact : nullptr, most).run();
  if (!any) return any.error();
  return *any ? exit_status::yes : exit_status::no;
}

void define_output(option_list& app, query_options& o) {
  app.flag({"-v,--invert-match", "select the lines that are surely absent"}, o.invert);
  app.flag({"-c,--count", "print only how many lines are selected; of each list, where its name is printed"}, o.count);
  app.flag({"-n,--line-number", "the number of a line in its list before it"}, o.line_numbers);
  app.flag({"-H,--with-filename", "the name of the list before each line (usual with several lists)"}, o.list_names);
  app.flag({"-h,--no-filename", "no names of lists"}, o.no_list_names);
  app.flag({"-l,--files-with-matches", "print only the names of lists in which a line is selected"}, o.names_with);
  app.flag({"-L,--files-without-match", "print only the names of the other lists"}, o.names_without);
  app.value({"-m,--max-count", "stop reading a list after N selected lines", "N"}, o.most);
  app.flag({"-i,--ignore-case", "make capitals of the keys small, as --lower does: for filters made so"}, o.keys.lower);
  app.flag({"-q,--quiet,--silent", "print nothing, and stop at the first selected line: the exit status tells"},
           o.silent);
  app.flag({"-s,--no-messages", "no progress bar and no remarks on stderr"}, o.no_messages);
  app.flag({"--json", "print one object per line, in order, matching or not"}, o.json);
  for (const char* const other : {"--invert-match", "--count", "--files-with-matches", "--files-without-match"}) {
    app.never_both("--json", other);
  }
  app.never_both("--with-filename", "--no-filename");
  app.never_both("--files-with-matches", "--files-without-match");
  app.never_both("--files-with-matches", "--count");
  app.never_both("--files-without-match", "--count");
}

}  // namespace

action define_query(option_list& app) {
  auto o = std::make_shared<query_options>();
  app.value({"filter", "the filter file; with -F a list of keys, too", "FILTER"}, o->first);
  app.values({"files", lists_help, "FILE"}, o->files);
  app.values({"-F,--filter", "a filter file; may be given again. Then all arguments are lists", "FILTER"}, o->filters);
  app.values({"-e,--key", "a key; may be given again", "KEY", need::optional, true}, o->given_keys);
  app.values({"-k,--keys", "a list of keys, as the arguments", "FILE"}, o->more_files);
  define_output(app, *o);
  option_list several =
      app.in_group("Several filters (otherwise each selects lines, printed after its name and a tab)");
  several.flag({"--any", "select the lines that may be in one of them or more"}, o->any);
  several.flag({"--all", "select the lines that may be in all of them"}, o->all);
  several.flag({"--none", "select the lines that are surely in none of them"}, o->none);
  app.never_both("--any", "--all");
  app.never_both("--any", "--none");
  app.never_both("--all", "--none");
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
  app.footer(
      "Exit status: 0 a line was selected (with --json: a key may be present; with -L: a list was named), 1 none,\n"
      "2 error.\n"
      "\n"
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
