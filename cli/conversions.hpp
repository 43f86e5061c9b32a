// What can be done with a filter of each kind and format, found by doing it to small ones: no list is kept by hand.
//
//   make (or build) a filter of every kind, variant and hash ──► convert it to every format and variant ──► what came of it
//
// An attempt costs microseconds, since filters of a few keys are small; all of them together a fraction of a second.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/registry.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seen::cli {

/// A filter to be tried: one of a format's variants with one of its hashes, or a native one of a kind.
struct specimen {
  std::string format, kind, variant, hash;  ///< the kind is what its filters are; hash: empty if there is no choice

  friend bool operator==(const specimen&, const specimen&) = default;
};

/// What a specimen can be written as. The variant is empty where the format has one.
struct written_as {
  std::string format, variant;

  friend bool operator==(const written_as&, const written_as&) = default;
};

struct conversion_row {
  specimen from;
  std::vector<written_as> to;  ///< without what it is already
};

/// Every specimen that this release can make; or only those of one format.
[[nodiscard]] std::vector<specimen> specimens(std::string_view format = {});
/// A small filter like this with a key in it.
[[nodiscard]] result<any_filter> make_small(const specimen& like);
/// What each can be converted to: tried with all formats and variants, or with those of one format.
[[nodiscard]] std::vector<conversion_row> conversions_of(const std::vector<specimen>& some, std::string_view to = {});
/// The operations that a filter like this has: "add", "remove", "count", "merge", "intersect", "shrink", "forget".
[[nodiscard]] std::vector<std::string> operations_of(const specimen& like);

}  // namespace seen::cli
