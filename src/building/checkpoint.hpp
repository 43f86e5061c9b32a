// checkpoint: the shards of a build that are finished, in a file, so that a build that was killed need not begin anew.
//
//   0     [ magic ][ identity of kind and shape ][ shards ][ body bytes ]                   64 bytes
//   64    a record per shard: [ checksum of its digests ][ of its bytes ][ 256 | seed ][ of these three ]
//         zeros to a multiple of 4096
//         body: the tables and seeds themselves, mapped and written in place
//   end   [ magic ]
//
// Nothing in it is believed without a checksum: a record counts only for the very digests it was made from and the very
// bytes that are there. So a checkpoint of other keys, of another kind or half written does no harm: its shards are
// made again.
//
// A caller may name any file, and one that is something else is not touched. What is a checkpoint is told by the magic
// at either end: the header is on the device before the file grows, so whatever moment a kill or a power cut chooses,
// there is nothing, a piece of the header, or a file that begins with it. Zeros and nothing else are room that was made
// for one.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/storage/file.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace seen::inline v1::building {

class checkpoint {
 public:
  /// Refuses (errc::exists) a file that is something else, as `open` would; without a look at identity or lock.
  static result<void> check(const std::string& path);
  /// Opens or makes the file. Shards of another identity in it are dropped.
  static result<checkpoint> open(const std::string& path, std::uint64_t identity, std::uint64_t shards,
                                 std::uint64_t body_bytes);

  [[nodiscard]] std::byte* body() noexcept { return whole_.data() + body_offset_; }
  /// The seed a finished shard was made with, if digests and bytes are those of its record.
  [[nodiscard]] std::optional<std::uint8_t> finished(std::uint64_t shard, std::uint64_t digests,
                                                     std::uint64_t bytes) const noexcept;
  /// Records a shard as finished.
  void finish(std::uint64_t shard, std::uint64_t digests, std::uint64_t bytes, std::uint8_t seed) noexcept;
  /// The body, which keeps the mapping.
  [[nodiscard]] storage into_body() &&;

 private:
  checkpoint(file opened, storage whole, std::size_t body_offset, std::size_t body_bytes) noexcept;

  file opened_;  // holds the lock
  storage whole_;
  std::size_t body_offset_ = 0;
  std::size_t body_bytes_ = 0;
};

}  // namespace seen::inline v1::building
