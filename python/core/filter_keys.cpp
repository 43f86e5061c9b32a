// Filter: one key, and many.
#include <algorithm>
#include <cstring>
#include <mutex>
#include <shared_mutex>

#include "batch.hpp"
#include "errors.hpp"
#include "filter.hpp"
#include "key.hpp"
#include "tiles.hpp"

namespace seen_python {
namespace {

// Refuses a tile that holds something other than a key of the filter; `first` is the index of its first item. Nulls are not
// keys, but they are answered.
void check_keys(const seen::any_filter& filter, const tile& keys, std::size_t first) {
  const seen::accepted_keys& accepts = filter.origin().accepts;
  for (std::size_t i = accepts.taken(keys.bytes); i < keys.bytes.size(); ++i) {
    const bool null = !keys.valid.empty() && !keys.valid[i];
    if (!null && !accepts.takes(keys.bytes[i])) throw bad_key(first + i, accepts.why_not(keys.bytes[i]));
  }
}

void ask(const seen::any_filter& filter, const tile& keys, std::size_t first, bool* out) {
  check_keys(filter, keys, first);
  const std::span<bool> answers(out, keys.size());
  if (!keys.integers.empty()) {
    filter.may_contain_many(keys.integers, answers);
  } else {
    filter.may_contain_many(keys.bytes, answers);
  }
  for (std::size_t i = 0; i < keys.valid.size(); ++i) out[i] = out[i] && keys.valid[i];
}

// The message of a batch for which there was no room counts the keys of a tile; the caller gave `all`, or an iterable without an
// end in sight.
void tell_of_all(seen::error& full, std::size_t before, std::optional<std::size_t> all) {
  const std::string room = std::to_string(before + full.done);
  full.detail = "add: the filter is full: there was room for " + room + (all ? " of " + std::to_string(*all) : "") +
                (room == "1" && !all ? " key" : " keys");
}

// The error of a kind that has no such operation, with the kinds that have it.
template <class T>
seen::result<T> told(seen::result<T> r) {
  if (r || r.error().code != seen::errc::unsupported) return r;
  std::string kinds;
  for (const seen::kind_row& each : seen::kinds()) {
    const auto row = each.plan_as({.target = {.capacity = 1000, .fpr = usual_fpr}});
    if (row && row->can_remove) kinds += (kinds.empty() ? "" : ", ") + row->kind;
  }
  seen::error why = r.error();
  why.detail += "; these kinds can: " + kinds;
  return why;
}

// A numpy array of bool of a known length, open for writing: the caller's, or a new one.
class answers {
 public:
  answers(nb::handle out, std::size_t size) : array_(out.is_none() ? empty(size) : nb::borrow(out)) {
    if (PyObject_GetBuffer(array_.ptr(), &buffer_, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) != 0) {
      throw nb::python_error();
    }
    const bool fits = buffer_.ndim == 1 && std::strcmp(buffer_.format, "?") == 0;
    if (fits && buffer_.shape[0] == static_cast<Py_ssize_t>(size)) return;
    const auto places = fits ? std::to_string(buffer_.shape[0]) : std::string();
    PyBuffer_Release(&buffer_);
    if (!fits) throw nb::type_error("out: a numpy array of bool with 1 dimension is wanted");
    throw nb::value_error(("out: has " + places + " places for " + std::to_string(size) + " keys").c_str());
  }
  ~answers() { PyBuffer_Release(&buffer_); }
  answers(const answers&) = delete;
  answers& operator=(const answers&) = delete;

  [[nodiscard]] bool* data() const noexcept { return static_cast<bool*>(buffer_.buf); }
  [[nodiscard]] nb::object array() const { return array_; }

 private:
  static nb::object empty(std::size_t size) {
    try {
      return nb::module_::import_("numpy").attr("empty")(size, "?");
    } catch (const nb::python_error& e) {
      if (!e.matches(PyExc_ImportError)) throw;
    }
    throw nb::import_error(
        "answers to many keys are a numpy array: pip install 'seenfilter[numpy]', or give a buffer of bool as out=");
  }

