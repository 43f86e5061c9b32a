// Whole lines pass as they are; everything else goes through the cutter, line by line.
#include "keys.hpp"

#include <algorithm>
#include <numeric>
#include <unistd.h>
#include <utility>

#include "records/cleaning.hpp"
#include "words.hpp"

namespace seen::cli {

result<key_reader> key_reader::open(std::vector<std::string> paths, const key_format& format) {
  const accepted_keys& accepts = format.accepts;
  if (format.digest != nullptr && accepts.form != key_form::bytes) {
    return {errc::invalid_argument,
            std::string("--digest: a key of this filter is ") + accepts.in_words() + ", not a digest"};
  }
  if (format.on_bad == bad_records::empty && !accepts.takes({})) {
    return {errc::invalid_argument, std::string("--on-bad empty: a key of this filter is ") + accepts.in_words()};
  }
  // Someone who forgot the list would wait for an answer for ever.
  const bool typed = std::find(paths.begin(), paths.end(), dash) != paths.end() && ::isatty(STDIN_FILENO) == 1;
  remark(format.quiet || !typed, "reading keys from the terminal (Ctrl-D ends them)");
  auto lines = line_reader::open(std::move(paths), format, format.decompress);
  if (!lines) return lines.error();
  return key_reader(std::move(*lines), format);
}

key_reader key_reader::of(std::vector<std::byte> lines, std::string name, const key_format& format) {
  return key_reader(line_reader::of(std::move(lines), std::move(name), format), format);
}

result<void> key_reader::rewind() {
  stopped_.reset();
  bad_ = 0;
  bad_in_one_file_ = true;
  read_ = {};
  begin_ = end_ = 0;
  return lines_.rewind();
}

// Lines are read many at a time, and cut few at a time: what is decoded of them stays in the cache.
result<std::span<const bytes_view>> key_reader::next_lines() {
  constexpr std::size_t cut_at_once = std::size_t{2} << 10;
  begin_ = end_;
  if (begin_ == read_.size()) {
    auto found = lines_.next();
    if (!found) return found;
    read_ = *found;
    begin_ = 0;
  }
  const bool whole = cutter_.format().whole_records();
  end_ = whole ? read_.size() : std::min(read_.size(), begin_ + cut_at_once);
  return read_.subspan(begin_, end_ - begin_);
}

result<key_batch> key_reader::next() {
  while (!stopped_) {
    places_.clear();
    auto found = next_lines();
    if (!found) return found.error();
    std::span<const bytes_view> lines = *found;
    const std::uint64_t first = lines.empty() ? 0 : number(0);
    if (first <= 1) suspicion_.end();  // of the file before
    if (first == 0) {
      tell_of_bad();
      return key_batch{};
    }
    std::optional<error> wrong;
    if (first == 1) {
      if (auto begun = begin_file(lines.front()); !begun) return begun.error();
    }
    if (first <= 2 && first + lines.size() > 2) {
      const auto second = static_cast<std::size_t>(2 - first);
      if (auto fine = suspicion_.go_on(lines[second]); !fine) {
        wrong = fine.error();
        lines = lines.first(second);
      }
    }
    const key_batch batch = cut(lines, first == 1);
    if (!stopped_) stopped_ = wrong;
    suspicion_.watch(cutter_.decodes() ? batch.texts : batch.keys);
    if (!batch.keys.empty()) return batch;
  }
  return *stopped_;
}

result<void> key_reader::begin_file(bytes_view first) {
  if (auto fine = suspicion_.begin(path(), first); !fine) return fine;
  if (!cutter_.format().header) return {};
  if (auto read = cutter_.read_names(without_mark(first)); !read) return read.error().prefixed(where(0) + ": ");
  return {};
}

// The keys of these lines: of all, or of those before one that ends it.
key_batch key_reader::cut(std::span<const bytes_view> lines, bool begins) {
  const key_format& format = cutter_.format();
  if (format.whole_records()) return key_batch{lines, lines};
  cutter_.clear();
  keys_.clear();
  texts_.clear();
  owner_.clear();
  kept_.clear();
  const bool several = format.several();
  bool left_out = false;
  std::uint32_t count = 0;  // lines with keys
  const auto keep = [&](std::size_t from, std::size_t number) {
    if (left_out)
      kept_.insert(kept_.end(), lines.begin() + static_cast<std::ptrdiff_t>(from),
                   lines.begin() + static_cast<std::ptrdiff_t>(from + number));
    for (std::size_t i = from; left_out && i != from + number; ++i) places_.push_back(static_cast<std::uint32_t>(i));
    count += static_cast<std::uint32_t>(number);
  };
  for (std::size_t i = 0; i != lines.size(); ++i) {
    const bool is_first = begins && i == 0;
    if (!is_first) {
      const std::size_t plain = cutter_.cut_plain(lines.subspan(i), keys_, texts_);
      keep(i, plain);
      i += plain;
      if (i == lines.size()) break;
    }
    const bytes_view line = is_first && format.drops_mark() ? without_mark(lines[i]) : lines[i];
    const record_kind kind = is_first && format.header ? record_kind::left_out : cutter_.cut(line, keys_, texts_);
    const bool taken = kind == record_kind::keys || (kind == record_kind::bad && take_bad(i));
    if (stopped_) break;
    if (!taken && !std::exchange(left_out, true)) {
      kept_.assign(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(i));
      places_.resize(i);
      std::iota(places_.begin(), places_.end(), std::uint32_t{0});
    }
    if (!taken) continue;
    if (several) owner_.resize(keys_.size(), count);
    keep(i, 1);
  }
  const auto taken = left_out ? std::span<const bytes_view>(kept_) : lines.first(count);
  const auto texts = cutter_.texts_are_records() ? taken : std::span<const bytes_view>(texts_);
  return {keys_, taken, owner_, cutter_.decodes() ? texts : std::span<const bytes_view>()};
}

// What the policy makes of a bad record: a key, nothing, or the end.
bool key_reader::take_bad(std::size_t index) {
  const bad_records policy = cutter_.format().on_bad;
  if (policy == bad_records::error) {
    stopped_ = error{errc::invalid_argument, lines_.where(begin_ + index) + ": " + cutter_.problem() +
                                                 " (--on-bad skip leaves such records out)"};
    return false;
  }
  if (bad_++ == 0) {
    first_bad_path_ = path();
    first_bad_ = cutter_.format().unit() + (' ' + grouped(lines_.number(begin_ + index))) + ": " + cutter_.problem();
  }
  bad_in_one_file_ &= first_bad_path_ == path();
  if (policy == bad_records::skip) return false;
  keys_.emplace_back();
  if (cutter_.decodes()) texts_.emplace_back();
  return true;
}

// Once, though the files be read twice.
void key_reader::tell_of_bad() {
  if (bad_ == 0 || std::exchange(told_of_bad_, true)) return;
  const std::string file = display_name(first_bad_path_) + ": ";
  warn(cutter_.format().quiet,
       (bad_in_one_file_ ? file : "") + grouped(bad_) + (bad_ == 1 ? " record " : " records ") +
           (cutter_.format().on_bad == bad_records::skip ? "skipped" : "taken for the empty key") +
           (bad_ == 1 ? ", in " : ", the first in ") + (bad_in_one_file_ ? "" : file) + first_bad_);
}

}  // namespace seen::cli
