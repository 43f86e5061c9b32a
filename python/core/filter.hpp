// filter_object: what a Python Filter holds, and what it does with keys, whole filters and files.
//
//   filter_object ──► any_filter      the library's, of whatever kind
//                 ├─► a lock          shared by queries, sole for changes (shared.hpp)
//                 ├─► how it reopens  what bytes of a foreign format do not say of themselves, for pickles
//                 ├─► the caller's    bytes that a view lies in, until the filter is gone
//                 └─► key             the caller's function that makes keys of other objects, or None
#pragma once

#include <seen/any_filter.hpp>

#include <memory>
#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>
#include <optional>
#include <string>

#include "options.hpp"
#include "shared.hpp"

namespace seen_python {

namespace nb = nanobind;

/// The options that a filter's own bytes are read again with.
struct reopening {
  std::string hash = {};  ///< as in open_options; empty for native files, which say it themselves
  std::string key_type = {};
};

class filter_object;
using new_filter = std::unique_ptr<filter_object>;

/// A buffer of the caller's, until it is given back. Needs the GIL to be made and destroyed.
class held_bytes {
 public:
  held_bytes() = default;
  /// Raises TypeError, in the name of `call`, of what has no buffer of bytes beside each other.
  held_bytes(nb::handle owner, const char* call);
  held_bytes(held_bytes&&) noexcept = default;
  [[nodiscard]] seen::bytes_view bytes() const noexcept;

 private:
  struct give_back {
    void operator()(Py_buffer* buffer) const noexcept;
  };
  std::unique_ptr<Py_buffer, give_back> buffer_;
};

class filter_object {
 public:
  filter_object(seen::any_filter filter, reopening how, held_bytes below = {})
      : below_(std::move(below)), filter_(std::move(filter)), how_(std::move(how)) {}

  /// Makes an empty one.
  static filter_object make(const make_arguments& arguments);
  /// Needs the GIL; the lock is a new one.
  filter_object(filter_object&& other) noexcept
      : below_(std::move(other.below_)),
        filter_(std::move(other.filter_)),
        how_(std::move(other.how_)),
        key_(std::move(other.key_)) {}

  // --- files (filter_file.cpp)

  /// A path, or an object with a `read`.
  static new_filter load(nb::handle from, const seen::open_options& options);
  static new_filter map(nb::handle path, const seen::open_options& options);
  static new_filter from_bytes(nb::handle bytes, const seen::open_options& options);
  /// A filter in the caller's bytes, which stay the caller's.
  static new_filter view(nb::handle bytes, const seen::open_options& options);
  /// A path, or an object with a `write`.
  void save(nb::handle to, const seen::save_options& options) const;
  [[nodiscard]] nb::bytes to_bytes(const seen::save_options& options) const;
  /// What pickle calls, of the object `self`; refuses a keyed filter, and one whose bytes would be read as another.
  [[nodiscard]] nb::tuple reduce(nb::handle self, int protocol) const;

  // --- keys (filter_keys.cpp)

  void add(nb::handle key);
  [[nodiscard]] bool may_contain(nb::handle key) const;
  bool test_and_add(nb::handle key);
  bool remove(nb::handle key);
  [[nodiscard]] std::uint64_t count(nb::handle key) const;
  /// `keys` are many keys, or a filter to merge.
  void update(nb::handle keys, unsigned threads);
  void add_many(nb::handle keys, unsigned threads);
  [[nodiscard]] nb::object may_contain_many(nb::handle keys, nb::handle out) const;

  // --- the whole filter (filter_whole.cpp)

  void clear();
  void advance(std::uint64_t now);
  void shrink(double fpr);
  void merge(const filter_object& other);
  void intersect(const filter_object& other);
  [[nodiscard]] new_filter copy() const;
  [[nodiscard]] new_filter convert(const std::string& format, const word& variant) const;
  [[nodiscard]] bool equals(const filter_object& other) const;
  /// Whether this one's bits are all in the other.
  [[nodiscard]] bool is_subset_of(const filter_object& other) const;

  [[nodiscard]] std::string kind() const { return std::string(filter_.kind()); }
  [[nodiscard]] std::string format() const { return std::string(filter_.format()); }
  [[nodiscard]] seen::filter_info info() const;
  /// The same without a look at the bits.
  [[nodiscard]] seen::filter_info glance() const;
  [[nodiscard]] bool is_mapped() const noexcept { return filter_.is_mapped(); }
  /// Checks the pages that map left unchecked.
  void verify() const;
  [[nodiscard]] nb::bytes metadata() const;
  void set_metadata(const nb::bytes& bytes);

  /// The function that makes a key of each object, or None.
  [[nodiscard]] nb::object key() const { return key_.is_valid() ? key_ : nb::none(); }
  void set_key(nb::handle function);
  /// For the garbage collector: a function may refer to the filter.
  int traverse(visitproc visit, void* arg) const {
    Py_VISIT(key_.ptr());
    return 0;
  }
  void forget_key() { key_.reset(); }

 private:
  /// use(bytes) of a key, after `key`, and before it an error where the filter takes no such bytes.
  template <class Use>
  auto with_bytes_of(nb::handle key, Use use) const;
  /// The keys of many objects, by `key`.
  [[nodiscard]] std::unique_ptr<class key_source> source_of(nb::handle keys) const;
  /// The variant to name when its own bytes are read again; raises where they would not be the same filter.
  [[nodiscard]] std::string variant_of(const nb::bytes& bytes) const;
  void combine(seen::result<void> (seen::any_filter::*operation)(const seen::any_filter&), const filter_object& other);

  held_bytes below_;  // outlives the filter
  seen::any_filter filter_;
  mutable filter_lock lock_;
  reopening how_;
  nb::object key_;
};

}  // namespace seen_python
