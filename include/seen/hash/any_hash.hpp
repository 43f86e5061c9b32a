// any_hash: a hash function chosen at run time, for the command line, the C interface and files of unknown make.
//
//   any_hash
//   ├── hash_    one of the built-in functions, by value (a variant: seed or secret inside)
//   └── calls_ ─► { one, one_integer, many, many_integers }     one table per function, chosen at construction
//
// A key costs one indirect call; a batch costs one indirect call for all its keys, inside which the function is known
// to the compiler and inlined. It is a hash_function like the others, but its identity is a value, not a type.
#pragma once

#include <seen/hash/fnv1a.hpp>
#include <seen/hash/hash.hpp>
#include <seen/hash/murmur3.hpp>
#include <seen/hash/siphash.hpp>
#include <seen/hash/xxh3.hpp>
#include <seen/hash/xxh64.hpp>

#include <cassert>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace seen::inline v1 {

namespace detail {

/// Every built-in function; a new one is added here and in `hash_names`.
using built_in_hash =
    std::variant<xxh3_64, xxh64, murmur3_x64_128, fnv1a_64, fnv1a_64_splitmix, siphash_2_4, siphash_1_3>;

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

  /// XXH3-64 with seed 0, the default everywhere.
  any_hash() noexcept : any_hash(xxh3_64{}) {}

  /// Any built-in function.
  template <built_in H>
  any_hash(const H& h) noexcept : hash_(h), calls_(&calls_of<H>) {}

  /// The function `id` with this seed (0 for keyed functions) or this secret (for keyed functions only).
  [[nodiscard]] static result<any_hash> make(hash_id id, std::uint64_t seed = 0,
                                             const std::optional<seen::secret>& secret = std::nullopt) {
    return with_function(id, [&]<class H>(std::type_identity<H>) -> result<any_hash> {
      if (auto complaint = detail::seed_complaint<H>(seed); !complaint.empty()) {
        return {errc::invalid_argument, std::move(complaint)};
      }
      if constexpr (H::is_keyed) {
        if (!secret) return {errc::secret_required, describe(id) + " needs a secret"};
        return any_hash(H(*secret));
      } else {
        if (secret) return {errc::invalid_argument, describe(id) + " takes no secret"};
        return any_hash(H(seed));
      }
    });
  }

  /// The function a filter was made with, rebuilt from what its file stores.
  [[nodiscard]] static result<any_hash> restore(const hash_identity& stored, const seen::secret* secret) {
    return with_function(stored.id, [&]<class H>(std::type_identity<H>) -> result<any_hash> {
      auto h = H::restore(stored, secret);
      if (!h) return h.error();
      return any_hash(*h);
    });
  }

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

  /// Which function it is; identity_of(h) is the same.
  [[nodiscard]] hash_identity identity() const {
    return std::visit([](const auto& h) { return identity_of(h); }, hash_);
  }

  [[nodiscard]] std::uint64_t seed() const noexcept {
    return std::visit([](const auto& h) { return h.seed(); }, hash_);
  }

  /// The secret of a keyed function.
  [[nodiscard]] std::optional<seen::secret> secret() const noexcept {
    return std::visit(
        []<class H>(const H& h) -> std::optional<seen::secret> {
          if constexpr (H::is_keyed) {
            return h.secret();
          } else {
            return std::nullopt;
          }
        },
        hash_);
  }

  /// True if every bit of a key reaches every bit of its digest.
  [[nodiscard]] bool avalanches() const noexcept {
    return std::visit([]<class H>(const H&) { return H::is_avalanching; }, hash_);
  }

 private:
  using state = detail::built_in_hash;

  struct calls {
    digest (*one)(const state&, bytes_view) noexcept;
    digest (*one_integer)(const state&, integer_key) noexcept;
    void (*many)(const state&, std::span<const bytes_view>, digest*) noexcept;
    void (*many_integers)(const state&, std::span<const std::uint64_t>, digest*) noexcept;
  };

  template <class H>  // calls_ and hash_ always agree
  static const H& as(const state& s) noexcept {
    assert(std::holds_alternative<H>(s));
    return *std::get_if<H>(&s);
  }

  template <class H>
  static constexpr calls calls_of{[](const state& s, bytes_view key) noexcept { return as<H>(s)(key); },
                                  [](const state& s, integer_key key) noexcept { return hash_integer(as<H>(s), key); },
                                  [](const state& s, std::span<const bytes_view> keys, digest* out) noexcept {
                                    const H h = as<H>(s);
                                    for (const bytes_view key : keys) *out++ = h(key);
                                  },
                                  [](const state& s, std::span<const std::uint64_t> keys, digest* out) noexcept {
                                    const H h = as<H>(s);
                                    if constexpr (requires { h.hash_many(keys, std::span<digest>()); }) {
                                      h.hash_many(keys, std::span(out, keys.size()));
                                    } else {
                                      for (const std::uint64_t key : keys) *out++ = hash_integer(h, integer_key{key});
                                    }
                                  }};

  /// Calls f with the type of the function `id`, if it is built in.
  template <class F>
  static result<any_hash> with_function(hash_id id, F f) {
    return with_function(id, f, std::type_identity<state>{});
  }
  template <class F, class... Hs>
  static result<any_hash> with_function(hash_id id, F f, std::type_identity<std::variant<Hs...>>) {
    std::optional<result<any_hash>> made;
    static_cast<void>(((id == Hs::id && (made.emplace(f(std::type_identity<Hs>{})), true)) || ...));
    if (made) return std::move(*made);
    if (id >= hash_id::first_user) {
      return {errc::wrong_hash, describe(id) + " is not built in: the program must supply it"};
    }
    return {errc::newer_version, describe(id) + " is not known to this release"};
  }

  state hash_;
  const calls* calls_;
};

static_assert(hash_function<any_hash>);

}  // namespace seen::inline v1
