// Keys of your own types: each says what identifies it, and is hashed as that, so other languages find it by the same bytes.
#include <seen/filters/bloom.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace shop {

struct customer {
  std::uint64_t number;
  std::string name;  // may change
};
std::uint64_t seen_key(const customer& c) noexcept {
  return c.number;
}

enum class country : std::uint16_t { france = 250 };
std::string_view seen_key(country c) noexcept {
  return c == country::france ? "FR" : "";
}

// Of several members together: their bytes, one after the other, with lengths that are fixed or told.
struct order {
  std::uint32_t year;
  std::uint32_t number;
};
std::array<unsigned char, 8> seen_key(const order& o) noexcept {
  std::array<unsigned char, 8> bytes;
  for (unsigned i = 0; i < 4; ++i) {
    bytes[i] = static_cast<unsigned char>(o.year >> (8 * i));
    bytes[4 + i] = static_cast<unsigned char>(o.number >> (8 * i));
  }
  return bytes;
}

}  // namespace shop

int main() {
  seen::bloom known({.capacity = 1000, .fpr = 0.01});
  known.add(shop::customer{42, "Alice"});
  known.add(shop::country::france);
  known.add(shop::order{2026, 7});
  known.add_many(std::vector<shop::customer>{{43, "Bob"}, {44, "Carol"}});

  // Whoever has the number has the customer, in any language.
  const bool found =
      known.may_contain(42) && known.may_contain("FR") && known.may_contain(shop::customer{44, "Carola"});
  const std::array<unsigned char, 8> bytes{0xea, 7, 0, 0, 7, 0, 0, 0};
  std::puts(found && known.may_contain(bytes) ? "each is found by what identifies it" : "lost");
  return found && known.may_contain(bytes) ? 0 : 1;
}
