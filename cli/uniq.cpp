// seen uniq: each line the first time it comes, in order, as it comes. (awk '!s[$0]++', in a few bytes per line.)
//
//   in memory         a filter that grows: nobody says how many lines will come
//   --in FILE         the same, kept in a filter file from one run to the next; the file is made where there is none
//   --window 1h       a filter that forgets: a line comes again when that long has passed since it was printed
//   --exact           no filter, but the lines themselves (exact_lines.hpp): nothing is dropped, for more memory
//
// A filter says of a few new lines that they were there before, and these are lost (line_memory.hpp).
//
// An interrupt ends the input, not the command: what was printed is remembered.
#include <seen/any_filter.hpp>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <fmt/core.h>
#include <memory>
#include <unistd.h>

#include "abilities.hpp"
#include "answers.hpp"
#include "change.hpp"
#include "feed.hpp"
#include "json.hpp"
#include "line_memory.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "output.hpp"
#include "remarks.hpp"
#include "verb.hpp"
#include "window_time.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

struct uniq_options {
  std::vector<std::string> files;
  std::string path;  // of the filter that is kept
  std::string fpr, capacity, window, now;
  filter_options filter;
  key_options keys;
  bool repeated = false, count = false, exact = false, json = false;
  bool quiet = false;
};

// --- the filter

constexpr std::uint64_t first_lines = 100'000;     // of a filter that grows
constexpr std::uint64_t window_lines = 1'000'000;  // in a window, unless -n says otherwise

result<make_options> recipe_of(const uniq_options& o) {
  make_options make;
  auto fpr = parse_option("--fpr", o.fpr.empty() ? "1e-6" : o.fpr, parse_rate);
  if (!fpr) return fpr.error();
  auto capacity = o.capacity.empty() ? result<std::uint64_t>(o.window.empty() ? first_lines : window_lines)
                                     : parse_option("--capacity", o.capacity, parse_count);
  if (!capacity) return capacity.error();
  make.target = {.capacity = *capacity, .fpr = *fpr};
  // A table of fingerprints takes half the space of blocks at such rates, and a quarter of the time of many probes.
  make.kind = "growing-cuckoo";
  if (!o.window.empty()) {
    auto period = parse_option("--window", o.window, parse_duration);
    if (!period) return period.error();
    if (*period == 0) return {errc::invalid_argument, "--window: 0 remembers nothing"};
    make.kind = "windowed-bloom";
    make.shape = {{"period", *period}};
  }
  return make;
}

result<any_filter> make_memory(const uniq_options& o, const make_options& make) {
  auto made = any_filter::make(make);
  if (!made && !o.fpr.empty()) return {made.error().code, made.error().detail + " (--exact drops none)"};
  return made;
}

// What the file must be able to do, and what may not be said of a filter that is there already.
result<void> check_kept(const uniq_options& o, const any_filter& kept) {
  if (auto able = require(kept.kind(), &plan_row::can_add, "take more keys"); !able) return about(o.path, able.error());
  for (const auto& [name, value] : {std::pair{"--fpr", o.fpr}, {"--capacity", o.capacity}, {"--window", o.window}}) {
    if (!value.empty()) {
      return {errc::invalid_argument, o.path + ": is there already, and keeps its own " + name + " (leave it out)"};
    }
  }
  return {};
}

// --- signals

volatile std::sig_atomic_t caught = 0;

// Standard input ends, also for a read that waits for it: dup2 may be called here, and the read is begun anew.
void end_input(int signal) {
  caught = signal;
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
}

void catch_interrupts() {
  struct sigaction how {};
  how.sa_handler = end_input;
  how.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one ends the command at once
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &how, nullptr);
  }
}

// --- lines

struct outcome {
  std::uint64_t lines = 0, selected = 0;
  std::optional<error> stopped = {};  // what came before the end was printed
};

// An answer per line: it is new if one of its keys is.
void answer_lines(const key_batch& batch, std::span<bool> is_new) {
  if (!batch.owner.empty()) {
    for (std::size_t key = 0; key < is_new.size(); ++key) {
      const std::uint32_t line = batch.owner[key];
      const bool is_first = key == 0 || batch.owner[key - 1] != line;
      is_new[line] = is_new[key] || (!is_first && is_new[line]);
    }
  }
}

