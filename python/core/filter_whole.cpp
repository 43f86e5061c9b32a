// Filter: what is done with all of it.
#include <seen/native/native.hpp>

#include <mutex>
#include <shared_mutex>

#include "errors.hpp"
#include "filter.hpp"

namespace seen_python {

void filter_object::clear() {
  value_of(lock_.change([&] { return filter_.clear(); }));
}

void filter_object::advance(std::uint64_t now) {
  value_of(lock_.change([&] { return filter_.advance(now); }));
}

void filter_object::shrink(double fpr) {
  value_of(lock_.change([&] { return filter_.shrink_to_fpr(fpr); }));
}

void filter_object::combine(seen::result<void> (seen::any_filter::*operation)(const seen::any_filter&),
                            const filter_object& other) {
  if (&other == this) {  // one lock, and the library sees that it is the same filter
    value_of(lock_.change([&] { return (filter_.*operation)(filter_); }));
    return;
  }
  const filter_lock::session changes(lock_, true), asks(other.lock_, false);
  value_of([&]() -> seen::result<void> {
    const nb::gil_scoped_release others_run;
    std::unique_lock mine(lock_.mutex(), std::defer_lock);
    std::shared_lock theirs(other.lock_.mutex(), std::defer_lock);
    std::lock(mine, theirs);  // in whatever order: a |= b may meet b |= a
    return (filter_.*operation)(other.filter_);
  }());
}

void filter_object::merge(const filter_object& other) {
  combine(&seen::any_filter::merge, other);
}

void filter_object::intersect(const filter_object& other) {
  combine(&seen::any_filter::intersect, other);
}

new_filter filter_object::copy() const {
  auto made = std::make_unique<filter_object>(value_of(lock_.ask([&] { return filter_.copy(); })), how_);
  made->key_ = key_;
  return made;
}

new_filter filter_object::convert(const std::string& format, const word& variant) const {
  auto converted = value_of(lock_.ask([&]() -> seen::result<seen::any_filter> {
    auto same = filter_.copy();
    if (!same) return same;
    return std::move(*same).convert(format, variant.value_or(""));
  }));
  auto made = std::make_unique<filter_object>(std::move(converted), format == filter_.format() ? how_ : reopening{});
  made->key_ = key_;
  return made;
}

void filter_object::verify() const {
  value_of(lock_.ask([&] { return filter_.verify(); }));
}

bool filter_object::equals(const filter_object& other) const {
  if (&other == this) return true;
  if (kind() != other.kind() || format() != other.format()) return false;
  const auto bytes = [](const filter_object& each) {
    return value_of(each.lock_.ask([&] { return each.filter_.to_bytes({.store_secret = true, .alignment = 64}); }));
  };
  const auto mine = bytes(*this), theirs = bytes(other);
  const nb::gil_scoped_release others_run;
  return mine == theirs;
}

bool filter_object::is_subset_of(const filter_object& other) const {
  if (&other == this) return true;
  const new_filter common = copy();
  common->intersect(other);
  return common->equals(*this);
}

seen::filter_info filter_object::info() const {
  return lock_.ask([&] { return filter_.info(); });  // it counts every bit
}

seen::filter_info filter_object::glance() const {
  return lock_.ask_shortly([&] { return filter_.glance(); });
}

nb::bytes filter_object::metadata() const {
  const std::string kept = lock_.ask_shortly([&] { return filter_.metadata(); });
  return nb::bytes(kept.data(), kept.size());
}

void filter_object::set_metadata(const nb::bytes& bytes) {
  constexpr std::size_t most = seen::native::max_metadata;
  if (bytes.size() > most) {  // no file could hold it
    raise({seen::errc::too_large,
           "metadata: " + std::to_string(bytes.size()) + " bytes; at most " + std::to_string(most) + " are kept"});
  }
  std::string given(bytes.c_str(), bytes.size());
  lock_.change_shortly([&] { filter_.set_metadata(std::move(given)); });
}

void filter_object::set_key(nb::handle function) {
  if (!function.is_none() && PyCallable_Check(function.ptr()) == 0) {
    throw nb::type_error("key: a function that makes a key of an object is wanted, or None");
  }
  key_ = function.is_none() ? nb::object() : nb::borrow(function);
}

}  // namespace seen_python
