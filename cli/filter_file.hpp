// Opening filter files: the one place where the verbs do it.
//
//   checked   into memory, every checksum compared
//   quick     the same where that takes no time, up to 16 MiB; of a larger file its own pages, in time independent of its
//             size: header, shape and lengths are checked, the bits are not
//
// What only asks a filter opens it quickly. What changes it, or makes another of it, loads it: nobody could find a flipped
// bit again under a checksum that was computed over it. Files of other libraries are loaded either way.
//
// A filter may also come through a pipe ("-" is standard input), or packed as lists of keys may be: it is copied into memory
// first. Such a one is not changed in place.
#pragma once

#include <seen/any_filter.hpp>

#include <cstdint>
#include <string>

namespace seen::cli {

/// How much of a file is read when it is opened.
enum class opening {
  quick,    ///< of a large file no more than is asked for, where the format lets it
  checked,  ///< all of it
};

/// Files up to so many bytes are read and checked whatever is done with them.
inline constexpr std::uint64_t small_file = std::uint64_t{16} << 20;

/// The filter in a file. Opened quickly it may be unsealed, by a program that is adding keys to it now or was killed: it
/// holds whatever was added before, and answers.
[[nodiscard]] result<any_filter> open_filter(const std::string& path, const open_options& options, opening how);

/// What the file says of its filter.
[[nodiscard]] result<filter_info> inspect_filter(const std::string& path, const open_options& options);

/// An error where a filter is packed, or no regular file, and so cannot be replaced by a changed one.
[[nodiscard]] result<void> check_in_place(const std::string& path);

}  // namespace seen::cli
