// The libraries say themselves which they are: those that run, not those that were compiled against.
#include "details.hpp"

#include <seen/base/instructions.hpp>

#include <fmt/core.h>
#include <zlib.h>
#include <zstd.h>
#ifdef SEEN_WITH_LZMA
#include <lzma.h>
#endif
#ifdef SEEN_WITH_BZIP2
#include <bzlib.h>
#endif

namespace seen::cli {
namespace {

#ifdef __clang__
constexpr const char* compiler = __VERSION__;
#else
constexpr const char* compiler = "g++ " __VERSION__;
#endif

}  // namespace

std::string details_of_build() {
  std::string packed = fmt::format("gzip (zlib {}), zstd ({})", ::zlibVersion(), ::ZSTD_versionString());
#ifdef SEEN_WITH_LZMA
  packed += fmt::format(", xz (liblzma {})", ::lzma_version_string());
#endif
#ifdef SEEN_WITH_BZIP2
  packed += fmt::format(", bzip2 ({})", ::BZ2_bzlibVersion());
#endif
  return fmt::format(
      "batches use: {} instructions\n"
      "lists may be: text, {}\n"
      "compiled by: {}\n",
      name_of(best_instructions()), packed, compiler);
}

}  // namespace seen::cli
