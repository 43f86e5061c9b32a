// Filters and files: save, load, map, view, to_bytes, from_bytes.
//
//   save(f, path)          replaces the file atomically, and is on the device when it returns
//   load<F>(path)          reads and checks everything; memory of its own
//   map<F>(path)           the file's pages, read-only and shared; ready in microseconds at any size -> frozen<F>
//   view<F>(bytes)         the same over bytes the caller keeps
//   map_writable<F>(path)  adds go to the file (kinds whose bits only go 0 -> 1) -> writable<F>
//   to_bytes, from_bytes   save and load without a file
//
//                      header  length  checksum of the page table  every page  census
//   load, from_bytes     ✓       ✓                ✓                     ✓         ✓
//   map, view            ✓       ✓                ✓                  verify()  verify()
//
// An error is a result; the object or file is then as it was.
#pragma once

#include <seen/base/result.hpp>
#include <seen/concepts.hpp>
#include <seen/filter.hpp>
#include <seen/native/native.hpp>
#include <seen/options.hpp>
#include <seen/storage/file.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seen::inline v1 {

namespace detail {

template <class F>
native::header header_of(const F& f, const save_options& options) {
  static_assert(F::engine_type::index_rule != 0, "this filter belongs to another format: write it with that one");
  native::header h;
  h.kind = F::kind.id;
  h.index_rule = F::engine_type::index_rule;
  h.hash = f.identity();
  h.target = f.target();
  h.census = f.engine().census();
  h.metadata = options.metadata.value_or("");
  for (engine_part& part : parts_of(f.engine())) {
    const std::uint64_t length = round_up(part.bytes.size(), storage::alignment);
    h.segments.push_back({.fields = std::move(part.fields), .offset = 0, .length = length});
  }
  if constexpr (requires { f.hash().secret(); }) {
    if (options.store_secret.value_or(false)) h.stored_secret = f.hash().secret();
  }
  return h;
}

/// A filter other threads may be adding to is written from a copy: the checksum must be of the bytes that are written.
template <class F, class Use>
auto with_still_filter(const F& f, Use use) -> decltype(use(f)) {
  if constexpr (shared_engine<typename F::engine_type>) {
    auto still = f.engine().snapshot();
    if (!still) return still.error();
    using still_engine = typename decltype(still)::value_type;
    return use(filter<still_engine, typename F::hash_type>(std::move(*still), f.hash(), f.target()));
  } else {
    return use(f);
  }
}

template <class F>
result<void> write_native(const F& f, const save_options& options, const sink& out) {
  std::vector<bytes_view> bodies;
  for (const engine_part& part : parts_of(f.engine())) bodies.push_back(part.bytes);
  if (bodies.empty()) return {errc::invalid_argument, "save: the filter was moved from"};
  native::header h = header_of(f, options);
  if (auto laid = native::lay_out(h, options.alignment.value_or(storage::alignment)); !laid) return laid;
  return native::write(std::move(h), bodies, out);
}

/// Puts an engine together from a checked header and the bytes of its body.
template <class Engine>
result<Engine> assemble_engine(const native::header& h, std::vector<storage> body, const std::string& name) {
  const std::string kind(Engine::kind.name);
  if (h.kind != Engine::kind.id) {
    return {errc::wrong_kind, name + ": holds a " + kind_name(h.kind) + " filter, not a " + kind};
  }
  if (h.index_rule != Engine::index_rule) {
    return {errc::newer_version,
            name + ": index rule " + std::to_string(h.index_rule) + " of " + kind + " is not known to this release"};
  }
  std::vector<stored_part> parts;
  for (std::size_t i = 0; i < body.size(); ++i) parts.push_back({h.segments[i].fields, std::move(body[i])});
  auto made = engine_from<Engine>(std::move(parts));
  if (!made) return made.error().prefixed(name + ": ");
  return made;
}

/// The same for a whole filter: the hash is rebuilt from what the file says of it.
template <class F>
result<F> assemble(const native::header& h, std::vector<storage> body, const open_options& options,
                   const std::string& name) {
  auto engine = assemble_engine<typename F::engine_type>(h, std::move(body), name);
  if (!engine) return engine.error();
  const secret* const given = options.secret ? &*options.secret : h.stored_secret ? &*h.stored_secret : nullptr;
  auto hash = F::hash_type::restore(h.hash, given);
  if (!hash) return hash.error().prefixed(name + ": ");
  return F(std::move(*engine), std::move(*hash), h.target);
}

/// The same over the pages of a file, which must outlive it; check_body compares the content.
template <class F>
result<F> assemble(native::mapped_file& pages, const open_options& options) {
  return assemble<F>(pages.about, pages.body(), options, pages.name);
}

/// Compares the content of an engine with itself and with what the header counts.
template <class Engine>
result<void> check_body(const native::header& h, const Engine& e, const std::string& name) {
  if (auto sound = check_content(e); !sound) return sound.error().prefixed(name + ": ");
  const std::uint64_t counted = e.census();
  if (h.state == native::seal_state::unsealed || counted == h.census) return {};
  return {errc::corrupt,
          name + ": the header counts " + std::to_string(h.census) + ", the body " + std::to_string(counted)};
}

/// The filter of a file whose header was read: reads the rest, and checks all of it.
template <class F>
result<F> load_after(const native::header& h, const source& from, const open_options& options) {
  auto body = native::read_body(h, from);
  if (!body) return body.error();
  auto made = assemble<F>(h, std::move(*body), options, from.name);
  if (!made) return made;
  if (auto same = check_body(h, made->engine(), from.name); !same) return same.error();
  return made;
}

template <class F>
result<F> load_native(const source& from, const open_options& options) {
  auto h = native::read_header(from, options.recover);
  if (!h) return h.error();
  return load_after<F>(*h, from, options);
}

}  // namespace detail

