#include "formats/encodings/bytes.hpp"

#include <cstring>

#include "formats/engines/bloom_rules.hpp"

namespace seen::inline v1::foreign {

void byte_reader::skip(std::uint64_t bytes) {
  if (bytes > remaining()) {
    ended_ = true;
    bytes = remaining();
  }
  at_ += bytes;
}

void byte_reader::read(std::span<std::byte> into) {
  if (into.size() > remaining()) {
    ended_ = true;
  } else if (auto got = from_->read(at_, into); !got) {
    failed_ = got.error();
  } else {
    at_ += into.size();
  }
}

std::vector<std::byte> byte_reader::bytes(std::uint64_t count) {
  std::vector<std::byte> taken;
  if (count > remaining()) {
    ended_ = true;
  } else if (count > taken.max_size()) {
    failed_ = error{errc::no_memory, from_->name + ": " + std::to_string(count) + " bytes have no room in memory"};
  } else {
    taken.resize(static_cast<std::size_t>(count));
    read(taken);
  }
  return taken;
}

result<void> byte_reader::check(const char* what) const {
  if (failed_) return *failed_;
  if (!ended_) return {};
  return {errc::corrupt, from_->name + ": ends within " + what + ": it has " + std::to_string(from_->size) + " bytes"};
}

result<void> byte_reader::check_end() const {
  if (remaining() == 0) return {};
  return corrupt(std::to_string(remaining()) + " bytes follow the filter");
}

std::string byte_reader::here(const std::string& what) const {
  return from_->name + ": offset " + std::to_string(at_) + ": " + what;
}

error byte_reader::corrupt(const std::string& what) const {
  return {errc::corrupt, here(what)};
}

error byte_reader::unsupported(const std::string& what) const {
  return {errc::unsupported, here(what)};
}

error byte_reader::about(const error& e) const {
  const bool file_lies = e.code == errc::invalid_argument || e.code == errc::too_large;
  return {file_lies ? errc::corrupt : e.code, from_->name + ": " + e.detail, e.system};
}

std::optional<std::uint64_t> take_varint(bytes_view& rest) noexcept {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64 && !rest.empty(); shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(rest.front());
    rest = rest.subspan(1);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  return {};
}

void swap_words(std::span<std::byte> bytes) noexcept {
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) std::reverse(bytes.data() + i, bytes.data() + i + 8);
}

result<storage> read_bits(byte_reader& in, std::uint64_t bytes, std::uint64_t array_bits, word_order order) {
  if (bytes > in.remaining()) {
    return in.corrupt(std::to_string(bytes) + " bytes of bits are announced; " + std::to_string(in.remaining()) +
                      " are there");
  }
  const std::size_t room = std::max(engines::bit_array_bytes(array_bits), clamp_to_size(round_up(bytes, 64)));
  auto bits = storage::allocate(room);
  if (!bits) return bits.error();
  const std::span<std::byte> read = bits->bytes().first(static_cast<std::size_t>(bytes));
  in.read(read);
  if (auto ok = in.check("the bits"); !ok) return ok.error();
  if (order == word_order::big) swap_words(read);
  return bits;
}

byte_writer& byte_writer::bytes(bytes_view bytes) {
  if (bytes.empty()) return *this;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + bytes.size());
  std::memcpy(buffer_.data() + before, bytes.data(), bytes.size());
  if (buffer_.size() >= most) flush();
  return *this;
}

byte_writer& byte_writer::bits(bytes_view array, std::uint64_t count, word_order order) {
  bytes_view rest = array.first(static_cast<std::size_t>(count));
  if (order == word_order::little) return bytes(rest);
  std::vector<std::byte> swapped;
  while (!rest.empty()) {
    const bytes_view some = rest.first(std::min(rest.size(), most));
    swapped.assign(some.begin(), some.end());
    swap_words(swapped);
    bytes(swapped);
    rest = rest.subspan(some.size());
  }
  return *this;
}

result<void> byte_writer::finish() {
  flush();
  return written_;
}

void byte_writer::flush() {
  if (written_ && !buffer_.empty()) written_ = (*out_)(buffer_);
  buffer_.clear();
}

}  // namespace seen::inline v1::foreign
