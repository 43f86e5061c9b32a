// any_filter: a filter whose kind, hash and format are known only at run time.
//
//   any_filter ──► the filter itself (filter<Engine, Hash>, on the heap)
//              └─► a table of functions made from it at compile time
//
// There are no virtual functions below this line: the table is generated from the concepts, and an operation a kind
// does not have becomes an `unsupported` error that says so. The command line, the C interface and the language
// bindings use nothing else. A single-key call costs one indirect call; a batch costs one for all its keys.
#pragma once

#include <seen/base/key_form.hpp>
#include <seen/base/result.hpp>
#include <seen/base/threads.hpp>
#include <seen/filter.hpp>
#include <seen/filter_info.hpp>
#include <seen/hash/any_hash.hpp>
#include <seen/io.hpp>
#include <seen/native/in_place.hpp>
#include <seen/options.hpp>
#include <seen/survey.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seen::inline v1 {

struct format_row;

/// A filter of any kind. It moves as std::unique_ptr does: what was moved from may be assigned to or destroyed, no more.
class any_filter {
 public:
  /// Loads a file of any known format, checking everything.
  static result<any_filter> load(const std::string& path, const open_options& options = {});
  /// load, from bytes in memory.
  static result<any_filter> from_bytes(bytes_view bytes, const open_options& options = {});
  /// A native file's own pages, read-only, in time independent of its size: verify() checks what that leaves unchecked,
  /// and whatever would change the filter is refused (errc::unsupported). The file must not be truncated meanwhile; it
  /// may be replaced, as save does.
  static result<any_filter> map(const std::string& path, const open_options& options = {});
  /// map, for a file that keys are added to where it lies: the kinds whose bits only go up (bloom, partitioned-bloom,
  /// blocked-bloom, split-block; others are errc::unsupported). add and test_and_add change the file, in time that depends
  /// on the keys; all else that would change the filter is refused. errc::busy while another process has the file so. From
  /// the first add to seal() the file is unsealed: a program that ends in between leaves a file that opens with `recover`
  /// only, and holds every key that was in it before. A page is checked before it is touched.
  static result<any_filter> map_writable(const std::string& path, const open_options& options = {});
  /// map, over bytes that the caller keeps, aligned to 8.
  static result<any_filter> view(bytes_view bytes, const open_options& options = {});
  /// An empty filter.
  static result<any_filter> make(const make_options& options);
  /// Describes the filter in a file. A keyed one needs no secret for this.
  static result<filter_info> inspect(const std::string& path, const open_options& options = {});

  /// inspect, of a native file by what its header says, in time independent of its size: nothing is counted, and the bits
  /// are not checked (filter_info::counted). Files of other formats are inspected.
  static result<filter_info> glance(const std::string& path, const open_options& options = {});

  /// Wraps a filter of a known type; `origin` is what a decoder knows of the file it came from.
  template <class F>
  explicit any_filter(F f, file_origin origin = {}) requires(!std::same_as<F, any_filter>)
      : filter_(new F(std::move(f)), [](void* p) noexcept { delete static_cast<F*>(p); }),
        table_(&table_for<F>),
        origin_(std::move(origin)) {}
  /// The same over the pages of a native file: nothing changes them.
  template <class F>
  any_filter(F f, file_origin origin, native::mapped_file pages) : any_filter(std::move(f), std::move(origin)) {
    mapped_ = std::make_unique<native::mapped_file>(std::move(pages));
    origin_.mapped = true;
  }
  /// The same over a file that keys are added to.
  template <class F>
  any_filter(F f, file_origin origin, native::in_place pages) : any_filter(std::move(f), std::move(origin)) {
    writable_ = std::make_unique<native::in_place>(std::move(pages));
    origin_.mapped = true;
  }
  /// The same of a foreign format, which says how it is written: `result<void>(const F&, const sink&)`.
  template <class F, class Write>
  any_filter(F f, std::string_view format, Write write)
      : any_filter(std::move(f), format, file_origin(), std::move(write)) {}
  template <class F, class Write>
  any_filter(F f, std::string_view format, file_origin origin, Write write)
      : any_filter(std::move(f), std::move(origin)) {
    format_ = format;
    write_ = [write = std::move(write)](const void* p, const sink& out) {
      return write(*static_cast<const F*>(p), out);
    };
  }
  /// The filter itself, where it is of this type; null otherwise.
  template <class F>
  [[nodiscard]] const F* get_if() const noexcept {
    return table_ == &table_for<F> ? static_cast<const F*>(filter_.get()) : nullptr;
  }
  /// The same, to change it: null, too, where it may not be.
  template <class F>
  [[nodiscard]] F* get_if() noexcept {
    return table_ == &table_for<F> && !is_fixed() ? static_cast<F*>(filter_.get()) : nullptr;
  }

