// Names follow from the kind's: blocked-bloom is seen::blocked_bloom and BlockedBloom. tests/languages/plan_code_test.py compiles and runs
// what is printed.
#include "plan_code.hpp"

#include <seen/base/text.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/core.h>
#include <string_view>

namespace seen::cli {
namespace {

// A new filter in Go and Rust is one of these; they read the others.
constexpr std::array<std::string_view, 9> made_everywhere{"blocked-bloom",  "bloom",
                                                          "split-block",    "cuckoo",
                                                          "counting-bloom", "blocked-counting-bloom",
                                                          "scalable-bloom", "scalable-classic-bloom",
                                                          "binary-fuse"};

bool is_made_everywhere(std::string_view kind) {
  return std::find(made_everywhere.begin(), made_everywhere.end(), kind) != made_everywhere.end();
}

std::string type_name(std::string_view kind) {
  std::string name(kind);
  std::replace(name.begin(), name.end(), '-', '_');
  return "seen::" + (name == "xor" ? "xor_filter" : name);  // a word of the language
}

std::string camel(std::string_view kind) {
  std::string name;
  bool begins = true;
  for (const char c : kind) {
    if (c != '-') name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = c == '-';
  }
  return name;
}

// 1000000 -> 1'000'000 or 1_000_000.
std::string with_marks(std::uint64_t number, char mark) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, mark);
  return digits;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> code_for(const candidate& each) {
  const std::string kind(each.kind->kind.name), rate = exactly(each.made_for.fpr);
  const std::uint64_t keys = each.made_for.capacity;
  if (each.kind->build != nullptr) {
    std::vector<std::pair<std::string, std::string>> lines{
        {"C++", fmt::format("auto filter = {}::build(keys, {{.fpr = {}}}).value();", type_name(kind), rate)},
        {"Python", fmt::format("filter = seen.build(keys, kind=\"{}\", fpr={})", kind, rate)}};
    if (is_made_everywhere(kind)) {
      lines.emplace_back("Go", fmt::format("filter, err := seen.Build{}(slices.Values(keys), {})", camel(kind), rate));
      lines.emplace_back("Rust", fmt::format("let f = seen::{}::build(keys, {})?;", camel(kind), rate));
    }
    lines.emplace_back("shell", fmt::format("seen build -o FILE --kind {} -p {} KEYS", kind, rate));
    return lines;
  }
  std::vector<std::pair<std::string, std::string>> lines{
      {"C++", fmt::format("{} filter({{.capacity = {}, .fpr = {}}});", type_name(kind), with_marks(keys, '\''), rate)},
      {"Python",
       fmt::format("filter = seen.Filter(capacity={}, fpr={}, kind=\"{}\")", with_marks(keys, '_'), rate, kind)}};
  if (is_made_everywhere(kind)) {
    lines.emplace_back("Go", fmt::format("filter, err := seen.New{}(seen.Target{{Capacity: {}, FPR: {}}})", camel(kind),
                                         with_marks(keys, '_'), rate));
    lines.emplace_back("Rust", fmt::format("let mut f = seen::{}::new(seen::Target {{ capacity: {}, fpr: {} }})?;",
                                           camel(kind), with_marks(keys, '_'), rate));
  }
  lines.emplace_back("shell", fmt::format("seen build -o FILE --kind {} -n {} -p {} KEYS", kind, keys, rate));
  return lines;
}

}  // namespace seen::cli
