// The two tables: every kind and every format that this release knows. A new kind is one line in src/kinds/rows.hpp, a new format
// one in src/formats/all.hpp; nothing else names them all.
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
  static const std::array all_kinds{
#define SEEN_ROW_OF(name) rows::name(),
      SEEN_KINDS(SEEN_ROW_OF)
#undef SEEN_ROW_OF
  };
  return all_kinds;
}

std::span<const format_row* const> formats() {
  return all_formats;
}

}  // namespace seen::inline v1
