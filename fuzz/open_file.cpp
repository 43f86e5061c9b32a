// What libFuzzer calls: bytes that are opened as a file of one format, and used if they open.
//
// SEEN_FUZZ_FORMAT names the format; without it the content tells, as for whoever opens a file of a stranger. Checksums do
// not count in this build (src/base/checksums_count.hpp). `make fuzz` runs every format with the files of tests/golden as
// its corpus. A crash, a leak, a hang or more than 2 GiB of memory is a finding.
#include <seen/registry.hpp>

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace {

using seen::any_filter;
using seen::bytes_view;

void use(any_filter f, seen::open_options options, bool changes) {
  options.format = f.format();
  static const std::vector<std::string> keys = {"", "alice", "bob", std::string(8, '\x2a'), std::string(40, '\xff')};
  std::vector<bytes_view> views;
  for (const std::string& key : keys) views.push_back(std::as_bytes(std::span(key)));
  bool answers[8];
  std::size_t found = 0;
  for (const bytes_view key : views) found += f.may_contain(key);
  if (f.may_contain_many(views, answers) != found) std::abort();
  (void)f.info();
  if (const auto bytes = f.to_bytes()) {
    const auto again = any_filter::from_bytes(*bytes, options);
    if (!again || again->may_contain_many(views, answers) != found) std::abort();  // saved is lost
  }
  if (!changes) return;
  if (f.add_many(views)) (void)f.to_bytes();
  (void)f.remove(views[1]);
  (void)f.clear();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const char* const named = std::getenv("SEEN_FUZZ_FORMAT");
  const seen::open_options options{.format = named == nullptr ? "" : named, .max_bytes = std::uint64_t{1} << 20};
  auto opened = any_filter::from_bytes(std::as_bytes(std::span(data, size)), options);
  if (!opened) return 0;
  // A chain that grows, or a full table whose keys move, takes ten times as long as to read it: one input in eight.
  const bool changes = std::accumulate(data, data + size, 0u) % 8 == 0;
  use(std::move(*opened), options, changes);
  return 0;
}