  nb::object array_;
  Py_buffer buffer_{};
};

}  // namespace

template <class Use>
auto filter_object::with_bytes_of(nb::handle key, Use use) const {
  if (key_.is_valid()) {
    const nb::object function = key_;  // it may set another
    return with_key(nb::object(function(key)), use);
  }
  return with_key(key, use);
}

std::unique_ptr<key_source> filter_object::source_of(nb::handle keys) const {
  if (!key_.is_valid()) return keys_of(keys);
  return iterable_keys(nb::module_::import_("builtins").attr("map")(key_, keys));
}

void filter_object::add(nb::handle key) {
  with_bytes_of(key,
                [&](seen::bytes_view bytes) { value_of(lock_.change_shortly([&] { return filter_.add(bytes); })); });
}

bool filter_object::may_contain(nb::handle key) const {
  if (key.is_none() && !key_.is_valid()) return false;
  return with_bytes_of(key, [&](seen::bytes_view bytes) {
    const seen::accepted_keys& accepts = filter_.origin().accepts;
    if (!accepts.takes(bytes)) throw nb::value_error(("the key " + accepts.why_not(bytes)).c_str());
    return lock_.ask_shortly([&] { return filter_.may_contain(bytes); });
  });
}

bool filter_object::test_and_add(nb::handle key) {
  return with_bytes_of(key, [&](seen::bytes_view bytes) {
    return value_of(lock_.change_shortly([&] { return filter_.test_and_add(bytes); }));
  });
}

bool filter_object::remove(nb::handle key) {
  return with_bytes_of(key, [&](seen::bytes_view bytes) {
    return value_of(told(lock_.change_shortly([&] { return filter_.remove(bytes); })));
  });
}

std::uint64_t filter_object::count(nb::handle key) const {
  return with_bytes_of(key, [&](seen::bytes_view bytes) {
    return value_of(told(lock_.ask_shortly([&] { return filter_.count(bytes); })));
  });
}

void filter_object::update(nb::handle keys, unsigned threads) {
  const filter_object* other = nullptr;
  if (nb::try_cast(keys, other, false) && other != nullptr) {
    merge(*other);
  } else {
    add_many(keys, threads);
  }
}

void filter_object::add_many(nb::handle keys, unsigned threads) {
  const auto source = source_of(keys);
  const filter_lock::session changes(lock_, true);
  // Several threads want all there is at once.
  const std::size_t most = threads == 1 ? turn_keys : std::size_t{1} << 26;
  std::optional<seen::error> refused;
  std::size_t before = 0;
  try {
    for_each_tile(*source, most, [&](const tile& some, std::size_t first) {
      tile good = some.before_null();
      good.bytes = good.bytes.first(filter_.origin().accepts.taken(good.bytes));
      {
        const std::unique_lock lock(lock_.mutex());
        const seen::parallel how{.threads = threads};
        auto added = good.integers.empty() ? filter_.add_many(good.bytes, how) : filter_.add_many(good.integers, how);
        if (!added) {
          refused = added.error();
          before = first;
          throw seen::bad_result(added.error());
        }
      }
      check_keys(filter_, some.before_null(), first);
      if (good.size() != some.size()) refuse_null(first + good.size());
    });
  } catch (const seen::bad_result&) {
    if (refused->code == seen::errc::full) tell_of_all(*refused, before, source->size());
    raise(*refused);
  }
}

nb::object filter_object::may_contain_many(nb::handle keys, nb::handle out) const {
  const auto source = source_of(keys);
  const filter_lock::session asks(lock_, false);
  const auto ask_all = [&](key_source& from, bool* to) {
    for_each_tile(from, turn_keys, [&](const tile& some, std::size_t first) {
      const std::shared_lock lock(lock_.mutex());
      ask(filter_, some, first, to + first);
    });
  };
  const auto size = source->size();
  if (size) {
    const answers known(out, *size);
    if (coded_keys* const coded = source->coded()) {
      bool* to = known.data();
      for (std::size_t piece = 0; piece < coded->pieces(); ++piece) {
        const auto dictionary = coded->dictionary(piece);
        const auto different = std::make_unique<bool[]>(*dictionary->size());
        ask_all(*dictionary, different.get());
        const nb::gil_scoped_release others_run;
        to += coded->take(piece, {different.get(), *dictionary->size()}, to);
      }
    } else {
      ask_all(*source, known.data());
    }
    return known.array();
  }
  std::vector<char> collected;  // vector<bool> has no places to point to
  for_each_tile(*source, turn_keys, [&](const tile& some, std::size_t first) {
    collected.resize(first + some.size());
    const std::shared_lock lock(lock_.mutex());
    ask(filter_, some, first, reinterpret_cast<bool*>(collected.data()) + first);
  });
  const answers known(out, collected.size());
  std::copy(collected.begin(), collected.end(), known.data());
  return known.array();
}

}  // namespace seen_python