  // --- keys
  //
  // If the argument is not a key of this filter (origin().accepts.takes), calls that return a result refuse it with
  // errc::invalid_argument and change nothing; calls that return a bool say true.

  template <key_like Key>
  result<void> add(const Key& key) {
    if (is_fixed()) {
      return with_key_bytes(key, [this](bytes_view bytes) { return add_in_place({.keys = {&bytes, 1}}); });
    }
    return with_key("add", key, [this](bytes_view bytes) { return table_->add(filter_.get(), bytes); });
  }
  template <key_like Key>
  [[nodiscard]] bool may_contain(const Key& key) const noexcept {
    return with_key_bytes(key, [this](bytes_view bytes) {
      return table_->may_contain(filter_.get(), bytes) || !origin_.accepts.takes(bytes);
    });
  }
  /// The answer before; the key is in afterwards.
  template <key_like Key>
  result<bool> test_and_add(const Key& key) {
    if (is_fixed()) {
      const bool before = may_contain(key);
      if (auto added = add(key); !added) return added.error();
      return before;
    }
    return with_key("add", key, [this](bytes_view bytes) { return table_->test_and_add(filter_.get(), bytes); });
  }
  /// False: it was not there, and nothing changed.
  template <key_like Key>
  result<bool> remove(const Key& key) {
    if (is_fixed()) return refusal("remove");
    return with_key("remove", key, [this](bytes_view bytes) { return table_->remove(filter_.get(), bytes); });
  }

  /// How often a key was added, at most.
  template <key_like Key>
  [[nodiscard]] result<std::uint64_t> count(const Key& key) const {
    return with_key("count", key, [this](bytes_view bytes) { return table_->count(filter_.get(), bytes); });
  }

  /// Batches: one indirect call for all keys. A filter that gets full holds the keys before the one that found no room,
  /// and the error says how many. `out` needs a place for every key.
  result<void> add_many(std::span<const bytes_view> keys, parallel how = {.threads = 1}) {
    if (is_fixed()) return add_in_place({.keys = keys});
    if (auto fine = check_keys(keys); !fine) return fine;
    return table_->add_many(filter_.get(), keys, how);
  }
  std::size_t may_contain_many(std::span<const bytes_view> keys, std::span<bool> out) const {
    const std::size_t found = table_->may_contain_many(filter_.get(), keys, out);
    return origin_.accepts.form == key_form::bytes ? found : found + allow_no_keys(keys, out);
  }
  /// The same of integer keys, in 64-bit two's complement.
  result<void> add_many(std::span<const std::uint64_t> keys, parallel how = {.threads = 1}) {
    if (is_fixed()) return add_in_place({.integers = keys});
    return table_->add_integers(filter_.get(), keys, how);
  }
  std::size_t may_contain_many(std::span<const std::uint64_t> keys, std::span<bool> out) const {
    return table_->may_contain_integers(filter_.get(), keys, out);
  }
  /// The answers as bits (bit i % 64 of out[i / 64] is key i's), for integers or bytes; returns how many are set.
  std::size_t may_contain_bitmap(std::span<const bytes_view> keys, std::span<std::uint64_t> out) const;
  std::size_t may_contain_bitmap(std::span<const std::uint64_t> keys, std::span<std::uint64_t> out) const;
  /// Writes the indices of the keys that may be present, ascending; returns how many there are. `out` needs a place for
  /// every key.
  std::size_t select(std::span<const bytes_view> keys, std::span<std::uint64_t> out) const;
  std::size_t select(std::span<const std::uint64_t> keys, std::span<std::uint64_t> out) const;

  /// By digest: unsupported where a foreign format does not hash to 64 bits.
  result<void> add(digest d) {
    if (is_fixed()) return add_in_place({.digests = {&d, 1}});
    return table_->add_digest(filter_.get(), d);
  }
  /// add_many, by digest: the filter that their keys would make.
  result<void> add_many(std::span<const digest> digests) {
    if (is_fixed()) return add_in_place({.digests = digests});
    return table_->add_digests(filter_.get(), digests);
  }
  /// The digests that keys have in this filter, and in every other of the same hash; unsupported as above. Several threads
  /// may call it at once. `out` needs a place for every key.
  result<void> digests_of(std::span<const bytes_view> keys, std::span<digest> out) const {
    if (auto fine = check_keys(keys); !fine) return fine;
    return table_->digests_of(filter_.get(), keys, out);
  }
  [[nodiscard]] result<bool> may_contain(digest d) const { return table_->may_contain_digest(filter_.get(), d); }

  // --- the whole filter

