// Random lines, read in the four ways of limits.hpp.
#include "limits.hpp"

#include <seen/base/bits.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/storage/storage.hpp>

#include <cstring>
#include <memory>

namespace seen::bench {
namespace {

struct lines {
  const std::byte* data;
  std::size_t count;

  [[nodiscard]] const std::byte* at(std::uint64_t x) const { return data + 64 * mulhi(x, count); }
  [[nodiscard]] static std::uint64_t word(const std::byte* at) {
    std::uint64_t x;
    std::memcpy(&x, at, sizeof x);
    return x;
  }
};

using span = std::span<const std::uint64_t>;

std::uint64_t read_known(lines table, span keys) {
  std::uint64_t sum = 0;
  for (std::uint64_t key : keys) {
    opaque(key);
    sum ^= lines::word(table.at(key));
  }
  return sum;
}
std::uint64_t read_hashed(lines table, span keys) {
  const default_hash hash;
  std::uint64_t sum = 0;
  for (std::uint64_t key : keys) {
    opaque(key);
    sum ^= lines::word(table.at(hash(integer_key{key}).value));
  }
  return sum;
}
std::uint64_t read_prefetched(lines table, span keys) {
  constexpr std::size_t ahead = 32;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i + ahead < keys.size()) __builtin_prefetch(table.at(keys[i + ahead]), 0, 2);
    sum ^= lines::word(table.at(keys[i]));
  }
  return sum;
}
std::uint64_t read_in_turn(lines table, span keys) {
  std::uint64_t sum = 0, zero = 0;
  opaque(zero);
  for (const std::uint64_t key : keys) {
    std::uint64_t x = key ^ (sum & zero);
    opaque(x);
    sum ^= lines::word(table.at(x));
  }
  return sum;
}

}  // namespace

entry random_lines(double bits_per_key, const workload& work) {
  const std::size_t bytes =
      static_cast<std::size_t>(bits_per_key * static_cast<double>(work.added.size()) / 8) / 64 * 64 + 64;
  auto memory = std::make_shared<storage>(storage::allocate(bytes).value());
  std::memset(memory->data(), 1, bytes);  // pages that exist
  const lines table{memory->data(), bytes / 64};
  entry e{.name = limit_name,
          .peer = "",
          .bits_per_key = 8.0 * static_cast<double>(bytes) / static_cast<double>(work.added.size())};
  const auto row = [&](const char* call, const char* mixed, const char* queries, span keys, std::size_t passes,
                       std::uint64_t (*read)(lines, span)) {
    measurement m{.row = {call, mixed, queries, 1}, .operations = keys.size() * passes};
    m.run = [memory, table, keys, passes, read] {
      std::uint64_t sum = 0;
      for (std::size_t p = 0; p < passes; ++p) sum ^= read(table, keys);
      return sum;
    };
    e.rows.push_back(std::move(m));
  };
  const span all(work.absent), few = all.first(std::min(workload::cached_queries, all.size()));
  for (const char* mixed : {"absent", "half", "present"}) {  // the same addresses: a line has no keys
    row("known", mixed, "streamed", all, 1, read_known);
    row("single", mixed, "streamed", all, 1, read_hashed);
    row("batch", mixed, "streamed", all, 1, read_prefetched);
    row("known", mixed, "cached", few, all.size() / few.size(), read_known);
    row("single", mixed, "cached", few, all.size() / few.size(), read_hashed);
    row("batch", mixed, "cached", few, all.size() / few.size(), read_prefetched);
  }
  for (const char* mixed : {"absent", "present"}) {
    row("dependent", mixed, "streamed", all.first(std::max<std::size_t>(1, all.size() / 4)), 1, read_in_turn);
  }
  return e;
}

}  // namespace seen::bench
