// A digest of one key is that of its bytes; many are hashed a tile at a time, integers as integers, to the same digests.
#include "digests.hpp"

#include <seen/hash/any_hash.hpp>

#include <cstring>
#include <vector>

#include "arguments.hpp"
#include "errors.hpp"
#include "key.hpp"
#include "options.hpp"
#include "tiles.hpp"

namespace seen_python {
namespace {

seen::any_hash hash_of(const arguments& given) {
  return value_of(seen::any_hash::make(value_of(seen::hash_id_from(given.text("hash").value_or("xxh3-fold"))),
                                       given.count("seed").value_or(0), secret_of(given.bytes("secret"))));
}

// A numpy array of so many uint64.
nb::object numpy_of(const std::vector<seen::digest>& digests) {
  static_assert(sizeof(seen::digest) == sizeof(std::uint64_t));
  nb::object made;
  try {
    made = nb::module_::import_("numpy").attr("empty")(digests.size(), "u8");
  } catch (const nb::python_error& e) {
    if (!e.matches(PyExc_ImportError)) throw;
    throw nb::import_error("digests of many keys are a numpy array: pip install 'seenfilter[numpy]'");
  }
  Py_buffer buffer;
  if (PyObject_GetBuffer(made.ptr(), &buffer, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS) != 0) throw nb::python_error();
  if (!digests.empty()) std::memcpy(buffer.buf, digests.data(), digests.size() * sizeof(seen::digest));
  PyBuffer_Release(&buffer);
  return made;
}

nb::object digest_many(nb::handle keys, const seen::any_hash& hash) {
  const auto source = keys_of(keys);
  std::vector<seen::digest> digests;
  if (const auto size = source->size()) digests.reserve(*size);
  for_each_tile(*source, turn_keys, [&](const tile& some, std::size_t first) {
    const tile good = some.before_null();
    if (good.size() != some.size()) refuse_null(first + good.size());
    digests.resize(first + some.size());
    const auto to = std::span(digests).subspan(first);
    some.bytes.empty() ? hash.hash_many(some.integers, to) : hash.hash_many(some.bytes, to);
  });
  return numpy_of(digests);
}

}  // namespace

void define_digests(nb::module_& m) {
  m.def(
      "digest",
      [](const nb::args& unnamed, const nb::kwargs& named) {
        const arguments given("digest", unnamed, named, {"key", "hash", "seed", "secret"}, 1, 1);
        const auto hash = hash_of(given);
        return with_key(given["key"], [&](seen::bytes_view bytes) { return hash(bytes).value; });
      },
      nb::sig("def digest(key: Key, *, hash: str = 'xxh3-fold', seed: int = 0, secret: bytes | None = None) -> int"),
      "Returns the 64 bits that a filter sees of a key.");
  m.def(
      "digest_many",
      [](const nb::args& unnamed, const nb::kwargs& named) {
        const arguments given("digest_many", unnamed, named, {"keys", "hash", "seed", "secret"}, 1, 1);
        return digest_many(given["keys"], hash_of(given));
      },
      nb::sig("def digest_many(keys: Keys, *, hash: str = 'xxh3-fold', seed: int = 0, secret: bytes | None = None) -> "
              "Digests"),
      "Returns the digests of many keys, a numpy array of uint64, without the GIL. `keys` are as in Filter.add_many; "
      "None or "
      "a null is a TypeError.");
}

}  // namespace seen_python
