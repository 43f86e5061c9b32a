// Options to make, open and write a filter, in the words that files, the command and the other languages share.
#pragma once

#include <seen/base/target.hpp>
#include <seen/concepts.hpp>
#include <seen/hash/identity.hpp>
#include <seen/hash/secret.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seen::inline v1 {

/// A field of a shape by its name: {"bits", 9585059}. A real one ("growth") has the bits of a double as its value.
struct named_field {
  std::string name;
  std::uint64_t value = 0;
  field_type type = field_type::integer;

  static named_field real(std::string name, double value) {
    return {std::move(name), std::bit_cast<std::uint64_t>(value), field_type::real};
  }
  [[nodiscard]] double as_real() const noexcept { return std::bit_cast<double>(value); }

  friend bool operator==(const named_field&, const named_field&) = default;
};

/// Says which filter to make: a kind, and a target or the kind's own shape. With both, the fields named are wishes that the
/// plan for the target keeps ("counter-bits", "growth"), if the kind can.
struct make_options {
  std::string kind = {};                ///< empty: the default kind
  seen::target target = {};             ///< capacity 0: the size is in `shape`
  std::vector<named_field> shape = {};  ///< e.g. bits and probes; all the kind has, unless there is a target
  std::optional<hash_id> hash = {};     ///< nothing: the default, xxh3-fold, or the format's own
  std::uint64_t seed = 0;
  std::optional<seen::secret> secret = {};  ///< for the keyed hashes
  std::string format = {};                  ///< empty: native; a foreign format brings its own kind and hash
  std::string variant = {};                 ///< of a foreign format: which layout of its files; empty: the usual one
  std::string key_type = {};                ///< of a foreign format: what its keys are, as in open_options
  bool foldable = false;  ///< round the size up so that shrink_to_fpr finds many sizes, where the kind folds
};

/// How to open a file.
struct open_options {
  std::optional<seen::secret> secret = {};  ///< of a keyed filter; not needed where the file holds it
  bool recover = false;                     ///< accept a file whose writable map was never sealed
  std::string format = {};                  ///< a format's name; empty: recognise it by its content
  std::string hash = {};                    ///< of a foreign file that does not say it: the function it was made with
  std::string key_type = {};  ///< of a foreign file that does not say it: what its keys are, "utf16", "int32"
  std::string part = {};      ///< of a file that holds several filters: which one, by name or number
  std::string variant = {};   ///< of a foreign file that does not say it: how it is laid out
  /// Of a map: ask for huge pages, which make many lookups faster; where few keys are asked, the first of them reads less
  /// without.
  bool huge_pages = true;
  /// The most bytes a file may have, or a packed one may unfold to.
  std::uint64_t max_bytes = ~std::uint64_t{0};
  /// Of any_filter: told again and again how many bytes were read so far.
  std::function<void(std::uint64_t)> watch = {};
};

/// How to write a file. If the last two are left out, they are as in the file that an any_filter came from, and otherwise as
/// said here. The secret is left out of every file but one that held it and is replaced (any_filter::save).
struct save_options {
  bool overwrite = true;                  ///< false: an existing file is an error
  std::optional<bool> store_secret = {};  ///< a keyed filter's secret goes into the file (no): readers can forge keys
  std::optional<std::size_t> alignment = {};  ///< of the body: 64 (which it is), or 4096 for whole pages
  std::optional<std::string> metadata = {};   ///< any bytes, at most 64 KiB, kept with the filter (none)
  /// Of any_filter::save: told again and again how many bytes were written so far.
  std::function<void(std::uint64_t)> watch = {};
};

}  // namespace seen::inline v1
