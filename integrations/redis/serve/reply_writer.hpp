// reply_writer: replies as bytes of the protocol, version 2 or 3.
//
//             integer  boolean   real         status  bytes          null    array    map
//   RESP2     :1       :1        $3 0.5       +OK     $5 alice       $-1     *2       *4 (keys and values)
//   RESP3     :1       #t        ,0.5         +OK     $5 alice       _       *2       %2
//
// Nothing is thrown: a reply for which there is no memory is lost, and the connection has to end (is_broken).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "serve/byte_queue.hpp"

namespace seen::redis {

class reply_writer {
 public:
  explicit reply_writer(byte_queue& to) noexcept : to_(&to) {}

  void integer(std::int64_t number) { head(':', number); }
  void boolean(bool yes);
  void real(double number);
  void status(std::string_view word) { line('+', word); }
  void bytes(std::string_view some);
  void null() { text(resp3_ ? "_\r\n" : "$-1\r\n"); }
  void error(std::string_view words) { line('-', words); }
  void array(std::size_t elements) { head('*', static_cast<std::int64_t>(elements)); }
  void map(std::size_t pairs) { head(resp3_ ? '%' : '*', static_cast<std::int64_t>(resp3_ ? pairs : 2 * pairs)); }

  [[nodiscard]] bool is_resp3() const noexcept { return resp3_; }
  void speak(bool resp3) noexcept { resp3_ = resp3; }

  /// A reply was lost.
  [[nodiscard]] bool is_broken() const noexcept { return broken_; }

  /// Bytes so far; and back to so many, as if what came after had not been said.
  [[nodiscard]] std::size_t size() const noexcept { return to_->size(); }
  void take_back(std::size_t size) noexcept { to_->cut(size); }

 private:
  void head(char kind, std::int64_t number);
  void line(char kind, std::string_view words);

  void text(std::string_view some) noexcept;
  [[nodiscard]] char* room(std::size_t bytes) noexcept;

  byte_queue* to_;
  bool broken_ = false;
  bool resp3_ = false;
};

}  // namespace seen::redis
