// The program whose system calls system_calls.py makes fail. What it does between the two access() calls is under test.
//
//   fault_helper save PATH KEYS replace|new     saves a filter of KEYS sample keys
//   fault_helper add PATH FIRST COUNT           maps PATH for writing (recovering it if need be), adds, syncs, seals
//   fault_helper seal PATH FIRST COUNT          the same without a sync of its own before the seal's
//   fault_helper load PATH, map PATH            opens and verifies
//   fault_helper nameless PATH                  makes a file without a name in directory PATH, and uses it
//   fault_helper holds PATH KEYS                0 if PATH is whole and equals the filter of KEYS sample keys
//   fault_helper recovers PATH FIRST COUNT      0 if PATH opens, with recover if need be, and holds these keys
//
// Exit codes: 0 done, 2 an error that was reported, 3 the question is answered with no; anything else is a crash.
#include <array>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <utility>

#include "support/all_filters.hpp"

namespace seen::testing {
namespace {

constexpr int done = 0, failed = 2, no = 3;

void mark(const char* name) {
  (void)!::access(name, F_OK);
}

int outcome_of(const result<void>& r) {
  mark("seen-fault-end");
  if (r) return done;
  std::fprintf(stderr, "%s: %s\n", name_of(r.error().code), r.error().detail.c_str());
  return failed;
}

template <class T>
result<void> without_value(const result<T>& r) {
  if (!r) return r.error();
  return {};
}

result<void> add_in_place(const std::string& path, std::uint64_t first, std::uint64_t count, bool syncs) {
  auto w = map_writable<bloom>(path, {.recover = true});
  if (!w) return w.error();
  for (const auto& key : sample_keys(count, first)) w->add(key);
  if (syncs) {
    if (auto synced = w->sync(); !synced) return synced;
  }
  return std::move(*w).seal();
}

result<void> map_and_verify(const std::string& path) {
  auto m = map<bloom>(path);
  if (!m) return m.error();
  return m->verify();
}

result<void> use_nameless(const std::string& directory) {
  auto made = file::temporary(directory);
  if (!made) return made.error();
  std::array<std::byte, 4> there{}, back{};
  there.fill(std::byte{7});
  if (auto written = made->write_at(100, there); !written) return written;
  if (auto read = made->read_at(100, back); !read) return read;
  if (back != there) return {errc::corrupt, "what was written is not what is read"};
  return {};
}

int run(const std::string& verb, const std::string& path, std::uint64_t first, const std::string& last) {
  if (verb == "save") {
    const bloom f = sample_of<bloom>(first);
    const save_options options{.overwrite = last == "replace", .alignment = 4096, .metadata = "metadata"};
    mark("seen-fault-begin");
    return outcome_of(save(f, path, options));
  }
  if (verb == "add" || verb == "seal") {
    mark("seen-fault-begin");
    return outcome_of(add_in_place(path, first, std::stoull(last), verb == "add"));
  }
  if (verb == "load") {
    mark("seen-fault-begin");
    return outcome_of(without_value(load<bloom>(path)));
  }
  if (verb == "map") {
    mark("seen-fault-begin");
    return outcome_of(map_and_verify(path));
  }
  if (verb == "nameless") {
    mark("seen-fault-begin");
    return outcome_of(use_nameless(path));
  }
  if (verb == "holds") {
    const auto f = load<bloom>(path);
    return f && *f == sample_of<bloom>(first) ? done : no;
  }
  if (verb == "recovers") {
    const auto f = load<bloom>(path, {.recover = true});
    if (!f) return no;
    for (const auto& key : sample_keys(std::stoull(last), first)) {
      if (!f->may_contain(key)) return no;
    }
    return done;
  }
  return failed;
}

}  // namespace
}  // namespace seen::testing

int main(int argc, char** argv) {
  if (argc < 3) return seen::testing::failed;
  return seen::testing::run(argv[1], argv[2], argc > 3 ? std::stoull(argv[3]) : 0, argc > 4 ? argv[4] : "");
}
