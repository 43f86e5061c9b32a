// filter_object: what a Python Filter holds, and what it does with keys, whole filters and files.
//
//   filter_object ──► any_filter      the library's, of whatever kind
//                 ├─► a lock          shared by queries, sole for changes (shared.hpp)
//                 └─► how it reopens  what bytes of a foreign format do not say of themselves, for pickles
#pragma once

#include <seen/any_filter.hpp>

#include <memory>
#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>
#include <optional>
#include <shared_mutex>
#include <string>

#include "options.hpp"

namespace seen_python {

namespace nb = nanobind;

/// The options that a filter's own bytes are read again with.
struct reopening {
  std::string hash = {};  ///< as in open_options; empty for native files, which say it themselves
  std::string key_type = {};
};

class filter_object;
using new_filter = std::unique_ptr<filter_object>;

class filter_object {
 public:
  filter_object(seen::any_filter filter, reopening how) : filter_(std::move(filter)), how_(std::move(how)) {}

  /// Makes an empty one.
  static filter_object make(const make_arguments& arguments);
  filter_object(filter_object&& other) noexcept : filter_(std::move(other.filter_)), how_(std::move(other.how_)) {}

  // --- files (filter_file.cpp)

  static new_filter load(nb::handle path, const seen::open_options& options);
  static new_filter map(nb::handle path, const seen::open_options& options);
  static new_filter from_bytes(nb::handle bytes, const seen::open_options& options);
  void save(nb::handle path, const seen::save_options& options) const;
  [[nodiscard]] nb::bytes to_bytes(const seen::save_options& options) const;
  /// What pickle calls; refuses a keyed filter, and one whose bytes would be read as another.
  [[nodiscard]] nb::tuple reduce() const;

  // --- keys (filter_keys.cpp)

  void add(nb::handle key);
  [[nodiscard]] bool may_contain(nb::handle key) const;
  bool test_and_add(nb::handle key);
  bool remove(nb::handle key);
  [[nodiscard]] std::uint64_t count(nb::handle key) const;
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

  [[nodiscard]] std::string kind() const { return std::string(filter_.kind()); }
  [[nodiscard]] std::string format() const { return std::string(filter_.format()); }
  [[nodiscard]] seen::filter_info info() const;
  [[nodiscard]] bool is_mapped() const noexcept { return filter_.is_mapped(); }
  /// Checks the pages that map left unchecked.
  void verify() const;
  [[nodiscard]] nb::bytes metadata() const;
  void set_metadata(const nb::bytes& bytes);

 private:
  /// Calls `change` of the filter alone, without the GIL, and raises its error.
  template <class Change>
  void changed(Change change);
  /// The variant to name when its own bytes are read again; raises where they would not be the same filter.
  [[nodiscard]] std::string variant_of(const nb::bytes& bytes) const;
  void combine(seen::result<void> (seen::any_filter::*operation)(const seen::any_filter&), const filter_object& other);
  seen::any_filter filter_;
  mutable std::shared_mutex mutex_;
  reopening how_;
};

}  // namespace seen_python
