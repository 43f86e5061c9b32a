// request: a command on its way to a server, written as it goes over the wire while its words come.
//
//   request insert("BF.INSERT", key, "NOCREATE", "ITEMS");
//   insert.add("alice").add("bob");
#pragma once

#include <seen/base/bits.hpp>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace seen::redis::client {

class request {
 public:
  template <class... Words>
  explicit request(const Words&... words) {
    (add(words), ...);
  }

  request& add(std::string_view word) {
    ++words_;
    append_head('$', word.size());
    body_.append(word).append("\r\n");
    return *this;
  }
  request& add(const char* word) { return add(std::string_view(word)); }
  request& add(const std::string& word) { return add(std::string_view(word)); }
  request& add(bytes_view word) {
    return add(std::string_view(reinterpret_cast<const char*>(word.data()), word.size()));
  }
  request& add(std::integral auto number) { return add(std::to_string(number)); }

  [[nodiscard]] std::size_t words() const noexcept { return words_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return body_.size(); }

  /// What goes over the wire.
  void append_to(std::string& out) const {
    char head[24];
    head[0] = '*';
    char* const end = std::to_chars(head + 1, head + sizeof head - 2, words_).ptr;
    out.append(head, end).append("\r\n").append(body_);
  }

 private:
  void append_head(char sort, std::size_t number) {
    char head[24];
    head[0] = sort;
    char* end = std::to_chars(head + 1, head + sizeof head - 2, number).ptr;
    *end++ = '\r';
    *end++ = '\n';
    body_.append(head, end);
  }

  std::string body_;
  std::size_t words_ = 0;
};

}  // namespace seen::redis::client
