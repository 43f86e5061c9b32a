// Filter: made, saved, loaded, mapped, pickled.
#include <algorithm>
#include <cstring>
#include <vector>

#include "errors.hpp"
#include "filter.hpp"

namespace seen_python {
namespace {

// Calls open() without the GIL; `path` is what it opens, or None.
template <class Open>
new_filter opened(nb::handle path, const seen::open_options& options, Open open) {
  auto made = value_of(
      [&] {
        const nb::gil_scoped_release others_run;
        return open();
      }(),
      path);
  return std::make_unique<filter_object>(std::move(made), reopening{options.hash, options.key_type});
}

// A new bytes object of what has a buffer; not of an int, of which bytes() would make so many zeros.
PyObject* copy_of(nb::handle given) {
  if (PyObject_CheckBuffer(given.ptr()) == 0) throw nb::type_error("from_bytes: bytes or another buffer is wanted");
  PyObject* const copied = PyBytes_FromObject(given.ptr());
  if (copied == nullptr) throw nb::python_error();
  return copied;
}

// A bytes object that is written to piece by piece, without the GIL: nobody else knows it yet. What goes beyond the length it was
// made with is kept apart.
class growing_bytes {
 public:
  explicit growing_bytes(std::size_t expected)
      : bytes_(nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(expected)))),
        room_(expected) {
    if (!bytes_.is_valid()) throw nb::python_error();
    to_ = PyBytes_AS_STRING(bytes_.ptr());
  }
  void append(seen::bytes_view piece) {
    const std::size_t fits = std::min(piece.size(), room_ - used_);
    if (fits != 0) std::memcpy(to_ + used_, piece.data(), fits);
    used_ += fits;
    rest_.insert(rest_.end(), piece.begin() + static_cast<std::ptrdiff_t>(fits), piece.end());
  }
  [[nodiscard]] nb::bytes done() && {
    PyObject* all = bytes_.release().ptr();
    if (_PyBytes_Resize(&all, static_cast<Py_ssize_t>(used_ + rest_.size())) != 0) throw nb::python_error();
    if (!rest_.empty()) std::memcpy(PyBytes_AS_STRING(all) + used_, rest_.data(), rest_.size());
    return nb::steal<nb::bytes>(all);
  }

 private:
  nb::bytes bytes_;
  char* to_;
  std::size_t room_;
  std::size_t used_ = 0;
  std::vector<std::byte> rest_;
};

seen::bytes_view view_of(const nb::bytes& bytes) {
  return {static_cast<const std::byte*>(bytes.data()), bytes.size()};
}

}  // namespace

held_bytes::held_bytes(nb::handle owner, const char* call) {
  auto filled = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(owner.ptr(), filled.get(), PyBUF_SIMPLE) != 0) {
    PyErr_Clear();
    throw nb::type_error(
        (std::string(call) + ": bytes or another buffer of bytes beside each other is wanted").c_str());
  }
  buffer_.reset(filled.release());
}

seen::bytes_view held_bytes::bytes() const noexcept {
  return {static_cast<const std::byte*>(buffer_->buf), static_cast<std::size_t>(buffer_->len)};
}

void held_bytes::give_back::operator()(Py_buffer* buffer) const noexcept {
  PyBuffer_Release(buffer);
  delete buffer;
}

filter_object filter_object::make(const make_arguments& arguments) {
  const seen::make_options options = options_of(arguments);
  const bool is_native = options.format.empty() || options.format == seen::native::format_name;
  if (is_native && !arguments.capacity && arguments.shape.is_none()) {
    raise({seen::errc::invalid_argument, "capacity is missing: how many keys will there be?"});
  }
  auto made = value_of([&] {
    const nb::gil_scoped_release others_run;
    return seen::any_filter::make(options);
  }());
  reopening how;
  if (const auto format = seen::find_format(made.format()); format && made.format() != seen::native::format_name) {
    const auto& hashes = (*format)->hashes;
    if (arguments.hash && std::find(hashes.begin(), hashes.end(), *arguments.hash) != hashes.end()) {
      how.hash = *arguments.hash;
    }
    how.key_type = options.key_type;
  }
  return {std::move(made), std::move(how)};
}

new_filter filter_object::load(nb::handle from, const seen::open_options& options) {
  if (nb::hasattr(from, "read")) {
    const nb::object all = from.attr("read")();
    if (PyObject_CheckBuffer(all.ptr()) == 0) {
      throw nb::type_error("load: the file's read() returned no bytes; open it in binary mode");
    }
    return from_bytes(all, options);
  }
  const std::string name = path_of(from);
  return opened(from, options, [&] { return seen::any_filter::load(name, options); });
}

new_filter filter_object::map(nb::handle path, const seen::open_options& options) {
  const std::string name = path_of(path);
  return opened(path, options, [&] { return seen::any_filter::map(name, options); });
}

