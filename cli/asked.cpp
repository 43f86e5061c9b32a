// Answers are arrays of bool, a filter's at a time; lines are decided on by loops that a compiler turns into vectors.
#include "asked.hpp"

#include <algorithm>
#include <utility>

namespace seen::cli {

asked::asked(std::vector<std::string> names, together decide)
    : names_(std::move(names)), said_(names_.size()), decide_(decide) {
  const bool is_one = decide != together::each || names_.size() == 1;
  for (const std::string& each : names_) {
    verdicts_.push_back({.name = is_one ? std::string() : each});
    if (is_one) break;
  }
}

result<void> asked::ask(const key_batch& batch) {
  for (std::size_t f = 0; f < size(); ++f) {
    answers& each = said_[f];
    const std::span<bool> by_key = each.by_key.of(batch.keys.size());
    if (auto answered = answer(f, batch.keys, by_key); !answered) return answered;
    each.of_line = by_key.data();
    if (batch.owner.empty()) continue;
    const std::span<bool> by_line = each.by_line.of(batch.lines.size());
    std::fill(by_line.begin(), by_line.end(), false);
    for (std::size_t i = 0; i < by_key.size(); ++i) by_line[batch.owner[i]] |= by_key[i];
    each.of_line = by_line.data();
  }
  decide(batch.lines.size());
  return {};
}

void asked::decide(std::size_t lines) {
  if (decide_ == together::each) {
    for (std::size_t f = 0; f < size(); ++f) verdicts_[f].yes = said_[f].of_line;
    return;
  }
  const std::span<bool> all = decided_.of(lines);
  std::copy_n(said_.front().of_line, lines, all.begin());
  for (std::size_t f = 1; f < size(); ++f) {
    const bool* const said = said_[f].of_line;
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
