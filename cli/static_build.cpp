// Options, progress and checkpoint of static builds.
#include "static_build.hpp"

#include <seen/storage/file.hpp>

#include <cerrno>
#include <fmt/core.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "input.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "words.hpp"

namespace seen::cli {

void static_options::define(option_list& app) {
  app.value({"--memory",
             "memory for building, beside the filter: 512MiB, 2G; digests beyond it wait on disk, and a format without "
             "shards refuses",
             "BYTES"},
            memory);
  app.value({"--spill-dir", "where digests beyond --memory wait (default: $TMPDIR, or /tmp)", "DIR"}, spill_directory);
}

result<build_options> static_options::read(const recipe& recipe) const {
  build_options how{.threads = 1};
  if (!recipe.is_static()) {
    const char* const given = !memory.empty() ? "--memory" : !spill_directory.empty() ? "--spill-dir" : nullptr;
    if (given == nullptr) return how;
    return {errc::invalid_argument,
            fmt::format("{}: is for static kinds; a {} filter is filled as its keys are read", given, recipe.name())};
  }
  if (recipe.foreign != nullptr && !spill_directory.empty()) {
    return {errc::invalid_argument,
            fmt::format("--spill-dir: a {} filter has no shards, which the disk could hold", recipe.name())};
  }
  if (!memory.empty()) {
    auto bytes = parse_option("--memory", memory, parse_count);
    if (!bytes) return bytes.error();
    if (*bytes == 0) return {errc::invalid_argument, "--memory: 0 bytes are not enough for anything"};
    how.memory = *bytes;
  }
  if (!spill_directory.empty() && memory.empty()) {
    return {errc::invalid_argument, "--spill-dir: nothing is spilled without --memory"};
  }
  how.spill_directory = spill_directory;
  return how;
}

std::string checkpoint_of(const std::string& output) {
  struct stat status {};
  const bool is_there = ::stat(output.c_str(), &status) == 0;
  if (output == dash || (is_there && !S_ISREG(status.st_mode))) return {};
  const auto written = end_of_links(output);
  return hidden_beside(written ? *written : output, ".seen-build");
}

namespace {

error in_use(const std::string& checkpoint) {
  return {errc::busy, "another process is building to the same file: " + checkpoint + " is in use"};
}

// Whether nobody is building to the same file: better told now than when all keys have been read.
result<void> check_free(const std::string& checkpoint) {
  struct stat status {};
  if (checkpoint.empty() || ::lstat(checkpoint.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  auto opened = file::open(checkpoint);
  if (!opened) return opened.error().prefixed("checkpoint: ");
  if (auto locked = opened->lock(); !locked) return in_use(checkpoint);
  return {};
}

// A file of the checkpoint's name that is something else, under another name until it is known whether the build needs
// its own. That is not before all keys are read: a filter of few keys has one shard, and no checkpoint.
class set_aside {
 public:
  set_aside() = default;
  set_aside(const set_aside&) = delete;
  set_aside& operator=(const set_aside&) = delete;
  ~set_aside() {
    // link, unlike rename, replaces nothing.
    if (!aside_.empty() && ::link(aside_.c_str(), name_.c_str()) == 0) drop();
  }

  result<void> take(const std::string& name) {
    const std::string aside = hidden_beside(name, ".aside");
    struct stat status {};
    if (::lstat(aside.c_str(), &status) == 0) {
      return error{errc::io, "checkpoint: " + name + ": cannot make way: " + aside + " is there already"};
    }
    if (::rename(name.c_str(), aside.c_str()) != 0) {
      return system_error(name, "cannot make way", errno).prefixed("checkpoint: ");
    }
    name_ = name;
    aside_ = aside;
    return {};
  }
  void drop() noexcept {
    if (!aside_.empty()) ::unlink(aside_.c_str());
    aside_.clear();
  }

 private:
  std::string name_, aside_;
};

// A builder, with the checkpoint's name free for it or held by a checkpoint.
result<any_builder> make_builder(const make_options& make, const build_options& how, bool overwrite,
                                 set_aside& foreign) {
  auto builder = any_builder::make(make, how);
  const bool is_taken = !builder && builder.error().code == errc::exists;
  struct stat status {};
  if (is_taken && ::lstat(how.checkpoint.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    return error{errc::io, builder.error().detail, builder.error().system};  // which -f does not remove
  }
  if (is_taken && overwrite) {
    if (auto free = check_free(how.checkpoint); !free) return free.error();
    if (auto taken = foreign.take(how.checkpoint); !taken) return taken.error();
    builder = any_builder::make(make, how);
  }
  if (!builder) return builder.error();
  if (auto free = check_free(how.checkpoint); !free) return free.error();
  return builder;
}

// The library knows no options: only a budget lets a build end for want of memory before it takes any.
error in_options(error e, const build_options& how) {
  if (e.code == errc::no_memory && how.memory != 0) e.detail += " (--memory; --shape shards=N)";
  return e;
}

}  // namespace

bool is_sharded(const any_filter& filter) {
  const filter_info info = filter.info();
  return std::any_of(info.shape.begin(), info.shape.end(),
                     [](const named_field& field) { return field.name == "shards" && field.value > 1; });
}

void drop_checkpoint(const std::string& checkpoint) {
  if (!checkpoint.empty()) ::unlink(checkpoint.c_str());
}

result<built> build_static(const make_options& make, build_options how, key_reader& reader, const feeding& reading,
                           bool overwrite) {
  std::optional<progress> bar;
  std::optional<build_progress::stage> stage;
  std::uint64_t resumed = 0;
  how.progress = [&](const build_progress& now) {
    if (stage != now.now) {
      bar.reset();  // erases the old one before the new one is drawn
      bar.emplace(now.now == build_progress::stage::sorting ? "sorting" : "building", now.total, reading.show_progress);
      stage = now.now;
    }
    bar->update(now.done, now.done);
    resumed = now.resumed;
    return true;
  };
  set_aside foreign;
  auto builder = make_builder(make, how, overwrite, foreign);
  if (!builder) return builder.error();
  auto keys =
      feed_digests(reader, reading, *builder, [&](std::span<const digest> some) { return builder->add_many(some); });
  if (!keys) return keys.error();
  auto filter = std::move(*builder).finish();
  bar.reset();
  if (!filter && filter.error().code == errc::busy) return in_use(how.checkpoint);
  if (!filter) {
    // An error while shards were solved leaves none of them. One before that (a budget that is too small) has nothing to do
    // with those of an earlier run.
    if (stage == build_progress::stage::solving) drop_checkpoint(how.checkpoint);
    return in_options(filter.error(), how);
  }
  if (is_sharded(*filter)) foreign.drop();
  if (resumed != 0 && reading.show_progress) {
    remark(false, fmt::format("{} were in finished shards of an earlier run", keys_in_words(resumed)));
  }
  return built{std::move(*filter), *keys};
}

}  // namespace seen::cli
