// Each library behind the same three functions. zlib and libbz2 begin anew for every member; libzstd and liblzma go on.
#include "decoder.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <zlib.h>
#include <zstd.h>
#if defined(SEEN_WITH_LZMA)
#include <lzma.h>
#endif
#if defined(SEEN_WITH_BZIP2)
#include <bzlib.h>
#endif

namespace seen::cli {
namespace {

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

 private:
  z_stream stream_{};
  bool ended_ = false;
};

#if defined(SEEN_WITH_LZMA)
class xz_decoder final : public decoder {
 public:
  static result<std::unique_ptr<decoder>> make() {
    auto made = std::make_unique<xz_decoder>();
    constexpr std::uint64_t no_limit = UINT64_MAX;  // as xz -d has none
    if (lzma_stream_decoder(&made->stream_, no_limit, LZMA_CONCATENATED) != LZMA_OK) {
      return {errc::no_memory, "xz: no memory"};
    }
    return std::unique_ptr<decoder>(std::move(made));
  }
  ~xz_decoder() override { lzma_end(&stream_); }

  result<std::size_t> decode(bytes_view& from, std::span<std::byte> into) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(from.data());
    stream_.avail_in = from.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(into.data());
    stream_.avail_out = into.size();
    // Only at the end of the file it is known that no other stream follows.
    const lzma_ret outcome = lzma_code(&stream_, from.empty() ? LZMA_FINISH : LZMA_RUN);
    from = from.last(stream_.avail_in);
    ended_ = outcome == LZMA_STREAM_END;
    switch (outcome) {
      case LZMA_OK:
      case LZMA_STREAM_END:
      case LZMA_BUF_ERROR:
        return into.size() - stream_.avail_out;
      case LZMA_MEM_ERROR:
        return {errc::no_memory, "no memory for its dictionary"};
      case LZMA_OPTIONS_ERROR:
        return {errc::unsupported, "made with options that are unknown here"};
      default:
        return {errc::corrupt, "damaged"};
    }
  }
  [[nodiscard]] bool may_end() const noexcept override { return ended_; }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ended_ = false;
};
#endif

#if defined(SEEN_WITH_BZIP2)
class bzip2_decoder final : public decoder {
 public:
  static result<std::unique_ptr<decoder>> make() {
    auto made = std::make_unique<bzip2_decoder>();
    if (!made->begin()) return {errc::no_memory, "bzip2: no memory"};
    return std::unique_ptr<decoder>(std::move(made));
  }
  ~bzip2_decoder() override { BZ2_bzDecompressEnd(&stream_); }

  result<std::size_t> decode(bytes_view& from, std::span<std::byte> into) override {
    if (ended_) {
      BZ2_bzDecompressEnd(&stream_);
      if (!begin()) return {errc::no_memory, "no memory"};
    }
    // libbz2 counts in 32 bits; buffers here are far smaller.
    stream_.next_in = const_cast<char*>(reinterpret_cast<const char*>(from.data()));
    stream_.avail_in = static_cast<unsigned>(from.size());
    stream_.next_out = reinterpret_cast<char*>(into.data());
    stream_.avail_out = static_cast<unsigned>(std::min<std::size_t>(into.size(), std::size_t{1} << 30));
    const unsigned room = stream_.avail_out;
    const int outcome = BZ2_bzDecompress(&stream_);
    from = from.last(stream_.avail_in);
    ended_ = outcome == BZ_STREAM_END;
    switch (outcome) {
      case BZ_OK:
      case BZ_STREAM_END:
        return static_cast<std::size_t>(room - stream_.avail_out);
      case BZ_MEM_ERROR:
        return {errc::no_memory, "no memory"};
      case BZ_DATA_ERROR_MAGIC:
        return {errc::corrupt, "what follows is no bzip2 data"};
      default:
        return {errc::corrupt, "damaged"};
    }
  }
  [[nodiscard]] bool may_end() const noexcept override { return ended_; }

 private:
  bool begin() {
    stream_ = {};
    ended_ = false;
    return BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK;
  }

  bz_stream stream_{};
  bool ended_ = false;
};
#endif

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

 private:
  struct release {
    void operator()(ZSTD_DStream* stream) const noexcept { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, release> stream_{ZSTD_createDStream()};
  bool ended_ = false;
};

}  // namespace

const char* name_of(packing how) noexcept {
  switch (how) {
    case packing::gzip:
      return "gzip";
    case packing::zstd:
      return "zstd";
    case packing::xz:
      return "xz";
    case packing::bzip2:
      return "bzip2";
    case packing::none:
      break;
  }
  return "";
}

bool can_unpack(packing how) noexcept {
  switch (how) {
    case packing::gzip:
    case packing::zstd:
      return true;
#if defined(SEEN_WITH_LZMA)
    case packing::xz:
      return true;
#endif
#if defined(SEEN_WITH_BZIP2)
    case packing::bzip2:
      return true;
#endif
    default:
      return false;
  }
}

result<std::unique_ptr<decoder>> make_decoder(packing how) {
  switch (how) {
    case packing::gzip:
      return gzip_decoder::make();
    case packing::zstd:
      return zstd_decoder::make();
#if defined(SEEN_WITH_LZMA)
    case packing::xz:
      return xz_decoder::make();
#endif
#if defined(SEEN_WITH_BZIP2)
    case packing::bzip2:
      return bzip2_decoder::make();
#endif
    default:
      return {errc::unsupported, "cannot be unpacked here"};
  }
}

}  // namespace seen::cli
