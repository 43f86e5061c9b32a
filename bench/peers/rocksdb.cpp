// RocksDB's filters through its filter policies: FastLocalBloom (512-bit blocks) and Ribbon.
//
// The policies are public; the builder and the reader they return are classes whose declarations are not installed. They
// are declared here as release 7.8 has them, virtual function by virtual function, which is why CMake asks for 7.8.
// Keys are slices of 8 bytes; a batch is 32 of them, the most RocksDB gives a reader at once.
#include <array>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice.h>
#include <rocksdb/status.h>
#include <rocksdb/table.h>

#include "peers.hpp"

namespace rocksdb {

class FilterBitsBuilder {
 public:
  virtual ~FilterBitsBuilder() = default;
  virtual void AddKey(const Slice& key) = 0;
  virtual size_t EstimateEntriesAdded() = 0;
  virtual Slice Finish(std::unique_ptr<const char[]>* buffer) = 0;
};
class FilterBitsReader {
 public:
  virtual ~FilterBitsReader() = default;
  virtual bool MayMatch(const Slice& key) = 0;
  virtual void MayMatch(int count, Slice** keys, bool* found) = 0;
};

}  // namespace rocksdb

namespace seen::bench {
namespace {

rocksdb::Slice slice_of(const std::uint64_t& key) {
  return {reinterpret_cast<const char*>(&key), sizeof key};
}

template <const rocksdb::FilterPolicy* (*make_policy)()>
struct of_rocksdb {
  explicit of_rocksdb(std::size_t) : policy(make_policy()) {}

  void add_batch(std::span<const std::uint64_t> keys) {
    const rocksdb::BlockBasedTableOptions options;
    const std::unique_ptr<rocksdb::FilterBitsBuilder> builder(
        policy->GetBuilderWithContext(rocksdb::FilterBuildingContext(options)));
    for (const std::uint64_t& key : keys) builder->AddKey(slice_of(key));
    const rocksdb::Slice made = builder->Finish(&buffer);
    size = made.size();
    reader.reset(policy->GetFilterBitsReader(made));
  }
  [[nodiscard, gnu::always_inline]] bool contains(std::uint64_t key) const { return reader->MayMatch(slice_of(key)); }
  std::size_t contains_batch(std::span<const std::uint64_t> keys, bool* out) const {
    constexpr std::size_t most = 32;
    std::array<rocksdb::Slice, most> slices;
    std::array<rocksdb::Slice*, most> pointers;
    std::size_t found = 0;
    for (std::size_t at = 0; at < keys.size(); at += most) {
      const std::size_t count = std::min(most, keys.size() - at);
      for (std::size_t i = 0; i < count; ++i) slices[i] = slice_of(keys[at + i]), pointers[i] = &slices[i];
      reader->MayMatch(static_cast<int>(count), pointers.data(), out + at);
      for (std::size_t i = 0; i < count; ++i) found += out[at + i];
    }
    return found;
  }
  [[nodiscard]] std::size_t bytes() const { return size; }

  std::unique_ptr<const rocksdb::FilterPolicy> policy;
  std::unique_ptr<const char[]> buffer = nullptr;
  std::unique_ptr<rocksdb::FilterBitsReader> reader = nullptr;
  std::size_t size = 0;
};

const rocksdb::FilterPolicy* bloom_policy() {
  return rocksdb::NewBloomFilterPolicy(12);
}
const rocksdb::FilterPolicy* ribbon_policy() {
  return rocksdb::NewRibbonFilterPolicy(12, -1);  // the rate of a Bloom filter of 12 bits, on every level
}

}  // namespace

std::string add_rocksdb(std::vector<family>& families) {
  family_of(families, "block").contenders.push_back(contends<of_rocksdb<bloom_policy>>(peers::rocksdb_bloom));
  family_of(families, "static").contenders.push_back(contends<of_rocksdb<ribbon_policy>>(peers::rocksdb_ribbon));
  return "";
}

}  // namespace seen::bench
