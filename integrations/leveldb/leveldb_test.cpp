// Tests the policy by itself, through bytes that end where readable memory ends, and in databases that were written and are read with
// different policies.
#include <seen/hash/xxh3.hpp>
#include <seen/leveldb.hpp>
#include <seen/math/blocked_bloom.hpp>
#include <seen/math/bloom.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <leveldb/db.h>
#include <leveldb/slice.h>
#include <leveldb/write_batch.h>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <vector>

#include "support/binomial.hpp"
#include "support/key_shapes.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

using policy_pointer = std::unique_ptr<const leveldb::FilterPolicy>;

constexpr std::array all_kinds{leveldb_kind::classic, leveldb_kind::blocked, leveldb_kind::ribbon,
                               leveldb_kind::binary_fuse};

policy_pointer policy_of(leveldb_kind kind, double bits_per_key = 10) {
  return leveldb_filter_policy({.kind = kind, .bits_per_key = bits_per_key});
}

std::string key_number(std::uint64_t i) {
  return "user:" + std::to_string(i * 2654435761U % 10'000'000'019);
}
// What no key_number is.
std::string absent_number(std::uint64_t i) {
  return "nobody:" + std::to_string(i);
}

std::vector<std::string> keys_from(std::uint64_t first, std::uint64_t n) {
  std::vector<std::string> keys;
  for (std::uint64_t i = first; i < first + n; ++i) keys.push_back(key_number(i));
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::string filter_of(const leveldb::FilterPolicy& policy, const std::vector<std::string>& keys,
                      std::string before = "") {
  const std::vector<leveldb::Slice> slices(keys.begin(), keys.end());
  policy.CreateFilter(slices.data(), static_cast<int>(slices.size()), &before);
  return before;
}

// Bytes between pages that cannot be read: whatever reads a byte too many ends the test.
class guarded {
 public:
  guarded() : all_(::mmap(nullptr, 2 * edge + size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (all_ == MAP_FAILED || ::mprotect(begin(), size, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;
  ~guarded() { ::munmap(all_, 2 * edge + size); }

  // The bytes at the end of what can be read.
  leveldb::Slice at_end(std::string_view bytes) { return copy(begin() + size - bytes.size(), bytes); }
  leveldb::Slice at_begin(std::string_view bytes) { return copy(begin(), bytes); }

 private:
  static constexpr std::size_t edge = 1 << 16, size = 1 << 21;

  [[nodiscard]] char* begin() const { return static_cast<char*>(all_) + edge; }
  static leveldb::Slice copy(char* to, std::string_view bytes) {
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    return {to, bytes.size()};
  }

  void* all_;
};

// Bytes of LevelDB's own filter, and no fewer than 9.
std::size_t own_bytes(std::uint64_t keys, double bits_per_key) {
  return static_cast<std::size_t>(std::ceil(std::max(64.0, static_cast<double>(keys) * bits_per_key) / 8)) + 1;
}

// --- the policy by itself

TEST(leveldb_policy, loses_no_key_at_any_size_rate_and_address) {
  guarded memory;
  for (const leveldb_kind kind : all_kinds) {
    for (const double bits : {1.0, 2.5, 5.0, 10.0, 16.0, 24.0, 64.0}) {
      const policy_pointer policy = policy_of(kind, bits);
      for (const std::uint64_t n :
           {1u, 2u, 3u, 7u, 12u, 35u, 63u, 64u, 65u, 100u, 128u, 250u, 500u, 777u, 1023u, 1024u, 2000u, 5000u}) {
        const std::vector<std::string> keys = keys_from(1000 * n, n);
        const std::string before(n % 9, 'x');
        const std::string made = filter_of(*policy, keys, before);
        ASSERT_EQ(made.substr(0, before.size()), before);
        const std::string_view filter = std::string_view(made).substr(before.size());
        const leveldb::Slice end = memory.at_end(filter);
        for (const std::string& key : keys) {
          ASSERT_TRUE(policy->KeyMayMatch(key, end)) << n << " keys, " << bits << " bits";
        }
        const leveldb::Slice begin = memory.at_begin(filter);
        for (const std::string& key : keys) ASSERT_TRUE(policy->KeyMayMatch(key, begin));
        for (std::uint64_t i = 0; i < 100; ++i) (void)policy->KeyMayMatch(absent_number(i), begin);
      }
    }
  }
}

TEST(leveldb_policy, filters_are_no_larger_than_leveldbs_own_or_half_a_block) {
  for (const leveldb_kind kind : all_kinds) {
    for (const double bits : {1.0, 6.0, 10.0, 20.0}) {
      const policy_pointer policy = policy_of(kind, bits);
      for (std::uint64_t n = 1; n < 1500; n += 1 + n / 10) {
        const std::size_t made = filter_of(*policy, keys_from(0, n)).size();
        const std::size_t rounding = kind == leveldb_kind::blocked ? 33 : 0;
        EXPECT_LE(made, own_bytes(n, bits) + rounding) << n << " keys, " << bits << " bits";
      }
    }
  }
}

TEST(leveldb_policy, a_filter_of_no_key_says_no) {
  for (const leveldb_kind kind : all_kinds) {
    const policy_pointer policy = policy_of(kind);
    const std::string filter = filter_of(*policy, {});
    EXPECT_FALSE(policy->KeyMayMatch("anything", filter));
  }
}

TEST(leveldb_policy, versions_of_a_key_count_once) {
  for (const leveldb_kind kind : all_kinds) {
    const policy_pointer policy = policy_of(kind);
    const std::vector<std::string> once = keys_from(0, 600);
    std::vector<std::string> often;
    for (const std::string& key : once) often.insert(often.end(), 3, key);
    EXPECT_EQ(filter_of(*policy, once), filter_of(*policy, often));
  }
  // Not neighbours, as no comparator orders them: those that are solved for their keys must not meet one twice.
  for (const leveldb_kind kind : {leveldb_kind::ribbon, leveldb_kind::binary_fuse}) {
    const policy_pointer policy = policy_of(kind, 12);
    const std::vector<std::string> once = keys_from(0, 590);
    std::vector<std::string> twice = once;
    twice.insert(twice.end(), once.begin(), once.end());
    EXPECT_EQ(filter_of(*policy, once), filter_of(*policy, twice));
  }
}

TEST(leveldb_policy, few_blocks_are_left_to_the_classic_kind) {
  const std::vector<std::string> few = keys_from(0, 380), enough = keys_from(0, 390);  // 7.4 and 7.6 blocks
  EXPECT_EQ(filter_of(*policy_of(leveldb_kind::blocked), few), filter_of(*policy_of(leveldb_kind::classic), few));
  EXPECT_EQ(filter_of(*policy_of(leveldb_kind::blocked), enough).size(), 8 * 64 + 2U);
}

// Hits of absent keys in filters of `n` keys each; 1000 filters of 1000 questions.
std::uint64_t false_positives(const leveldb::FilterPolicy& policy, std::uint64_t n) {
  std::uint64_t hits = 0;
  for (std::uint64_t f = 0; f < 500; ++f) {
    const std::string filter = filter_of(policy, keys_from(f * n, n));
    for (std::uint64_t i = 0; i < 1000; ++i) hits += policy.KeyMayMatch(absent_number(1000 * f + i), filter);
  }
  return hits;
}

// Six sigma: wrongly red once in 10^9 runs.
TEST(leveldb_policy, the_rate_is_the_models) {
  constexpr std::uint64_t questions = 500'000;
  const auto check = [&](leveldb_kind kind, std::uint64_t keys, double model) {
    const std::uint64_t hits = false_positives(*policy_of(kind), keys);
    EXPECT_TRUE(within_six_sigma(hits, questions, model)) << six_sigma_message(hits, questions, model);
  };
  check(leveldb_kind::classic, 600, math::bloom_fpr(8 * (own_bytes(600, 10) - 2), 7, 600));
  check(leveldb_kind::classic, 35, math::bloom_fpr(8 * (own_bytes(35, 10) - 2), 7, 35));
  check(leveldb_kind::blocked, 600, math::blocked_fpr(12, 8, 600));  // 6000 bits are 11.7 blocks
  check(leveldb_kind::ribbon, 600, 0x1p-9);                          // 626 slots of 9 bits
  check(leveldb_kind::ribbon, 35, 0x1p-9);                           // 37 slots of 9 bits, in 42 bytes of 45
  check(leveldb_kind::binary_fuse, 600, 0x1p-9);  // 768 slots of 8 bits would be 10.2 bits per key, so it is a ribbon
}

TEST(leveldb_policy, a_fuse_filter_is_one_where_it_fits) {
  const policy_pointer policy = policy_of(leveldb_kind::binary_fuse, 11);
  const std::string filter = filter_of(*policy, keys_from(0, 598));
  EXPECT_EQ(filter.size(), 768 + 4U);
  EXPECT_EQ(static_cast<unsigned char>(filter.back()), 4 << 5);
}

TEST(leveldb_policy, the_encoding_is_pinned) {
  const std::vector<std::string> keys = keys_from(0, 590);
  const auto pinned = [&](leveldb_kind kind, double bits) {
    return hash_key(xxh3_64(), filter_of(*policy_of(kind, bits), keys)).value;
  };
  EXPECT_STREQ(policy_of(leveldb_kind::ribbon)->Name(), "seen.TableFilter1");
  EXPECT_EQ(pinned(leveldb_kind::classic, 10), 1919823050884858618U);
  EXPECT_EQ(pinned(leveldb_kind::blocked, 10), 8248570083462518443U);
  EXPECT_EQ(pinned(leveldb_kind::ribbon, 10), 16474035983129006502U);
  EXPECT_EQ(pinned(leveldb_kind::binary_fuse, 12), 5885158535974922850U);
  EXPECT_EQ(pinned(leveldb_kind::binary_fuse, 24), 988198267672533627U);
}

TEST(leveldb_policy, bits_per_key_out_of_range_are_refused) {
  for (const double bits : {0.0, 0.5, -1.0, 65.0, std::nan("")}) {
    EXPECT_THROW((void)leveldb_filter_policy({.bits_per_key = bits}), std::invalid_argument) << bits;
  }
}

// --- bytes that are no filter of ours

TEST(leveldb_policy, what_it_does_not_know_may_hold_any_key) {
  guarded memory;
  const policy_pointer policy = policy_of(leveldb_kind::ribbon);
  EXPECT_TRUE(policy->KeyMayMatch("a", memory.at_begin("")));
  for (std::size_t n = 1; n < 200; ++n) EXPECT_TRUE(policy->KeyMayMatch("a", memory.at_end(std::string(n, '\0'))));
  // Kinds that are not there yet, with every check byte.
  for (const unsigned kind : {0U, 5U, 6U, 7U}) {
    for (unsigned check = 0; check < 256; ++check) {
      std::string filter(100, '\0');
      filter[98] = static_cast<char>(check);
      filter[99] = static_cast<char>(kind << 5 | 6);
      ASSERT_TRUE(policy->KeyMayMatch("a", memory.at_end(filter)));
    }
  }
  // LevelDB's own filters.
  const policy_pointer own(leveldb::NewBloomFilterPolicy(10));
  const std::string filter = filter_of(*own, keys_from(0, 300));
  for (std::uint64_t i = 0; i < 100; ++i) ASSERT_TRUE(policy->KeyMayMatch(absent_number(i), memory.at_end(filter)));
}

// One byte checks what is behind the body, so one of 256 of such filters passes. Counted: the odds of more than the bound are 10^-9.
TEST(leveldb_policy, cut_filters_may_hold_any_key) {
  guarded memory;
  for (const leveldb_kind kind : all_kinds) {
    const policy_pointer policy = policy_of(kind, 12);
    std::uint64_t cuts = 0, passed = 0;
    for (const std::uint64_t n : {20u, 300u, 600u, 900u}) {
      const std::string filter = filter_of(*policy, keys_from(7 * n, n));
      for (std::size_t length = 0; length < filter.size(); ++length, ++cuts) {
        const leveldb::Slice cut = memory.at_end(std::string_view(filter).substr(0, length));
        bool maybe = true;
        for (std::uint64_t i = 0; i < 20; ++i) maybe &= policy->KeyMayMatch(absent_number(i), cut);
        passed += !maybe;
      }
    }
    EXPECT_LE(passed, binomial_upper(cuts, 1.0 / 256, 1e-9)) << cuts;
  }
}

TEST(leveldb_policy, a_changed_byte_behind_the_body_is_noticed) {
  for (const leveldb_kind kind : all_kinds) {
    const policy_pointer policy = policy_of(kind, 12);
    const std::string filter = filter_of(*policy, keys_from(0, 590));
    const std::size_t behind = kind == leveldb_kind::ribbon ? 3 : kind == leveldb_kind::binary_fuse ? 4 : 2;
    for (std::size_t at = filter.size() - behind; at < filter.size(); ++at) {
      for (int change = 1; change < (at + 1 == filter.size() ? 32 : 256); ++change) {  // of the last byte, not the kind
        std::string changed = filter;
        changed[at] = static_cast<char>(changed[at] ^ change);
        for (std::uint64_t i = 0; i < 20; ++i) ASSERT_TRUE(policy->KeyMayMatch(absent_number(i), changed)) << at;
      }
    }
  }
}

// A filter of zeros with this many bytes of body, these bytes behind it and the last; with every check byte. How many of them say no to
// something?
int that_say_no(const leveldb::FilterPolicy& policy, guarded& memory, std::size_t body, const std::string& behind,
                int last) {
  int no = 0;
  for (int check = 0; check < 256; ++check) {
    const std::string filter = std::string(body, '\0') + behind + static_cast<char>(check) + static_cast<char>(last);
    bool maybe = true;
    const leveldb::Slice slice = memory.at_end(filter);
    for (std::uint64_t i = 0; i < 20; ++i) maybe &= policy.KeyMayMatch(absent_number(i), slice);
    no += !maybe;
  }
  return no;
}

TEST(leveldb_policy, parameters_that_make_no_sense_may_hold_any_key) {
  guarded memory;
  const policy_pointer policy = policy_of(leveldb_kind::ribbon);
  const auto say_no = [&](std::size_t body, const std::string& behind, int last) {
    return that_say_no(*policy, memory, body, behind, last);
  };
  const std::string seed(1, '\0');
  const auto segment = [&](int log) { return seed + static_cast<char>(log); };
  EXPECT_EQ(say_no(64, "", 1 << 5 | 29), 1);  // 30 probes
  EXPECT_EQ(say_no(64, "", 1 << 5 | 30), 0);
  EXPECT_EQ(say_no(64, "", 1 << 5 | 31), 0);
  EXPECT_EQ(say_no(64, "", 2 << 5 | 3), 1);  // 8 probes in a block
  EXPECT_EQ(say_no(64, "", 2 << 5 | 1), 0);
  EXPECT_EQ(say_no(64, "", 2 << 5 | 5), 0);
  EXPECT_EQ(say_no(65, "", 2 << 5 | 3), 0);  // a block and a byte
  EXPECT_EQ(say_no(63, "", 2 << 5 | 3), 0);
  EXPECT_EQ(say_no(3, seed, 3 << 5 | 23), 1);  // a slot of 24 bits
  EXPECT_EQ(say_no(3, seed, 3 << 5 | 24), 0);
  EXPECT_EQ(say_no(48, segment(4), 4 << 5 | 0), 1);  // three segments of 16 slots of 8 bits
  EXPECT_EQ(say_no(48, segment(3), 4 << 5 | 1), 1);  // three of 8 slots of 16 bits
  EXPECT_EQ(say_no(48, segment(1), 4 << 5 | 3), 0);
  EXPECT_EQ(say_no(48, segment(0), 4 << 5 | 0), 0);
  EXPECT_EQ(say_no(48, segment(5), 4 << 5 | 0), 0);
  EXPECT_EQ(say_no(49, segment(4), 4 << 5 | 0), 0);
  EXPECT_EQ(say_no(32, segment(4), 4 << 5 | 0), 0);
  EXPECT_EQ(say_no(48, segment(64), 4 << 5 | 0), 0);
  EXPECT_EQ(say_no(3 << 18, segment(18), 4 << 5 | 0), 1);  // of the longest segments
  EXPECT_EQ(say_no(3 << 19, segment(19), 4 << 5 | 0), 0);
}

TEST(leveldb_policy, no_bytes_make_it_read_beyond_them) {
  guarded memory;
  const policy_pointer policy = policy_of(leveldb_kind::ribbon);
  rng random(0x1eb);
  for (std::size_t size = 1; size < 40; ++size) {  // every last byte with every check byte
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    for (std::size_t ends = 0; ends < 1 << 16; ++ends) {
      bytes[size - 1] = static_cast<char>(ends);
      if (size > 1) bytes[size - 2] = static_cast<char>(ends >> 8);
      if (size > 3) bytes[size - 3] = static_cast<char>(ends % 7);  // the short segments
      (void)policy->KeyMayMatch("key", memory.at_end(bytes));
    }
  }
  for (const leveldb_kind kind : all_kinds) {
    const std::string filter = filter_of(*policy_of(kind, 12), keys_from(0, 400));
    for (int round = 0; round < 20'000; ++round) {  // flipped bits, and every check byte in turn
      std::string bytes = filter;
      for (std::uint64_t flips = 1 + random() % 3; flips != 0; --flips) {
        const std::size_t near_end = random() % 2 == 0 ? bytes.size() - 1 - random() % 4 : random() % bytes.size();
        bytes[near_end] = static_cast<char>(bytes[near_end] ^ (1 << random() % 8));
      }
      bytes[bytes.size() - 2] = static_cast<char>(round);
      (void)policy->KeyMayMatch("key", memory.at_end(bytes));
    }
  }
}

// --- in a database

// Counts what LevelDB asks of a policy.
class counting final : public leveldb::FilterPolicy {
 public:
  explicit counting(policy_pointer policy) : policy_(std::move(policy)) {}
  [[nodiscard]] const char* Name() const override { return policy_->Name(); }
  void CreateFilter(const leveldb::Slice* keys, int n, std::string* dst) const override {
    policy_->CreateFilter(keys, n, dst);
    ++made;
  }
  [[nodiscard]] bool KeyMayMatch(const leveldb::Slice& key, const leveldb::Slice& filter) const override {
    const bool maybe = policy_->KeyMayMatch(key, filter);
    ++asked;
    said_no += !maybe;
    return maybe;
  }

  mutable std::atomic<std::uint64_t> made = 0, asked = 0, said_no = 0;

 private:
  policy_pointer policy_;
};

constexpr std::uint64_t stored_keys = 5000;

std::unique_ptr<leveldb::DB> open(const std::string& path, const leveldb::FilterPolicy* policy) {
  leveldb::Options options;
  options.create_if_missing = true;
  options.filter_policy = policy;
  options.block_size = 16 << 10;
  leveldb::DB* db = nullptr;
  const leveldb::Status status = leveldb::DB::Open(options, path, &db);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return std::unique_ptr<leveldb::DB>(db);
}

void write(const std::string& path, const leveldb::FilterPolicy* policy) {
  const auto db = open(path, policy);
  leveldb::WriteBatch batch;
  for (std::uint64_t i = 0; i < stored_keys; ++i) batch.Put(key_number(i), "value " + std::to_string(i));
  ASSERT_TRUE(db->Write({}, &batch).ok());
  db->CompactRange(nullptr, nullptr);  // into a table
}

void check(const std::string& path, const leveldb::FilterPolicy* policy) {
  const auto db = open(path, policy);
  std::string value;
  for (std::uint64_t i = 0; i < stored_keys; ++i) {
    ASSERT_TRUE(db->Get({}, key_number(i), &value).ok()) << i;
    ASSERT_EQ(value, "value " + std::to_string(i));
  }
  for (std::uint64_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(db->Get({}, key_number(i) + "?", &value).IsNotFound());
  }
}

TEST(leveldb_database, is_read_with_any_policy_and_with_none) {
  const counting fuse(policy_of(leveldb_kind::binary_fuse));
  const policy_pointer own(leveldb::NewBloomFilterPolicy(10));
  for (const leveldb_kind kind : all_kinds) {
    const temp_dir folder;
    const counting policy(policy_of(kind));
    write(folder / "db", &policy);
    EXPECT_GT(policy.made, 0U);
    check(folder / "db", &policy);
    EXPECT_GT(policy.said_no, 900U);  // of 1000 absent keys
    check(folder / "db", nullptr);
    check(folder / "db", own.get());
    const std::uint64_t before = fuse.said_no;
    check(folder / "db", &fuse);  // of another kind: the filters that are there are used
    EXPECT_GT(fuse.said_no - before, 900U);
    check(folder / "db", &policy);
  }
}

TEST(leveldb_database, written_without_a_policy_is_read_with_one) {
  const policy_pointer own(leveldb::NewBloomFilterPolicy(10));
  for (const leveldb::FilterPolicy* const writer : {static_cast<const leveldb::FilterPolicy*>(nullptr), own.get()}) {
    const temp_dir folder;
    const counting policy(policy_of(leveldb_kind::ribbon));
    write(folder / "db", writer);
    check(folder / "db", &policy);
    EXPECT_EQ(policy.asked, 0U);  // filters of another name are not given to it
    open(folder / "db", &policy)->CompactRange(nullptr, nullptr);
    check(folder / "db", &policy);
  }
}

}  // namespace
}  // namespace seen::testing
