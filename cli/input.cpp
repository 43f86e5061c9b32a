// The first bytes of a file say whether it is decoded, refused or taken as it is. Each way is a row of `signatures`.
#include "input.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
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

// How a file begins that is not a plain list of keys: what decodes it, or what it is.
struct signature {
  std::string_view bytes;
  result<std::unique_ptr<decoder>> (*make)();
  const char* what = nullptr;
  std::array<std::uint8_t, 4> ignored = {};  // bits of the first bytes that may have any value
};

constexpr std::array signatures{
    signature{{"\x1f\x8b\x08\0", 4}, gzip_decoder::make, nullptr, {0, 0, 0, 0x1f}},  // RFC 1952, reserved flags zero
    signature{{"\x28\xb5\x2f\xfd", 4}, zstd_decoder::make},                          // RFC 8878, 3.1.1
    signature{{"\x50\x2a\x4d\x18", 4}, zstd_decoder::make, nullptr, {0x0f}},         // 3.1.2: a skippable frame
    signature{{"\xfd"
               "7zXZ\0",
               6},
              nullptr,
              "xz data: xz -dc decompresses it"},
    signature{{"BZh\x30"
               "1AY&SY",
               10},
              nullptr,
              "bzip2 data: bzip2 -dc decompresses it",
              {0, 0, 0, 0x0f}},
    signature{{"\x04\x22\x4d\x18", 4}, nullptr, "lz4 data: lz4 -dc decompresses it"},
    signature{{"PK\x03\x04", 4}, nullptr, "a zip archive: unzip -p unpacks it"},
    signature{{"PAR1\x15", 5}, nullptr, "a Parquet file"},
    signature{{"\x8dSEN1\r\n\x1a", 8}, nullptr, "a filter: seen merge puts filters together"},
};

bool begins_like(bytes_view bytes, const signature& s) {
  const std::size_t known = std::min(bytes.size(), s.bytes.size());
  for (std::size_t i = 0; i < known; ++i) {
    const unsigned ignored = i < s.ignored.size() ? s.ignored[i] : 0u;
    const auto expected = static_cast<unsigned char>(s.bytes[i]);
    if (((std::to_integer<unsigned>(bytes[i]) ^ expected) & ~ignored) != 0) return false;
  }
  return true;
}

}  // namespace

std::string display_name(const std::string& path) {
  return path == dash ? "standard input" : path;
}

error io_error(const std::string& path, const char* call) {
  const int reason = errno;  // before anything else can change it
  return system_error(display_name(path), call, reason);
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
  if (path != dash) {
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
  // Whether more bytes could make one of them of it.
  const auto undecided = [&] {
    return std::any_of(signatures.begin(), signatures.end(), [&](const signature& s) {
      return have < s.bytes.size() && begins_like(bytes_view(raw_).first(have), s);
    });
  };
  while (undecided()) {
    auto got = read_raw(std::span(raw_).subspan(have));
    if (!got) return got.error();
    if (*got == 0) break;
    have += *got;
  }
  waiting_ = bytes_view(raw_).first(have);
  for (const signature& s : signatures) {
    if (have < s.bytes.size() || !begins_like(waiting_, s)) continue;
    if (s.make == nullptr) {
      return {errc::invalid_argument,
              display_name(path_) + ": is not a list of keys but " + s.what + " (--plain takes its bytes as they are)"};
    }
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