  result<void> clear() {
    if (is_fixed()) return refusal("clear");
    return table_->clear(filter_.get());
  }
  /// Tells a kind that forgets what time it is.
  result<void> advance(std::uint64_t now) {
    if (is_fixed()) return refusal("advance");
    return table_->advance(filter_.get(), now);
  }
  /// Refused, with nothing changed, unless kind, shape and hash are the same, and neither format was guessed.
  result<void> merge(const any_filter& other) { return combine(table_->merge, "merge", other); }
  result<void> intersect(const any_filter& other) { return combine(table_->intersect, "intersect", other); }
  result<void> shrink_to_fpr(double fpr) {
    if (is_fixed()) return refusal("shrink");
    return table_->shrink(filter_.get(), fpr);
  }
  /// What its size may be divided by a divisor of; 0: it does not fold.
  [[nodiscard]] std::uint64_t fold_unit() const noexcept { return table_->fold_unit(filter_.get()); }
  /// Folds it to one `divisor`-th of its size, a divisor of fold_unit().
  result<void> fold_by(std::uint64_t divisor) {
    if (is_fixed()) return refusal("fold");
    return table_->fold(filter_.get(), divisor);
  }
  /// The same filter in memory of its own: of a mapped one, a copy that can be changed.
  [[nodiscard]] result<any_filter> copy() const;

  // --- what it is

  [[nodiscard]] std::string_view kind() const noexcept { return table_->kind; }
  /// The format of the file that save writes.
  [[nodiscard]] std::string_view format() const noexcept { return format_; }
  [[nodiscard]] filter_info info() const;
  /// info, without a look at the bits, in time independent of the size: what a count would tell is 0 or nothing, and `counted`
  /// is false.
  [[nodiscard]] filter_info glance() const;
  /// Whether it is still what was asked for (health.hpp).
  [[nodiscard]] filter_health health() const { return info().health; }
  /// The rate that its shape has by the model with so many keys in it; 0 where the format has no model.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const { return table_->expected_fpr(filter_.get(), keys); }
  /// How full it is by region and block (survey.hpp), each table in so many regions. Unsupported where the kind is full by
  /// construction: static ones. Reads all bits.
  [[nodiscard]] result<filter_survey> survey(std::size_t regions) const {
    return table_->survey(filter_.get(), regions);
  }
  /// User metadata that came with the file and goes with the next save.
  [[nodiscard]] const std::string& metadata() const noexcept { return origin_.metadata; }
  void set_metadata(std::string bytes) { origin_.metadata = std::move(bytes); }
  /// All that is known of the file it came from.
  [[nodiscard]] const file_origin& origin() const noexcept { return origin_; }

  // --- files

  /// An error that says why the filter may not be changed, where it may not: it is mapped, or its format was guessed. Every
  /// change asks this first; so does whoever would not begin the work in vain.
  [[nodiscard]] result<void> check_change(const char* what) const {
    if (is_fixed()) return refusal(what);
    return {};
  }
  /// True of a filter from map, map_writable or view.
  [[nodiscard]] bool is_mapped() const noexcept { return pages() != nullptr; }
  /// True of a filter from map_writable.
  [[nodiscard]] bool is_writable_map() const noexcept { return writable_ != nullptr; }
  /// Of a writable map: when it returns without an error, every key added before is on the device.
  [[nodiscard]] result<void> sync();
  /// The same, and the file is whole again, with the checksums of what was touched computed anew. Keys may be added again
  /// afterwards. If the file has been replaced meanwhile, what was added is in no file, and the error says so.
  [[nodiscard]] result<void> seal();
  /// Checks every page and the census of a mapped filter. A filter that was opened otherwise has been checked already.
  [[nodiscard]] result<void> verify() const;

  /// The same filter as one of another format. Refused (errc::unsupported) where its bits mean something else there: it
  /// would have to be built anew from its keys. `variant` is one of the format's (format_row); empty: the usual one.
  [[nodiscard]] result<any_filter> convert(std::string_view format, std::string_view variant = {}) &&;
  /// Replaces the file atomically, in the filter's own format. Its metadata goes along unless the options bring other. The
  /// secret of a keyed filter goes into a file only where the options ask for it; where they do not say, it stays in a
  /// file that held it before.
  result<void> save(const std::string& path, const save_options& options = {}) const;
  [[nodiscard]] result<std::vector<std::byte>> to_bytes(const save_options& options = {}) const;
  /// Writes the bytes of the file piece by piece to a function `result<void>(bytes_view)`; an error of it ends the writing.
  result<void> write_to(const sink& out, const save_options& options = {}) const;

  // --- what does not compile: the compiler shows these lines, which say why

