// Answers are arrays of bool, a filter's at a time; lines are decided on by loops that a compiler turns into vectors.
#include "asked_filters.hpp"

#include <algorithm>

#include "column_type.hpp"
#include "confirm.hpp"
#include "filter_file.hpp"
#include "remarks.hpp"
#include "window_time.hpp"

namespace seen::cli {

result<asked_filters> asked_filters::open(const std::vector<std::string>& paths, const filter_options& how,
                                          std::optional<std::uint64_t> now, together decide, bool quiet) {
  auto open = how.read();
  if (!open) return open.error();
  asked_filters made(decide);
  for (const std::string& path : paths) {
    auto opened = open_filter(path, *open, how.how());
    if (!opened) return opened.error();
    if (auto told = tell_time(path, *opened, now); !told) return told.error();
    made.filters_.push_back({path, std::move(*opened)});
    const accepted_keys& here = made.filters_.back().filter.origin().accepts;
    const written_number written = keys_written_in(path, made.filters_.back().filter, *open);
    if (made.filters_.size() == 1) made.written_ = written;
    if (here != made.accepts() || written != made.written_) {
      return {errc::incompatible, path + ": a key is " + here.in_words() + " here" + written.in_words() + ", and " +
                                      made.accepts().in_words() + made.written_.in_words() + " in " + made.name(0) +
                                      ": ask them one by one"};
    }
  }
  for (const one& each : made.filters_) {
    warn_if_assumed(quiet, each.name, each.filter);
    warn_if_too_full(quiet, each.name, each.filter, *open);
  }
  const bool is_one = decide != together::each || paths.size() == 1;
  for (const one& each : made.filters_) {
    made.verdicts_.push_back({.name = is_one ? std::string() : each.name});
    if (is_one) break;
  }
  return made;
}

void asked_filters::ask(const key_batch& batch, const confirmed_keys* exact) {
  for (one& each : filters_) {
    const std::span<bool> by_key = each.by_key.of(batch.keys.size());
    each.filter.may_contain_many(batch.keys, by_key);
    if (exact != nullptr) exact->keep_held(batch.keys, by_key);
    each.said = by_key.data();
    if (batch.owner.empty()) continue;
    const std::span<bool> by_line = each.by_line.of(batch.lines.size());
    std::fill(by_line.begin(), by_line.end(), false);
    for (std::size_t i = 0; i < by_key.size(); ++i) by_line[batch.owner[i]] |= by_key[i];
    each.said = by_line.data();
  }
  decide(batch.lines.size());
}

void asked_filters::decide(std::size_t lines) {
  if (decide_ == together::each) {
    for (std::size_t f = 0; f < filters_.size(); ++f) verdicts_[f].yes = filters_[f].said;
    return;
  }
  const std::span<bool> all = decided_.of(lines);
  std::copy_n(filters_.front().said, lines, all.begin());
  for (std::size_t f = 1; f < filters_.size(); ++f) {
    const bool* const said = filters_[f].said;
    if (decide_ == together::all) {
      for (std::size_t i = 0; i < lines; ++i) all[i] &= said[i];
    } else {
      for (std::size_t i = 0; i < lines; ++i) all[i] |= said[i];
    }
  }
  if (decide_ == together::none) {
    for (bool& each : all) each = !each;
  }
  verdicts_.front().yes = all.data();
}

}  // namespace seen::cli
