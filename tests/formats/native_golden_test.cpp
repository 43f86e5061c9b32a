// Files that must not drift. A red test here is a defect of the change: version 1 is frozen, and other languages read these
// very bytes.
//
// Each kind has golden/native-1/<kind>.seen and a manifest beside it: how it was made, and which of the keys
// probe-0 .. probe-999, never added, it says "maybe" to. SEEN_WRITE_GOLDEN=<directory> writes both for every kind.
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/all_filters.hpp"
#include "support/error_code.hpp"
#include "support/native_image.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

using json = nlohmann::json;

constexpr std::uint64_t golden_keys = 1000;
constexpr double golden_fpr = 0.01;
constexpr std::uint64_t golden_seed = 42;
constexpr int probe_count = 1000;

std::string probe(int i) {
  return "probe-" + std::to_string(i);
}

template <class F>
json manifest_of(const F& f, const std::string& name, const save_options& options = {}) {
  std::vector<int> positives;
  for (int i = 0; i < probe_count; ++i) {
    if (f.may_contain(probe(i))) positives.push_back(i);
  }
  json fields;
  const auto shape = f.shape();
  for (std::size_t i = 0; i < shape.field_names.size(); ++i) {
    fields[std::string(shape.field_names[i])] = shape.fields()[i];
  }
  return {{"file", name},
          {"kind", std::string(F::kind.name)},
          {"added", "key-0 .. key-" + std::to_string(golden_keys - 1)},
          {"capacity", f.target().capacity},
          {"fpr", f.target().fpr},
          {"fields", fields},
          {"hash", name_of(f.identity().id)},
          {"seed", f.identity().seed},
          {"hash_check", detail::hex(f.identity().check)},
          {"census", f.engine().census()},
          {"alignment", options.alignment.value_or(64)},
          {"metadata", options.metadata.value_or("")},
          {"probe_count", probe_count},
          {"probe_positives", positives}};
}

std::string golden_path(const std::string& name) {
  return std::string(SEEN_TEST_DATA) + "/golden/native-1/" + name;
}

/// Compares a filter with its golden file and manifest, or writes them where SEEN_WRITE_GOLDEN says.
template <class F>
void check_golden(const F& f, const std::string& name, const save_options& options = {}) {
  const json manifest = manifest_of(f, name, options);
  const auto bytes = to_bytes(f, options).value();
  if (const char* directory = std::getenv("SEEN_WRITE_GOLDEN")) {
    write_bytes(std::string(directory) + "/" + name, bytes);
    std::ofstream(std::string(directory) + "/" + name + ".json") << manifest.dump(1) << "\n";
    return;
  }
  std::ifstream stored(golden_path(name + ".json"));
  ASSERT_TRUE(stored.good()) << "there is no " << golden_path(name) << ".json; if " << name
                             << " is new, SEEN_WRITE_GOLDEN=FOLDER makes both files (HACKING.md, \"Golden files\")";
  EXPECT_TRUE(read_bytes(golden_path(name)) == bytes) << name << " is not written as it was";
  EXPECT_EQ(json::parse(stored), manifest);
}

/// What every reader of a golden file, in any language, must answer.
template <class Filter>
void check_answers(const Filter& f, const std::string& name) {
  for (const auto& key : sample_keys(golden_keys)) ASSERT_TRUE(f.may_contain(key)) << key;
  std::ifstream stored(golden_path(name + ".json"));
  const json manifest = json::parse(stored);
  std::vector<int> positives;
  for (int i = 0; i < probe_count; ++i) {
    if (f.may_contain(probe(i))) positives.push_back(i);
  }
  EXPECT_EQ(positives, manifest["probe_positives"].get<std::vector<int>>());
}

template <class F>
class native_golden : public ::testing::Test {
 protected:
  static std::string name() { return std::string(F::kind.name) + ".seen"; }
  static F make() { return sample_of<F>(golden_keys, golden_fpr, typename F::hash_type(golden_seed)); }
};
TYPED_TEST_SUITE(native_golden, all_filters, kind_names);

TYPED_TEST(native_golden, V2_bytes_across_languages_golden_files) {
  check_golden(this->make(), this->name());
  if (std::getenv("SEEN_WRITE_GOLDEN") != nullptr) return;
  check_answers(load<TypeParam>(golden_path(this->name())).value(), this->name());
  check_answers(*map<TypeParam>(golden_path(this->name())).value(), this->name());
  check_answers(any_filter::load(golden_path(this->name())).value(), this->name());
}

TYPED_TEST(native_golden, a_second_implementation_writes_the_same_bytes) {
  native_image image = image_of(this->make());
  EXPECT_TRUE(image.encode() == read_bytes(golden_path(this->name())));
  // Metadata is entry 2, behind the segments; a stored secret would be entry 3.
  const auto with_metadata = to_bytes(this->make(), {.alignment = 4096, .metadata = "from a test"}).value();
  image.alignment = 4096;
  image.entries.push_back({2, 0, bytes_of("from a test")});
  EXPECT_TRUE(image.encode() == with_metadata);
}

