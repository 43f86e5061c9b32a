// Vectors made by other programs: their manifests are JSON, their keys hexadecimal.
#pragma once

#include <cstddef>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace seen::testing {

using json = nlohmann::json;

/// A JSON file.
inline json parse_file(const std::string& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in.good()) << path;
  return json::parse(in);
}

/// The bytes that pairs of hexadecimal digits stand for.
inline std::string unhex(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

}  // namespace seen::testing
