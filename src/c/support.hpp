// Every function of the C interface goes through this: the handles, errors, and options of a caller who may know another
// version of the header.
//
//   seen_add(f, …) ──► guarded(error, [&] { … returns result<void> … }) ──► SEEN_OK, or a status and a seen_error
//
// Nothing is thrown past guarded(). A struct of options is copied as far as caller and library both know it:
//
//   caller's  [size|a|b|c]        known here  [size|a|b]       c must be zero: it asks for what is not known here
//   caller's  [size|a]            known here  [size|a|b]       b is zero: the usual
#pragma once

#include <seen/any_builder.hpp>
#include <seen/any_filter.hpp>
#include <seen/seen.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

struct seen_filter {
  seen::any_filter filter;
};

struct seen_builder {
  std::optional<seen::any_builder> builder;  // nothing once it is finished
};

namespace seen::c {

/// The status of a code. Every code is named here, so that the compiler warns of a new one without a status.
constexpr seen_status status_of(errc code) noexcept {
  switch (code) {
    case errc::invalid_argument:
      return SEEN_INVALID_ARGUMENT;
    case errc::too_large:
      return SEEN_TOO_LARGE;
    case errc::no_memory:
      return SEEN_NO_MEMORY;
    case errc::corrupt:
      return SEEN_CORRUPT;
    case errc::not_recognised:
      return SEEN_NOT_RECOGNISED;
    case errc::newer_version:
      return SEEN_NEWER_VERSION;
    case errc::wrong_kind:
      return SEEN_WRONG_KIND;
    case errc::wrong_hash:
      return SEEN_WRONG_HASH;
    case errc::secret_required:
      return SEEN_SECRET_REQUIRED;
    case errc::unsealed:
      return SEEN_UNSEALED;
    case errc::incompatible:
      return SEEN_INCOMPATIBLE;
    case errc::unsupported:
      return SEEN_UNSUPPORTED;
    case errc::full:
      return SEEN_FULL;
    case errc::io:
      return SEEN_IO;
    case errc::exists:
      return SEEN_EXISTS;
    case errc::busy:
      return SEEN_BUSY;
    case errc::cancelled:
      return SEEN_CANCELLED;
    case errc::unexpected:
      return SEEN_UNEXPECTED;
  }
  return SEEN_UNEXPECTED;
}

/// The code of a status; nothing of SEEN_OK and of numbers that are not a status.
constexpr std::optional<errc> code_of(seen_status status) noexcept {
  if (status <= SEEN_OK || status > SEEN_UNEXPECTED) return std::nullopt;
  const auto code = static_cast<errc>(status);
  return status_of(code) == status ? std::optional(code) : std::nullopt;
}

// A status is its code's number, for every code, without a gap.
static_assert([] {
  for (seen_status status = 1; status <= SEEN_CANCELLED; ++status) {
    if (!code_of(status)) return false;
  }
  return !code_of(SEEN_CANCELLED + 1);
}());

/// The rate of options that leave it out.
inline const double usual_fpr = build_options{}.fpr;

/// Puts an error where the caller wants it; returns the status. Where there is no memory for its message, it is
/// SEEN_NO_MEMORY instead.
seen_status fail(seen_status status, std::string_view message, seen_error** out, int system = 0) noexcept;

/// Calls what returns a result<void> and says how it went. No exception leaves it.
template <class Call>
seen_status guarded(seen_error** error, Call call) noexcept {
  try {
    const result<void> said = call();
    if (said) return SEEN_OK;
    return fail(status_of(said.error().code), said.error().detail, error, said.error().system);
  } catch (...) {
    const seen::error caught = current_error();
    return fail(status_of(caught.code), caught.detail, error, caught.system);
  }
}

/// An error for a NULL where an object is expected.
template <class... Pointers>
result<void> require(const Pointers*... pointers) {
  if ((... && (pointers != nullptr))) return {};
  return {errc::invalid_argument, "NULL where an object is expected"};
}

/// guarded, of a call that needs these pointers.
template <class Call, class... Pointers>
seen_status guarded_with(seen_error** error, Call call, const Pointers*... pointers) noexcept {
  return guarded(error, [&]() -> result<void> {
    if (auto there = require(pointers...); !there) return there;
    return call();
  });
}

/// guarded, of a call that makes a Handle, which is NULL where it fails: `make` returns a result of what is in it.
template <class Handle, class Make>
seen_status guarded_make(Handle** out, seen_error** error, Make make) noexcept {
  if (out != nullptr) *out = nullptr;
  return guarded_with(
      error,
      [&]() -> result<void> {
        auto made = make();
        if (!made) return made.error();
        *out = new Handle{std::move(*made)};
        return {};
      },
      out);
}

/// A caller's struct, as far as both sides know it.
template <class Options>
result<Options> known_part(const Options* given, const char* name) {
  Options known{};
  known.size = sizeof(Options);
  if (given == nullptr) return known;
  constexpr std::size_t most = 4096;  // more is a size that was never set
  if (given->size < sizeof given->size || given->size > most) {
    return {errc::invalid_argument, std::string(name) + ": its size is " + std::to_string(given->size) +
                                        "; set it to sizeof(" + name + "), " + std::to_string(sizeof(Options)) +
                                        " here"};
  }
  const auto* const bytes = reinterpret_cast<const unsigned char*>(given);
  std::memcpy(&known, bytes, std::min(given->size, sizeof(Options)));
  if (given->size > sizeof(Options) &&
      std::any_of(bytes + sizeof(Options), bytes + given->size, [](unsigned char b) { return b != 0; })) {
    return {errc::invalid_argument, std::string(name) + ": asks for what this library, " +
                                        std::to_string(sizeof(Options)) + " bytes of options, does not know yet"};
  }
  return known;
}

/// A string that may be left out.
inline std::string text_of(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

/// Bytes as a key or metadata; nothing where they are NULL and not empty.
inline std::optional<bytes_view> bytes_of(const void* data, std::size_t length) noexcept {
  if (data == nullptr && length != 0) return std::nullopt;
  return bytes_view(static_cast<const std::byte*>(data), length);
}

inline error no_bytes(const char* what, std::size_t length) {
  return {errc::invalid_argument, std::string(what) + ": NULL in place of " + std::to_string(length) + " bytes"};
}

/// A secret that may be left out.
inline std::optional<secret> secret_of(const void* bytes) noexcept {
  if (bytes == nullptr) return std::nullopt;
  secret made;
  std::memcpy(made.bytes.data(), bytes, made.bytes.size());
  return made;
}

/// Options in the library's own words.
result<make_options> as_make_options(const seen_make_options* given);
result<open_options> as_open_options(const seen_open_options* given);
result<save_options> as_save_options(const seen_save_options* given);

}  // namespace seen::c