void append_objects(output& out, const key_batch& batch, std::span<const bool> is_new, bool wanted,
                    const key_reader& reader, bool list_names) {
  static const json_name line("line");
  for (std::size_t i = 0; i < batch.lines.size(); ++i) {
    if (is_new[i] != wanted) continue;
    out.append('{');
    if (list_names) out.append("\"list\": " + json(display_name(reader.path())).text() + ", ");
    out.append("\"line_number\": " + std::to_string(reader.number(i)) + ", ");
    append_json_bytes(out, line, batch.lines[i]);
    out.append("}\n");
  }
}

result<outcome> pass_lines(const uniq_options& o, const key_format& format, key_reader& reader, line_memory& known) {
  output out;
  answer_buffer answers;
  outcome all;
  bool is_printed = true;
  const bool show_progress = !o.quiet && (o.count || !stdout_is_watched());
  auto fed = feed(reader, "passing", show_progress, [&](const key_batch& batch) -> result<bool> {
    if (caught != 0) return false;
    const std::span<bool> is_new = answers.of(batch.keys.size());
    const auto taken = known.take(batch.keys, is_new);
    answer_lines(batch, is_new);
    const std::span<const bool> lines = is_new.first(batch.lines.size());
    all.lines += lines.size();
    all.selected += static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), !o.repeated));
    if (o.count) {
      // No line is printed.
    } else if (o.json) {
      append_objects(out, batch, lines, !o.repeated, reader, o.files.size() > 1);
    } else {
      append_lines(out, {batch, lines.size(), reader.path(), reader}, {{"", lines.data()}}, !o.repeated, {format});
    }
    auto printed = out.flush();
    is_printed = is_printed && printed;
    if (!printed) return printed.error();
    if (!taken) return taken.error();
    return true;
  });
  if (!is_printed) return fed.error();
  if (!fed) all.stopped = fed.error();
  if (o.count) {
    out.append(std::to_string(all.selected) + '\n');
    if (auto printed = out.flush(); !printed) return printed.error();
  }
  return all;
}

void tell(const uniq_options& o, const outcome& all, const double* losses) {
  if (o.quiet || all.stopped) return;
  const std::uint64_t fresh = o.repeated ? all.lines - all.selected : all.selected;
  std::string text =
      fmt::format("{} {}, {} different", grouped(all.lines), all.lines == 1 ? "line" : "lines", grouped(fresh));
  if (losses != nullptr) {
    text += fmt::format("; {} of these to be expected wrongly dropped (--fpr, --exact)", short_number(*losses));
  }
  remark(false, text);
}

result<exit_status> status_of(const outcome& all) {
  if (all.stopped) return *all.stopped;
  if (caught != 0) {
    std::signal(caught, SIG_DFL);
    std::raise(caught);
  }
  return all.selected != 0 ? exit_status::yes : exit_status::no;
}

result<exit_status> uniq_exactly(const uniq_options& o, const key_format& format, key_reader& reader) {
  auto seed = secret::random();
  if (!seed) return seed.error();
  exact_memory known(load_le<std::uint64_t>(seed->bytes.data()));
  auto all = pass_lines(o, format, reader, known);
  if (!all) return all.error();
  tell(o, *all, nullptr);
  return status_of(*all);
}

