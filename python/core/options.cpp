// Keyword arguments, checked where the library's types cannot hold what Python gives: a secret's length, a capacity of 0, the
// type of each number of a shape.
#include "options.hpp"

#include <algorithm>

#include "errors.hpp"

namespace seen_python {
namespace {

// Whether a number of a shape is real: a kind says so itself; of a foreign format, the type of the number counts.
bool is_real(const seen::kind_row* kind, const std::string& name, nb::handle value) {
  if (kind == nullptr) return PyFloat_Check(value.ptr());
  const auto at = std::find(kind->field_names.begin(), kind->field_names.end(), name);
  return at != kind->field_names.end() &&
         kind->type_of_field(static_cast<std::size_t>(at - kind->field_names.begin())) == seen::field_type::real;
}

std::vector<seen::named_field> shape_of(nb::handle mapping, const seen::kind_row* kind) {
  std::vector<seen::named_field> shape;
  if (mapping.is_none()) return shape;
  const auto refuse = [](nb::handle value, const std::string& wanted) {
    throw nb::type_error((wanted + " is wanted, not " + nb::cast<std::string>(nb::repr(value))).c_str());
  };
  if (!nb::hasattr(mapping, "keys")) refuse(mapping, "shape: a mapping of names to numbers");
  nb::dict numbers;  // a copy: what is given may be anything with keys
  if (PyDict_Update(numbers.ptr(), mapping.ptr()) != 0) throw nb::python_error();
  std::vector<std::string> names;
  for (const auto [key, value] : numbers) {
    if (!PyUnicode_Check(key.ptr())) refuse(key, "shape: a name");
    names.push_back(nb::cast<std::string>(key));
    if (value.is_none()) refuse(value, "shape: " + names.back() + ": a number");
  }
  const arguments given("shape", nb::args(), nb::borrow<nb::kwargs>(numbers), {names.begin(), names.end()}, 0);
  for (const std::string& name : names) {
    if (is_real(kind, name, numbers[name.c_str()])) {
      shape.push_back(seen::named_field::real(name, *given.real(name)));
    } else {
      shape.push_back({name, *given.count(name)});
    }
  }
  return shape;
}

}  // namespace

seen::make_options options_of(const make_arguments& a) {
  seen::make_options options;
  options.kind = a.kind.value_or("");
  options.format = a.format.value_or("");
  const bool is_native = options.format.empty() || options.format == seen::native::format_name;
  const seen::kind_row* kind = nullptr;
  if (is_native) kind = options.kind.empty() ? &seen::kinds()[0] : value_of(seen::find_kind(options.kind));
  options.target = {.capacity = a.capacity.value_or(0), .fpr = a.fpr.value_or(usual_fpr)};
  if (a.capacity == std::uint64_t{0}) raise({seen::errc::invalid_argument, "capacity is 0; it must be at least 1"});
  options.shape = shape_of(a.shape, kind);
  if (a.hash) options.hash = value_of(seen::hash_id_from(*a.hash));
  options.seed = a.seed;
  options.secret = secret_of(a.secret);
  options.variant = a.variant.value_or("");
  options.key_type = a.key_type.value_or("");
  options.foldable = a.foldable;
  return options;
}

std::optional<seen::secret> secret_of(const std::optional<nb::bytes>& bytes) {
  if (!bytes) return std::nullopt;
  seen::secret made;
  if (bytes->size() != made.bytes.size()) {
    raise({seen::errc::invalid_argument, "a secret has 16 bytes, not " + std::to_string(bytes->size())});
  }
  std::copy_n(reinterpret_cast<const std::byte*>(bytes->c_str()), made.bytes.size(), made.bytes.begin());
  return made;
}

make_arguments make_arguments_of(const arguments& given) {
  make_arguments what;
  what.kind = given.text("kind");
  if (what.kind) std::replace(what.kind->begin(), what.kind->end(), '_', '-');  // as code spells them
  what.capacity = given.count("capacity");
  what.fpr = given.real("fpr");
  what.shape = given["shape"];
  what.hash = given.text("hash");
  what.seed = given.count("seed").value_or(0);
  what.secret = given.bytes("secret");
  what.format = given.text("format");
  what.variant = given.text("variant");
  what.key_type = given.text("key_type");
  what.foldable = given.flag("foldable").value_or(false);
  return what;
}

seen::open_options open_options_of(const arguments& given) {
  seen::open_options options;
  options.secret = secret_of(given.bytes("secret"));
  options.recover = given.flag("recover").value_or(false);
  options.format = given.text("format").value_or("");
  options.hash = given.text("hash").value_or("");
  options.key_type = given.text("key_type").value_or("");
  options.part = given.text("part").value_or("");
  options.variant = given.text("variant").value_or("");
  if (const auto most = given.count("max_bytes")) options.max_bytes = *most;
  return options;
}

seen::save_options save_options_of(const arguments& given) {
  seen::save_options options{.overwrite = given.flag("overwrite").value_or(true),
                             .store_secret = given.flag("store_secret")};
  if (const auto alignment = given.count("alignment")) options.alignment = static_cast<std::size_t>(*alignment);
  if (const auto metadata = given.bytes("metadata")) options.metadata.emplace(metadata->c_str(), metadata->size());
  return options;
}

std::string path_of(nb::handle path) {
  PyObject* converted = nullptr;
  if (PyUnicode_FSConverter(path.ptr(), &converted) == 0) throw nb::python_error();
  const nb::bytes bytes = nb::steal<nb::bytes>(converted);
  return {bytes.c_str(), bytes.size()};
}

nb::dict shape_to_dict(const std::vector<seen::named_field>& shape) {
  nb::dict made;
  for (const seen::named_field& each : shape) {
    const nb::str name(each.name.c_str());
    if (each.type == seen::field_type::real) {
      made[name] = each.as_real();
    } else {
      made[name] = each.value;
    }
  }
  return made;
}

}  // namespace seen_python
