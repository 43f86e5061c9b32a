#include "input.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <zlib.h>
#include <zstd.h>

namespace seen::cli {
namespace {

constexpr std::size_t raw_block = std::size_t{128} << 10;

class gzip_decoder final : public decoder {
 public:
  static result<std::unique_ptr<decoder>> make() {
    auto made = std::make_unique<gzip_decoder>();
    constexpr int gzip_only = 15 + 16;  // zlib.h: the largest window, and 16 for the gzip wrapper
    if (inflateInit2(&made->stream_, gzip_only) != Z_OK) return {errc::no_memory, "gzip: no memory"};
    return std::unique_ptr<decoder>(std::move(made));
  }
  ~gzip_decoder() override { inflateEnd(&stream_); }

  result<std::size_t> decode(bytes_view& from, std::span<std::byte> into) override {
    if (ended_ && inflateReset(&stream_) != Z_OK) return {errc::corrupt, "cannot begin another member"};
    ended_ = false;
    // zlib counts in 32 bits; buffers here are far smaller.
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(from.data()));
    stream_.avail_in = static_cast<uInt>(from.size());
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(into.size(), std::size_t{1} << 30));
    const uInt room = stream_.avail_out;
    const int outcome = inflate(&stream_, Z_NO_FLUSH);
    from = from.last(stream_.avail_in);
    ended_ = outcome == Z_STREAM_END;
    if (outcome != Z_OK && outcome != Z_STREAM_END && outcome != Z_BUF_ERROR) {
      return {errc::corrupt, stream_.msg != nullptr ? stream_.msg : "damaged"};
    }
    return static_cast<std::size_t>(room - stream_.avail_out);
  }
  [[nodiscard]] bool may_end() const noexcept override { return ended_; }
  [[nodiscard]] const char* name() const noexcept override { return "gzip"; }

 private:
  z_stream stream_{};
  bool ended_ = false;
};

class zstd_decoder final : public decoder {
 public:
  static result<std::unique_ptr<decoder>> make() {
    auto made = std::make_unique<zstd_decoder>();
    if (made->stream_ == nullptr) return {errc::no_memory, "zstd: no memory"};
    return std::unique_ptr<decoder>(std::move(made));
  }

  result<std::size_t> decode(bytes_view& from, std::span<std::byte> into) override {
    ZSTD_inBuffer in{from.data(), from.size(), 0};
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    const std::size_t outcome = ZSTD_decompressStream(stream_.get(), &out, &in);
    if (ZSTD_isError(outcome) != 0) return {errc::corrupt, ZSTD_getErrorName(outcome)};
    from = from.subspan(in.pos);
    ended_ = outcome == 0;
    return out.pos;
  }
  [[nodiscard]] bool may_end() const noexcept override { return ended_; }
  [[nodiscard]] const char* name() const noexcept override { return "zstd"; }

 private:
  struct release {
    void operator()(ZSTD_DStream* stream) const noexcept { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, release> stream_{ZSTD_createDStream()};
  bool ended_ = false;
};

struct signature {
  std::array<std::uint8_t, 4> bytes;
  std::array<std::uint8_t, 4> mask;
  result<std::unique_ptr<decoder>> (*make)();
};

constexpr std::array signatures{
    signature{{0x1f, 0x8b, 0x08, 0}, {0xff, 0xff, 0xff, 0xe0}, gzip_decoder::make},     // RFC 1952, reserved flags zero
    signature{{0x28, 0xb5, 0x2f, 0xfd}, {0xff, 0xff, 0xff, 0xff}, zstd_decoder::make},  // RFC 8878, 3.1.1
    signature{{0x50, 0x2a, 0x4d, 0x18}, {0xf0, 0xff, 0xff, 0xff}, zstd_decoder::make},  // 3.1.2: a skippable frame
};

bool begins_like(bytes_view bytes, const signature& s) {
  const std::size_t known = std::min(bytes.size(), s.bytes.size());
  for (std::size_t i = 0; i < known; ++i) {
    if ((std::to_integer<std::uint8_t>(bytes[i]) & s.mask[i]) != s.bytes[i]) return false;
  }
  return true;
}

}  // namespace

std::string display_name(const std::string& path) {
  return path == stdin_name ? "standard input" : path;
}

error io_error(const std::string& path, const char* call) {
  return {errc::io, display_name(path) + ": " + call + ": " + std::generic_category().message(errno)};
}

descriptor::descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

descriptor& descriptor::operator=(descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

descriptor::~descriptor() {
  if (number_ > STDIN_FILENO) ::close(number_);
}

result<input> input::open(const std::string& path, bool decompress) {
  int number = STDIN_FILENO;
  if (path != stdin_name) {
    do {
      number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    } while (number < 0 && errno == EINTR);
    if (number < 0) return io_error(path, "open");
  }
  input opened(descriptor(number), path);
  if (decompress) {
    if (auto known = opened.recognise(); !known) return known.error();
  }
  return opened;
}

result<std::size_t> input::read_raw(std::span<std::byte> into) {
  for (;;) {
    const auto got = ::read(from_.number(), into.data(), into.size());
    if (got >= 0) {
      consumed_ += static_cast<std::uint64_t>(got);
      return static_cast<std::size_t>(got);
    }
    if (errno == EINTR) continue;
    return io_error(path_, "read");
  }
}

// Reads no further than the first byte that tells: someone may be typing.
result<void> input::recognise() {
  raw_.resize(raw_block);
  std::size_t have = 0;
  const auto possible = [&] {
    return std::any_of(signatures.begin(), signatures.end(),
                       [&](const signature& s) { return begins_like(bytes_view(raw_).first(have), s); });
  };
  while (have < signatures[0].bytes.size() && possible()) {
    auto got = read_raw(std::span(raw_).subspan(have));
    if (!got) return got.error();
    if (*got == 0) break;
    have += *got;
  }
  waiting_ = bytes_view(raw_).first(have);
  if (have < signatures[0].bytes.size()) return {};
  for (const signature& s : signatures) {
    if (!begins_like(waiting_, s)) continue;
    auto made = s.make();
    if (!made) return made.error();
    decoder_ = std::move(*made);
    break;
  }
  return {};
}

error input::damaged(const std::string& what) const {
  return {errc::corrupt, display_name(path_) + ": " + decoder_->name() + " data, before offset " +
                             std::to_string(consumed_ - waiting_.size()) + ": " + what};
}

result<std::size_t> input::read(std::span<std::byte> into) {
  if (decoder_ == nullptr) {
    if (waiting_.empty()) return read_raw(into);
    const std::size_t take = std::min(into.size(), waiting_.size());
    std::memcpy(into.data(), waiting_.data(), take);
    waiting_ = waiting_.subspan(take);
    return take;
  }
  for (;;) {
    if (waiting_.empty()) {
      auto got = read_raw(raw_);
      if (!got) return got;
      if (*got == 0) {
        // A last call without input gives what the decoder still holds.
        auto rest = decoder_->may_end() ? result<std::size_t>(0) : decoder_->decode(waiting_, into);
        if (!rest) return damaged(rest.error().detail);
        if (*rest == 0 && !decoder_->may_end()) return damaged("the file ends too early");
        return rest;
      }
      waiting_ = bytes_view(raw_).first(*got);
    }
    auto made = decoder_->decode(waiting_, into);
    if (!made) return damaged(made.error().detail);
    if (*made != 0) return made;
  }
}

}  // namespace seen::cli
