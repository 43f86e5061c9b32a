// seenfilter._core: the names, signatures and documentation that Python sees. What they do is in the files beside this one; the
// stub of the module is generated from these signatures.
#include <seen/base/text.hpp>
#include <seen/base/version.hpp>
#include <seen/hash/any_hash.hpp>

#include <cmath>
#include <nanobind/nanobind.h>

#include "batch.hpp"
#include "build.hpp"
#include "describe.hpp"
#include "errors.hpp"
#include "filter.hpp"
#include "key.hpp"

namespace seen_python {
namespace {

using optional_bytes = std::optional<nb::bytes>;
using optional_count = std::optional<std::uint64_t>;

seen::save_options save_options_of(bool overwrite, std::optional<bool> store_secret,
                                   std::optional<std::size_t> alignment, const optional_bytes& metadata) {
  seen::save_options options{.overwrite = overwrite, .store_secret = store_secret, .alignment = alignment};
  if (metadata) options.metadata.emplace(metadata->c_str(), metadata->size());
  return options;
}

std::string readable(const filter_object& f) {
  const seen::filter_info info = f.info();
  std::string text = "<seen.Filter " + info.kind;
  if (info.format != seen::native::format_name) text += " (" + info.format + ")";
  if (info.target.capacity != 0) {
    text += ", capacity " + std::to_string(info.target.capacity) + ", fpr " + seen::readable(info.target.fpr);
  }
  return text + ", " + std::to_string(info.bytes) + " bytes" + (f.is_mapped() ? ", mapped>" : ">");
}

std::uint64_t digest_of(nb::handle key, const std::string& hash, std::uint64_t seed, const optional_bytes& secret) {
  const auto function = value_of(seen::any_hash::make(value_of(seen::hash_id_from(hash)), seed, secret_of(secret)));
  const single_key bytes(key);
  return function(bytes.bytes()).value;
}

using filter_class = nb::class_<filter_object>;

void define_making(filter_class& filter) {
  using namespace nb::literals;
  filter.def(
      "__init__",
      [](filter_object* self, optional_count capacity, std::optional<double> fpr, const word& kind, nb::object shape,
         const word& hash, std::uint64_t seed, optional_bytes secret, const word& format, const word& variant,
         const word& key_type, bool foldable) {
        new (self) filter_object(filter_object::make({kind, capacity, fpr, std::move(shape), hash, seed,
                                                      std::move(secret), format, variant, key_type, foldable}));
      },
      nb::kw_only(), "capacity"_a = nb::none(), "fpr"_a = nb::none(), "kind"_a = nb::none(), "shape"_a = nb::none(),
      "hash"_a = nb::none(), "seed"_a = 0, "secret"_a = nb::none(), "format"_a = nb::none(), "variant"_a = nb::none(),
      "key_type"_a = nb::none(), "foldable"_a = false,
      nb::sig("def __init__(self, *, capacity: int | None = None, fpr: float | None = None, kind: str | None = None, "
              "shape: Mapping[str, int | float] | None = None, hash: str | None = None, seed: int = 0, "
              "secret: bytes | None = None, format: str | None = None, variant: str | None = None, "
              "key_type: str | None = None, foldable: bool = False) -> None"),
      "Makes an empty filter for `capacity` keys at `fpr`, or of a `shape`; the class says the rest.");
}

void define_keys(filter_class& filter) {
  using namespace nb::literals;
  filter.def("add", &filter_object::add, "key"_a.none(), nb::sig("def add(self, key: Key) -> None"),
             "Adds a key. Raises seen.Full, with nothing changed, if the filter is full.");
  filter.def("may_contain", &filter_object::may_contain, "key"_a.none(),
             nb::sig("def may_contain(self, key: Key) -> bool"),
             "False: the key was certainly never added. True: it may have been. The same as `key in filter`.");
  filter.def("__contains__", &filter_object::may_contain, "key"_a.none(),
             nb::sig("def __contains__(self, key: Key) -> bool"), "may_contain, as `key in filter`.");
  filter.def("test_and_add", &filter_object::test_and_add, "key"_a.none(),
             nb::sig("def test_and_add(self, key: Key) -> bool"),
             "Adds a key, and returns what may_contain would have said before.");
  filter.def(
      "remove", &filter_object::remove, "key"_a.none(), nb::sig("def remove(self, key: Key) -> bool"),
      "Takes back one addition of a key. False: the key was not there, and nothing changed. Remove only what was "
      "added: another key that looks the same would be lost.");
  filter.def("count", &filter_object::count, "key"_a.none(), nb::sig("def count(self, key: Key) -> int"),
             "Returns how often a key was added, at most.");
}

void define_batches(filter_class& filter) {
  using namespace nb::literals;
  const char* const add_many_doc =
      R"(Adds every key of a list, a numpy array, an Arrow array or any other iterable, without the GIL.

An array has 1 dimension and holds integers, text or bytes of a fixed length. `threads` (0: one per processor) share the keys
of an array. If a key is refused (a null, a float, a full filter), those before it are in.)";
  filter.def("add_many", &filter_object::add_many, "keys"_a.none(), nb::kw_only(), "threads"_a = 1,
             nb::sig("def add_many(self, keys: Keys, *, threads: int = 1) -> None"), add_many_doc);
  filter.def("update", &filter_object::add_many, "keys"_a.none(), nb::kw_only(), "threads"_a = 1,
             nb::sig("def update(self, keys: Keys, *, threads: int = 1) -> None"),
             "The same as add_many, under the name that sets have for it.");
  filter.def("may_contain_many", &filter_object::may_contain_many, "keys"_a.none(), "out"_a = nb::none(),
             nb::sig("def may_contain_many(self, keys: Keys, out: Answers | None = None) -> "
                     "Answers"),
             R"(Answers many keys with a numpy array of bool, without the GIL.

`keys` are as in add_many; a null is answered False. `out` is an array of that length to write to; it is returned.)");
}

void define_whole(filter_class& filter) {
  using namespace nb::literals;
  filter.def("clear", &filter_object::clear, "Forgets every key.");
  filter.def("advance", &filter_object::advance, "now"_a, nb::sig("def advance(self, now: int) -> None"),
             "Tells the time to a kind that forgets.");
  filter.def("shrink", &filter_object::shrink, nb::kw_only(), "fpr"_a,
             nb::sig("def shrink(self, *, fpr: float) -> None"),
             "Folds the filter to the smallest size at which its keys keep the rate.");
  filter.def("merge", &filter_object::merge, "other"_a, nb::sig("def merge(self, other: Filter) -> None"),
             "Adds all keys of another filter. Raises seen.Incompatible, with nothing changed, unless kind, shape and "
             "hash are the same.");
  filter.def("intersect", &filter_object::intersect, "other"_a, nb::sig("def intersect(self, other: Filter) -> None"),
             "Keeps the bits that another filter has, too. It is refused where merge is.");
  filter.def("copy", &filter_object::copy, nb::sig("def copy(self) -> Filter"),
             "Copies the filter to memory of its own. The copy of a mapped filter can be changed.");
  filter.def("__copy__", &filter_object::copy, nb::sig("def __copy__(self) -> Filter"),
             "copy, for the module of that name.");
  filter.def(
      "__deepcopy__", [](const filter_object& f, nb::handle) { return f.copy(); }, "memo"_a,
      nb::sig("def __deepcopy__(self, memo: object) -> Filter"), "copy: a filter holds no objects.");
  filter.def(
      "convert", &filter_object::convert, "format"_a, nb::kw_only(), "variant"_a = nb::none(),
      nb::sig("def convert(self, format: str, *, variant: str | None = None) -> Filter"),
      "Returns the same filter in another format. Raises seen.Unsupported if its bits mean something else there.");
}

void define_operators(filter_class& filter) {
  using namespace nb::literals;
  filter.def(
      "__or__",
      [](const filter_object& a, const filter_object& b) {
        auto sum = a.copy();
        sum->merge(b);
        return sum;
      },
      nb::is_operator(), nb::sig("def __or__(self, other: Filter) -> Filter"),
      "Returns a new filter with the keys of both: a copy of this one, merged with the other.");
  filter.def(
      "__and__",
      [](const filter_object& a, const filter_object& b) {
        auto common = a.copy();
        common->intersect(b);
        return common;
      },
      nb::is_operator(), nb::sig("def __and__(self, other: Filter) -> Filter"),
      "Returns a new filter with the bits that both have: a copy of this one, intersected with the other.");
  filter.def(
      "__ior__",
      [](nb::handle self, const filter_object& other) {
        nb::cast<filter_object&>(self).merge(other);
        return nb::borrow(self);
      },
      nb::is_operator(), nb::sig("def __ior__(self, other: Filter) -> Filter"), "merge, as `filter |= other`.");
  filter.def(
      "__iand__",
      [](nb::handle self, const filter_object& other) {
        nb::cast<filter_object&>(self).intersect(other);
        return nb::borrow(self);
      },
      nb::is_operator(), nb::sig("def __iand__(self, other: Filter) -> Filter"), "intersect, as `filter &= other`.");
  filter.def("__eq__", &filter_object::equals, nb::is_operator(), nb::sig("def __eq__(self, other: object) -> bool"),
             "Whether both would be saved as the same bytes.");
  filter.attr("__hash__") = nb::none();  // it changes
}

void define_properties(filter_class& filter) {
  filter.def_prop_ro("kind", &filter_object::kind, nb::sig("def kind(self) -> str"), "The kind's name.");
  filter.def_prop_ro("format", &filter_object::format, nb::sig("def format(self) -> str"),
                     "The format of the file that save writes.");
  filter.def_prop_ro("mapped", &filter_object::is_mapped, nb::sig("def mapped(self) -> bool"),
                     "Whether the filter is a file's own pages, and cannot be changed.");
  filter.def_prop_rw("metadata", &filter_object::metadata, &filter_object::set_metadata,
                     nb::for_getter(nb::sig("def metadata(self) -> bytes")),
                     nb::for_setter(nb::sig("def metadata(self, value: bytes, /) -> None")),
                     "Bytes of your own, at most 64 KiB, which the next save puts into the file.");
  filter.def(
      "info", [](const filter_object& f) { return describe(f.info()); }, nb::sig("def info(self) -> Info"),
      "Returns everything there is to say about the filter. Counts every bit.");
}

void define_numbers(filter_class& filter) {
  filter.def(
      "estimated_count", [](const filter_object& f) { return f.info().keys; },
      nb::sig("def estimated_count(self) -> float"),
      "Returns how many keys the filter holds: an estimate, exact for some kinds.");
  filter.def(
      "__len__",
      [](const filter_object& f) {
        const double keys = f.info().keys;  // infinite where every bit is set
        return static_cast<std::size_t>(std::min(std::round(keys), 0x1p62));
      },
      nb::sig("def __len__(self) -> int"), "estimated_count, as a whole number.");
  filter.def(
      "__bool__", [](const filter_object&) { return true; }, nb::sig("def __bool__(self) -> bool"),
      "True, even of an empty filter: an `if` should not count keys by accident.");
  filter.def(
      "fill", [](const filter_object& f) { return f.info().fill; }, nb::sig("def fill(self) -> float | None"),
      "Returns the share of bits, slots or counters in use; None for static kinds.");
  filter.def(
      "estimated_fpr", [](const filter_object& f) { return f.info().fpr_now; },
      nb::sig("def estimated_fpr(self) -> float"),
      "Returns the false-positive rate of the filter as full as it is now.");
  filter.def(
      "health", [](const filter_object& f) { return describe(f.info().health); }, nb::sig("def health(self) -> Health"),
      "Returns whether the filter is still what was asked for: saturated, past its capacity or above its rate. Counts "
      "every bit.");
  filter.def("__repr__", &readable, nb::sig("def __repr__(self) -> str"),
             "Its kind, what it was made for, and its size.");
}

void define_saving(filter_class& filter) {
  using namespace nb::literals;
  filter.def(
      "save",
      [](const filter_object& f, nb::handle path, bool overwrite, std::optional<bool> store_secret,
         std::optional<std::size_t> alignment, const optional_bytes& metadata) {
        f.save(path, save_options_of(overwrite, store_secret, alignment, metadata));
      },
      "path"_a, nb::kw_only(), "overwrite"_a = true, "store_secret"_a = nb::none(), "alignment"_a = nb::none(),
      "metadata"_a = nb::none(),
      nb::sig("def save(self, path: Path, *, overwrite: bool = True, store_secret: bool | None = None, "
              "alignment: int | None = None, metadata: bytes | None = None) -> None"),
      R"(Replaces the file atomically, in the filter's own format. The file is on the device when this returns.

`alignment` (64 or 4096) and `metadata` are those of the file the filter came from, unless given. The filter's secret stays
out of the file unless `store_secret` is true, or unless the replaced file held it. Whoever reads a stored secret can forge
keys.)");
  filter.def(
      "to_bytes",
      [](const filter_object& f, std::optional<bool> store_secret, std::optional<std::size_t> alignment,
         const optional_bytes& metadata) {
        return f.to_bytes(save_options_of(true, store_secret, alignment, metadata));
      },
      nb::kw_only(), "store_secret"_a = nb::none(), "alignment"_a = nb::none(), "metadata"_a = nb::none(),
      nb::sig("def to_bytes(self, *, store_secret: bool | None = None, alignment: int | None = None, "
              "metadata: bytes | None = None) -> bytes"),
      "Returns the bytes of the file that save would write anew.");
  filter.def(
      "__bytes__", [](const filter_object& f) { return f.to_bytes({}); }, nb::sig("def __bytes__(self) -> bytes"),
      "to_bytes, with nothing chosen.");
  filter.def(
      "verify", &filter_object::verify,
      "Checks every page of a mapped filter, or raises seen.CorruptFile. A loaded filter has been checked already.");
  filter.def("__reduce__", &filter_object::reduce, nb::sig("def __reduce__(self) -> tuple[Any, ...]"),
             "Gives pickle the bytes of the filter's file. A filter with a secret is refused: the secret would go "
             "along unseen.");
}

void define_filter(nb::module_& m) {
  filter_class filter(m, "Filter", R"(A filter answers "certainly not" or "maybe", in a few bits per key.

It is made empty. Its target is `capacity` keys at the rate `fpr`, which is 0.01 unless given. Instead of a target you may
give a whole `shape`, such as {"bits": 9586, "probes": 7}; beside a target, `shape` fixes single numbers. `kind` is a name of
seen.kinds(); static kinds are made by seen.build. A `secret` of 16 bytes belongs to the hashes siphash-1-3 and siphash-2-4.
`format`, with its `variant` and `key_type`, makes a filter that is saved as another library's file. `foldable` rounds the
size up, so that shrink finds many smaller ones.

A key is str (its UTF-8 bytes), bytes, bytearray, memoryview, or int in [-2**63, 2**64). Threads may share a filter.)");
  define_making(filter);
  define_keys(filter);
  define_batches(filter);
  define_whole(filter);
  define_operators(filter);
  define_properties(filter);
  define_numbers(filter);
  define_saving(filter);
}

#define SEEN_OPEN_ARGUMENTS                                                                                          \
  nb::kw_only(), "secret"_a = nb::none(), "format"_a = nb::none(), "hash"_a = nb::none(), "key_type"_a = nb::none(), \
                 "part"_a = nb::none(), "variant"_a = nb::none(), "recover"_a = false, "max_bytes"_a = nb::none()
#define SEEN_OPEN_SIGNATURE                                                                                   \
  ", *, secret: bytes | None = None, format: str | None = None, hash: str | None = None, "                    \
  "key_type: str | None = None, part: str | None = None, variant: str | None = None, recover: bool = False, " \
  "max_bytes: int | None = None) -> "

// A function of a path or of bytes, and of how to open them.
template <class Open>
auto opening(Open open) {
  return [open](nb::handle what, const optional_bytes& secret, const word& format, const word& hash,
                const word& key_type, const word& part, const word& variant, bool recover, optional_count max_bytes) {
    return open(what, open_options_of(secret, format, hash, key_type, part, variant, recover, max_bytes));
  };
}

void define_files(nb::module_& m) {
  using namespace nb::literals;
  m.def("load", opening(&filter_object::load), "path"_a, SEEN_OPEN_ARGUMENTS,
        nb::sig("def load(path: Path" SEEN_OPEN_SIGNATURE "Filter"),
        R"(Opens a file of any known format, checking everything.

`format` forces one. `hash`, `key_type` and `variant` say what a foreign file
does not say itself, `part` names one of several filters in it. `secret` opens a file that
was hashed with it. `recover` accepts a file whose writer never finished it. `max_bytes` bounds the size of the file.)");
  m.def("map", opening(&filter_object::map), "path"_a, SEEN_OPEN_ARGUMENTS,
        nb::sig("def map(path: Path" SEEN_OPEN_SIGNATURE "Filter"),
        "Opens a native file's own pages, read-only and shared between processes. It is ready at once at any size; "
        "verify() checks the pages.");
  m.def("from_bytes", opening(&filter_object::from_bytes), "data"_a, SEEN_OPEN_ARGUMENTS,
        nb::sig("def from_bytes(data: Buffer" SEEN_OPEN_SIGNATURE "Filter"), "The same as load, from bytes in memory.");
  m.def("inspect", opening([](nb::handle path, const seen::open_options& options) {
          const std::string name = path_of(path);
          return describe(value_of(
              [&] {
                const nb::gil_scoped_release others_run;
                return seen::any_filter::inspect(name, options);
              }(),
              path));
        }),
        "path"_a, SEEN_OPEN_ARGUMENTS, nb::sig("def inspect(path: Path" SEEN_OPEN_SIGNATURE "Info"),
        "Returns what a file holds. This needs no secret.");
}

void define_functions(nb::module_& m) {
  using namespace nb::literals;
  m.def(
      "build",
      [](nb::handle keys, const word& kind, std::optional<double> fpr, nb::object shape, const word& hash,
         std::uint64_t seed, optional_bytes secret, const word& format, const word& variant, unsigned threads,
         std::uint64_t memory, nb::handle spill_directory, nb::handle checkpoint, nb::handle progress) {
        make_arguments what;
        const bool is_native = format.value_or(std::string(seen::native::format_name)) == seen::native::format_name;
        what.kind = kind || !is_native ? kind : "ribbon";
        what.format = format;
        what.variant = variant;
        what.fpr = fpr;
        what.shape = std::move(shape);
        what.hash = hash;
        what.seed = seed;
        what.secret = std::move(secret);
        return build(keys, what, {.fpr = fpr.value_or(usual_fpr), .threads = threads, .memory = memory},
                     {spill_directory, checkpoint}, progress);
      },
      "keys"_a.none(), nb::kw_only(), "kind"_a = nb::none(), "fpr"_a = nb::none(), "shape"_a = nb::none(),
      "hash"_a = nb::none(), "seed"_a = 0, "secret"_a = nb::none(), "format"_a = nb::none(), "variant"_a = nb::none(),
      "threads"_a = 1, "memory"_a = 0, "spill_directory"_a = nb::none(), "checkpoint"_a = nb::none(),
      "progress"_a = nb::none(),
      nb::sig("def build(keys: Keys, *, kind: str | None = None, fpr: float | None = None, "
              "shape: Mapping[str, int | float] | None = None, hash: str | None = None, seed: int = 0, "
              "secret: bytes | None = None, format: str | None = None, variant: str | None = None, threads: int = 1, "
              "memory: int = 0, spill_directory: Path | None = None, "
              "checkpoint: Path | None = None, "
              "progress: Callable[[BuildProgress], bool | None] | None = None) -> Filter"),
      R"(Builds a static filter (ribbon, binary-fuse, xor) of all keys of an iterable; equal keys count once.

`fpr` is 0.01 unless given. The digests of all keys are held until the end, 8 bytes each; beyond `memory` bytes (0: no
bound) they wait in `spill_directory`. `threads` (0: one per processor) do not change what is built. A `checkpoint` file
keeps finished pieces for a later build of the same keys.

With a `format` (xorfilter-go, xor-singleheader) the filter is one of another library. Its keys are integers, unless a `hash`
makes integers of bytes. It is built in memory by one thread.

`progress` is called with a BuildProgress now and then. If it returns False, seen.Cancelled is raised. An exception of the
callback or of the iterable ends the build, and so does Ctrl-C.)");
  m.def(
      "plan",
      [](std::uint64_t capacity, double fpr, const word& kind, nb::object shape) {
        make_arguments what;
        what.capacity = capacity;
        what.fpr = fpr;
        what.kind = kind;
        what.shape = std::move(shape);
        return plan(what);
      },
      nb::kw_only(), "capacity"_a, "fpr"_a, "kind"_a = nb::none(), "shape"_a = nb::none(),
      nb::sig("def plan(*, capacity: int, fpr: float, kind: str | None = None, "
              "shape: Mapping[str, int | float] | None = None) -> list[Plan]"),
      "Returns what a filter of each kind, or of the kind named, would be for this target, before any is made.");
  m.def("kinds", &kinds, nb::sig("def kinds() -> list[Kind]"), "Lists the kinds, the default first.");
  m.def("formats", &formats, nb::sig("def formats() -> list[Format]"), "Lists the file formats, native first.");
  m.def("digest", &digest_of, "key"_a.none(), nb::kw_only(), "hash"_a = "xxh3-fold", "seed"_a = 0,
        "secret"_a = nb::none(),
        nb::sig("def digest(key: Key, *, hash: str = 'xxh3-fold', seed: int = 0, secret: bytes | None = None) -> int"),
        "Returns the 64 bits that a filter sees of a key.");
  m.attr("version") = seen::version;
}

}  // namespace
}  // namespace seen_python

NB_MODULE(_core, m) {
  m.doc() = "The compiled part of seenfilter; import that instead.";
  seen_python::define_filter(m);
  seen_python::define_files(m);
  seen_python::define_functions(m);
}
