// Secrets of keyed filters, each in a file of its own: 16 bytes, or 32 hexadecimal digits and a newline.
#pragma once

#include <seen/base/result.hpp>
#include <seen/hash/secret.hpp>

#include <string>

namespace seen::cli {

/// Reads a secret; anything but 16 bytes or 32 hexadecimal digits is refused.
[[nodiscard]] result<secret> read_secret(const std::string& path);

/// Writes a secret to a new file that its owner alone can read, and waits until it is on the device.
[[nodiscard]] result<void> write_secret(const std::string& path, const secret& kept);

}  // namespace seen::cli
