// The whole filter: how it is made, opened, mapped, combined and saved.
#include <cstdlib>

#include "support.hpp"

using namespace seen::c;
using seen::any_filter;
using seen::bytes_view;
using seen::errc;
using seen::error;
using seen::result;

namespace {

// Opens something with options: `open(open_options)` says how.
template <class Open>
seen_status open_with(const seen_open_options* options, seen_filter** out, seen_error** error, Open open) noexcept {
  return guarded_make(out, error, [&]() -> result<any_filter> {
    auto how = as_open_options(options);
    if (!how) return how.error();
    return open(*how);
  });
}

template <class Open>
seen_status open_path(const char* path, const seen_open_options* options, seen_filter** out, seen_error** error,
                      Open open) noexcept {
  return open_with(options, out, error, [&](const seen::open_options& how) -> result<any_filter> {
    if (auto there = require(path); !there) return there.error();
    return open(std::string(path), how);
  });
}

template <class Open>
seen_status open_bytes(const void* bytes, std::size_t length, const seen_open_options* options, seen_filter** out,
                       seen_error** error, Open open) noexcept {
  return open_with(options, out, error, [&](const seen::open_options& how) -> result<any_filter> {
    const auto view = bytes_of(bytes, length);
    if (!view) return no_bytes("bytes", length);
    return open(*view, how);
  });
}

// Writes the file's bytes with options.
result<void> write(const seen_filter& f, const seen_save_options* options, const seen::sink& out) {
  auto how = as_save_options(options);
  if (!how) return how.error();
  return f.filter.write_to(out, *how);
}

}  // namespace

seen_status seen_make(const seen_make_options* options, seen_filter** out, seen_error** error) {
  return guarded_make(out, error, [&]() -> result<any_filter> {
    auto wanted = as_make_options(options);
    if (!wanted) return wanted.error();
    return any_filter::make(*wanted);
  });
}

seen_status seen_load(const char* path, const seen_open_options* options, seen_filter** out, seen_error** error) {
  return open_path(path, options, out, error, any_filter::load);
}

seen_status seen_from_bytes(const void* bytes, size_t length, const seen_open_options* options, seen_filter** out,
                            seen_error** error) {
  return open_bytes(bytes, length, options, out, error, any_filter::from_bytes);
}

seen_status seen_map(const char* path, const seen_open_options* options, seen_filter** out, seen_error** error) {
  return open_path(path, options, out, error, any_filter::map);
}

seen_status seen_view(const void* bytes, size_t length, const seen_open_options* options, seen_filter** out,
                      seen_error** error) {
  return open_bytes(bytes, length, options, out, error, any_filter::view);
}

seen_status seen_copy(const seen_filter* filter, seen_filter** out, seen_error** error) {
  return guarded_make(out, error, [&]() -> result<any_filter> {
    if (auto there = require(filter); !there) return there.error();
    return filter->filter.copy();
  });
}

seen_status seen_convert(const seen_filter* filter, const char* format, const char* variant, seen_filter** out,
                         seen_error** error) {
  return guarded_make(out, error, [&]() -> result<any_filter> {
    if (auto there = require(filter, format); !there) return there.error();
    // A conversion consumes its filter, whether it succeeds or not: the caller's stays.
    auto copy = filter->filter.copy();
    if (!copy) return copy;
    return std::move(*copy).convert(format, text_of(variant));
  });
}

void seen_filter_free(seen_filter* filter) {
  delete filter;
}

seen_status seen_clear(seen_filter* filter, seen_error** error) {
  return guarded_with(
      error, [&] { return filter->filter.clear(); }, filter);
}

seen_status seen_advance(seen_filter* filter, uint64_t now, seen_error** error) {
  return guarded_with(
      error, [&] { return filter->filter.advance(now); }, filter);
}

seen_status seen_merge(seen_filter* filter, const seen_filter* other, seen_error** error) {
  return guarded_with(
      error, [&] { return filter->filter.merge(other->filter); }, filter, other);
}

seen_status seen_intersect(seen_filter* filter, const seen_filter* other, seen_error** error) {
  return guarded_with(
      error, [&] { return filter->filter.intersect(other->filter); }, filter, other);
}

