// What libFuzzer calls: bytes that are opened as a file of one format, and used if they open.
//
// SEEN_FUZZ_FORMAT names the format; without it the first byte of the input chooses one. `make fuzz` runs every format
// with the files of tests/golden as its corpus. A crash, a leak, a hang or more than 2 GiB of memory is a finding.
#include <seen/registry.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using seen::any_filter;
using seen::bytes_view;

void use(any_filter f, const seen::open_options& options) {
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
  if (f.add_many(views)) (void)f.to_bytes();
  (void)f.remove(views[1]);
  (void)f.clear();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const char* const named = std::getenv("SEEN_FUZZ_FORMAT");
  bytes_view bytes = std::as_bytes(std::span(data, size));
  seen::open_options options{.max_bytes = std::uint64_t{1} << 20};
  if (named != nullptr) {
    options.format = named;
  } else if (!bytes.empty()) {
    options.format = seen::formats()[static_cast<std::size_t>(bytes[0]) % seen::formats().size()]->name;
    bytes = bytes.subspan(1);
  }
  auto opened = any_filter::from_bytes(bytes, options);
  if (opened) use(std::move(*opened), options);
  (void)any_filter::from_bytes(bytes);  // detection
  return 0;
}
