// The filters of FastFilter's libraries: every key has three slots, and their fingerprints xored are the key's own.
//
//   h = fmix64(key + seed);  fingerprint = low bits of h ^ h >> 32             keys are 64-bit integers
//
//   xor            three blocks of B slots: slot i = i·B + (lo32(h rotl 21·i)·B >> 32)
//   binary fuse    segments of SL slots, a power of two: s0 = mulhi(h, SC·SL); s1 = (s0 + SL) ^ (h >> 18 mod SL);
//                  s2 = (s0 + 2·SL) ^ (h mod SL)
//
// fingerprint_engine<Shape> is either, with fingerprints of 8, 16 or 32 bits: the width is chosen once, when the filter
// is opened, with the functions that look it up. Anything that is not an integer cannot be a key and is answered "maybe": its
// digest says so.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/base/taken.hpp>
#include <seen/concepts.hpp>
#include <seen/hash/any_hash.hpp>
#include <seen/hash/murmur3.hpp>
#include <seen/kernels/prefetch.hpp>
#include <seen/storage/access.hpp>
#include <seen/storage/storage.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "formats/encodings/bytes.hpp"
#include "formats/hashing/foreign_hash.hpp"

namespace seen::inline v1 {
namespace foreign {

using three_slots = std::array<std::uint64_t, 3>;

/// The part that both shapes share.
template <class Shape>
struct fingerprint_shape {
  std::uint64_t seed = 0;
  std::uint32_t width = 1;  ///< bytes of a fingerprint: 1, 2 or 4

  [[nodiscard]] std::size_t bytes() const noexcept {
    return clamp_to_size(static_cast<const Shape&>(*this).slots() * width);
  }
  [[nodiscard]] std::uint32_t lines() const noexcept { return 3; }
  [[nodiscard]] double expected_fpr(std::uint64_t) const noexcept {
    return std::ldexp(1.0, -8 * static_cast<int>(width));
  }
  static result<Shape> plan(const target&) { return {errc::unsupported, "these are sized by their keys, not planned"}; }
};

struct xor_shape : fingerprint_shape<xor_shape> {
  std::uint64_t block_length = 0;  ///< below 2^32

