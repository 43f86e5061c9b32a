// The library in ten short scenes.
#include <seen/seen.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

// 1. Sizing is arithmetic, not allocation. Named fields: capacity is keys, never bits.
void sizing() {
  const auto p = seen::plan<seen::bloom>({.capacity = 1'000'000, .fpr = 0.01});
  std::printf("%zu bytes, %u probes, rate if overfilled 2x: %.3f\n", p.bytes(), p.probes, p.expected_fpr(2'000'000));
}

// 2. A filter is a container of keys. Any bytes, string or integer is a key; there is no type to choose.
void basic() {
  seen::bloom visited({.capacity = 1'000'000, .fpr = 0.01});  // throws as std::vector would
  visited.add("alice");
  visited.add(42);
  if (!visited.may_contain("bob")) std::puts("certainly new");  // "no" is certain, "yes" is not
  visited.add(seen::digest{0x9f3c'51aa'07d2'e481});             // already hashed: not hashed again
}

// 3. Concurrent: the same engine with atomic words. add() is safe from any thread.
seen::bloom concurrent(const std::vector<std::string>& urls) {
  seen::concurrent_bloom visited({.capacity = urls.size(), .fpr = 0.01});
  {
    std::vector<std::jthread> workers;
    for (std::size_t w = 0; w < 4; ++w) {
      workers.emplace_back([&, w] {
        for (std::size_t i = w; i < urls.size(); i += 4) visited.add(urls[i]);
      });
    }
  }
  return std::move(visited).into_plain();  // same bytes, no copy
}

// 4. Batches hash, prefetch and probe many keys at once.
void batch(const seen::blocked_bloom& f) {
  const std::array<std::string_view, 3> keys{"a", "b", "c"};
  std::array<bool, 3> hits{};
  const std::size_t n = f.may_contain_many(keys, hits);
  std::printf("%zu of %zu may be present\n", n, keys.size());
}

// 5. Removal exists only where the kind can do it: seen::bloom has no remove() to call.
void removal() {
  seen::cuckoo sessions({.capacity = 10'000, .fpr = 0.001});
  if (!sessions.add("s1")) std::puts("full: time to grow");  // and nothing changed
  sessions.remove("s1");                                     // true if it was (probably) there
  seen::counting_bloom refs({.capacity = 10'000, .fpr = 0.01});
  refs.add("page");
  refs.add("page");
  std::printf("page was added %llu times at most\n", static_cast<unsigned long long>(refs.count("page")));
  refs.remove("page");
}

// 6. Set algebra and estimates. Shape, hash and seed must match, and that is checked.
void algebra(seen::bloom& today, const seen::bloom& yesterday) {
  std::printf("~%.0f keys, rate now %.4f, overlap %.2f\n", today.estimated_count(), today.estimated_fpr(),
              seen::estimated_jaccard(today, yesterday));
  if (auto r = today.merge(yesterday); !r) {  // errc::incompatible, nothing changed
    std::fprintf(stderr, "%s\n", r.error().detail.c_str());
  }
}

// 7. Files. One format, little-endian, checksummed; a mapped filter is ready without reading it.
seen::result<void> files(const seen::bloom& f) {
  if (auto r = seen::save(f, "tour.seen"); !r) return r.error();

  auto copy = seen::load<seen::bloom>("tour.seen");  // owned memory, may add
  if (!copy) return copy.error();
  copy->add("carol");

  auto mapped = seen::map<seen::bloom>("tour.seen");  // read-only pages, shared
  if (!mapped) return mapped.error();
  const seen::bloom& view = **mapped;  // const: add() does not compile
  std::printf("%d\n", view.may_contain("alice"));
  return {};
}

// 8. When the kind or format is known only at run time.
int runtime(const char* path, std::string_view key) {
  auto f = seen::any_filter::load(path);
  if (!f) {
    std::fprintf(stderr, "%s\n", f.error().detail.c_str());  // errc::corrupt, newer_version, wrong_kind, …
    return 2;
  }
  if (auto r = f->add(key); !r) std::fputs(r.error().detail.c_str(), stderr);
  return f->may_contain(key) ? 0 : 1;
}

// 9. One cache line per key, Parquet's bytes, and a number of keys nobody knows.
void blocks() {
  seen::blocked_bloom known({.capacity = 1'000'000, .fpr = 0.01});  // 1.21 MiB, one cache line per key
  known.add("alice");
  if (!known.may_contain("bob")) std::puts("certainly new");

  seen::parquet_split_block column({.capacity = 1'000'000, .fpr = 0.01});  // bit for bit Parquet's bitset
  column.add("alice");

  seen::builder<seen::blocked_bloom> open_end({.at_most = 50'000'000, .fpr = 0.01});
  for (std::uint64_t key = 0; key < 1'000'000; ++key) open_end.add(key);
  const seen::blocked_bloom folded =
      std::move(open_end).finish().value();  // what a million keys need, or a little more
  std::printf("%zu bytes\n", folded.shape().bytes());
}

// 10. Prefer exceptions? value() throws seen::bad_result carrying the same error.
seen::bloom must_load() {
  return seen::load<seen::bloom>("tour.seen").value();
}

}  // namespace

int main() {
  sizing();
  basic();
  blocks();
  seen::bloom today = concurrent({"https://a.example", "https://b.example", "alice"});
  seen::blocked_bloom letters({.capacity = 26, .fpr = 0.01});
  letters.add("a");
  batch(letters);
  removal();
  const seen::bloom yesterday = concurrent({"https://b.example", "https://c.example", "bob"});
  algebra(today, yesterday);
  if (auto r = files(today); !r) return std::fprintf(stderr, "%s\n", r.error().detail.c_str()), 1;
  return must_load().may_contain("bob") ? runtime("tour.seen", "dave") : 1;
}