/// Bytes a file or to_bytes will take.
template <class F>
[[nodiscard]] result<std::uint64_t> serialized_size(const F& f, const save_options& options = {}) {
  return or_no_memory([&]() -> result<std::uint64_t> {
    native::header h = detail::header_of(f, options);
    if (auto laid = native::lay_out(h, options.alignment.value_or(storage::alignment)); !laid) return laid.error();
    return h.file_bytes;
  });
}

/// Writes the filter piece by piece to a function `result<void>(bytes_view)`: a socket, a stream, another file format.
template <class F>
result<void> write_to(const F& f, const sink& out, const save_options& options = {}) {
  return or_no_memory([&]() -> result<void> {
    return detail::with_still_filter(f, [&](const auto& still) { return detail::write_native(still, options, out); });
  });
}

/// Replaces the file at `path` atomically; when it returns without an error the filter is on the device.
template <class F>
result<void> save(const F& f, const std::string& path, const save_options& options = {}) {
  return or_no_memory(
      [&] { return write_file(path, options.overwrite, [&](const sink& out) { return write_to(f, out, options); }); });
}

/// The bytes of the file that save would write.
template <class F>
[[nodiscard]] result<std::vector<std::byte>> to_bytes(const F& f, const save_options& options = {}) {
  return or_no_memory([&] { return collect([&](const sink& out) { return write_to(f, out, options); }); });
}

/// Reads a filter into memory of its own, checking everything.
template <class F>
[[nodiscard]] result<F> load(const std::string& path, const open_options& options = {}) {
  return or_no_memory([&]() -> result<F> {
    auto opened = file::open(path);
    if (!opened) return opened.error();
    auto from = source::of(*opened);
    if (!from) return from.error();
    return detail::load_native<F>(*from, options);
  });
}

/// load from bytes in memory.
template <class F>
[[nodiscard]] result<F> from_bytes(bytes_view bytes, const open_options& options = {}) {
  return or_no_memory([&]() -> result<F> { return detail::load_native<F>(source::of(bytes), options); });
}

/// A filter that may be read but not changed: it hands out nothing but const.
template <class F>
class frozen {
 public:
  frozen(F filter, native::mapped_file pages) noexcept : pages_(std::move(pages)), filter_(std::move(filter)) {}

  [[nodiscard]] const F& operator*() const noexcept { return filter_; }
  [[nodiscard]] const F* operator->() const noexcept { return &filter_; }
  [[nodiscard]] const native::header& header() const noexcept { return pages_.about; }

  /// Checks every page and the census, which opening left unchecked.
  [[nodiscard]] result<void> verify() const {
    return or_no_memory([&]() -> result<void> {
      if (auto sound = pages_.verify(); !sound) return sound;
      return detail::check_body(pages_.about, filter_.engine(), pages_.name);
    });
  }

 private:
  native::mapped_file pages_;  // outlives the filter, which borrows from it
  F filter_;
};

namespace detail {

template <class F>
result<frozen<F>> freeze(storage whole, const std::string& name, const open_options& options) {
  auto pages = native::read_in_place(std::move(whole), name, options.recover);
  if (!pages) return pages.error();
  auto made = assemble<F>(*pages, options);
  if (!made) return made.error();
  return frozen<F>(std::move(*made), std::move(*pages));
}

}  // namespace detail

/// A filter over the file's own pages, in time independent of its size (but for eight bytes per shard of a static one). If another process truncates the file while it
/// is mapped, reading beyond its new end is a bus error: map files that are only ever replaced, as save does.
template <class F>
[[nodiscard]] result<frozen<F>> map(const std::string& path, const open_options& options = {}) {
  return or_no_memory([&]() -> result<frozen<F>> {
    auto opened = file::open(path);
    if (!opened) return opened.error();
    auto size = opened->size();
    if (!size) return size.error();
    auto whole = opened->map(*size, false);
    if (!whole) return whole.error();
    return detail::freeze<F>(std::move(*whole), path, options);
  });
}