  static constexpr kind_info kind{.id = 0, .name = "xor"};
  [[nodiscard]] std::uint64_t slots() const noexcept { return 3 * block_length; }
  [[nodiscard]] three_slots slots_of(std::uint64_t h) const noexcept {
    const auto in_block = [&](std::uint64_t x) { return ((x & 0xffff'ffff) * block_length) >> 32; };
    return {in_block(h), in_block(std::rotl(h, 21)) + block_length, in_block(std::rotl(h, 42)) + 2 * block_length};
  }
  [[nodiscard]] result<void> check() const {
    if (block_length >= 1 && block_length <= 0xffff'ffff) return {};
    return {errc::corrupt,
            "the length of a block is " + std::to_string(block_length) + "; it must be from 1 to 2^32 - 1"};
  }

  static constexpr std::array<std::string_view, 3> field_names{"seed", "block-length", "fingerprint-bits"};
  [[nodiscard]] std::array<std::uint64_t, 3> fields() const noexcept { return {seed, block_length, 8 * width}; }
  static result<xor_shape> from_fields(std::span<const std::uint64_t, 3> f) {
    return xor_shape{{.seed = f[0], .width = clamp_to_u32(f[2] / 8)}, f[1]};
  }
  friend bool operator==(const xor_shape& a, const xor_shape& b) { return a.fields() == b.fields(); }
};

struct fuse_shape : fingerprint_shape<fuse_shape> {
  std::uint64_t segment_length = 0;
  std::uint64_t segments = 0;

  static constexpr kind_info kind{.id = 0, .name = "binary-fuse"};
  [[nodiscard]] std::uint64_t slots() const noexcept { return (segments + 2) * segment_length; }
  [[nodiscard]] three_slots slots_of(std::uint64_t h) const noexcept {
    const std::uint64_t first = mulhi(h, segments * segment_length), mask = segment_length - 1;
    return {first, (first + segment_length) ^ ((h >> 18) & mask), (first + 2 * segment_length) ^ (h & mask)};
  }
  /// What the headers say twice must agree.
  [[nodiscard]] result<void> check(std::uint64_t first_slots, std::uint64_t all_slots) const {
    if (std::has_single_bit(segment_length) && segments >= 1 && segments < (std::uint64_t{1} << 32) &&
        segment_length < (std::uint64_t{1} << 32) && segments * segment_length == first_slots && slots() == all_slots) {
      return {};
    }
    return {errc::corrupt, std::to_string(segments) + " segments of " + std::to_string(segment_length) +
                               " slots do not make " + std::to_string(first_slots) + " and " +
                               std::to_string(all_slots) + " slots"};
  }

  static constexpr std::array<std::string_view, 4> field_names{"seed", "segment-length", "segments",
                                                               "fingerprint-bits"};
  [[nodiscard]] std::array<std::uint64_t, 4> fields() const noexcept {
    return {seed, segment_length, segments, 8 * width};
  }
  static result<fuse_shape> from_fields(std::span<const std::uint64_t, 4> f) {
    return fuse_shape{{.seed = f[0], .width = clamp_to_u32(f[3] / 8)}, f[1], f[2]};
  }
  friend bool operator==(const fuse_shape& a, const fuse_shape& b) { return a.fields() == b.fields(); }
};

template <class Shape>
class fingerprint_engine {
 public:
  using digest_type = digest_pair;  // the integer; and whether the key is not one
  using shape_type = Shape;
  using access_type = plain_access;
  static constexpr kind_info kind = Shape::kind;
  static constexpr std::uint16_t index_rule = 0;

  fingerprint_engine() = default;
  /// `body` has the bytes of the shape, which was checked; `keys` is what the file or the builder says, where it
  /// does.
  fingerprint_engine(const Shape& shape, storage body, std::optional<std::uint32_t> keys)
      : body_(std::move(body)), state_(state{shape, calls_for(shape), keys}) {}

  [[nodiscard]] bool may_contain(digest_type d) const noexcept { return state_->calls->one(*this, d); }
  std::size_t may_contain_many(std::span<const digest_type> digests, bool* out) const noexcept {
    return state_->calls->many(*this, digests, out);
  }

  [[nodiscard]] Shape shape() const noexcept { return state_->shape; }
  [[nodiscard]] std::optional<std::uint32_t> recorded_keys() const noexcept { return state_->keys; }
  [[nodiscard]] bytes_view bytes() const noexcept { return body_.bytes().first(state_->shape.bytes()); }
  /// Slots with a fingerprint that is not 0.
  [[nodiscard]] std::uint64_t census() const noexcept {
    std::uint64_t used = 0;
    for_each_used_slot([&](std::uint64_t, bytes_view) { ++used; });
    return used;
  }
  [[nodiscard]] double fill() const noexcept {
    const std::uint64_t slots = state_->shape.slots();
    return slots == 0 ? 0 : static_cast<double>(census()) / static_cast<double>(slots);
  }
  /// Every key has a slot to itself, and the others are 0 where the library cleared them.
  [[nodiscard]] double estimated_count() const noexcept {
    return static_cast<double>(census()) / (1 - estimated_fpr());
  }
  [[nodiscard]] double estimated_fpr() const noexcept { return state_->shape.expected_fpr(0); }
  [[nodiscard]] bool saturated() const noexcept { return false; }

  /// Calls use(slot, its bytes) for slots that are not 0, in order.
  template <class Use>
  void for_each_used_slot(Use use) const {
    const std::size_t width = state_->shape.width;
    const std::byte* at = body_.data();
    for (std::uint64_t i = 0; i < state_->shape.slots(); ++i, at += width) {
      std::uint32_t word = 0;
      std::memcpy(&word, at, width);
      if (word != 0) use(i, bytes_view(at, width));
    }
  }

 private:
  struct lookups {
    bool (*one)(const fingerprint_engine&, digest_type) noexcept;
    std::size_t (*many)(const fingerprint_engine&, std::span<const digest_type>, bool*) noexcept;
  };
  // Nothing is in an engine that was moved from.
  static constexpr lookups calls_of_none{
      [](const fingerprint_engine&, digest_type) noexcept { return false; },
      [](const fingerprint_engine&, std::span<const digest_type> digests, bool* out) noexcept {
        std::fill_n(out, digests.size(), false);
        return std::size_t{0};
      }};
  struct state {
    Shape shape;
    const lookups* calls = &calls_of_none;
    std::optional<std::uint32_t> keys;
  };

  // A key's slots and its fingerprint, in as many bits as there are at most.
  struct place {
    three_slots at;
    std::uint64_t fingerprint;
  };
  [[nodiscard]] place find(digest_type d) const noexcept {
    const std::uint64_t h = fmix64(d.a + state_->shape.seed);
    return {state_->shape.slots_of(h), h ^ h >> 32};
  }
  template <class Word>
  void fetch(const place& p) const noexcept {
    for (const std::uint64_t at : p.at) kernels::prefetch(body_.data() + sizeof(Word) * at);
  }
  template <class Word>
  [[nodiscard]] bool agrees(const place& p, digest_type d) const noexcept {
    const auto word = [&](std::uint64_t i) { return load_le<Word>(body_.data() + sizeof(Word) * i); };
    const auto all = static_cast<Word>(word(p.at[0]) ^ word(p.at[1]) ^ word(p.at[2]));
    return (all == static_cast<Word>(p.fingerprint)) | (d.b != 0);
  }

  template <class Word>
  static constexpr lookups calls_of{
      [](const fingerprint_engine& e, digest_type d) noexcept { return e.template agrees<Word>(e.find(d), d); },
      [](const fingerprint_engine& e, std::span<const digest_type> digests, bool* out) noexcept {
        constexpr std::size_t tile = 64;
        std::array<place, tile> places;
        std::size_t found = 0;
        for (std::size_t base = 0; base < digests.size(); base += tile) {
          const std::size_t count = std::min(tile, digests.size() - base);
          for (std::size_t i = 0; i < count; ++i) {
            places[i] = e.find(digests[base + i]);
            e.template fetch<Word>(places[i]);
          }
          for (std::size_t i = 0; i < count; ++i) {
            found += out[base + i] = e.template agrees<Word>(places[i], digests[base + i]);
          }
        }
        return found;
      }};
  static const lookups* calls_for(const Shape& shape) noexcept {
    if (shape.width == 1) return &calls_of<std::uint8_t>;
    return shape.width == 2 ? &calls_of<std::uint16_t> : &calls_of<std::uint32_t>;
  }

  storage body_;
  detail::taken<state> state_;
};

using xor_fingerprints = filter<fingerprint_engine<xor_shape>, foreign_hash<digest_pair>>;
using fuse_fingerprints = filter<fingerprint_engine<fuse_shape>, foreign_hash<digest_pair>>;

/// How keys become the integers that are stored: they are integers (first), or one of these functions hashes their bytes.
inline constexpr std::array<std::string_view, 5> integer_hashes{"fmix64", "xxh3-64", "xxh64", "murmur3-x64-128",
                                                                "fnv1a-64"};
inline constexpr std::array<std::string_view, 1> integer_keys{"u64"};

/// The function of this name, or of integers where it is empty or "fmix64".
[[nodiscard]] inline result<foreign_hash<digest_pair>> integer_hash(std::string_view name) {
  if (name.empty() || name == integer_hashes[0]) {
    const auto as_integer = [](bytes_view key) noexcept {
      return key.size() == 8 ? digest_pair{load_le<std::uint64_t>(key.data()), 0} : digest_pair{0, 1};
    };
    return foreign_hash<digest_pair>(as_integer, {.id = hash_id::fmix64});
  }
  auto id = hash_id_from(name);
  if (!id) return id.error();
  auto hash = any_hash::make(*id, 0, {});
  if (!hash) return hash.error();
  return foreign_hash<digest_pair>(
      [h = *hash](bytes_view key) noexcept {
        return digest_pair{h(key).value, 0};
      },
      {.id = *id});
}

/// The filter of a shape whose fingerprints come next in a file. Nothing is allocated unless all of them are there.
template <class Shape>
[[nodiscard]] result<filter<fingerprint_engine<Shape>, foreign_hash<digest_pair>>> read_fingerprints(
    byte_reader& in, const Shape& shape, std::string_view hash_name, std::optional<std::uint32_t> keys = {}) {
  auto hash = integer_hash(hash_name);
  if (!hash) return hash.error();
  auto body = read_bits(in, shape.bytes(), 8 * std::uint64_t{shape.bytes()});
  if (!body) return body.error();
  return filter<fingerprint_engine<Shape>, foreign_hash<digest_pair>>({shape, std::move(*body), keys},
                                                                      std::move(*hash));
}

/// The width at which so many slots fill so many bytes, or 0.
[[nodiscard]] constexpr std::uint32_t width_of(std::uint64_t bytes, std::uint64_t slots) noexcept {
  for (const std::uint32_t width : {1u, 2u, 4u}) {
    if (slots != 0 && bytes % slots == 0 && bytes / slots == width) return width;
  }
  return 0;
}

/// The form that a program which reads text gives it.
[[nodiscard]] inline key_form form_of_integers(std::string_view hash) noexcept {
  return hash.empty() || hash == integer_hashes[0] ? key_form::integer : key_form::bytes;
}

}  // namespace foreign

// Compiled once, in src/formats/engines/fingerprint.cpp.
extern template const any_filter::table any_filter::table_for<foreign::xor_fingerprints>;
extern template const any_filter::table any_filter::table_for<foreign::fuse_fingerprints>;

}  // namespace seen::inline v1
