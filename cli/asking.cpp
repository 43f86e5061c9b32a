// A pass over the lists.
#include "asking.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "answers.hpp"
#include "feed.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "output.hpp"

namespace seen::cli {
namespace {

// One pass over the lists, and what it selected.
class asking {
 public:
  asking(const answer_options& o, const key_format& format, const key_lists& lists, asked& filters,
         const asking_terms& how)
      : o_(&o), lists_(&lists), filters_(&filters), most_(how.most), wanted_(!o.invert) {
    const bool names = o.list_names || (lists.size() > 1 && !o.no_list_names);
    form_ = {.records = format, .list_names = names, .line_numbers = o.line_numbers};
    totals_.resize(filters.verdicts().size());
    if (!o.json) return;
    objects_.emplace(filters, object_printer::form{
                                  .list_names = names,
                                  .hex = format.hex,
                                  .key_is_part = !format.fields.empty() || format.path.has_value(),
                                  .selected = how.decide != together::each,
                                  .confirmed = how.confirmed,
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
        if (auto said = filters_->ask(batch); !said) return said.error();
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
    if (most_ == asking_terms::unlimited) return lines;
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

  const answer_options* o_;
  const key_lists* lists_;
  asked* filters_;
  std::uint64_t most_;  // lines that may be selected of a list
  bool wanted_;
  line_form form_;
  std::optional<object_printer> objects_;
  counts totals_;
  bool any_ = false;
  output out_;
};

}  // namespace

void answer_options::define_answers(option_list& app, bool& lower) {
  app.flag({"-v,--invert-match", "select the lines that are surely absent"}, invert);
  app.flag({"-c,--count", "print only how many lines are selected; of each list, where its name is printed"}, count);
  app.flag({"-n,--line-number", "the number of a line in its list before it"}, line_numbers);
  app.flag({"-H,--with-filename", "the name of the list before each line (usual with several lists)"}, list_names);
  app.flag({"-h,--no-filename", "no names of lists"}, no_list_names);
  app.flag({"-l,--files-with-matches", "print only the names of lists in which a line is selected"}, names_with);
  app.flag({"-L,--files-without-match", "print only the names of the other lists"}, names_without);
  app.value({"-m,--max-count", "stop reading a list after N selected lines", "N"}, most);
  app.flag({"-i,--ignore-case", "make capitals of the keys small, as --lower does: for filters made so"}, lower);
  app.flag({"-q,--quiet,--silent", "print nothing, and stop at the first selected line: the exit status tells"},
           silent);
  app.flag({"-s,--no-messages", "no progress bar and no remarks on stderr"}, no_messages);
  app.flag({"--json", "print one object per line, in order, matching or not"}, json);
  for (const char* const other : {"--invert-match", "--count", "--files-with-matches", "--files-without-match"}) {
    app.never_both("--json", other);
  }
  app.never_both("--with-filename", "--no-filename");
  app.never_both("--files-with-matches", "--files-without-match");
  app.never_both("--files-with-matches", "--count");
  app.never_both("--files-without-match", "--count");
}

void question_options::define(option_list& app, const char* argument, const char* filter_option, const char* value) {
  app.value({"filter", argument, value}, first);
  app.values({"files", lists_help, "FILE"}, files);
  app.values({"-F,--filter", filter_option, value}, filters);
  app.values({"-e,--key", "a key; may be given again", "KEY", need::optional, true}, given_keys);
  app.values({"-k,--keys", "a list of keys, as the arguments", "FILE"}, more_files);
  define_answers(app, keys.lower);
  option_list several =
      app.in_group("Several filters (otherwise each selects lines, printed after its name and a tab)");
  several.flag({"--any", "select the lines that may be in one of them or more"}, any);
  several.flag({"--all", "select the lines that may be in all of them"}, all);
  several.flag({"--none", "select the lines that are surely in none of them"}, none);
  app.never_both("--any", "--all");
  app.never_both("--any", "--none");
  app.never_both("--all", "--none");
}

result<question_files> question_options::filters_and_lists(const std::string& verb) const {
  question_files told{filters, {}};
  if (filters.empty()) {
    if (first.empty()) {
      return {errc::invalid_argument,
              verb + ": which filter? seen " + verb + " FILTER, or -F FILTER (see seen " + verb + " --help)"};
    }
    told.filters = {first};
  } else if (!first.empty()) {
    told.lists.push_back(first);
  }
  told.lists.insert(told.lists.end(), files.begin(), files.end());
  told.lists.insert(told.lists.end(), more_files.begin(), more_files.end());
  return told;
}

result<std::uint64_t> read_most(const answer_options& o) {
  if (o.most.empty()) return asking_terms::unlimited;
  return parse_option("--max-count", o.most, parse_count);
}

result<bool> ask_lists(const answer_options& o, const key_format& format, const key_lists& lists, asked& filters,
                       const asking_terms& how) {
  return asking(o, format, lists, filters, how).run();
}

}  // namespace seen::cli
