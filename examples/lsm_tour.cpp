// A database that keeps its rows in several sorted tables, and the reads that filters spare it.
//
// LevelDB, RocksDB, Cassandra and Bigtable write rows to a new sorted table and merge tables later (an LSM tree, a
// log-structured merge tree). So a key may be in any table, and whoever asks for it must look into one after the other,
// the newest first, until it turns up. A key that is in none costs a read of every table. A filter in memory before each
// table says "certainly not here" without a read. (Reads are counted here, not timed: the system has files that were just
// written in its cache. From an SSD a read takes some 100 µs, from a spinning disk 10 ms.)
//
//   get(key) ──► filter 0 ──maybe──► index 0 ──► read a block of 4 KiB ──found──► value
//                   │ no                                        │ not there: a wasted read
//                   ▼                                           ▼
//                filter 1 ──maybe──► …      five tables, each four times as large as the one before
//
// How many reads is that? A table whose filter has the rate p wastes p reads on a key it does not have. Hence
//
//   missing key    Σ p_i                               five tables at 1 %: 0.05 instead of 5
//   present key    1 + Σ_i share_i · Σ_(j<i) p_j       share_i of the rows are in table i, the tables before it are asked
//                                                      first; up to 1 + 4·1 % = 1.04, and nearly that much, because
//                                                      three quarters of the rows are in the last table
//
// The same memory spares more if it is spread unevenly. A filter of n keys at rate p takes n·ln(1/p)/ln²2 bits. We want
// the least Σ p_i for a given Σ n_i·ln(1/p_i). By Lagrange, d/dp_i [ p_i + λ·n_i·ln(1/p_i) ] = 1 − λ·n_i/p_i = 0, so the
// rates should be proportional to the sizes: a table of a quarter of the rows gets a quarter of the rate, which takes
// ln 4/ln²2 = 2.9 bits per key more of a Bloom filter, and 2 of a ribbon filter. The small tables have few keys, so the
// large one hardly notices.     [Dayan, Athanassoulis, Idreos 2017, "Monkey: Optimal Navigable Key-Value Store"]
//
// Predictions come from the filters' own expected rates, before a single question. The program fails if a key is lost, if
// the measured reads per missing key are not within a tenth of the prediction, or if those per present key are not within
// a tenth of 1.04. A tenth is six standard deviations or more, so keys drawn otherwise would not break a promise either: so
// many missing keys are asked for that 10,000 wasted reads are expected (one deviation is 1 % of that), and which keys share
// the 40 blocks of the smallest filter changes the sum by 1.2 % (simulated).
//
//   lsm_tour --brief     only the conclusion, in three lines: the end of `make demo`
#include <seen/filters/blocked_bloom.hpp>
#include <seen/filters/bloom.hpp>
#include <seen/filters/ribbon.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

