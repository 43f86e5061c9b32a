// any_hash: what is done with each built-in function, compiled once for all filters whose hash is chosen at run time.
#include <seen/hash/any_hash.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace seen::inline v1 {

struct any_hash::functions {
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
};

const any_hash::calls* any_hash::calls_for(const state& hash) noexcept {
  return std::visit([]<class H>(const H&) { return &functions::calls_of<H>; }, hash);
}

result<any_hash> any_hash::make(hash_id id, std::uint64_t seed, const std::optional<seen::secret>& secret) {
  const auto make_one = [&]<class H>(std::type_identity<H>) -> result<any_hash> {
    if (auto fine = detail::check_seed(detail::traits_of<H>, seed); !fine) return fine.error();
    if constexpr (H::is_keyed) {
      if (!secret) return {errc::secret_required, describe(id) + " needs a secret"};
      return any_hash(H(*secret));
    } else {
      if (secret) return {errc::invalid_argument, describe(id) + " takes no secret"};
      return any_hash(H(seed));
    }
  };
  return functions::with_function(id, make_one, std::type_identity<state>{});
}

result<any_hash> any_hash::restore(const hash_identity& stored, const seen::secret* secret) {
  const auto restore_one = [&]<class H>(std::type_identity<H>) -> result<any_hash> {
    auto h = H::restore(stored, secret);
    if (!h) return h.error();
    return any_hash(*h);
  };
  return functions::with_function(stored.id, restore_one, std::type_identity<state>{});
}

hash_identity any_hash::identity() const {
  return std::visit([](const auto& h) { return identity_of(h); }, hash_);
}

std::uint64_t any_hash::seed() const noexcept {
  return std::visit([](const auto& h) { return h.seed(); }, hash_);
}

std::optional<seen::secret> any_hash::secret() const noexcept {
  const auto secret_of = []<class H>(const H& h) -> std::optional<seen::secret> {
    if constexpr (H::is_keyed) {
      return h.secret();
    } else {
      return std::nullopt;
    }
  };
  return std::visit(secret_of, hash_);
}

bool any_hash::avalanches() const noexcept {
  return std::visit([]<class H>(const H&) { return H::is_avalanching; }, hash_);
}

}  // namespace seen::inline v1
