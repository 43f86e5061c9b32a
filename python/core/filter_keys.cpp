// Filter: one key, and many.
#include <algorithm>
#include <cstring>

#include "batch.hpp"
#include "errors.hpp"
#include "filter.hpp"
#include "key.hpp"
#include "shared.hpp"

namespace seen_python {
namespace {

// Keys between two looks at the lock, so that a long query does not keep a change waiting for its end.
constexpr std::size_t turn_keys = std::size_t{1} << 16;
// Keys between two looks at signals: Ctrl-C stops a long batch, too.
constexpr std::size_t patient_keys = std::size_t{1} << 22;

// Calls use(tile, index of its first key) for all tiles, without the GIL where the source allows it; `use` never has it.
template <class Use>
void for_each_tile(key_source& keys, std::size_t most, Use use) {
  std::size_t done = 0;
  std::size_t looked = 0;
  const auto check_signals = [&] {
    if (done - looked < patient_keys) return;
    looked = done;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  };
  if (keys.size()) {
    const nb::gil_scoped_release others_run;
    for (tile some = keys.next(most); some.size() != 0; some = keys.next(most)) {
      use(some, done);
      done += some.size();
      if (done - looked < patient_keys) continue;
      const nb::gil_scoped_acquire alone;
      check_signals();
    }
    return;
  }
  for (tile some = keys.next(most); some.size() != 0; some = keys.next(most)) {
    {
      const nb::gil_scoped_release others_run;
      use(some, done);
    }
    done += some.size();
    check_signals();
  }
}

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

// A numpy array of bool of a known length, open for writing: the caller's, or a new one.
class answers {
 public:
  answers(nb::handle out, std::size_t size)
      : array_(out.is_none() ? nb::module_::import_("numpy").attr("empty")(size, "?") : nb::borrow(out)) {
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
  nb::object array_;
  Py_buffer buffer_{};
};

}  // namespace

void filter_object::add(nb::handle key) {
  const single_key bytes(key);
  value_of([&] {
    const auto lock = locked<sole_lock>(mutex_);
    return filter_.add(bytes.bytes());
  }());
}

bool filter_object::may_contain(nb::handle key) const {
  const single_key bytes(key);
  const auto lock = locked<shared_lock>(mutex_);
  const seen::accepted_keys& accepts = filter_.origin().accepts;
  if (!accepts.takes(bytes.bytes())) throw nb::value_error(("the key " + accepts.why_not(bytes.bytes())).c_str());
  return filter_.may_contain(bytes.bytes());
}

bool filter_object::test_and_add(nb::handle key) {
  const single_key bytes(key);
  return value_of([&] {
    const auto lock = locked<sole_lock>(mutex_);
    return filter_.test_and_add(bytes.bytes());
  }());
}

bool filter_object::remove(nb::handle key) {
  const single_key bytes(key);
  return value_of([&] {
    const auto lock = locked<sole_lock>(mutex_);
    return filter_.remove(bytes.bytes());
  }());
}

std::uint64_t filter_object::count(nb::handle key) const {
  const single_key bytes(key);
  return value_of([&] {
    const auto lock = locked<shared_lock>(mutex_);
    return filter_.count(bytes.bytes());
  }());
}

void filter_object::add_many(nb::handle keys, unsigned threads) {
  const auto source = keys_of(keys);
  // Several threads want all there is at once.
  const std::size_t most = threads == 1 ? turn_keys : std::size_t{1} << 26;
  std::optional<seen::error> refused;
  std::size_t before = 0;
  try {
    for_each_tile(*source, most, [&](const tile& some, std::size_t first) {
      tile good = some.before_null();
      good.bytes = good.bytes.first(filter_.origin().accepts.taken(good.bytes));
      {
        const sole_lock lock(mutex_);
        const seen::parallel how{.threads = threads};
        auto added = good.integers.empty() ? filter_.add_many(good.bytes, how) : filter_.add_many(good.integers, how);
        if (!added) {
          refused = added.error();
          before = first;
          throw seen::bad_result(added.error());
        }
      }
      check_keys(filter_, some.before_null(), first);
      if (good.size() != some.size()) throw null_key(first + good.size());
    });
  } catch (const seen::bad_result&) {
    // The library counts the keys of a tile; what the caller gave was perhaps more.
    if (refused->code == seen::errc::full && before != 0) {
      refused->detail += ", after " + std::to_string(before) + " before them";
    }
    raise(*refused);
  }
}

nb::object filter_object::may_contain_many(nb::handle keys, nb::handle out) const {
  const auto source = keys_of(keys);
  if (const auto size = source->size()) {
    const answers known(out, *size);
    for_each_tile(*source, turn_keys, [&](const tile& some, std::size_t first) {
      const shared_lock lock(mutex_);
      ask(filter_, some, first, known.data() + first);
    });
    return known.array();
  }
  std::vector<char> collected;  // vector<bool> has no places to point to
  for_each_tile(*source, turn_keys, [&](const tile& some, std::size_t first) {
    collected.resize(first + some.size());
    const shared_lock lock(mutex_);
    ask(filter_, some, first, reinterpret_cast<bool*>(collected.data()) + first);
  });
  const answers known(out, collected.size());
  std::copy(collected.begin(), collected.end(), known.data());
  return known.array();
}

}  // namespace seen_python