result<exit_status> uniq(const uniq_options& o) {
  auto format = o.keys.read(o.quiet);
  if (!format) return format.error();
  auto make = recipe_of(o);
  if (!make) return make.error();
  auto now = parse_time(o.now);
  if (!now) return now.error();
  auto open = o.filter.read();
  if (!open) return open.error();
  const std::vector<std::string> lists = files_or_stdin(o.files);
  if (auto apart = stdout_spares({lists, o.filter.secrets()}); !apart) return apart.error();

  if (o.exact) {
    auto reader = key_reader::open(lists, *format);
    if (!reader) return reader.error();
    return uniq_exactly(o, *format, *reader);
  }

  std::optional<locked_file> file;
  std::optional<any_filter> kept;
  if (!o.path.empty()) {
    std::vector<std::string> spared = o.filter.secrets();
    spared.insert(spared.end(), lists.begin(), lists.end());
    if (auto apart = saving_spares(o.path, spared); !apart) return apart.error();
    const bool is_new = ::access(o.path.c_str(), F_OK) != 0;
    if (is_new) {  // made at once, so that there is something to lock
      auto made = make_memory(o, *make);
      if (!made) return made.error();
      if (auto saved = made->save(o.path, {.overwrite = false}); !saved) return cannot_write(o.path, saved.error());
    }
    for (const std::string& each : lists) {
      if (is_same_file(each, o.path)) {
        return error{errc::invalid_argument, display_name(each) + ": is the filter itself, not a list of lines"};
      }
    }
    auto locked = locked_file::lock(o.path);
    if (!locked) return locked.error();
    auto opened = locked->open(*open, "add");
    if (!opened) return opened.error();
    if (auto fine = is_new ? result<void>() : check_kept(o, *opened); !fine) return fine.error();
    file = std::move(*locked);
    kept = std::move(*opened);
  } else {
    auto made = make_memory(o, *make);
    if (!made) return made.error();
    kept = std::move(*made);
  }
  const std::string name = file ? o.path : "the filter";
  const bool by_time = kept->info().clock.has_value();
  auto begin = *now;
  if (by_time && !begin) begin = static_cast<std::uint64_t>(std::time(nullptr));
  if (auto told = tell_time(name, *kept, begin); !told) return told.error();
  format->accepts = kept->origin().accepts;
  auto reader = key_reader::open(lists, *format);
  if (!reader) return reader.error();
  catch_interrupts();
  filter_memory known(std::move(*kept), name, !*now);
  auto all = pass_lines(o, *format, *reader, known);
  if (!all) return all.error();  // lines were not printed: they are not to be remembered
  if (file) {
    if (auto saved = file->save(known.filter()); !saved) return saved.error();
  }
  const double losses = known.expected_losses();
  tell(o, *all, &losses);
  return status_of(*all);
}

}  // namespace

action define_uniq(option_list& app) {
  auto o = std::make_shared<uniq_options>();
  app.values({"files", "the lines; .gz, .zst, .xz and .bz2 too; standard input (-) if there are none", "FILE"},
             o->files);
  app.flag({"-d,--repeated", "print the lines that came before, each time they come again"}, o->repeated);
  app.flag({"-c,--count", "print only the number of lines"}, o->count);
  app.flag({"--json", "print an object per line"}, o->json);
  app.never_both("--json", "--count");
  app.value({"--in", "the filter file that remembers lines from one run to the next; made if there is none", "FILE"},
            o->path);
  app.value({"-p,--fpr", "at most this share of new lines is wrongly dropped (default 1e-6)", "RATE"}, o->fpr);
  app.flag({"--exact", "drop none: the lines are kept in a temporary file (TMPDIR), and 16 to 32 bytes of memory each"},
           o->exact);
  app.value({"--window", "forget a line so long after it was printed: 90s, 15m, 1h, 7d", "TIME"}, o->window);
  app.value(
      {"-n,--capacity", "lines that may come in a window (default 1e6); without --window it only saves growing", "N"},
      o->capacity);
  define_now(app, o->now);
  for (const char* const other : {"--in", "--fpr", "--window", "--capacity", "--now"}) app.never_both("--exact", other);
  o->filter.define(app);
  define_quiet(app, o->quiet);
  o->keys.define(app);
  app.footer(
      "Examples:\n"
      "  seen uniq access.log                          each line once, in order\n"
      "  tail -f app.log | seen uniq --window 1h       and again after an hour\n"
      "  seen uniq --in known.seen today.txt           only what no run before has printed\n"
      "  seen uniq --field 2 -d , table.csv            by a column\n"
      "  seen uniq --exact words.txt > unique.txt      as awk '!s[$0]++', byte for byte\n"
      "\n"
      "Exit status: 0 a line was printed or counted, 1 none, 2 error, 3 the file of --in is in use.");
  return [o] { return uniq(*o); };
}

}  // namespace seen::cli
