// The distance of two names counts letters; names are short, so the plain table of all beginnings will do.
#include <seen/base/names.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace seen::inline v1 {
namespace {

// Small letters, and dashes for underscores.
std::string one_spelling(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    if (c == '_') c = '-';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// Letters to add, leave out or change, and neighbours to exchange, to make one of the other: each letter in one edit at most.
std::size_t edits(std::string_view one, std::string_view other) {
  std::vector<std::size_t> before(other.size() + 1), last(other.size() + 1), row(other.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= one.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (one[i - 1] != other[j - 1])});
      const bool exchanged = i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
      if (exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last.back();
}

}  // namespace

bool is_same_name(std::string_view one, std::string_view other) noexcept {
  const auto spelt = [](char c) { return c == '_' ? '-' : c; };
  const auto is_same = [&](char a, char b) { return spelt(a) == spelt(b); };
  return std::equal(one.begin(), one.end(), other.begin(), other.end(), is_same);
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> names) {
  const std::string plain = one_spelling(word);
  std::string_view best;
  std::size_t least = word.size() / 3 + 1;  // one too many
  for (const std::string_view name : names) {
    const std::size_t away = edits(plain, one_spelling(name));
    if (away >= least) continue;
    least = away;
    best = name;
  }
  if (!best.empty() || plain.size() < 2) return best;
  const auto begun = [&](std::string_view name) { return one_spelling(name).starts_with(plain); };
  const auto found = std::find_if(names.begin(), names.end(), begun);
  const bool is_one = found != names.end() && std::none_of(found + 1, names.end(), begun);
  return is_one ? *found : best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> names) {
  const std::string_view meant = nearest(word, names);
  return meant.empty() ? std::string() : "; did you mean " + std::string(meant) + '?';
}

}  // namespace seen::inline v1
