// seen.build: a static filter from all its keys, told how far it is, stopped by an exception or Ctrl-C.
#include "build.hpp"

#include "batch.hpp"
#include "errors.hpp"

namespace seen_python {
namespace {

// None and True go on, False stops.
bool tell(nb::handle progress, const seen::build_progress& now) {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (progress.is_none()) return true;
  const char* const stage = now.now == seen::build_progress::stage::sorting ? "sorting" : "solving";
  const nb::object type = nb::module_::import_("seenfilter._types").attr("BuildProgress");
  const nb::object answer = progress(type(stage, now.done, now.total, now.resumed));
  return !answer.is(nb::handle(Py_False));
}

void feed(seen::any_builder& builder, key_source& keys, nb::handle path) {
  std::vector<std::array<std::byte, 8>> integers(tile_keys);
  std::vector<seen::bytes_view> views(tile_keys);
  std::size_t done = 0;
  for (tile some = keys.next(tile_keys); some.size() != 0; some = keys.next(tile_keys)) {
    const std::size_t null = some.before_null().size();
    if (null != some.size()) refuse_null(done + null);
    for (std::size_t i = 0; i < some.integers.size(); ++i) {
      seen::store_le(integers[i].data(), some.integers[i]);
      views[i] = integers[i];
    }
    value_of(
        [&] {
          const nb::gil_scoped_release others_run;
          return builder.add_many(some.bytes.empty() ? std::span<const seen::bytes_view>(views).first(some.size())
                                                     : some.bytes);
        }(),
        path);
    done += some.size();
  }
}

// Which file an error is about: known where there is one only.
nb::handle the_path(const build_paths& paths) {
  if (paths.spill_directory.is_none()) return paths.checkpoint;
  return paths.checkpoint.is_none() ? paths.spill_directory : nb::handle(Py_None);
}

}  // namespace

new_filter build(nb::handle keys, const make_arguments& arguments, seen::build_options how, const build_paths& paths,
                 nb::handle progress) {
  const auto source = keys_of(keys);
  if (!paths.spill_directory.is_none()) how.spill_directory = path_of(paths.spill_directory);
  if (!paths.checkpoint.is_none()) how.checkpoint = path_of(paths.checkpoint);
  const nb::handle path = the_path(paths);
  kept_exception raised;
  how.progress = [&](const seen::build_progress& now) {
    const nb::gil_scoped_acquire alone;
    return raised.try_call([&] { return tell(progress, now); });
  };
  auto builder = value_of(seen::any_builder::make(options_of(arguments), how), path);
  feed(builder, *source, path);
  auto made = [&] {
    const nb::gil_scoped_release others_run;
    return std::move(builder).finish();
  }();
  raised.rethrow();
  return std::make_unique<filter_object>(value_of(std::move(made), path), reopening{});
}

}  // namespace seen_python
