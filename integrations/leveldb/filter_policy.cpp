// The policy that LevelDB calls: keys to digests, and the rest to table_filter.hpp.
//
// This is the one file that derives from a class of LevelDB, and so the one that must be compiled without run-time type information where
// LevelDB was (CMakeLists.txt finds out). Nothing may be thrown through LevelDB, which is often compiled without exceptions: a filter for
// which there is no memory is left empty, and an empty filter says "maybe".
#include <seen/hash/xxh3.hpp>
#include <seen/leveldb.hpp>

#include <cstddef>
#include <leveldb/slice.h>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "table_filter.hpp"

namespace seen::inline v1 {
namespace {

// LevelDB writes it into tables and uses filters of the same name only.
constexpr const char* policy_name = "seen.TableFilter1";

digest digest_of(const leveldb::Slice& key) noexcept {
  return hash_key(xxh3_64(), std::string_view(key.data(), key.size()));
}

class filter_policy final : public leveldb::FilterPolicy {
 public:
  explicit filter_policy(const leveldb_options& options) : options_(options) {}

  [[nodiscard]] const char* Name() const override { return policy_name; }

  // Keys come sorted, so the versions of one key are neighbours.
  void CreateFilter(const leveldb::Slice* keys, int n, std::string* dst) const override {
    const std::size_t before = dst->size();
    try {
      std::vector<digest> digests;
      digests.reserve(static_cast<std::size_t>(n));
      for (const leveldb::Slice& key : std::span(keys, static_cast<std::size_t>(n))) {
        const digest d = digest_of(key);
        if (digests.empty() || digests.back().value != d.value) digests.push_back(d);
      }
      table_filter::append(options_, digests, *dst);
    } catch (const std::exception&) {
      dst->resize(before);
    }
  }

  [[nodiscard]] bool KeyMayMatch(const leveldb::Slice& key, const leveldb::Slice& filter) const override {
    return table_filter::may_contain(digest_of(key), std::as_bytes(std::span(filter.data(), filter.size())));
  }

 private:
  leveldb_options options_;
};

}  // namespace

std::unique_ptr<const leveldb::FilterPolicy> leveldb_filter_policy(const leveldb_options& options) {
  static_assert(table_filter::version == 1 && std::string_view(policy_name).ends_with('1'));
  if (!(options.bits_per_key >= 1 && options.bits_per_key <= 64)) {
    throw std::invalid_argument("leveldb_filter_policy: bits_per_key is " + std::to_string(options.bits_per_key) +
                                "; it must be from 1 to 64");
  }
  return std::make_unique<const filter_policy>(options);
}

}  // namespace seen::inline v1
