#include "serve/glob.hpp"

#include <utility>

namespace seen::redis {
namespace {

// Whether one character matches what is at `p`, which is not a star; moves p past it.
bool matches_one(std::string_view pattern, std::size_t& p, char c) {
  if (pattern[p] == '?') {
    ++p;
    return true;
  }
  if (pattern[p] == '\\' && p + 1 < pattern.size()) {
    p += 2;
    return pattern[p - 1] == c;
  }
  if (pattern[p] != '[') return pattern[p++] == c;
  bool found = false;
  const bool negated = p + 1 < pattern.size() && pattern[p + 1] == '^';
  for (p += negated ? 2 : 1; p < pattern.size() && pattern[p] != ']'; ++p) {
    if (pattern[p] == '\\' && p + 1 < pattern.size()) ++p;
    char low = pattern[p], high = low;
    if (p + 2 < pattern.size() && pattern[p + 1] == '-') {
      high = pattern[p + 2];
      p += 2;
    }
    if (low > high) std::swap(low, high);
    found = found || (low <= c && c <= high);
  }
  if (p < pattern.size()) ++p;  // the bracket
  return found != negated;
}

}  // namespace

bool matches(std::string_view pattern, std::string_view name) noexcept {
  std::size_t p = 0, n = 0, star = pattern.npos, after = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      after = n;
      continue;
    }
    if (p < pattern.size() && matches_one(pattern, p, name[n])) {
      ++n;
      continue;
    }
    if (star == pattern.npos) return false;
    p = star;
    n = ++after;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace seen::redis
