// Which shard has the key? Filters of many machines, merged, say where it is worth asking.
//
// A store has twelve shards. A row stays where it was first written, so a key does not say which shard has it, and a client
// asks all twelve. Each shard is kept by three replicas, and a write counts once two of them have it. So no replica knows all
// keys of its shard, but any two of them together do, and one may be down, as one of each shard is here.
//
//   shard 0   replica a ─ filter ┐                                      client
//             replica b ─ filter ┴─ sent, merged ──► filter of shard 0 ─┐
//             replica c   down                                          ├──► which may have the key?  ask those
//   shard 1 … 11   likewise ───────────────────────► filter of shard … ─┘
//
// Every replica plans its filter for the keys of the whole shard, so all filters of a shard have one shape, and their union is
// the OR of their bits. merge gives the very filter that one machine with all the keys would have made, byte for byte. A key
// that any replica has is in it.
//
// With S shards of rate p a missing key makes the client ask S·p shards, and a present key 1 + (S − 1)·p.
//
// The program fails if a merged filter is not that of the union, if a key is lost, or if the number of shards asked is not
// the predicted one.
#include <seen/filters/blocked_bloom.hpp>
#include <seen/io.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t shards = 12, replicas = 3, keys_of_shard = 20'000;
constexpr seen::target wanted{.capacity = keys_of_shard, .fpr = 0.01};

struct shard {
  std::vector<std::uint64_t> keys;                        // all that were written
  std::array<std::vector<std::uint64_t>, replicas> kept;  // by each replica: every write reached two of three
};

// Keys that are stored are even, all others are odd.
std::vector<shard> make_shards() {
  std::mt19937_64 random(1);
  std::vector<shard> all(shards);
  for (shard& s : all) {
    for (std::size_t i = 0; i < keys_of_shard; ++i) {
      const std::uint64_t key = random() & ~std::uint64_t{1};
      const std::size_t missed_by = random() % replicas;
      s.keys.push_back(key);
      for (std::size_t r = 0; r < replicas; ++r) {
        if (r != missed_by) s.kept[r].push_back(key);
      }
    }
  }
  return all;
}

bool promises_kept = true;

void promise(bool kept, const std::string& what) {
  if (kept) return;
  std::printf("BROKEN: %s\n", what.c_str());
  promises_kept = false;
}

seen::blocked_bloom filter_of(const std::vector<std::uint64_t>& keys) {
  seen::blocked_bloom f(wanted);
  f.add_many(keys);
  return f;
}

// What a replica sends.
std::vector<std::byte> summary(const std::vector<std::uint64_t>& kept) {
  return seen::to_bytes(filter_of(kept)).value();
}

// What the client has: a filter per shard.
struct client {
  std::vector<seen::blocked_bloom> filters;
  std::size_t received = 0, bytes_received = 0;

  // Asks all replicas of a shard but the one that is down.
  void learn(const shard& s, std::size_t down) {
    seen::blocked_bloom all(wanted);
    for (std::size_t r = 0; r < replicas; ++r) {
      if (r == down) continue;
      const std::vector<std::byte> bytes = summary(s.kept[r]);
      ++received;
      bytes_received += bytes.size();
      const auto merged = all.merge(seen::from_bytes<seen::blocked_bloom>(bytes).value());
      promise(merged.has_value(), "merge was refused: " + (merged ? "" : merged.error().detail));
    }
    filters.push_back(std::move(all));
  }
  // Calls ask(shard) for each that may have the key, which is hashed once for all of them.
  template <class Ask>
  void where(std::uint64_t key, Ask ask) const {
    const seen::digest d = filters.front().digest_of(key);
    for (std::size_t s = 0; s < shards; ++s) {
      if (filters[s].may_contain(d)) ask(s);
    }
  }
};

std::size_t count_held(const seen::blocked_bloom& f, const std::vector<std::uint64_t>& keys) {
  std::vector<std::uint32_t> rows(keys.size());
  return f.select(keys, rows);
}

// How many keys were looked up, and how many shards were asked for them.
struct count {
  std::size_t keys = 0, asked = 0;

  double per_key() const { return static_cast<double>(asked) / static_cast<double>(keys); }
};

count look_up_missing(const client& c) {
  std::mt19937_64 random(2);
  count n{.keys = 60'000, .asked = 0};
  for (std::size_t i = 0; i < n.keys; ++i) c.where(random() | 1, [&](std::size_t) { ++n.asked; });
  return n;
}

// Every fourth key of every shard.
count look_up_present(const client& c, const std::vector<shard>& store) {
  count n;
  std::size_t lost = 0;
  for (std::size_t home = 0; home < shards; ++home) {
    for (std::size_t i = 0; i < keys_of_shard; i += 4, ++n.keys) {
      bool found = false;
      c.where(store[home].keys[i], [&](std::size_t s) {
        ++n.asked;
        found = found || s == home;
      });
      lost += !found;
    }
  }
  promise(lost == 0, std::to_string(lost) + " keys are not looked for where they are");
  return n;
}

// A row of the table. `certain` shards are asked in any case, the others by chance: as many as the rate says, which is
// promised to two percent, give or take six sigma.
void report(const char* key, const count& n, double certain, double by_chance) {
  std::printf("%-26s %14zu   %13.3f %13.3f\n", key, shards, certain + by_chance, n.per_key());
  const double expected = static_cast<double>(n.keys) * by_chance;
  const double needless = static_cast<double>(n.asked) - static_cast<double>(n.keys) * certain;
  promise(std::abs(needless - expected) <= 0.02 * expected + 6 * std::sqrt(expected),
          std::string(key) + ": " + std::to_string(needless) + " shards were asked needlessly instead of " +
              std::to_string(expected));
}

}  // namespace

int main() {
  const std::vector<shard> store = make_shards();
  client c;
  std::size_t held_by_one = 0;  // by the filter of one replica of three
  for (const shard& s : store) {
    c.learn(s, c.filters.size() % replicas);
    promise(c.filters.back() == filter_of(s.keys), "a merged filter is not that of the union");
    promise(count_held(c.filters.back(), s.keys) == s.keys.size(), "a merged filter lost a key");
    held_by_one += count_held(filter_of(s.kept[0]), s.keys);
  }

  std::printf(
      "A store has twelve shards of 20,000 keys, and a key does not say which of them has it. How many shards\n"
      "does a client ask: all of them, or those whose filter says maybe?\n\n");
  std::printf("%-26s %14s   %27s\n", "", "shards asked", "shards asked, with filters");
  std::printf("%-26s %14s   %13s %13s\n", "looked up", "without", "predicted", "measured");
  const auto shape = c.filters.front().shape();
  const double p = shape.expected_fpr(keys_of_shard);
  report("a key that no shard has", look_up_missing(c), 0, shards * p);
  report("a key that one shard has", look_up_present(c, store), 1, (shards - 1) * p);
  if (!promises_kept) return std::puts("A PROMISE WAS BROKEN."), 1;

  const auto bytes = static_cast<double>(shards * shape.bytes());
  std::printf(
      "\nThe client keeps %.0f KiB, %.1f bits per key: it received %zu filters (%.0f KiB) and merged those of a\n"
      "shard. The filter of one replica alone would miss %.1f %% of the keys. Merged they miss none, and are,\n"
      "byte for byte, the filters of all keys of their shards.\n",
      bytes / 1024, 8 * bytes / (shards * keys_of_shard), c.received, static_cast<double>(c.bytes_received) / 1024,
      100 * (1 - static_cast<double>(held_by_one) / (shards * keys_of_shard)));
}
