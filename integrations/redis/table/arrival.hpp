// arrival: a filter that comes in chunks, as LOADCHUNK brings them.
//
//   chunk 1    the head of a record of ours, or RedisBloom's header: how many bytes will follow
//   chunk i    i - 1 bytes have been sent, with this chunk; its first byte follows the last one of the chunk before
//   …          with the last byte the whole is read by the library, which checks everything, and the value is there
//
// Until then nobody is given answers: RedisBloom's servers answer from the part that has come, and say no to keys of the other. Memory is
// taken for bytes that have come, never for bytes that were announced. A chunk that is refused leaves everything as it was.
#pragma once

#include <seen/base/result.hpp>
#include <seen/hash/secret.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "table/byte_buffer.hpp"
#include "table/value.hpp"

namespace seen::redis {

class arrival {
 public:
  /// After the first chunk; errc::corrupt if that is no header of this family.
  static result<std::unique_ptr<arrival>> begin(family of, std::string_view head, std::optional<secret> key);

  /// The next chunk, of which the last makes `is_complete`: errc::invalid_argument if it does not follow the one before, errc::too_large if
  /// it goes beyond the end.
  result<void> take(std::uint64_t end, bytes_view bytes);
  [[nodiscard]] bool is_complete() const noexcept { return got_ == expected_; }
  /// The filter of one that is complete.
  [[nodiscard]] result<value> finish() const;
  /// Forgets the last chunk again, of so many bytes.
  void take_back(std::size_t bytes) noexcept;

  [[nodiscard]] std::string_view head() const noexcept { return head_; }
  [[nodiscard]] const std::optional<secret>& key() const noexcept { return key_; }
  /// What has come, in chunks: use(end, bytes), as take would take them again.
  void for_each_chunk(const std::function<void(std::uint64_t end, bytes_view bytes)>& use) const;
  /// How many bytes the body will have.
  [[nodiscard]] std::uint64_t announced() const noexcept { return expected_; }
  /// Memory that it takes.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return file_.memory() + head_.size(); }
  [[nodiscard]] result<std::unique_ptr<arrival>> copy() const;

 private:
  [[nodiscard]] bool is_ours() const noexcept;

  family of_ = family::bloom;
  std::string head_;
  std::optional<secret> key_;
  byte_buffer
      file_;  // as the library reads it: of RedisBloom's chunks with iterator and length before each, the header's too
  std::uint64_t got_ = 0, expected_ = 0;
};

}  // namespace seen::redis
