// What a hash function is, and the few things done with any of them.
//
//   "alice" ──as_key──► bytes ───────────► h(bytes) ───────┐
//      42   ──as_key──► integer_key ─────► h(integer_key) ─┴─► digest           all of it is hash_key(h, key)
//
//   h ──identity_of──► id, encoding, keyed, seed, check ──(file)──► H::restore ──► h again, or the reason why not
//
// A hash function is a small copyable value: its type says which function it is, its members hold the seed or the
// secret. To write one of your own, give it an id from hash_id::first_user up; if it is constructible from a seed (or,
// when keyed, from a secret), restore is one line:
//
//   struct my_hash {
//     static constexpr seen::hash_id id{0x8001};
//     static constexpr bool is_keyed = false;
//     using digest_type = seen::digest;
//     explicit my_hash(std::uint64_t seed = 0);
//     seen::digest operator()(seen::bytes_view) const noexcept;
//     std::uint64_t seed() const noexcept;
//     static seen::result<my_hash> restore(const seen::hash_identity& stored, const seen::secret* secret) {
//       return seen::restore_hash<my_hash>(stored, secret);
//     }
//   };
//
// Three more members are read where they exist:
//   operator()(integer_key)   integers hashed faster than as 8 bytes, to the same digest
//   is_avalanching            static: every bit of the key reaches every bit of the digest (false unless said)
//   seed_bits                 static: the width of the seed (64 unless said)
//   check()                   what a file stores to know the function by: the digest of hash_check_text unless said
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>
#include <seen/base/result.hpp>
#include <seen/hash/identity.hpp>
#include <seen/hash/key.hpp>
#include <seen/hash/secret.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace seen::inline v1 {

/// Its type says which function it is.
template <class H>
concept statically_identified = requires {
  typename std::integral_constant<hash_id, H::id>;
  typename std::bool_constant<H::is_keyed>;
};

/// Its value does: any_hash.
template <class H>
concept self_identified = requires(const H& h) {
  { h.identity() } -> std::same_as<hash_identity>;
};

/// It can say which function it is.
template <class H>
concept identified = statically_identified<H> || self_identified<H>;

/// A function from keys to digests that can say which one it is and be rebuilt from that.
template <class H>
concept hash_function = std::copyable<H> && identified<H> &&
    requires(const H& h, bytes_view bytes, const hash_identity& stored, const secret* given) {
  typename H::digest_type;
  { h(bytes) } -> std::same_as<typename H::digest_type>;
  requires noexcept(h(bytes));
  { h.seed() } -> std::same_as<std::uint64_t>;
  { H::restore(stored, given) } -> std::same_as<result<H>>;
};

/// Hashes an integer key: by the function's own path for integers if it has one, else as 8 little-endian bytes.
template <hash_function H>
[[nodiscard]] auto hash_integer(const H& h, integer_key key) noexcept {
  if constexpr (requires { h(key); }) {
    static_assert(noexcept(h(key)), "hashing must not throw");
    return h(key);
  } else {
    std::array<std::byte, 8> bytes;
    store_le(bytes.data(), key.value);
    return h(bytes_view(bytes));
  }
}

/// Hashes any key: `hash_key(default_hash{}, "alice")`, `hash_key(default_hash{}, 42)`. (An exception out of the seen_key of a
/// caller's type ends the program.)
template <hash_function H, key_like K>
[[nodiscard]] auto hash_key(const H& h, const K& key) noexcept {
  if constexpr (own_key<K>) {
    return hash_key(h, detail::key_of(key));
  } else if constexpr (integral_key<K>) {
    return hash_integer(h, as_key(key));
  } else if constexpr (wide_key<K>) {
    const auto bytes = as_key(key);
    return h(bytes_view(bytes));
  } else {
    return h(as_key(key));
  }
}

/// True if every bit of a key reaches every bit of its digest. Where false, mix the digest before relying on its bits.
template <hash_function H>
[[nodiscard]] bool avalanches([[maybe_unused]] const H& h) noexcept {
  if constexpr (requires { h.avalanches(); }) {
    return h.avalanches();
  } else if constexpr (requires { H::is_avalanching; }) {
    return H::is_avalanching;
  } else {
    return false;
  }
}

/// What tells a function apart from others of its name: stored in files, compared when they are opened.
template <hash_function H>
[[nodiscard]] std::uint64_t check_of(const H& h) noexcept {
  if constexpr (requires { h.check(); }) {
    return h.check();
  } else {
    return h(as_key(hash_check_text)).value;
  }
}

/// The identity that a filter made with `h` keeps.
template <hash_function H>
requires self_identified<H> || std::same_as<typename H::digest_type, digest>
[[nodiscard]] hash_identity identity_of(const H& h) {
  if constexpr (self_identified<H>) {
    return h.identity();
  } else {
    return {.id = H::id, .encoding = key_encoding::bytes, .keyed = H::is_keyed, .seed = h.seed(), .check = check_of(h)};
  }
}

namespace detail {

template <class H>
constexpr int seed_bits() noexcept {
  if constexpr (H::is_keyed) {
    return 0;
  } else if constexpr (requires { H::seed_bits; }) {
    return H::seed_bits;
  } else {
    return 64;
  }
}

/// Describes a function to those who check whether it can answer for a filter.
struct function_traits {
  hash_id id;
  bool is_keyed;
  int seed_bits;
};
template <class H>
inline constexpr function_traits traits_of{H::id, H::is_keyed, seed_bits<H>()};

/// Refuses (errc::invalid_argument) a seed that is wider than the function takes.
[[nodiscard]] result<void> check_seed(const function_traits& function, std::uint64_t seed);

/// Refuses to rebuild a function for a filter that was made with another, or without the secret it needs.
[[nodiscard]] result<void> check_restorable(const hash_identity& stored, const function_traits& function,
                                            bool has_secret);

/// Refuses a function that was rebuilt and gives another check value: its seed or secret is not the filter's.
[[nodiscard]] result<void> check_restored(const hash_identity& stored, const hash_identity& rebuilt);

/// For constructors: the seed, or std::invalid_argument.
template <class H>
[[nodiscard]] std::uint64_t checked_seed(std::uint64_t seed) {
  if (auto fine = check_seed(traits_of<H>, seed); !fine) throw_error(fine.error());
  return seed;
}

}  // namespace detail

/// Rebuilds the function H from what a filter stores, or says why H cannot answer for that filter.
/// A keyed function needs `given`; the others ignore it, so one secret may be offered to every file.
template <class H>
[[nodiscard]] result<H> restore_hash(const hash_identity& stored, const secret* given) {
  if (auto fine = detail::check_restorable(stored, detail::traits_of<H>, given != nullptr); !fine) return fine.error();
  H rebuilt = [&] {
    if constexpr (H::is_keyed) {
      return H(*given);
    } else {
      return H(stored.seed);
    }
  }();
  if (auto fine = detail::check_restored(stored, identity_of(rebuilt)); !fine) return fine.error();
  return rebuilt;
}

}  // namespace seen::inline v1
