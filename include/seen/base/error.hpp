// What can go wrong, as a value.
//
//   programmer's mistake (fpr = 2)     -> constructors throw, as std::vector does      (throw_error)
//   bad luck from outside (files, bytes, merges, builds) -> result<T> holding an error (result.hpp)
//
// `code`, `system` and `bytes` are for programs, `detail` is for people: it names both sides ("merge: probes differ: 7 here, 5 there").
// Nothing decides by the words of a detail.
#pragma once

#include <seen/base/version.hpp>

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace seen::inline v1 {

/// The classes of failure a caller may want to tell apart.
enum class errc : std::uint8_t {
  invalid_argument = 1,  ///< an argument outside its range: capacity 0, fpr 2, probes 31
  too_large,             ///< a filter or file beyond a limit (2^40 bits, or one that the message names)
  no_memory,             ///< this machine does not have that much memory
  corrupt,               ///< bytes that no writer of this format can have produced, or a checksum that does not match
  not_recognised,        ///< the bytes begin like no format we know; name one to force it
  newer_version,         ///< written by a later release, or using a feature this one must understand and does not
  wrong_kind,            ///< a good file of another kind than the one asked for
  wrong_hash,            ///< a good file made with another hash function, seed, key encoding or secret
  secret_required,       ///< a keyed file opened without its secret
  unsealed,              ///< a writable map was not sealed; open it with `recover`
  incompatible,          ///< two filters that cannot be combined: shape, hash or seed differ
  unsupported,           ///< this kind or format has no such operation
  full,                  ///< no room for another key; the filter is unchanged
  io,                    ///< the operating system refused: path, call and reason are in `detail`, errno is in `system`
  exists,                ///< the output file is already there and overwriting was not asked for
  busy,                  ///< another process holds the file open for writing
  cancelled,             ///< the caller asked to stop, and nothing was made
  unexpected = 255,      ///< an exception that the library does not throw: a defect
};

/// A failure: a code for programs and a sentence for people.
struct error {
  errc code = errc::invalid_argument;
  std::string detail;
  int system = 0;           ///< errno of the system call that failed; 0 where none did
  std::uint64_t bytes = 0;  ///< the memory that was asked for and is not to be had; 0 where that is not what failed
  std::uint64_t done = 0;   ///< of a batch for which there was no room: its keys that are in

  /// The same failure, told with something before it: "checkpoint: " + detail.
  [[nodiscard]] error prefixed(std::string_view before) const {
    return {code, std::string(before) + detail, system, bytes, done};
  }

  friend bool operator==(const error&, const error&) = default;
};

/// A system call that failed, as an error: "visited.seen: open: No such file or directory". `reason` is its errno.
[[nodiscard]] error system_error(std::string_view where, std::string_view call, int reason);

/// The name of a code, as used in JSON and logs: "corrupt", "newer_version", …
[[nodiscard]] constexpr const char* name_of(errc code) noexcept {
  switch (code) {
    case errc::invalid_argument:
      return "invalid_argument";
    case errc::too_large:
      return "too_large";
    case errc::no_memory:
      return "no_memory";
    case errc::corrupt:
      return "corrupt";
    case errc::not_recognised:
      return "not_recognised";
    case errc::newer_version:
      return "newer_version";
    case errc::wrong_kind:
      return "wrong_kind";
    case errc::wrong_hash:
      return "wrong_hash";
    case errc::secret_required:
      return "secret_required";
    case errc::unsealed:
      return "unsealed";
    case errc::incompatible:
      return "incompatible";
    case errc::unsupported:
      return "unsupported";
    case errc::full:
      return "full";
    case errc::io:
      return "io";
    case errc::exists:
      return "exists";
    case errc::busy:
      return "busy";
    case errc::cancelled:
      return "cancelled";
    case errc::unexpected:
      return "unexpected";
  }
  return "unknown";
}

/// std::bad_alloc that says how much was asked for and how much there is.
class out_of_memory : public std::bad_alloc {
 public:
  explicit out_of_memory(std::string detail, std::uint64_t bytes = 0) : detail_(std::move(detail)), bytes_(bytes) {}
  [[nodiscard]] const char* what() const noexcept override { return detail_.c_str(); }
  /// How much was asked for; 0 where that is not known.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  std::string detail_;
  std::uint64_t bytes_;
};

/// The exception that is being handled, as an error. It takes no memory where none is left: the message is then that
/// there is none. Only for catch blocks.
[[nodiscard]] error current_error() noexcept;

/// Throws the standard exception a constructor owes its caller for `e`.
[[noreturn]] void throw_error(const error& e);

}  // namespace seen::inline v1
