#include "table/arrival.hpp"

#include <seen/base/bits.hpp>

#include <algorithm>
#include <array>

#include "table/record.hpp"
#include "table/words.hpp"

namespace seen::redis {
namespace {

constexpr std::size_t wrapping_bytes = 16;

// What the library's format has before a chunk.
std::array<std::byte, wrapping_bytes> wrapping(std::uint64_t iterator, std::uint64_t length) {
  std::array<std::byte, wrapping_bytes> made;
  store_le(made.data(), iterator);
  store_le(made.data() + 8, length);
  return made;
}

result<void> append_wrapped(byte_buffer& to, std::uint64_t iterator, bytes_view bytes) {
  const std::size_t before = to.size();
  auto done = to.append(wrapping(iterator, bytes.size()));
  if (done) done = to.append(bytes);
  if (!done) to.cut(before);
  return done;
}

std::optional<std::uint64_t> foreign_body(family of, std::string_view head) {
  if (of == family::cuckoo) {
    const auto numbers = cuckoo_numbers::read(head);
    return numbers ? numbers->body_bytes() : std::nullopt;
  }
  const auto numbers = of == family::bloom ? bloom_numbers::read(head) : std::nullopt;
  return numbers ? numbers->body_bytes() : std::nullopt;
}

}  // namespace

bool arrival::is_ours() const noexcept {
  return is_record(head_);
}

result<std::unique_ptr<arrival>> arrival::begin(family of, std::string_view head, std::optional<secret> key) {
  auto made = std::make_unique<arrival>();
  made->of_ = of;
  made->head_ = head;
  made->key_ = key;
  std::optional<std::uint64_t> body;
  if (is_record(head)) {
    const auto said = record::read(head);
    if (said && said->of == of && said->is == record::state::whole) body = said->body_bytes;
  } else {
    body = foreign_body(of, head);
  }
  if (!body || *body == 0) return error{errc::corrupt, "not the first chunk of such a filter"};
  made->expected_ = *body;
  if (!made->is_ours()) {
    if (auto done = append_wrapped(made->file_, 1, as_item(head)); !done) return done.error();
  }
  return made;
}

result<void> arrival::take(std::uint64_t end, bytes_view bytes) {
  if (bytes.empty() || end < bytes.size() || end - bytes.size() != got_) {
    return {errc::invalid_argument, "the chunk does not follow the one before"};
  }
  if (end > expected_) return {errc::too_large, "the chunk goes beyond the end"};
  if (auto done = is_ours() ? file_.append(bytes) : append_wrapped(file_, end + 1, bytes); !done) return done;
  got_ = end;
  return {};
}

void arrival::take_back(std::size_t bytes) noexcept {
  got_ -= bytes;
  file_.cut(file_.size() - bytes - (is_ours() ? 0 : wrapping_bytes));
}

result<value> arrival::finish() const {
  if (const auto said = record::read(head_)) return said->with_body(file_.bytes(), key_);
  auto filter = any_filter::from_bytes(file_.bytes(), {.format = std::string(redisbloom_format)});
  if (!filter) return filter.error();
  return redisbloom_value(of_, std::move(*filter));
}

void arrival::for_each_chunk(const std::function<void(std::uint64_t end, bytes_view bytes)>& use) const {
  bytes_view left = file_.bytes();
  if (is_ours()) {
    constexpr std::size_t most = std::size_t{1} << 24;
    for (std::uint64_t end = 0; !left.empty();) {
      const bytes_view some = left.first(std::min(left.size(), most));
      use(end += some.size(), some);
      left = left.subspan(some.size());
    }
    return;
  }
  left = left.subspan(wrapping_bytes + head_.size());
  while (!left.empty()) {
    const auto iterator = load_le<std::uint64_t>(left.data());
    const auto length = static_cast<std::size_t>(load_le<std::uint64_t>(left.data() + 8));
    use(iterator - 1, left.subspan(wrapping_bytes, length));
    left = left.subspan(wrapping_bytes + length);
  }
}

result<std::unique_ptr<arrival>> arrival::copy() const {
  auto made = std::make_unique<arrival>();
  made->of_ = of_;
  made->head_ = head_;
  made->key_ = key_;
  if (auto done = made->file_.append(file_.bytes()); !done) return done.error();
  made->got_ = got_;
  made->expected_ = expected_;
  return made;
}

}  // namespace seen::redis
