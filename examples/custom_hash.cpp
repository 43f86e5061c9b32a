// A hash function of your own: an id from 0x8000 up, a few lines, and files remember that it is needed.
#include <seen/seen.hpp>

#include <cstdint>
#include <cstdio>

namespace {

// Keys that are uniform already (the first 8 bytes of a SHA-256, say) need no second hash.
struct prefix_hash {
  static constexpr seen::hash_id id{0x8001};
  static constexpr bool is_keyed = false;
  using digest_type = seen::digest;

  explicit prefix_hash(std::uint64_t seed = 0) : seed_(seed) {}
  seen::digest operator()(seen::bytes_view key) const noexcept {
    return seen::digest((key.size() >= 8 ? seen::load_le<std::uint64_t>(key.data()) : 0) ^ seed_);
  }
  std::uint64_t seed() const noexcept { return seed_; }
  static seen::result<prefix_hash> restore(const seen::hash_identity& stored, const seen::secret* secret) {
    return seen::restore_hash<prefix_hash>(stored, secret);
  }

 private:
  std::uint64_t seed_;
};

using sha_bloom = seen::filter<seen::bloom::engine_type, prefix_hash>;

}  // namespace

int main() {
  sha_bloom blobs({.capacity = 1000, .fpr = 0.01});
  blobs.add("\x8f\x43\x43\x46\x64\x8f\x6b\x96 and so on");
  if (auto saved = seen::save(blobs, "blobs.seen"); !saved) return 1;
  // A reader without the function gets an error, not wrong answers.
  std::printf("%s\n", seen::any_filter::load("blobs.seen").error().detail.c_str());
  return seen::load<sha_bloom>("blobs.seen").has_value() ? 0 : 1;
}