seen_status seen_shrink(seen_filter* filter, double fpr, seen_error** error) {
  return guarded_with(
      error, [&] { return filter->filter.shrink_to_fpr(fpr); }, filter);
}

// Names of kinds and formats are literals, and end with a zero.
const char* seen_filter_kind(const seen_filter* filter) {
  return filter->filter.kind().data();
}

const char* seen_filter_format(const seen_filter* filter) {
  return filter->filter.format().data();
}

bool seen_is_mapped(const seen_filter* filter) {
  return filter->filter.is_mapped();
}

seen_status seen_verify(const seen_filter* filter, seen_error** error) {
  return guarded_with(
      error, [&] { return filter->filter.verify(); }, filter);
}

const void* seen_metadata(const seen_filter* filter, size_t* length) {
  const std::string& bytes = filter->filter.metadata();
  if (length != nullptr) *length = bytes.size();
  return bytes.data();
}

seen_status seen_set_metadata(seen_filter* filter, const void* bytes, size_t length, seen_error** error) {
  return guarded_with(
      error,
      [&]() -> result<void> {
        if (!bytes_of(bytes, length)) return no_bytes("metadata", length);
        if (length > seen::native::max_metadata) {
          return {errc::too_large, "metadata: " + std::to_string(length) + " bytes; at most " +
                                       std::to_string(seen::native::max_metadata) + " are kept"};
        }
        filter->filter.set_metadata(length == 0 ? std::string() : std::string(static_cast<const char*>(bytes), length));
        return {};
      },
      filter);
}

seen_status seen_save(const seen_filter* filter, const char* path, const seen_save_options* options,
                      seen_error** error) {
  return guarded_with(
      error,
      [&]() -> result<void> {
        auto how = as_save_options(options);
        if (!how) return how.error();
        return filter->filter.save(path, *how);
      },
      filter, path);
}

seen_status seen_to_bytes(const seen_filter* filter, const seen_save_options* options, void** bytes, size_t* length,
                          seen_error** error) {
  if (bytes != nullptr) *bytes = nullptr;
  return guarded_with(
      error,
      [&]() -> result<void> {
        auto how = as_save_options(options);
        if (!how) return how.error();
        auto all = filter->filter.to_bytes(*how);
        if (!all) return all.error();
        void* const own = std::malloc(std::max<std::size_t>(all->size(), 1));
        if (own == nullptr) throw std::bad_alloc();
        std::copy(all->begin(), all->end(), static_cast<std::byte*>(own));
        *bytes = own;
        *length = all->size();
        return {};
      },
      filter, bytes, length);
}

seen_status seen_to_buffer(const seen_filter* filter, const seen_save_options* options, void* buffer, size_t room,
                           size_t* length, seen_error** error) {
  return guarded_with(
      error,
      [&]() -> result<void> {
        if (!bytes_of(buffer, room)) return no_bytes("buffer", room);
        std::size_t needed = 0;
        auto put = write(*filter, options, [&](bytes_view piece) -> result<void> {
          if (needed <= room && piece.size() <= room - needed) {
            std::copy(piece.begin(), piece.end(), static_cast<std::byte*>(buffer) + needed);
          }
          needed += piece.size();
          return {};
        });
        if (!put) return put;
        *length = needed;
        if (needed <= room) return {};
        return {errc::too_large,
                "to_buffer: there are " + std::to_string(needed) + " bytes, and room for " + std::to_string(room)};
      },
      filter, length);
}

seen_status seen_write(const seen_filter* filter, const seen_save_options* options,
                       bool (*sink)(void* context, const void* piece, size_t length), void* context,
                       seen_error** error) {
  return guarded_with(
      error,
      [&]() -> result<void> {
        if (sink == nullptr) return {errc::invalid_argument, "write: no function to write to"};
        return write(*filter, options, [&](bytes_view piece) -> result<void> {
          if (sink(context, piece.data(), piece.size())) return {};
          return {errc::cancelled, "write: cancelled by its sink"};
        });
      },
      filter);
}

void seen_free(void* bytes) {
  std::free(bytes);
}
