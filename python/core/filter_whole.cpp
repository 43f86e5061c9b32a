// Filter: what is done with all of it.
#include <seen/native/native.hpp>

#include "errors.hpp"
#include "filter.hpp"
#include "shared.hpp"

namespace seen_python {

template <class Change>
void filter_object::changed(Change change) {
  value_of([&]() -> seen::result<void> {
    const nb::gil_scoped_release others_run;
    const sole_lock lock(mutex_);
    return change(filter_);
  }());
}

void filter_object::clear() {
  changed([](seen::any_filter& f) { return f.clear(); });
}

void filter_object::advance(std::uint64_t now) {
  changed([&](seen::any_filter& f) { return f.advance(now); });
}

void filter_object::shrink(double fpr) {
  changed([&](seen::any_filter& f) { return f.shrink_to_fpr(fpr); });
}

void filter_object::combine(seen::result<void> (seen::any_filter::*operation)(const seen::any_filter&),
                            const filter_object& other) {
  value_of([&]() -> seen::result<void> {
    const nb::gil_scoped_release others_run;
    if (&other == this) {  // one lock, and the library sees that it is the same filter
      const sole_lock lock(mutex_);
      return (filter_.*operation)(filter_);
    }
    sole_lock mine(mutex_, std::defer_lock);
    shared_lock theirs(other.mutex_, std::defer_lock);
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
  auto made = value_of([&] {
    const nb::gil_scoped_release others_run;
    const shared_lock lock(mutex_);
    return filter_.copy();
  }());
  return std::make_unique<filter_object>(std::move(made), how_);
}

new_filter filter_object::convert(const std::string& format, const word& variant) const {
  auto made = value_of([&]() -> seen::result<seen::any_filter> {
    const nb::gil_scoped_release others_run;
    const shared_lock lock(mutex_);
    auto same = filter_.copy();
    if (!same) return same;
    return std::move(*same).convert(format, variant.value_or(""));
  }());
  return std::make_unique<filter_object>(std::move(made), format == filter_.format() ? how_ : reopening{});
}

void filter_object::verify() const {
  value_of([&] {
    const nb::gil_scoped_release others_run;
    const shared_lock lock(mutex_);
    return filter_.verify();
  }());
}

bool filter_object::equals(const filter_object& other) const {
  if (&other == this) return true;
  if (kind() != other.kind() || format() != other.format()) return false;
  const auto bytes = [](const filter_object& each) {
    const shared_lock lock(each.mutex_);
    return each.filter_.to_bytes({.store_secret = true, .alignment = 64});
  };
  return value_of([&]() -> seen::result<bool> {
    const nb::gil_scoped_release others_run;
    const auto mine = bytes(*this);
    if (!mine) return mine.error();
    const auto theirs = bytes(other);
    if (!theirs) return theirs.error();
    return *mine == *theirs;
  }());
}

seen::filter_info filter_object::info() const {
  const nb::gil_scoped_release others_run;  // it counts every bit
  const shared_lock lock(mutex_);
  return filter_.info();
}

nb::bytes filter_object::metadata() const {
  const std::string kept = [&] {
    const auto lock = locked<shared_lock>(mutex_);
    return filter_.metadata();
  }();
  return nb::bytes(kept.data(), kept.size());
}

void filter_object::set_metadata(const nb::bytes& bytes) {
  constexpr std::size_t most = seen::native::max_metadata;
  if (bytes.size() > most) {  // no file could hold it
    raise({seen::errc::too_large,
           "metadata: " + std::to_string(bytes.size()) + " bytes; at most " + std::to_string(most) + " are kept"});
  }
  std::string given(bytes.c_str(), bytes.size());
  const auto lock = locked<sole_lock>(mutex_);
  filter_.set_metadata(std::move(given));
}

}  // namespace seen_python
