// outside_file: a filter that lies in a file of the server's machine and is asked where it lies, mapped.
//
// A key then holds the name alone. RDB files, logs and replicas are told the name, the length and a checksum of its head, which has checksums of all
// the rest: whoever loads them needs the same file under the same name. Where it is not, the key is there and says so.
//
// Files are looked for in one folder, which the operator names (sf-directory); without one there are none.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/base/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace seen::redis {

struct outside_file {
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t check = 0;  ///< of the first 4 KiB

  friend bool operator==(const outside_file&, const outside_file&) = default;
};

/// Whether it can be the name of a file in the folder: no folder of its own, and not hidden.
[[nodiscard]] bool is_file_name(std::string_view name) noexcept;
/// What a file of the folder is.
[[nodiscard]] result<outside_file> look_at(const std::string& folder, std::string_view name);
/// The filter in it; errc::not_recognised if it is another file than the one that was looked at.
[[nodiscard]] result<any_filter> map_file(const std::string& folder, const outside_file& known);

}  // namespace seen::redis
