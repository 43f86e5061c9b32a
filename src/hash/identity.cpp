// The names of hash functions, identities in words, and whether a function can answer for a filter.
#include <seen/base/names.hpp>
#include <seen/base/text.hpp>
#include <seen/hash/hash.hpp>

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seen::inline v1 {

namespace detail {

std::string hex(std::uint64_t x) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

}  // namespace detail

result<hash_id> hash_id_from(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& known : detail::hash_names) {
    if (is_same_name(name, known.name)) return known.id;
    names.emplace_back(known.name);
  }
  return {errc::invalid_argument,
          "no hash is called \"" + std::string(name) + "\"; there are " + listed(names) + did_you_mean(name, names)};
}

std::string describe(hash_id id) {
  if (const char* const known = detail::known_name(id)) return known;
  return std::string(name_of(id)) + " hash " + detail::hex(static_cast<std::uint16_t>(id));
}

std::string describe(const hash_identity& identity) {
  return describe(identity.id) + (identity.keyed ? " keyed" : " seed " + std::to_string(identity.seed));
}

namespace detail {

result<void> check_seed(const function_traits& function, std::uint64_t seed) {
  const int bits = function.seed_bits;
  if (bits == 64 || seed >> bits == 0) return {};
  const std::string takes = bits == 0 ? "no seed" : "a seed of " + std::to_string(bits) + " bits";
  return {errc::invalid_argument, describe(function.id) + " takes " + takes + ", not " + std::to_string(seed)};
}

result<void> check_restorable(const hash_identity& stored, const function_traits& function, bool has_secret) {
  const std::string made_with = "the filter was made with " + describe(stored);
  if (stored.id != function.id) return {errc::wrong_hash, made_with + ", not with " + describe(function.id)};
  if (stored.encoding != key_encoding::bytes) {
    return {errc::wrong_hash, made_with + " and key encoding " +
                                  std::to_string(static_cast<std::uint16_t>(stored.encoding)) + ", not with 1 (bytes)"};
  }
  if (stored.keyed != function.is_keyed) {
    return {errc::corrupt, made_with + ", but " + describe(function.id) + " is " +
                               (function.is_keyed ? "always" : "never") + " keyed"};
  }
  if (auto fine = check_seed(function, stored.seed); !fine) return {errc::corrupt, fine.error().detail};
  if (function.is_keyed && !has_secret) return {errc::secret_required, made_with + ": give its secret"};
  return {};
}

result<void> check_restored(const hash_identity& stored, const hash_identity& rebuilt) {
  if (rebuilt.check == stored.check) return {};
  return {errc::wrong_hash, describe(stored) + " gives the check value " + hex(rebuilt.check) + " here, " +
                                hex(stored.check) + " in the filter: the " + (rebuilt.keyed ? "secret" : "seed") +
                                " is not the one the filter was made with"};
}

}  // namespace detail

}  // namespace seen::inline v1
