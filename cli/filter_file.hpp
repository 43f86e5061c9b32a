// Opening filter files: the one place where the verbs do it.
//
//   checked   into memory, every checksum compared
//   quick     the same where that takes no time, up to 16 MiB; of a larger file its own pages, in time independent of its
//             size: header, shape and lengths are checked, the bits are not
//
// What only asks a filter opens it quickly. What changes it, or makes another of it, loads it: nobody could find a flipped
// bit again under a checksum that was computed over it. Files of other libraries are loaded either way.
//
// `seen add` changes large files where they lie. A file that changed while it was read is read again. A filter may also come through a
// pipe ("-" is standard input), or packed as lists of keys may be: it is copied into memory first, and not changed in place.
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

/// Whether the file begins as our own filters do.
[[nodiscard]] bool begins_as_filter(const std::string& path);
[[nodiscard]] bool is_small(const std::string& path);

/// The filter in a file. Opened quickly it may be unsealed, by a program that is adding keys to it now or was killed: it
/// holds whatever was added before, and answers. A progress bar is shown unless `quiet`.
[[nodiscard]] result<any_filter> open_filter(const std::string& path, const open_options& options, opening how,
                                             bool quiet = false);
/// any_filter::inspect, with a progress bar.
[[nodiscard]] result<filter_info> inspect_filter(const std::string& path, const open_options& options,
                                                 bool quiet = false);
/// any_filter::glance: what the header says.
[[nodiscard]] result<filter_info> glance_at(const std::string& path, const open_options& options);
/// any_filter::save, with a progress bar.
[[nodiscard]] result<void> save_filter(const any_filter& filter, const std::string& path, save_options options,
                                       bool quiet = false);

/// What there is to say of a filter that was saved to `path`: of a large one by its header, without counting it again.
[[nodiscard]] result<filter_info> describe_saved(const std::string& path, const any_filter& saved,
                                                 const open_options& options);

}  // namespace seen::cli