constexpr std::array<std::size_t, 5> table_rows{2'000, 8'000, 32'000, 128'000, 512'000};
constexpr std::size_t all_rows = 682'000;

struct row {
  std::uint64_t key, value;
};
constexpr std::size_t block_rows = 4096 / sizeof(row);

// The value of a key, by which we know that the right row was read.
constexpr std::uint64_t value_of(std::uint64_t key) {
  return ~key;
}

[[noreturn]] void fail(const std::string& what) {
  std::perror(what.c_str());
  std::exit(2);
}

std::uint64_t reads = 0;  // calls of pread

// A table on disk: rows in the order of their keys. In memory is the first key of each block, as in a real LSM tree.
class sorted_table {
 public:
  sorted_table(const std::string& path, std::span<const std::uint64_t> sorted_keys)
      : fd_(open(path.c_str(), O_CREAT | O_RDWR | O_TRUNC, 0600)) {
    if (fd_ < 0) fail(path);
    std::vector<row> rows;
    for (const std::uint64_t key : sorted_keys) rows.push_back({key, value_of(key)});
    for (std::size_t i = 0; i < rows.size(); i += block_rows) index_.push_back(rows[i].key);
    auto at = reinterpret_cast<const char*>(rows.data());
    for (std::size_t left = rows.size() * sizeof(row); left > 0;) {
      const ssize_t wrote = write(fd_, at, left);
      if (wrote <= 0) fail(path);
      at += wrote;
      left -= static_cast<std::size_t>(wrote);
    }
  }
  sorted_table(sorted_table&& other) noexcept : fd_(other.fd_), index_(std::move(other.index_)) { other.fd_ = -1; }
  ~sorted_table() {
    if (fd_ >= 0) close(fd_);
  }

  // Reads the one block in which the key can be.
  bool find(std::uint64_t key, std::uint64_t& value) const {
    const auto next = std::upper_bound(index_.begin(), index_.end(), key);
    const auto block = std::max<std::ptrdiff_t>(next - index_.begin() - 1, 0);
    std::array<row, block_rows> rows;
    const ssize_t got = pread(fd_, rows.data(), sizeof rows, block * static_cast<off_t>(sizeof rows));
    if (got < 0) fail("pread");
    ++reads;
    const auto end = rows.begin() + got / static_cast<ssize_t>(sizeof(row));
    const auto found =
        std::lower_bound(rows.begin(), end, key, [](const row& r, std::uint64_t k) { return r.key < k; });
    if (found == end || found->key != key) return false;
    value = found->value;
    return true;
  }
  std::size_t index_bytes() const { return index_.size() * sizeof index_[0]; }

 private:
  int fd_;
  std::vector<std::uint64_t> index_;
};

// The five tables. Keys are drawn at random: even ones are stored, odd ones are missing. No key is in two tables.
struct database {
  std::vector<std::vector<std::uint64_t>> keys;  // of each table, to build filters of and to choose questions from
  std::vector<sorted_table> tables;

  explicit database(const std::string& folder) {
    std::mt19937_64 random(1);
    for (const std::size_t n : table_rows) {
      std::vector<std::uint64_t> some(n);
      for (std::uint64_t& key : some) key = random() & ~std::uint64_t{1};
      std::sort(some.begin(), some.end());
      tables.emplace_back(folder + "/" + std::to_string(n) + ".table", some);
      keys.push_back(std::move(some));
    }
  }
};

// What a database without filters has: a maybe for every key.
struct no_filter {
  struct shape_type {
    static std::size_t bytes() { return 0; }
    static double expected_fpr(std::uint64_t) { return 1; }
  };
  static seen::digest digest_of(std::uint64_t) { return {}; }
  static bool may_contain(seen::digest) { return true; }
  static std::size_t may_contain_many(std::span<const std::uint64_t> keys, std::span<bool>) { return keys.size(); }
  static shape_type shape() { return {}; }
};

// The lookup that all of this is about. The key is hashed once, and every filter is asked by its digest.
template <class Filter>
bool get(const database& db, std::span<const Filter> filters, std::uint64_t key, std::uint64_t& value) {
  const seen::digest d = filters.front().digest_of(key);
  for (std::size_t i = 0; i < db.tables.size(); ++i) {
    if (!filters[i].may_contain(d)) continue;  // certainly not in this table
    if (db.tables[i].find(key, value)) return true;
  }
  return false;
}

struct cost {
  double bytes = 0;
  double missing_predicted = 0, missing = 0;  // reads per missing key
  double present_predicted = 0, present = 0;  // reads per present key
};

template <class Filter>
cost predict(std::span<const Filter> filters) {
  cost c;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const double share = static_cast<double>(table_rows[i]) / static_cast<double>(all_rows);
    c.present_predicted += share * (1 + c.missing_predicted);  // the sum of the tables before this one
    c.missing_predicted += filters[i].shape().expected_fpr(table_rows[i]);
    c.bytes += static_cast<double>(filters[i].shape().bytes());
  }
  return c;
}

bool promises_kept = true;

void promise(bool kept, const std::string& what) {
  if (kept) return;
  std::printf("BROKEN: %s\n", what.c_str());
  promises_kept = false;
}