// State beside the parameters: a chain of four links, and a ring that has turned three times.
template <class F>
void check_golden_state(const F& f, const std::string& name) {
  check_golden(f, name);
  if (std::getenv("SEEN_WRITE_GOLDEN") != nullptr) return;
  check_answers(load<F>(golden_path(name)).value(), name);
  check_answers(any_filter::load(golden_path(name)).value(), name);
}

template <class F>
F grown_from_100() {
  F f({.capacity = 100, .fpr = golden_fpr}, default_hash(golden_seed));
  for (const auto& key : sample_keys(golden_keys)) f.add(key);
  return f;
}

TEST(native_golden, V2_bytes_across_languages_golden_files_of_grown_chains) {
  check_golden_state(grown_from_100<scalable_bloom>(), "scalable-bloom-grown.seen");
  check_golden_state(grown_from_100<scalable_classic_bloom>(), "scalable-classic-bloom-grown.seen");
}

TEST(native_golden, V2_bytes_across_languages_golden_files_of_a_turned_ring) {
  windowed_bloom f({.capacity = golden_keys, .fpr = golden_fpr}, default_hash(golden_seed));
  for (const auto& key : sample_keys(3 * golden_keys, golden_keys)) f.add(key);  // key-1000 … key-3999, soon forgotten
  for (const auto& key : sample_keys(golden_keys)) f.add(key);
  check_golden_state(f, "windowed-bloom-turned.seen");
}

// Shards with seeds of their own, and a ribbon large enough for layers: keys beyond the thousand are in it too.
TEST(native_golden, V2_bytes_across_languages_golden_files_of_shards) {
  const auto keys = sample_keys(golden_keys), more = sample_keys(5 * golden_keys);
  const default_hash hash(golden_seed);
  const build_options how{.fpr = golden_fpr};
  check_golden_state(xor_filter::build(keys, {.fingerprint_bits = 16, .shards = 4}, how, hash).value(),
                     "xor-sharded.seen");
  check_golden_state(binary_fuse::build(keys, {.fingerprint_bits = 32, .shards = 4, .arity = 4}, how, hash).value(),
                     "binary-fuse-sharded.seen");
  check_golden_state(ribbon::build(keys, {.fingerprint_bits = 11, .shards = 4}, how, hash).value(),
                     "ribbon-sharded.seen");
  check_golden_state(ribbon::build(more, {.setting = ribbon_setting::compact}, how, hash).value(),
                     "ribbon-layers.seen");
}

// Everything a header can hold at once: a keyed hash with its secret, metadata, and a body on a page boundary.
TEST(native_golden, V2_bytes_across_languages_golden_files_of_a_keyed_filter) {
  using keyed_bloom = filter<bloom::engine_type, siphash_2_4>;
  secret made;
  for (std::size_t i = 0; i < made.bytes.size(); ++i) made.bytes[i] = static_cast<std::byte>(i);
  const auto f = sample_of<keyed_bloom>(golden_keys, golden_fpr, siphash_2_4(made));
  const std::string name = "bloom-keyed.seen";
  const save_options options{.store_secret = true, .alignment = 4096, .metadata = "secret bytes 00 01 .. 0f"};
  check_golden(f, name, options);
  if (std::getenv("SEEN_WRITE_GOLDEN") != nullptr) return;
  check_answers(load<keyed_bloom>(golden_path(name)).value(), name);
  check_answers(any_filter::load(golden_path(name)).value(), name);
  native_image image = image_of(f);
  image.alignment = 4096;
  image.entries.push_back({2, 0, bytes_of(options.metadata.value_or(""))});
  image.entries.push_back({3, 0, {made.bytes.begin(), made.bytes.end()}});
  EXPECT_TRUE(image.encode() == read_bytes(golden_path(name)));
}

// A function of the user's own, which the packages in Go and Rust define too.
struct own_hash {
  static constexpr hash_id id{0x8001};
  static constexpr bool is_keyed = false;
  using digest_type = digest;
  explicit own_hash(std::uint64_t seed = 0) noexcept : seed_(seed) {}
  digest operator()(bytes_view key) const noexcept {
    std::uint64_t h = 0xcbf2'9ce4'8422'2325 ^ seed_;
    for (const std::byte b : key) h = (h ^ static_cast<std::uint64_t>(b)) * 0x100'0000'01b3;
    h = (h ^ h >> 32) * 0x9fb2'1c65'1e98'df25;
    return digest(h ^ h >> 29);
  }
  std::uint64_t seed() const noexcept { return seed_; }
  static result<own_hash> restore(const hash_identity& stored, const secret* key) {
    return restore_hash<own_hash>(stored, key);
  }

 private:
  std::uint64_t seed_;
};

TEST(native_golden, V2_bytes_across_languages_golden_file_of_a_users_own_hash) {
  using own_bloom = filter<bloom::engine_type, own_hash>;
  const std::string name = "bloom-own-hash.seen";
  check_golden(sample_of<own_bloom>(golden_keys, golden_fpr, own_hash(golden_seed)), name);
  if (std::getenv("SEEN_WRITE_GOLDEN") != nullptr) return;
  check_answers(load<own_bloom>(golden_path(name)).value(), name);
  check_answers(*map<own_bloom>(golden_path(name)).value(), name);
  EXPECT_EQ(code_of(any_filter::load(golden_path(name))), errc::wrong_hash);
}

}  // namespace
}  // namespace seen::testing
