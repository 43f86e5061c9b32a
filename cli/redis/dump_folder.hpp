// A filter in a folder, as `seen redis dump` writes it, and `load` and other clients read it.
//
//   users.dump/ cluster.json          {"format": …, "record": what the hash has, "parts": [{"name", "bytes", "xxh3", "head"}, …]}
//               part-00000.seen …     native files; `.chunks` where a part is one of RedisBloom's
//
// The head is what SCANDUMP replies first: what the filter itself does not know. A folder is written under a hidden name beside its own, which it
// takes when everything is on the device; what an interrupted dump left there goes with the next one. docs/redis.md has it in words.
#pragma once

#include <seen/base/result.hpp>
#include <seen/storage/file.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/layout.hpp"
#include "redis/redis.hpp"

namespace seen::cli::over_redis {

/// A part in a folder.
struct part_file {
  std::string name = {}, head = {};
  std::uint64_t bytes = 0, digest = 0;
  std::vector<std::uint64_t> ends = {};  ///< of its pieces, where they may be cut nowhere else
};

/// What cluster.json says.
struct listed_parts {
  client::spread_record record;
  std::vector<part_file> parts = {};
};

[[nodiscard]] result<void> write_list(const std::string& folder, const listed_parts& list);
/// errc::corrupt, errc::newer_version: it is no list, or one of parts that cannot be.
[[nodiscard]] result<listed_parts> read_list(const std::string& folder);

/// The bytes of a file.
[[nodiscard]] result<storage> map_whole(const std::string& path);
/// Those of a part, if they are what the list says.
[[nodiscard]] result<storage> open_part(const std::string& folder, const part_file& part);

[[nodiscard]] inline bytes_view bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

/// A folder in the making. One that is not committed disappears.
class new_folder {
 public:
  /// errc::exists if it is there, errc::busy while another process writes it.
  static result<new_folder> begin(const std::string& path);
  new_folder(new_folder&& other) noexcept;
  new_folder& operator=(new_folder&&) = delete;
  ~new_folder();

  /// Where its files are written.
  [[nodiscard]] const std::string& path() const noexcept { return hidden_; }
  /// Gives it its name.
  [[nodiscard]] result<void> commit();

 private:
  explicit new_folder(std::string target);

  std::string target_, hidden_;
  std::optional<file> lock_;
  bool pending_ = true;
};

}  // namespace seen::cli::over_redis
