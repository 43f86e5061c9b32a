// request_reader: the words of a request, out of bytes as they come.
//
//   *2\r\n $9\r\nBF.EXISTS\r\n …      an array of bulk strings, as clients send it
//   BF.EXISTS users "al ice"\r\n      one line, as people type it; quotes and escapes as in redis-cli
//
// Bytes of a stranger: a number is read whole or refused, nothing is taken for what is only announced, and what was read of a request that is
// not whole yet is not read again when more of it has come. A request that breaks the rules ends the connection, since nobody can tell where
// the next one begins. What redis-server says of it is said here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "serve/limits.hpp"

namespace seen::redis {

class request_reader {
 public:
  enum class outcome : std::uint8_t { incomplete, whole, wrong };

  explicit request_reader(const limits& bounds) noexcept : bounds_(&bounds) {}

  /// Reads on. `bytes` begins where the request does, and has at least the bytes of the call before.
  [[nodiscard]] outcome read(std::string_view bytes);
  /// Of a whole request: its words, which lie in the bytes that were read last or in here. None of an empty line or array.
  [[nodiscard]] std::span<const std::string_view> words() const noexcept { return words_; }
  /// Of a whole request: its bytes.
  [[nodiscard]] std::size_t size() const noexcept { return at_; }
  /// Of a wrong one: what to reply, "ERR Protocol error: …".
  [[nodiscard]] const std::string& wrong() const noexcept { return wrong_; }
  /// Begins another request.
  void next() noexcept;
  /// Memory that it takes.
  [[nodiscard]] std::size_t memory() const noexcept;

 private:
  struct place {
    std::size_t begin, size;
  };

  outcome refuse(std::string_view why);
  outcome read_line(std::string_view bytes);
  outcome read_array(std::string_view bytes);
  [[nodiscard]] std::optional<std::string_view> line_at(std::string_view bytes) const noexcept;

  const limits* bounds_;
  std::size_t at_ = 0;                   // bytes that have been understood
  std::size_t left_ = 0;                 // words that are still to come
  bool counted_ = false;                 // their number has been read
  std::optional<std::size_t> expected_;  // length of the next word, if that has been read
  std::vector<place> places_;
  std::vector<std::string> typed_;  // words of a line, without quotes
  std::vector<std::string_view> words_;
  std::string wrong_;
};

}  // namespace seen::redis
