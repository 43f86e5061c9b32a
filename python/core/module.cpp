// seenfilter._core: the names, signatures and documentation that Python sees. What they do is in the files beside this one; the
// stub of the module is generated from these signatures.
#include <seen/base/text.hpp>
#include <seen/base/version.hpp>

#include <cmath>
#include <nanobind/nanobind.h>

#include "batch.hpp"
#include "build.hpp"
#include "describe.hpp"
#include "digests.hpp"
#include "errors.hpp"
#include "filter.hpp"
#include "routing.hpp"
#include "signatures.hpp"
#include "single_keys.hpp"

namespace seen_python {
namespace {

std::string readable(const filter_object& f) {
  const seen::filter_info info = f.glance();
  std::string text = "<seen.Filter " + info.kind;
  if (info.format != seen::native::format_name) text += " (" + info.format + ")";
  if (info.target.capacity != 0) {
    text += ", capacity " + std::to_string(info.target.capacity) + ", fpr " + seen::readable(info.target.fpr);
  }
  return text + ", " + std::to_string(info.bytes) + " bytes" + (f.is_mapped() ? ", mapped>" : ">");
}

#define SEEN_MAKE_SIGNATURE                                                                                 \
  "kind: KindName | None = None, shape: Mapping[str, int | float] | None = None, hash: str | None = None, " \
  "seed: int = 0, secret: bytes | None = None, format: str | None = None, variant: str | None = None"

using filter_class = nb::class_<filter_object>;

void define_making(filter_class& filter) {
  filter.def(
      "__init__",
      [](filter_object* self, const nb::args& unnamed, const nb::kwargs& named) {
        const arguments given("Filter", unnamed, named,
                              {"capacity", "fpr", "kind", "shape", "hash", "seed", "secret", "format", "variant",
                               "key_type", "foldable", "key"},
                              2);
        filter_object made = filter_object::make(make_arguments_of(given));
        made.set_key(given["key"]);
        new (self) filter_object(std::move(made));
      },
      nb::sig(
          "def __init__(self, capacity: int | float | None = None, fpr: float | None = None, *, " SEEN_MAKE_SIGNATURE
          ", key_type: str | None = None, foldable: bool = False, key: Callable[[Any], Key] | None = None) -> None"),
      "Makes an empty filter for `capacity` keys at `fpr`, or of a `shape`; the class says the rest.");
}

void define_keys(filter_class& filter) {
  using namespace nb::literals;
  filter.def(
      "remove", &filter_object::remove, "key"_a.none(), nb::sig("def remove(self, key: Key) -> bool"),
      "Takes back one addition of a key. False: the key was not there, and nothing changed. Remove only what was "
      "added: another key that looks the same would be lost.");
  filter.def("count", &filter_object::count, "key"_a.none(), nb::sig("def count(self, key: Key) -> int"),
             "Returns how often a key was added, at most.");
  const auto set_key = [](filter_object& f, const std::optional<nb::object>& function) {
    f.set_key(function.value_or(nb::none()));
  };
  filter.def_prop_rw(
      "key", &filter_object::key, set_key, nb::for_getter(nb::sig("def key(self) -> Callable[[Any], Key] | None")),
      nb::for_setter(nb::sig("def key(self, value: Callable[[Any], Key] | None, /) -> None")),
      "A function that makes a key of whatever object is added or asked for, as sorted() has one; None: objects "
      "are keys themselves. It is not in the filter's file.");
  define_single_keys(filter);
}

unsigned threads_of(const arguments& given) {
  return static_cast<unsigned>(std::min<std::uint64_t>(given.count("threads").value_or(1), 1024));
}

void define_batches(filter_class& filter) {
  using namespace nb::literals;
  filter.def(
      "add_many",
      [](filter_object& f, const nb::args& unnamed, const nb::kwargs& named) {
        const arguments given("add_many", unnamed, named, {"keys", "threads"}, 1, 1);
        f.add_many(given["keys"], threads_of(given));
      },
      nb::sig("def add_many(self, keys: Keys, *, threads: int = 1) -> None"),
      R"(Adds every key of a list, a numpy array, an Arrow array or any other iterable, without the GIL.

An array has 1 dimension and holds integers, text or bytes of a fixed length. `threads` (0: one per processor) share the keys
of an array. If a key is refused (a null, a float, a full filter), those before it are in.)");
  filter.def(
      "update",
      [](filter_object& f, const nb::args& many, const nb::kwargs& named) {
        const unsigned threads = threads_of({"update", nb::args(), named, {"threads"}, 0});
        for (const nb::handle keys : many) f.update(keys, threads);
      },
      nb::sig("def update(self, *keys: Keys | Filter, threads: int = 1) -> None"),
      "add_many of each argument, under the name that sets have for it; a filter among them is merged.");
  filter.def("may_contain_many", &filter_object::may_contain_many, "keys"_a.none(), "out"_a = nb::none(),
             nb::sig("def may_contain_many(self, keys: Keys, out: Answers | None = None) -> "
                     "Answers"),
             R"(Answers many keys with a numpy array of bool, without the GIL.

`keys` are as in add_many; None or a null is answered False. `out` is an array of that length to write to; it is returned.)");
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

// A copy of a filter, changed by change(copy).
template <class Change>
new_filter changed_copy(const filter_object& f, Change change) {
  auto made = f.copy();
  change(*made);
  return made;
}

// Leaves in `f` what it has in common with every other: filters, or keys, of which a filter like it is made.
void intersect_all(filter_object& f, const nb::args& others) {
  for (const nb::handle other : others) {
    if (nb::isinstance<filter_object>(other)) {
      f.intersect(nb::cast<const filter_object&>(other));
      continue;
    }
    f.intersect(*changed_copy(f, [&](filter_object& same) {
      same.clear();
      same.add_many(other, 1);
    }));
  }
}

void define_sets(filter_class& filter) {
  using namespace nb::literals;
  filter.def(
      "union",
      [](const filter_object& f, const nb::args& others) {
        return changed_copy(f, [&](filter_object& all) {
          for (const nb::handle other : others) all.update(other, 1);
        });
      },
      nb::sig("def union(self, *others: Keys | Filter) -> Filter"),
      "Returns a new filter with the keys of all: a copy of this one, updated.");
  filter.def(
      "intersection",
      [](const filter_object& f, const nb::args& others) {
        return changed_copy(f, [&](filter_object& common) { intersect_all(common, others); });
      },
      nb::sig("def intersection(self, *others: Keys | Filter) -> Filter"),
      "Returns a new filter with the bits that all have: a copy of this one, intersected with each.");
  filter.def("intersection_update", &intersect_all,
             nb::sig("def intersection_update(self, *others: Keys | Filter) -> None"),
             "Keeps the bits that all others have, too: intersect, under the name that sets have for it.");
  filter.def("issubset", &filter_object::is_subset_of, "other"_a, nb::sig("def issubset(self, other: Filter) -> bool"),
             "Whether every bit of this filter is set in the other: then the other says maybe wherever this one does. "
             "For kinds "
             "that can be intersected.");
  filter.def(
      "issuperset", [](const filter_object& f, const filter_object& other) { return other.is_subset_of(f); }, "other"_a,
      nb::sig("def issuperset(self, other: Filter) -> bool"), "Whether the other is a subset of this filter.");
}

void define_operators(filter_class& filter) {
  filter.def(
      "__or__",
      [](const filter_object& a, const filter_object& b) {
        return changed_copy(a, [&](filter_object& sum) { sum.merge(b); });
      },
      nb::is_operator(), nb::sig("def __or__(self, other: Filter, /) -> Filter"),
      "Returns a new filter with the keys of both: a copy of this one, merged with the other.");
  filter.def(
      "__and__",
      [](const filter_object& a, const filter_object& b) {
        return changed_copy(a, [&](filter_object& common) { common.intersect(b); });
      },
      nb::is_operator(), nb::sig("def __and__(self, other: Filter, /) -> Filter"),
      "Returns a new filter with the bits that both have: a copy of this one, intersected with the other.");
  filter.def(
      "__ior__",
      [](nb::handle self, const filter_object& other) {
        nb::cast<filter_object&>(self).merge(other);
        return nb::borrow(self);
      },
      nb::is_operator(), nb::sig("def __ior__(self, other: Filter, /) -> Filter"), "merge, as `filter |= other`.");
  filter.def(
      "__iand__",
      [](nb::handle self, const filter_object& other) {
        nb::cast<filter_object&>(self).intersect(other);
        return nb::borrow(self);
      },
      nb::is_operator(), nb::sig("def __iand__(self, other: Filter, /) -> Filter"), "intersect, as `filter &= other`.");
  filter.def("__eq__", &filter_object::equals, nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"),
             "Whether both would be saved as the same bytes.");
  filter.def("__le__", &filter_object::is_subset_of, nb::is_operator(),
             nb::sig("def __le__(self, other: Filter, /) -> bool"), "issubset.");
  filter.def(
      "__lt__", [](const filter_object& a, const filter_object& b) { return a.is_subset_of(b) && !b.is_subset_of(a); },
      nb::is_operator(), nb::sig("def __lt__(self, other: Filter, /) -> bool"), "A subset that is not the same.");
  filter.def(
      "__ge__", [](const filter_object& a, const filter_object& b) { return b.is_subset_of(a); }, nb::is_operator(),
      nb::sig("def __ge__(self, other: Filter, /) -> bool"), "issuperset.");
  filter.def(
      "__gt__", [](const filter_object& a, const filter_object& b) { return b.is_subset_of(a) && !a.is_subset_of(b); },
      nb::is_operator(), nb::sig("def __gt__(self, other: Filter, /) -> bool"), "A superset that is not the same.");
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
  filter.def_prop_ro(
      "capacity",
      [](const filter_object& f) {
        const std::uint64_t keys = f.glance().target.capacity;
        return keys == 0 ? nb::none() : nb::cast(keys);
      },
      nb::sig("def capacity(self) -> int | None"),
      "How many keys it was made for; None where that is unknown. Looks at no bits, as fpr and nbytes.");
  filter.def_prop_ro(
      "fpr",
      [](const filter_object& f) {
        const seen::target target = f.glance().target;
        return target.capacity == 0 ? nb::none() : nb::cast(target.fpr);
      },
      nb::sig("def fpr(self) -> float | None"), "The rate it was made for; None where that is unknown.");
  filter.def_prop_ro(
      "nbytes", [](const filter_object& f) { return f.glance().bytes; }, nb::sig("def nbytes(self) -> int"),
      "The memory of its bits.");
  filter.def(
      "__sizeof__",
      [](const filter_object& f) { return sizeof(filter_object) + (f.is_mapped() ? 0 : f.glance().bytes); },
      nb::sig("def __sizeof__(self) -> int"), "What sys.getsizeof says: the bits too, unless they are mapped.");
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
      [](const filter_object& f, const nb::args& unnamed, const nb::kwargs& named) {
        const arguments given("save", unnamed, named, {"path", "overwrite", "store_secret", "alignment", "metadata"}, 1,
                              1);
        f.save(given["path"], save_options_of(given));
      },
      nb::sig("def save(self, path: Path | BinaryWriter, *, overwrite: bool = True, store_secret: bool | None = None, "
              "alignment: int | None = None, metadata: bytes | None = None) -> None"),
      R"(Replaces the file atomically, in the filter's own format. The file is on the device when this returns.

Instead of a path you may give a binary file, or another object with a `write`: the bytes are written to it. `alignment` (64
or 4096) and `metadata` are those of the file the filter came from, unless given. The filter's secret stays out of the file
unless `store_secret` is true, or unless the replaced file held it. Whoever reads a stored secret can forge keys.)");
  filter.def(
      "to_bytes",
      [](const filter_object& f, const nb::args& unnamed, const nb::kwargs& named) {
        return f.to_bytes(save_options_of({"to_bytes", unnamed, named, {"store_secret", "alignment", "metadata"}, 0}));
      },
      nb::sig("def to_bytes(self, *, store_secret: bool | None = None, alignment: int | None = None, "
              "metadata: bytes | None = None) -> bytes"),
      "Returns the bytes of the file that save would write anew.");
  filter.def(
      "__bytes__", [](const filter_object& f) { return f.to_bytes({}); }, nb::sig("def __bytes__(self) -> bytes"),
      "to_bytes, with nothing chosen.");
  filter.def(
      "verify", &filter_object::verify,
      "Checks every page of a mapped filter, or raises seen.CorruptFile. A loaded filter has been checked already.");
  filter.def(
      "__reduce_ex__",
      [](nb::handle self, int protocol) { return nb::cast<const filter_object&>(self).reduce(self, protocol); },
      "protocol"_a, nb::sig("def __reduce_ex__(self, protocol: SupportsIndex, /) -> tuple[Any, ...]"),
      "Gives pickle the bytes of the filter's file, out of band from protocol 5 up. A filter with a secret is refused: "
      "the "
      "secret would go along unseen.");
}

// What Python finds in slots of the type, not by name.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return nb::inst_ready(self) ? nb::inst_ptr<filter_object>(self)->traverse(visit, arg) : 0;
}
int forget(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<filter_object>(self)->forget_key();
  return 0;
}

void define_filter(nb::module_& m) {
  static const PyType_Slot slots[] = {{Py_sq_contains, reinterpret_cast<void*>(&contains)},
                                      {Py_tp_traverse, reinterpret_cast<void*>(&traverse)},
                                      {Py_tp_clear, reinterpret_cast<void*>(&forget)},
                                      {0, nullptr}};
  filter_class filter(m, "Filter", nb::type_slots(slots), nb::is_weak_referenceable(),
                      R"(A filter answers "certainly not" or "maybe", in a few bits per key.

It is made empty. Its target is `capacity` keys at the rate `fpr`, which is 0.01 unless given. Instead of a target you may
give a whole `shape`, such as {"bits": 9586, "probes": 7}; beside a target, `shape` fixes single numbers. `kind` is a name of
seen.kinds(); static kinds are made by seen.build. A `secret` of 16 bytes belongs to the hashes siphash-1-3 and siphash-2-4.
`format`, with its `variant` and `key_type`, makes a filter that is saved as another library's file. `foldable` rounds the
size up, so that shrink finds many smaller ones. `key` is a function that makes a key of each object that is added or asked
for.

A key is str (its UTF-8 bytes), bytes, bytearray, memoryview, or int in [-2**63, 2**64). None is no key: it may be asked for,
which is answered False. Threads may share a filter.)");
  define_making(filter);
  define_keys(filter);
  define_batches(filter);
  define_whole(filter);
  define_sets(filter);
  define_operators(filter);
  define_properties(filter);
  define_numbers(filter);
  define_saving(filter);
}

#define SEEN_OPEN_SIGNATURE                                                                                   \
  ", *, secret: bytes | None = None, format: str | None = None, hash: str | None = None, "                    \
  "key_type: str | None = None, part: str | None = None, variant: str | None = None, recover: bool = False, " \
  "max_bytes: int | None = None) -> "

// A function of a path or of bytes, and of how to open them.
template <class Open>
auto opening(const char* call, const char* what, Open open) {
  return [=](const nb::args& unnamed, const nb::kwargs& named) {
    const arguments given(call, unnamed, named,
                          {what, "secret", "format", "hash", "key_type", "part", "variant", "recover", "max_bytes"}, 1,
                          1);
    return open(given[what], open_options_of(given));
  };
}

nb::object inspected(nb::handle path, const seen::open_options& options) {
  const std::string name = path_of(path);
  return describe(value_of(
      [&] {
        const nb::gil_scoped_release others_run;
        return seen::any_filter::inspect(name, options);
      }(),
      path));
}

// What pickle calls: a filter of any subclass. `variant` and the like are empty where there is nothing to say.
nb::object restored(const nb::type_object& type, nb::handle bytes, const std::string& format, const std::string& hash,
                    const std::string& key_type, const std::string& variant, nb::handle key) {
  seen::open_options options;
  options.format = format;
  options.hash = hash;
  options.key_type = key_type;
  options.variant = variant;
  const new_filter opened = filter_object::from_bytes(bytes, options);
  opened->set_key(key);
  nb::object made = nb::inst_alloc(type);
  new (nb::inst_ptr<filter_object>(made)) filter_object(std::move(*opened));
  nb::inst_mark_ready(made);
  return made;
}

void define_files(nb::module_& m) {
  using namespace nb::literals;
  m.def(
      "load", opening("load", "path", &filter_object::load),
      nb::sig("def load(path: Path | BinaryReader" SEEN_OPEN_SIGNATURE "Filter"),
      R"(Opens a file of any known format, checking everything. A binary file, or another object with a `read`, is read.

`format` forces one. `hash`, `key_type` and `variant` say what a foreign file
does not say itself, `part` names one of several filters in it. `secret` opens a file that
was hashed with it. `recover` accepts a file whose writer never finished it. `max_bytes` bounds the size of the file.)");
  m.def("map", opening("map", "path", &filter_object::map), nb::sig("def map(path: Path" SEEN_OPEN_SIGNATURE "Filter"),
        "Opens a native file's own pages, read-only and shared between processes. It is ready at once at any size; "
        "verify() checks the pages.");
  m.def("from_bytes", opening("from_bytes", "data", &filter_object::from_bytes),
        nb::sig("def from_bytes(data: Buffer" SEEN_OPEN_SIGNATURE "Filter"), "The same as load, from bytes in memory.");
  m.def("view", opening("view", "data", &filter_object::view),
        nb::sig("def view(data: Buffer" SEEN_OPEN_SIGNATURE "Filter"),
        R"(Uses the bytes of a native file where they are, without a copy: shared memory, an mmap, an Arrow buffer.

The bytes begin at an address that 8 divides. They belong to the filter until it is gone, and must not change meanwhile; the
filter is read-only, as a mapped one.)");
  m.def("inspect", opening("inspect", "path", &inspected), nb::sig("def inspect(path: Path" SEEN_OPEN_SIGNATURE "Info"),
        "Returns what a file holds. This needs no secret.");
  m.def("restored", &restored, "type"_a, "data"_a, "format"_a, "hash"_a, "key_type"_a, "variant"_a, "key"_a.none(),
        nb::sig("def restored(type: type[Filter], data: Buffer, format: str, hash: str, key_type: str, variant: str, "
                "key: Callable[[Any], Key] | None) -> Filter"),
        "What pickle calls: the inverse of Filter.__reduce_ex__.");
}

void define_functions(nb::module_& m) {
  using namespace nb::literals;
  m.def(
      "build",
      [](const nb::args& unnamed, const nb::kwargs& named) {
        const arguments given("build", unnamed, named,
                              {"keys", "kind", "fpr", "shape", "hash", "seed", "secret", "format", "variant", "threads",
                               "memory", "spill_directory", "checkpoint", "progress"},
                              1, 1);
        make_arguments what = make_arguments_of(given);
        const bool is_native =
            what.format.value_or(std::string(seen::native::format_name)) == seen::native::format_name;
        if (is_native && !what.kind) what.kind = "ribbon";
        const nb::object spill_directory = given["spill_directory"], checkpoint = given["checkpoint"];
        return build(given["keys"], what,
                     {.fpr = what.fpr.value_or(usual_fpr),
                      .threads = threads_of(given),
                      .memory = given.count("memory").value_or(0)},
                     {spill_directory, checkpoint}, given["progress"]);
      },
      nb::sig("def build(keys: Keys, *, fpr: float | None = None, " SEEN_MAKE_SIGNATURE ", threads: int = 1, "
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
      [](const nb::args& unnamed, const nb::kwargs& named) {
        const arguments given("plan", unnamed, named, {"capacity", "fpr", "kind", "shape"}, 2, 2);
        return plan(make_arguments_of(given));
      },
      nb::sig("def plan(capacity: int | float, fpr: float, *, kind: KindName | None = None, "
              "shape: Mapping[str, int | float] | None = None) -> list[Plan]"),
      "Returns what a filter of each kind, or of the kind named, would be for this target, before any is made.");
  m.def("kinds", &kinds, nb::sig("def kinds() -> list[Kind]"), "Lists the kinds, the default first.");
  m.def("formats", &formats, nb::sig("def formats() -> list[Format]"), "Lists the file formats, native first.");
  m.def("with_signature", &with_signature, "function"_a, "doc"_a, "type"_a.none(),
        nb::sig("def with_signature(function: Any, doc: str, type: type | None) -> Any"),
        "Returns what does the same, with a signature.");
  m.attr("version") = seen::version;
}

}  // namespace
}  // namespace seen_python

NB_MODULE(_core, m) {
  m.doc() = "The compiled part of seenfilter; import that instead.";
  seen_python::define_filter(m);
  seen_python::define_files(m);
  seen_python::define_functions(m);
  seen_python::define_digests(m);
  seen_python::define_routing(m);
  seen_python::filter_lock::handle_forks();
}
