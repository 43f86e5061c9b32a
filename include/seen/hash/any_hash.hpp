// any_hash: a hash function chosen at run time, for the command line, the C interface and files of unknown make.
//
//   any_hash
//   ├── hash_    one of the built-in functions, by value (a variant: seed or secret inside)
//   └── calls_ ─► { one, one_integer, many, many_integers }     one table per function, chosen at construction
//
// A key costs one indirect call; a batch costs one indirect call for all its keys, inside which the function is known
// to the compiler and inlined. It is a hash_function like the others, but its identity is a value, not a type. The tables
// are compiled once, in src/hash/any_hash.cpp.
#pragma once

#include <seen/hash/fnv1a.hpp>
#include <seen/hash/hash.hpp>
#include <seen/hash/murmur3.hpp>
#include <seen/hash/siphash.hpp>
#include <seen/hash/xxh3.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/hash/xxh64.hpp>

#include <cassert>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

namespace seen::inline v1 {

namespace detail {

/// Every built-in function; a new one is added here and in `hash_names`.
using built_in_hash =
    std::variant<default_hash, xxh3_64, xxh64, murmur3_x64_128, fnv1a_64, fnv1a_64_splitmix, siphash_2_4, siphash_1_3>;

template <class H, class List>
inline constexpr bool is_one_of = false;
template <class H, class... Hs>
inline constexpr bool is_one_of<H, std::variant<Hs...>> = (std::same_as<H, Hs> || ...);

}  // namespace detail

/// One of the library's own hash functions, which any_hash may be.
template <class H>
concept built_in = detail::is_one_of<H, detail::built_in_hash>;

/// A built-in hash function whose identity is known only at run time.
class any_hash {
 public:
  using digest_type = digest;

  /// The default with seed 0.
  any_hash() noexcept : any_hash(default_hash{}) {}

  /// Any built-in function.
  template <built_in H>
  any_hash(const H& h) noexcept : hash_(h), calls_(calls_for(hash_)) {}

  /// The function `id` with this seed (0 for keyed functions) or this secret (for keyed functions only).
  [[nodiscard]] static result<any_hash> make(hash_id id, std::uint64_t seed = 0,
                                             const std::optional<seen::secret>& secret = std::nullopt);

  /// The function a filter was made with, rebuilt from what its file stores.
  [[nodiscard]] static result<any_hash> restore(const hash_identity& stored, const seen::secret* secret);

  [[nodiscard]] digest operator()(bytes_view key) const noexcept { return calls_->one(hash_, key); }
  [[nodiscard]] digest operator()(integer_key key) const noexcept { return calls_->one_integer(hash_, key); }

  /// Hashes keys[i] to digests[i], with one indirect call for all of them.
  void hash_many(std::span<const bytes_view> keys, std::span<digest> digests) const noexcept {
    assert(digests.size() >= keys.size());
    calls_->many(hash_, keys, digests.data());
  }

  /// Hashes the integer keys[i] (in 64-bit two's complement) to digests[i], with one indirect call for all of them.
  void hash_many(std::span<const std::uint64_t> keys, std::span<digest> digests) const noexcept {
    assert(digests.size() >= keys.size());
    calls_->many_integers(hash_, keys, digests.data());
  }

  /// The function itself if it is an H, else null.
  template <built_in H>
  [[nodiscard]] const H* get_if() const noexcept {
    return std::get_if<H>(&hash_);
  }

  /// Which function it is; identity_of(h) is the same.
  [[nodiscard]] hash_identity identity() const;

  [[nodiscard]] std::uint64_t seed() const noexcept;

  /// The secret of a keyed function.
  [[nodiscard]] std::optional<seen::secret> secret() const noexcept;

  /// True if every bit of a key reaches every bit of its digest.
  [[nodiscard]] bool avalanches() const noexcept;

 private:
  using state = detail::built_in_hash;

  struct calls {
    digest (*one)(const state&, bytes_view) noexcept;
    digest (*one_integer)(const state&, integer_key) noexcept;
    void (*many)(const state&, std::span<const bytes_view>, digest*) noexcept;
    void (*many_integers)(const state&, std::span<const std::uint64_t>, digest*) noexcept;
  };

  struct functions;  // what there is for each built-in function, in src/hash/any_hash.cpp
  [[nodiscard]] static const calls* calls_for(const state& hash) noexcept;

  state hash_;
  const calls* calls_;
};

static_assert(hash_function<any_hash>);

}  // namespace seen::inline v1