// Builds a filter for each table (build(keys, how many tables are larger)), asks, and counts the reads.
template <class Build>
cost measure(const std::string& name, const database& db, Build build) {
  using filter_type = decltype(build(db.keys[0], 0));
  std::vector<filter_type> made;
  for (std::size_t i = 0; i < db.keys.size(); ++i) {
    made.push_back(build(db.keys[i], static_cast<int>(db.keys.size() - 1 - i)));
    const auto answers = std::make_unique<bool[]>(table_rows[i]);
    const std::size_t held = made[i].may_contain_many(db.keys[i], {answers.get(), table_rows[i]});
    promise(held == table_rows[i],
            name + ": a filter lost keys: it holds " + std::to_string(held) + " of " + std::to_string(table_rows[i]));
  }
  const std::span<const filter_type> filters = made;
  cost c = predict(filters);

  std::mt19937_64 random(2);
  std::uint64_t value = 0, found = 0;
  const auto missing_asked = static_cast<std::uint64_t>(10'000 / c.missing_predicted);
  reads = 0;
  for (std::uint64_t i = 0; i < missing_asked; ++i) found += get(db, filters, random() | 1, value);
  c.missing = static_cast<double>(reads) / static_cast<double>(missing_asked);
  promise(found == 0, name + ": a missing key was found");

  std::uint64_t present_asked = 0, lost = 0;
  reads = 0;
  for (const auto& keys : db.keys) {
    for (std::size_t i = 0; i < keys.size(); i += 8, ++present_asked) {  // every eighth key of every table
      lost += !get(db, filters, keys[i], value) || value != value_of(keys[i]);
    }
  }
  c.present = static_cast<double>(reads) / static_cast<double>(present_asked);
  promise(lost == 0, name + ": " + std::to_string(lost) + " keys were lost, or have another value");

  promise(std::abs(c.missing - c.missing_predicted) <= 0.1 * c.missing_predicted,
          name + ": reads per missing key are not as predicted: " + std::to_string(c.missing) + " instead of " +
              std::to_string(c.missing_predicted));
  promise(c.bytes == 0 || std::abs(c.present - 1.04) <= 0.1 * 1.04,
          name + ": reads per present key are not 1.04 but " + std::to_string(c.present));
  return c;
}

cost without_filters(const database& db) {
  return measure("none", db, [](const auto&, int) { return no_filter(); });
}

// The default kind, which asks one cache line.
cost with_blocked(const database& db) {
  return measure("blocked bloom", db, [](const std::vector<std::uint64_t>& keys, int) {
    seen::blocked_bloom f(seen::blocked_bloom_shape{.blocks = (10 * keys.size() + 511) / 512, .probes = 8});
    f.add_many(keys);
    return f;
  });
}

// Classic filters of `bits` bits per key, and `more` for every table that is larger.
cost with_bloom(const std::string& name, const database& db, double bits, double more) {
  return measure(name, db, [=](const std::vector<std::uint64_t>& keys, int larger) {
    constexpr double ln2 = std::numbers::ln2;
    seen::bloom f({.capacity = keys.size(), .fpr = std::exp(-(bits + more * larger) * ln2 * ln2)});
    f.add_many(keys);
    return f;
  });
}

// Ribbon filters of fingerprints of `bits` bits, and `more` for every table that is larger. A table is never changed, so a
// filter that is built once is all it needs.
cost with_ribbon(const std::string& name, const database& db, int bits, int more) {
  return measure(name, db, [=](const std::vector<std::uint64_t>& keys, int larger) {
    const auto fingerprint_bits = static_cast<std::uint32_t>(bits + more * larger);
    return seen::ribbon::build(keys, seen::ribbon_shape{.fingerprint_bits = fingerprint_bits}).value();
  });
}

void print(const char* filters, const cost& c) {
  std::printf("%-41s %6.0f %9.1f   %9.4f %9.4f   %9.4f %9.4f\n", filters, c.bytes / 1024,
              8 * c.bytes / static_cast<double>(all_rows), c.missing_predicted, c.missing, c.present_predicted,
              c.present);
}

void print_all(const database& db, const cost& none, const cost& blocked) {
  std::size_t index = 0;
  for (const sorted_table& t : db.tables) index += t.index_bytes();
  std::printf(
      "A database has five sorted tables on disk, of 2000, 8000, 32,000, 128,000 and 512,000 rows. It keeps\n"
      "the first key of every block of 4 KiB in memory (%.0f KiB), so looking into a table is one read. A key\n"
      "may be in any table: how many reads does it take to find it, or to know that it is missing?\n\n",
      static_cast<double>(index) / 1024);
  std::printf("%-41s %6s %9s   %19s   %19s\n", "", "memory", "bits", "reads, missing key", "reads, present key");
  std::printf("%-41s %6s %9s   %9s %9s   %9s %9s\n", "filter before each table", "KiB", "per key", "predicted",
              "measured", "predicted", "measured");
  print("none", none);
  print("blocked bloom, 10 bits per key", blocked);
  print("bloom, 10 bits per key", with_bloom("bloom", db, 10, 0));
  print("ribbon, 7 bits of fingerprint per key", with_ribbon("ribbon", db, 7, 0));

  // As much memory, spread by the rule above. What the four smaller tables get beyond the last one's bits per key is
  // paid for by all: Σ share_i · (tables that are larger) · ln 4/ln²2.
  const double more = std::log(4) / (std::numbers::ln2 * std::numbers::ln2);
  double spent = 0;
  for (std::size_t i = 0; i < table_rows.size(); ++i) {
    spent += static_cast<double>(table_rows[i]) / static_cast<double>(all_rows) * more * static_cast<double>(4 - i);
  }
  print("bloom, 9 bits (largest) to 21 (smallest)", with_bloom("bloom, spread", db, 10 - spent, more));
  print("ribbon, 7 bits (largest) to 15 (smallest)", with_ribbon("ribbon, spread", db, 7, 2));
  std::printf("\n");
}

// Three lines: what the default kind spares.
void conclude(const cost& none, const cost& blocked) {
  std::printf(
      "What a filter is for: five sorted tables on disk are asked for a key that none of them has.\n"
      "  %5.2f reads without filters, %.3f with a filter of 10 bits per key before each (predicted: %.3f):\n"
      "  %5.1f %% of the reads are spared. If a read takes 100 µs, the answer takes %.0f µs instead of %.0f.\n",
      none.missing, blocked.missing, blocked.missing_predicted, 100 * (1 - blocked.missing / none.missing),
      100 * blocked.missing, 100 * none.missing);
}

}  // namespace

int main(int argc, char** argv) {
  const bool brief = argc > 1 && std::string_view(argv[1]) == "--brief";
  std::string folder = (std::filesystem::temp_directory_path() / "seen-lsm-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) fail(folder);
  {
    const database db(folder);
    const cost none = without_filters(db), blocked = with_blocked(db);
    if (!brief) print_all(db, none, blocked);
    conclude(none, blocked);
  }
  std::filesystem::remove_all(folder);
  if (!promises_kept) std::puts("A PROMISE WAS BROKEN.");
  return promises_kept ? 0 : 1;
}
