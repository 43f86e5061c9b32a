// What every function of the C interface goes through: the handles, errors, and options of a caller who may know another
// version of the header.
//
//   seen_add(f, …) ──► guarded(error, [&] { … returns result<void> … }) ──► SEEN_OK, or a status and a seen_error
//
// Nothing is thrown past guarded(). A struct of options is copied as far as caller and library both know it:
//
//   caller's  [size|a|b|c]        known here  [size|a|b]       c must be zero: it asks for what is not known here
//   caller's  [size|a]            known here  [size|a|b]       b is zero: the usual
#pragma once

#include <seen/any_filter.hpp>
#include <seen/seen.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
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

static_assert(static_cast<int>(errc::invalid_argument) == SEEN_INVALID_ARGUMENT);
static_assert(static_cast<int>(errc::corrupt) == SEEN_CORRUPT);
static_assert(static_cast<int>(errc::unsealed) == SEEN_UNSEALED);
static_assert(static_cast<int>(errc::io) == SEEN_IO);
static_assert(static_cast<int>(errc::cancelled) == SEEN_CANCELLED);

/// The rate of options that leave it out.
inline const double usual_fpr = build_options{}.fpr;

/// Puts an error where the caller wants it; returns the status. Where there is no memory for its message, it is
/// SEEN_NO_MEMORY instead.
seen_status fail(seen_status status, std::string_view message, seen_error** out) noexcept;

/// Calls what returns a result<void> and says how it went. No exception leaves it.
template <class Call>
seen_status guarded(seen_error** error, Call call) noexcept {
  try {
    const result<void> said = call();
    if (said) return SEEN_OK;
    return fail(static_cast<seen_status>(said.error().code), said.error().detail, error);
  } catch (const std::bad_alloc&) {
    return fail(SEEN_NO_MEMORY, "out of memory", error);
  } catch (const std::length_error& e) {
    return fail(SEEN_TOO_LARGE, e.what(), error);
  } catch (const std::exception& e) {
    return fail(SEEN_UNEXPECTED, e.what(), error);
  } catch (...) {
    return fail(SEEN_UNEXPECTED, "unexpected", error);
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
  secret key;
  std::memcpy(key.bytes.data(), bytes, key.bytes.size());
  return key;
}

/// Options in the library's own words.
result<make_options> as_make_options(const seen_make_options* given);
result<open_options> as_open_options(const seen_open_options* given);
result<save_options> as_save_options(const seen_save_options* given);

}  // namespace seen::c
