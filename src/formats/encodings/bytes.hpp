// Bytes of foreign files, in and out. Everything that comes in is hostile.
//
// byte_reader walks through a source. It never reads beyond the end: what is missing reads as 0 and is remembered, so
// that a decoder takes all the fields of a header and asks once, before it believes any of them:
//
//   byte_reader in(from);
//   const auto bits = in.le<std::uint64_t>(), probes = in.le<std::uint64_t>();
//   if (auto ok = in.check("the header"); !ok) return ok.error();
//
// byte_writer collects bytes and hands them to a sink.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/engines/word_engine.hpp>
#include <seen/native/native.hpp>
#include <seen/storage/storage.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace seen::inline v1::foreign {

class byte_reader {
 public:
  explicit byte_reader(const source& from, std::uint64_t offset = 0) : from_(&from), at_(offset) {}

  [[nodiscard]] std::uint64_t offset() const noexcept { return at_; }
  [[nodiscard]] std::uint64_t remaining() const noexcept { return at_ < from_->size ? from_->size - at_ : 0; }

  /// The next integer or double, little-endian or big-endian; 0 beyond the end.
  template <class T>
  [[nodiscard]] T le() {
    return take<T>([](const std::byte* p) { return load_le<word_of<T>>(p); });
  }
  template <class T>
  [[nodiscard]] T be() {
    return take<T>([](const std::byte* p) {
      word_of<T> x = 0;
      for (std::size_t i = 0; i < sizeof(T); ++i)
        x = static_cast<word_of<T>>(x << (8 % (8 * sizeof(T)))) | as_word<T>(p[i]);
      return x;
    });
  }
  [[nodiscard]] std::uint8_t u8() { return le<std::uint8_t>(); }

  void skip(std::uint64_t bytes);
  /// Fills a span; nothing is read where not all of it is there.
  void read(std::span<std::byte> into);
  /// The next bytes; none of them where not all are there, so that a lying length allocates nothing.
  [[nodiscard]] std::vector<std::byte> bytes(std::uint64_t count);

  /// An error if the file ended within what was read, or could not be read.
  [[nodiscard]] result<void> check(const char* what) const;
  /// An error if anything follows.
  [[nodiscard]] result<void> check_end() const;
  /// "users.bin: offset 16: …", of a file that contradicts itself, or that means what we cannot do.
  [[nodiscard]] error corrupt(const std::string& what) const;
  [[nodiscard]] error unsupported(const std::string& what) const;
  /// An error of a part, with the file's name; what a file says wrongly is corrupt, whatever it would be of a caller.
  [[nodiscard]] error about(const error& e) const;

 private:
  [[nodiscard]] std::string here(const std::string& what) const;

  template <class T>
  using word_of =
      std::conditional_t<sizeof(T) == 8, std::uint64_t,
                         std::conditional_t<sizeof(T) == 4, std::uint32_t,
                                            std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;
  template <class T>
  static word_of<T> as_word(std::byte b) {
    return static_cast<word_of<T>>(b);
  }
  template <class T, class Load>
  T take(Load load) {
    std::array<std::byte, sizeof(T)> raw{};
    read(raw);
    if (ended_ || failed_) raw.fill(std::byte{0});
    return std::bit_cast<T>(load(raw.data()));
  }

  const source* from_;
  std::uint64_t at_;
  bool ended_ = false;
  std::optional<error> failed_;
};

/// The next number of `rest` in seven bits per byte, lowest first; nothing where it does not end. `rest` begins after it.
[[nodiscard]] std::optional<std::uint64_t> take_varint(bytes_view& rest) noexcept;

/// How 64-bit words of bits lie in a file.
enum class word_order : std::uint8_t { little, big };

/// Reverses the bytes of every word of eight.
void swap_words(std::span<std::byte> bytes) noexcept;

/// Reads `bytes` bytes of bits into storage for an array of `array_bits`, in the order of words that we keep. Big-endian
/// words are whole ones.
[[nodiscard]] result<storage> read_bits(byte_reader& in, std::uint64_t bytes, std::uint64_t array_bits,
                                        word_order order = word_order::little);

class byte_writer {
 public:
  explicit byte_writer(const sink& out) : out_(&out) {}

  template <class T>
  byte_writer& le(T value) {
    const auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
    return put(raw, std::endian::native == std::endian::big);
  }
  template <class T>
  byte_writer& be(T value) {
    const auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
    return put(raw, std::endian::native == std::endian::little);
  }
  byte_writer& u8(std::uint64_t value) { return le(static_cast<std::uint8_t>(value)); }
  byte_writer& bytes(bytes_view bytes);
  byte_writer& text(std::string_view text) { return bytes(std::as_bytes(std::span(text))); }
  /// The first bytes of an array of bits.
  byte_writer& bits(bytes_view array, std::uint64_t count, word_order order = word_order::little);

  /// Hands on what is left, and says whether all of it arrived.
  [[nodiscard]] result<void> finish();

 private:
  static constexpr std::size_t most = std::size_t{1} << 16;

  template <std::size_t N>
  byte_writer& put(std::array<std::byte, N> raw, bool reversed) {
    if (reversed) std::reverse(raw.begin(), raw.end());
    return bytes(raw);
  }
  void flush();

  const sink* out_;
  std::vector<std::byte> buffer_;
  result<void> written_;
};

}  // namespace seen::inline v1::foreign
