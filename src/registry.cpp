// The two lists: every kind and every format that this release knows. Nothing else names them all. A new kind is one line here and
// one in src/kinds/rows.hpp; a new format is one line in src/formats/all.hpp.
#include <seen/registry.hpp>

#include <array>

#include "formats/all.hpp"
#include "kinds/rows.hpp"

namespace seen::inline v1 {
namespace {

constexpr std::array all_formats{&native::format,  // first: it is known by its magic
#ifdef SEEN_WITH_FORMATS
#define SEEN_ROW_OF(name) &name::format,
                                 SEEN_FOREIGN_FORMATS(SEEN_ROW_OF)
#undef SEEN_ROW_OF
#endif
};

}  // namespace

std::span<const kind_row> kinds() {
  // The default first; mutable kinds before static ones.
  static const std::array all_kinds{
      rows::blocked_bloom(),
      rows::bloom(),
      rows::partitioned_bloom(),
      rows::split_block(),
      rows::counting_bloom(),
      rows::blocked_counting_bloom(),
      rows::cuckoo(),
      rows::quotient(),
      rows::scalable_bloom(),
      rows::scalable_classic_bloom(),
      rows::growing_cuckoo(),
      rows::windowed_bloom(),
      rows::binary_fuse(),
      rows::ribbon(),
      rows::xor_filter(),
  };
  return all_kinds;
}

std::span<const format_row* const> formats() {
  return all_formats;
}

}  // namespace seen::inline v1