new_filter filter_object::from_bytes(nb::handle given, const seen::open_options& options) {
  // Buffers that another thread could change between check and use are copied first; bytes cannot be changed.
  const nb::bytes bytes =
      PyBytes_Check(given.ptr()) ? nb::borrow<nb::bytes>(given) : nb::steal<nb::bytes>(copy_of(given));
  return opened(nb::none(), options, [&] { return seen::any_filter::from_bytes(view_of(bytes), options); });
}

new_filter filter_object::view(nb::handle given, const seen::open_options& options) {
  held_bytes held(given, "view");
  auto made = value_of([&] {
    const nb::gil_scoped_release others_run;
    return seen::any_filter::view(held.bytes(), options);
  }());
  return std::make_unique<filter_object>(std::move(made), reopening{options.hash, options.key_type}, std::move(held));
}

void filter_object::save(nb::handle to, const seen::save_options& options) const {
  if (nb::hasattr(to, "write")) {
    // Whole, before the file is told: its write() is Python code, which may do anything, also with this filter.
    const nb::object all = nb::steal(PyMemoryView_FromObject(to_bytes(options).ptr()));
    for (Py_ssize_t done = 0, size = static_cast<Py_ssize_t>(nb::len(all)); done < size;) {
      const nb::object written = to.attr("write")(all[nb::slice(done, size)]);
      // A raw file says how many bytes it took, and others take all.
      const Py_ssize_t took = PyLong_Check(written.ptr()) ? PyLong_AsSsize_t(written.ptr()) : size - done;
      if (took < 1 || took > size - done) {  // one that takes none would be asked for ever
        PyErr_Clear();
        PyErr_Format(PyExc_OSError, "save: the file's write() took %R of %zd bytes", written.ptr(), size - done);
        throw nb::python_error();
      }
      done += took;
    }
    return;
  }
  const std::string name = path_of(to);
  value_of(lock_.ask([&] { return filter_.save(name, options); }), to);
}

nb::bytes filter_object::to_bytes(const seen::save_options& options) const {
  const seen::filter_info now = glance();
  // Header, checksums and padding are less than that; what is written as text is longer.
  growing_bytes all(static_cast<std::size_t>(now.bytes + now.bytes / 64 + now.origin.metadata.size() + (64 << 10)) +
                    (options.metadata ? options.metadata->size() : 0));
  value_of(lock_.ask([&] {
    return filter_.write_to(
        [&](seen::bytes_view piece) -> seen::result<void> {
          all.append(piece);
          return {};
        },
        options);
  }));
  return std::move(all).done();
}

std::string filter_object::variant_of(const nb::bytes& bytes) const {
  if (filter_.format() == seen::native::format_name) return {};
  const seen::filter_info mine = glance();
  // Where a file does not say which of the format's layouts it has, the caller does; also where it happens to say so:
  // what is pickled must not depend on which bits are set.
  for (const std::string& variant : {mine.origin.variant, std::string()}) {
    const nb::gil_scoped_release others_run;
    const auto again = seen::any_filter::from_bytes(
        view_of(bytes), {.format = mine.format, .hash = how_.hash, .key_type = how_.key_type, .variant = variant});
    if (!again) continue;
    const seen::filter_info theirs = again->glance();
    const bool same = theirs.origin.variant == mine.origin.variant && theirs.origin.accepts == mine.origin.accepts &&
                      theirs.hash == mine.hash;
    if (same) return variant;
  }
  raise({seen::errc::unsupported, "pickle: bytes of the " + mine.format + " format do not say what this filter is"});
}

nb::tuple filter_object::reduce(nb::handle self, int protocol) const {
  const seen::filter_info mine = glance();
  if (mine.hash.keyed) {
    raise({seen::errc::unsupported,
           "pickle: the filter is keyed, and its secret would have to go along: send to_bytes() and the secret on ways "
           "of your own choosing"});
  }
  const nb::bytes bytes = to_bytes({});
  // A guessed format is guessed again: a pickle names nothing that nobody has named.
  const bool guessed = mine.origin.recognised == seen::recognition::guessed;
  const nb::object module = nb::module_::import_("seenfilter");
  // Protocol 5 can keep the bytes out of its own.
  const nb::object data =
      protocol >= 5 ? nb::module_::import_("pickle").attr("PickleBuffer")(bytes) : nb::object(bytes);
  const nb::object state = nb::getattr(self, "__dict__", nb::none());
  return nb::make_tuple(module.attr("_restore"),
                        nb::make_tuple(self.type(), data, guessed ? std::string() : std::string(format()), how_.hash,
                                       how_.key_type, variant_of(bytes), key()),
                        state);
}

}  // namespace seen_python