  // clang-format off
  template <detail::no_key<digest> Thing>
  void add(const Thing&) = delete;  // a key is text, bytes or an integer; of an enum, a path or your own type say what identifies it: seen_key
  template <detail::no_key<digest> Thing>
  void may_contain(const Thing&) const = delete;  // a key is text, bytes or an integer; of an enum, a path or your own type say what identifies it: seen_key
  // clang-format on

 private:
  using owned = std::unique_ptr<void, void (*)(void*) noexcept>;

  /// Keys of any of the forms that add takes.
  struct added_keys {
    std::span<const bytes_view> keys = {};
    std::span<const std::uint64_t> integers = {};
    std::span<const digest> digests = {};
  };

  struct table {
    std::string_view kind;
    result<void> (*add)(void*, bytes_view);
    bool (*may_contain)(const void*, bytes_view) noexcept;
    result<bool> (*test_and_add)(void*, bytes_view);
    result<bool> (*remove)(void*, bytes_view);
    result<std::uint64_t> (*count)(const void*, bytes_view);
    result<void> (*add_many)(void*, std::span<const bytes_view>, parallel);
    std::size_t (*may_contain_many)(const void*, std::span<const bytes_view>, std::span<bool>);
    result<void> (*add_integers)(void*, std::span<const std::uint64_t>, parallel);
    std::size_t (*may_contain_integers)(const void*, std::span<const std::uint64_t>, std::span<bool>);
    result<void> (*add_digest)(void*, digest);
    result<void> (*add_digests)(void*, std::span<const digest>);
    result<void> (*digests_of)(const void*, std::span<const bytes_view>, std::span<digest>);
    result<bool> (*may_contain_digest)(const void*, digest);
    result<void> (*clear)(void*);
    result<void> (*advance)(void*, std::uint64_t);
    result<void> (*merge)(void*, const void*);
    result<void> (*intersect)(void*, const void*);
    result<void> (*shrink)(void*, double);
    std::uint64_t (*fold_unit)(const void*) noexcept;
    result<void> (*fold)(void*, std::uint64_t);
    result<owned> (*copy)(const void*);
    result<void> (*check)(const void*, const native::header&, const std::string&);
    void (*describe)(const void*, filter_info&);
    void (*describe_shape)(const void*, filter_info&);
    double (*expected_fpr)(const void*, std::uint64_t);
    result<filter_survey> (*survey)(const void*, std::size_t);
    result<void> (*add_in_place)(void*, const added_keys&, native::in_place&);  // null: bits go down too
    result<void> (*write)(const void*, const sink&, const save_options&);       // null: another format's filter
  };

  template <class F>
  static const table table_for;  // one address per type

  template <key_like Key, class Use>
  auto with_key(const char* what, const Key& key, Use use) const {
    return with_key_bytes(key, [&](bytes_view bytes) -> decltype(use(bytes)) {
      if (!origin_.accepts.takes(bytes)) return no_key(what, bytes);
      return use(bytes);
    });
  }

  any_filter(owned f, const any_filter& like);

  // Completes what a decoder made with how its format was recognised, which the decoder cannot know.
  static result<any_filter> open_as(const format_row& format, recognition how, const source& from,
                                    const open_options& options);
  static result<any_filter> map_as(const format_row& format, recognition how, storage whole, const std::string& name,
                                   const open_options& options);

  [[nodiscard]] result<void> check_against(const native::mapped_file& pages) const;
  /// What a mapped filter lies in; null of one in memory of its own.
  [[nodiscard]] const native::mapped_file* pages() const noexcept {
    return writable_ != nullptr ? &writable_->pages() : mapped_.get();
  }
  result<void> add_in_place(const added_keys& added);
  [[nodiscard]] bool is_fixed() const noexcept { return is_mapped() || origin_.recognised == recognition::guessed; }
  [[nodiscard]] filter_info described_by(void (*describe)(const void*, filter_info&)) const;
  [[nodiscard]] error refusal(const char* what) const;
  [[nodiscard]] error no_key(const char* what, bytes_view key) const;
  [[nodiscard]] result<void> check_keys(std::span<const bytes_view> added) const;
  std::size_t allow_no_keys(std::span<const bytes_view> keys, std::span<bool> answers) const noexcept;
  result<void> combine(result<void> (*operation)(void*, const void*), const char* what, const any_filter& other);

  std::unique_ptr<native::mapped_file> mapped_;  // these outlive the filter, which borrows from them
  std::unique_ptr<native::in_place> writable_;
  owned filter_;
  const table* table_;
  std::string_view format_ = native::format_name;
  std::function<result<void>(const void*, const sink&)> write_;  // of a foreign format
  file_origin origin_;
};

}  // namespace seen::inline v1

#include <seen/any_filter_table.hpp>
