// The part of `build` that is for static kinds and formats: all keys first, as digests, then the filter at once.
//
//   keys ──hash──► digests (8 bytes each; beyond --memory on disk) ──► sorted ──► shards, -j at a time ──► filter
//
// Formats of other libraries whose filters are built so have no shards: their keys are in memory, and one thread builds.
// Finished shards are kept in .<output>.seen-build until the filter is saved: the same command after a kill takes them up,
// and the file it writes is the same, byte for byte.
#pragma once

#include <seen/any_builder.hpp>
#include <seen/any_filter.hpp>

#include <cstdint>
#include <string>

#include "feed_in_order.hpp"
#include "keys.hpp"
#include "recipe.hpp"

namespace seen::cli {

/// --memory, --spill-dir.
struct static_options {
  std::string memory, spill_directory;

  void define(option_list& app);
  /// Refused where one was given and the kind is not static, or a format has no use for it.
  [[nodiscard]] result<build_options> read(const recipe& recipe) const;
};

/// A filter with all keys of a reader, and how many they were.
struct built {
  any_filter filter;
  std::uint64_t keys;
};

/// The file that keeps finished shards of a build to `output`; none for standard output, a pipe or a device.
[[nodiscard]] std::string checkpoint_of(const std::string& output);

/// Builds a static filter. After an error nothing is left of it, and what an earlier run left is still there. With
/// `overwrite`, another file that has the checkpoint's name makes way.
[[nodiscard]] result<built> build_static(const make_options& make, build_options how, key_reader& reader,
                                         const feeding& reading, bool overwrite);

/// Whether a filter has several shards, and so had a checkpoint while it was built.
[[nodiscard]] bool is_sharded(const any_filter& filter);

/// Removes what kept the finished shards, once the filter is saved.
void drop_checkpoint(const std::string& checkpoint);

}  // namespace seen::cli
