// Digests of keys on the way into a filter: lists of passwords are kept as SHA-1, MD5 or SHA-256, and asked in clear.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <cstddef>
#include <string_view>

namespace seen::cli {

/// A digest by name: how long it is, and what computes it.
struct digest_function {
  static constexpr std::size_t longest = 32;

  const char* name;
  std::size_t size;
  void (*compute)(bytes_view message, std::byte* to) noexcept;
};

/// "sha1", "md5" or "sha256"; the error lists them.
[[nodiscard]] result<const digest_function*> find_digest(std::string_view name);

}  // namespace seen::cli
