// The names of hash functions, and identities in words.
#include <seen/base/text.hpp>
#include <seen/hash/identity.hpp>

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace seen::inline v1 {

namespace detail {

std::string hex(std::uint64_t x) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

}  // namespace detail

result<hash_id> hash_id_from(std::string_view name) {
  std::string all;
  for (const auto& known : detail::hash_names) {
    if (name == known.name) return known.id;
    append_name(all, known.name);
  }
  return {errc::invalid_argument, "no hash is called \"" + std::string(name) + "\"; there are " + all};
}

std::string describe(hash_id id) {
  const std::string name = name_of(id);
  if (name != "unknown" && name != "user-defined") return name;
  return name + " hash " + detail::hex(static_cast<std::uint16_t>(id));
}

std::string describe(const hash_identity& identity) {
  return describe(identity.id) + (identity.keyed ? " keyed" : " seed " + std::to_string(identity.seed));
}

}  // namespace seen::inline v1
