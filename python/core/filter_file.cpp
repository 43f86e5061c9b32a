// Filter: made, saved, loaded, mapped, pickled.
#include <algorithm>

#include "errors.hpp"
#include "filter.hpp"
#include "shared.hpp"

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

}  // namespace

filter_object filter_object::make(const make_arguments& arguments) {
  const seen::make_options options = options_of(arguments);
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

new_filter filter_object::load(nb::handle path, const seen::open_options& options) {
  const std::string name = path_of(path);
  return opened(path, options, [&] { return seen::any_filter::load(name, options); });
}

new_filter filter_object::map(nb::handle path, const seen::open_options& options) {
  const std::string name = path_of(path);
  return opened(path, options, [&] { return seen::any_filter::map(name, options); });
}

new_filter filter_object::from_bytes(nb::handle given, const seen::open_options& options) {
  // Buffers that another thread could change between check and use are copied first; bytes cannot be changed.
  const nb::bytes bytes =
      PyBytes_Check(given.ptr()) ? nb::borrow<nb::bytes>(given) : nb::steal<nb::bytes>(copy_of(given));
  const seen::bytes_view all(static_cast<const std::byte*>(bytes.data()), bytes.size());
  return opened(nb::none(), options, [&] { return seen::any_filter::from_bytes(all, options); });
}

void filter_object::save(nb::handle path, const seen::save_options& options) const {
  const std::string name = path_of(path);
  value_of(
      [&] {
        const nb::gil_scoped_release others_run;
        const shared_lock lock(mutex_);
        return filter_.save(name, options);
      }(),
      path);
}

nb::bytes filter_object::to_bytes(const seen::save_options& options) const {
  const auto bytes = value_of([&] {
    const nb::gil_scoped_release others_run;
    const shared_lock lock(mutex_);
    return filter_.to_bytes(options);
  }());
  return nb::bytes(bytes.data(), bytes.size());
}

std::string filter_object::variant_of(const nb::bytes& bytes) const {
  if (filter_.format() == seen::native::format_name) return {};
  const seen::filter_info mine = info();
  const seen::bytes_view all(static_cast<const std::byte*>(bytes.data()), bytes.size());
  // Where a file does not say which of the format's layouts it has, the caller does; also where it happens to say so:
  // what is pickled must not depend on which bits are set.
  for (const std::string& variant : {mine.origin.variant, std::string()}) {
    const nb::gil_scoped_release others_run;
    const auto again = seen::any_filter::from_bytes(
        all, {.format = mine.format, .hash = how_.hash, .key_type = how_.key_type, .variant = variant});
    if (!again) continue;
    const seen::filter_info theirs = again->info();
    const bool same = theirs.origin.variant == mine.origin.variant && theirs.origin.accepts == mine.origin.accepts &&
                      theirs.hash == mine.hash;
    if (same) return variant;
  }
  raise({seen::errc::unsupported, "pickle: bytes of the " + mine.format + " format do not say what this filter is"});
}

nb::tuple filter_object::reduce() const {
  if (info().hash.keyed) {
    raise({seen::errc::unsupported,
           "pickle: the filter is keyed, and its secret would have to go along: send to_bytes() and the secret on ways "
           "of "
           "your own choosing"});
  }
  const nb::bytes bytes = to_bytes({});
  // A guessed format is guessed again: a pickle names nothing that nobody has named.
  const bool guessed = info().origin.recognised == seen::recognition::guessed;
  return nb::make_tuple(nb::module_::import_("seenfilter").attr("_restore"),
                        nb::make_tuple(bytes, guessed ? std::string() : std::string(format()), how_.hash, how_.key_type,
                                       variant_of(bytes)));
}

}  // namespace seen_python
