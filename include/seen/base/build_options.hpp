// Building a static filter: what the caller may say about how.
//
//   seen::binary_fuse::build(words, {.fpr = 1.0 / 256})                   all in memory, one thread
//   seen::ribbon::build(ids, {.fpr = 0.001, .threads = 8})                a shard per thread
//   {.memory = 2 GiB, .spill_directory = "/var/tmp"}                      digests beyond the budget wait on disk
//   {.checkpoint = "set.part"}                                            finished shards survive the process
//
// The same keys give the same bytes, in whatever order they come and whatever is said here but the rate: threads, memory and
// interruptions change how long it takes, not what is built. The shape (fingerprint bits, shards) is given apart:
//
//   seen::binary_fuse::build(words, {.fingerprint_bits = 16, .shards = 64}, {.threads = 8})
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace seen::inline v1 {

/// How far a build is.
struct build_progress {
  enum class stage : std::uint8_t {
    sorting,  ///< digests are put in order and equal ones dropped
    solving,  ///< shards are made
  };
  stage now = stage::sorting;
  std::uint64_t done = 0;     ///< keys of this stage that are done
  std::uint64_t total = 0;    ///< keys there are
  std::uint64_t resumed = 0;  ///< of those done, keys of shards that an earlier build had finished
};

/// How to build; every member may be left out.
struct build_options {
  double fpr = 0.01;                 ///< of a filter whose fingerprint bits are not given
  unsigned threads = 1;              ///< 0: as many as there are processors
  std::uint64_t memory = 0;          ///< bytes the build may take beside the filter; 0: all it needs
  std::string spill_directory = {};  ///< where digests beyond `memory` wait; empty: the system's temporary directory
  std::string checkpoint = {};  ///< a file that keeps finished shards; a later build of the same keys takes them up
  /// Called now and then, from one thread at a time; false cancels the build (errc::cancelled).
  std::function<bool(const build_progress&)> progress = {};
};

}  // namespace seen::inline v1
