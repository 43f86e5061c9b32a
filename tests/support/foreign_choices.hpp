// Every choice a foreign format leaves: its variants, key types, hashes and seeds, as options of making a filter.
#pragma once

#include <seen/registry.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seen::testing {

struct foreign_choice {
  std::string variant, keys, hash;
  std::uint64_t seed = 0;

  [[nodiscard]] std::string name() const { return variant + "/" + keys + "/" + hash + "/" + std::to_string(seed); }
  [[nodiscard]] open_options opening(std::string_view format) const {
    return {.format = std::string(format), .hash = hash, .key_type = keys};
  }
  [[nodiscard]] make_options making(std::string_view format, const target& asked) const {
    make_options options{
        .target = asked, .seed = seed, .format = std::string(format), .variant = variant, .key_type = keys};
    if (!hash.empty()) {
      if (const auto id = hash_id_from(hash)) options.hash = *id;
    }
    return options;
  }
};

/// All combinations; "" where the format leaves no choice.
inline std::vector<foreign_choice> choices_of(const format_row& format) {
  const auto names = [](std::span<const std::string_view> all) {
    std::vector<std::string> some(all.begin(), all.end());
    if (some.empty()) some.emplace_back();
    return some;
  };
  const std::vector<std::uint64_t> seeds =
      format.can.seeds ? std::vector<std::uint64_t>{0, 1, 0x1234'5678} : std::vector<std::uint64_t>{0};
  std::vector<foreign_choice> all;
  for (const std::string& variant : names(format.variants)) {
    for (const std::string& keys : names(format.key_types)) {
      for (const std::string& hash : names(format.hashes)) {
        for (const std::uint64_t seed : seeds) all.push_back({variant, keys, hash, seed});
      }
    }
  }
  return all;
}

}  // namespace seen::testing