/// A filter over bytes that the caller keeps, aligned to 8, as map does over a file's.
template <class F>
[[nodiscard]] result<frozen<F>> view(bytes_view bytes, const open_options& options = {}) {
  return or_no_memory([&]() -> result<frozen<F>> {
    // Only const comes out of frozen, so nothing is ever written through this.
    std::span<std::byte> borrowed(const_cast<std::byte*>(bytes.data()), bytes.size());
    return detail::freeze<F>(storage::borrow(borrowed), "bytes", options);
  });
}

/// A filter whose adds go to its file: it can be asked and added to, and nothing that would take a bit back or move the
/// bits elsewhere. Unsealed from opening to seal(): a crash in between leaves a file that opens only with `recover`,
/// holding every key added before the last successful sync().
template <class F>
class writable {
 public:
  writable(F filter, native::mapped_file pages, file opened) noexcept
      : opened_(std::move(opened)), pages_(std::move(pages)), filter_(std::move(filter)) {}

  [[nodiscard]] const F& operator*() const noexcept { return filter_; }
  [[nodiscard]] const F* operator->() const noexcept { return &filter_; }

  /// The filter's own operations that only set bits.
  template <class Key>
  void add(const Key& key) noexcept requires requires(F& f) {
    f.add(key);
  }
  { filter_.add(key); }
  template <class Range>
  void add_many(Range&& keys) requires requires(F& f) {
    f.add_many(keys);
  }
  { filter_.add_many(keys); }
  template <class Key>
  bool test_and_add(const Key& key) noexcept requires requires(F& f) {
    f.test_and_add(key);
  }
  { return filter_.test_and_add(key); }
  result<void> merge(const F& other) { return filter_.merge(other); }

  /// When it returns without an error, every key added before is on the device.
  [[nodiscard]] result<void> sync() { return sync_mapping(pages_.whole.bytes(), opened_.path()); }

  /// Syncs, recomputes the checksums and marks the file whole. Nothing is left to add to afterwards. If the file has been
  /// replaced meanwhile (save does not wait for a map), what was added is in no file, and the error says so.
  [[nodiscard]] result<void> seal() && {
    return or_no_memory([&]() -> result<void> {
      if (pages_.whole.size() == 0) return {errc::invalid_argument, opened_.path() + ": sealed already"};
      if (auto synced = sync(); !synced) return synced;
      native::header& h = pages_.about;
      const bytes_view body =
          std::as_const(pages_.whole)
              .bytes()
              .subspan(static_cast<std::size_t>(h.body_offset), static_cast<std::size_t>(h.body_bytes));
      if (auto sealed = native::seal(h, opened_, body, filter_.engine().census()); !sealed) return sealed;
      const bool in_place = opened_.is_in_place();
      { const F done = std::move(filter_); }
      pages_.whole = storage();
      if (!in_place)
        return {errc::io, opened_.path() + ": was replaced while it was mapped; what was added here is lost"};
      return {};
    });
  }

 private:
  file opened_;
  native::mapped_file pages_;  // outlives the filter, which borrows from it
  F filter_;
};

/// Opens a file for adding in place. Refused (errc::busy) while another process has it open so.
template <class F>
requires monotone_engine<typename F::engine_type>
[[nodiscard]] result<writable<F>> map_writable(const std::string& path, const open_options& options = {}) {
  return or_no_memory([&]() -> result<writable<F>> {
    auto opened = file::open(path, file::mode::write_shared);
    if (!opened) return opened.error();
    if (auto locked = opened->lock(); !locked) return locked.error();
    // Between open and lock another program may have put a new file in its place.
    if (!opened->is_in_place()) return map_writable<F>(path, options);
    auto from = source::of(*opened);
    if (!from) return from.error();
    auto h = native::read_header(*from, options.recover);
    if (!h) return h.error();
    if (h->state == native::seal_state::sealed) {
      if (auto pages = native::verify_pages(*h, *from); !pages) return pages.error();
    }
    auto whole = opened->map(h->file_bytes, true);
    if (!whole) return whole.error();
    native::mapped_file pages{std::move(*whole), std::move(*h), path};
    auto made = detail::assemble<F>(pages, options);
    if (!made) return made.error();
    if (auto same = detail::check_body(pages.about, made->engine(), path); !same) return same.error();
    if (auto marked = native::unseal(pages.about, *opened); !marked) return marked.error();
    return writable<F>(std::move(*made), std::move(pages), std::move(*opened));
  });
}

}  // namespace seen::inline v1
