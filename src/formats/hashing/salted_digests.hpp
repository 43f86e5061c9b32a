// Digests of salted keys, cut into numbers: how pybloom finds its positions.
//
//   salt_i = H(i as u32le)          number j of H(salt_0 ‖ key) ‖ H(salt_1 ‖ key) ‖ …, little-endian, of 2, 4 or 8 bytes
//
// H after its salt is computed once, when the filter is made, and copied for every key.
#pragma once

#include <seen/hash/xxh3.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "formats/hashing/foreign_hash.hpp"
#include "hash/md5.hpp"
#include "hash/sha1.hpp"
#include "hash/sha2.hpp"

namespace seen::inline v1::foreign {

/// XXH3 with 128 bits, in the frame of the other digests; the upper half first, as its authors write it down.
class xxh128 {
 public:
  static constexpr std::size_t digest_bytes = 16;
  using result_type = std::array<std::byte, digest_bytes>;

  xxh128() noexcept { XXH3_128bits_reset(&state_); }
  void update(bytes_view bytes) noexcept { XXH3_128bits_update(&state_, bytes.data(), bytes.size()); }
  [[nodiscard]] result_type finish() noexcept { return written(XXH3_128bits_digest(&state_)); }

  [[nodiscard]] static result_type of(bytes_view bytes) noexcept {
    return written(XXH3_128bits(bytes.data(), bytes.size()));
  }

 private:
  static result_type written(XXH128_hash_t h) noexcept {
    result_type digest;
    for (std::size_t i = 0; i < 8; ++i) {
      digest[i] = static_cast<std::byte>(h.high64 >> (56 - 8 * i));
      digest[8 + i] = static_cast<std::byte>(h.low64 >> (56 - 8 * i));
    }
    return digest;
  }

  XXH3_state_t state_;
};

/// A digest function that has taken its salt.
template <class Digest>
class salted {
 public:
  explicit salted(bytes_view salt) noexcept { begun_.update(salt); }
  [[nodiscard]] typename Digest::result_type operator()(bytes_view key) const noexcept {
    Digest d = begun_;
    d.update(key);
    return d.finish();
  }

 private:
  Digest begun_;
};
/// The state of XXH3 is larger than most keys: they are put behind the salt instead.
template <>
class salted<xxh128> {
 public:
  explicit salted(bytes_view salt) noexcept { std::memcpy(salt_.data(), salt.data(), salt_.size()); }
  [[nodiscard]] xxh128::result_type operator()(bytes_view key) const noexcept {
    std::array<std::byte, 240> whole;
    if (key.size() > whole.size() - salt_.size()) {
      xxh128 d;
      d.update(salt_);
      d.update(key);
      return d.finish();
    }
    std::memcpy(whole.data(), salt_.data(), salt_.size());
    if (!key.empty()) std::memcpy(whole.data() + salt_.size(), key.data(), key.size());
    return xxh128::of(bytes_view(whole).first(salt_.size() + key.size()));
  }

 private:
  std::array<std::byte, 16> salt_;
};

/// The first `count` numbers of a key.
template <class Digest, class Number, class List>
class salted_list {
 public:
  explicit salted_list(std::uint32_t count) : count_(count) {
    for (std::uint32_t i = 0; i * per_digest < count; ++i) {
      std::array<std::byte, 4> index;
      store_le(index.data(), i);
      Digest d;
      d.update(index);
      salts_.emplace_back(d.finish());
    }
  }

  [[nodiscard]] List operator()(bytes_view key) const noexcept {
    List list;
    std::uint32_t taken = 0;
    for (const salted<Digest>& salt : salts_) {
      const auto digest = salt(key);
      for (std::size_t i = 0; i < per_digest && taken < count_; ++i) {
        list.word[taken++] = load_le<Number>(digest.data() + i * sizeof(Number));
      }
    }
    return list;
  }

 private:
  static constexpr std::uint32_t per_digest = Digest::digest_bytes / sizeof(Number);

  std::vector<salted<Digest>> salts_;
  std::uint32_t count_;
};

}  // namespace seen::inline v1::foreign
