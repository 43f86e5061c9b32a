// Describes a filter whose kind is known at run time, and the file it came from.
#pragma once

#include <seen/base/key_form.hpp>
#include <seen/base/target.hpp>
#include <seen/hash/identity.hpp>
#include <seen/health.hpp>
#include <seen/options.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seen::inline v1 {

/// How the format of a file is known.
enum class recognition : std::uint8_t {
  named,    ///< the caller said so, or made the filter
  proven,   ///< by its content: a magic, a checksum, or more than chance explains
  guessed,  ///< its content does not prove it, or not its hash and keys: it may be asked, and is not changed
};

/// "named", "proven", "guessed"
[[nodiscard]] constexpr const char* name_of(recognition how) noexcept {
  return how == recognition::named ? "named" : how == recognition::proven ? "proven" : "guessed";
}

/// All that a file says of itself beside its filter.
struct file_origin {
  std::uint64_t file_bytes = 0;  ///< 0 unless it came from a file
  recognition recognised = recognition::named;
  std::string variant = {};    ///< which layout of the format's files: "json", "V2"; empty if there is one
  accepted_keys accepts = {};  ///< which bytes are a key
  bool verified = false;       ///< checked against checksums when it was opened
  bool sealed = true;
  std::size_t alignment = 64;  ///< of the body
  bool secret_stored = false;  ///< whoever reads the file can forge keys
  bool mapped = false;         ///< the filter is the file's own pages, or bytes of the caller, and is not changed
  std::string metadata = {};   ///< the user's own
  /// What its keys were hashed with, and what they are, where neither the file nor the caller says so: then the usual of
  /// its format is assumed, and a "no" is worth as much as that.
  std::string assumed_hash = {}, assumed_key_type = {};
};

/// Everything there is to say about a filter.
struct filter_info {
  std::string kind;
  std::string format;
  std::vector<named_field> shape;  ///< as the kind describes it
  hash_identity hash;
  seen::target target;      ///< zero where unknown
  std::uint64_t bytes = 0;  ///< memory of the bits
  /// How much of it lies in huge pages at the moment; nothing where the system does not say.
  std::optional<std::uint64_t> huge_page_bytes = {};
  /// False of what any_filter::glance says: `keys`, `fill` and the rate follow from the census that the file's header has,
  /// and are NaN or nothing where it has none, or the kind needs a look at its bits.
  bool counted = true;
  double keys = 0;  ///< how many it holds: an estimate, or exact
  bool keys_exact = false;
  std::optional<double> fill = {};  ///< where the kind has bits that fill up
  double fpr_now = 0;               ///< at its present fill
  double fpr_at_capacity = 0;       ///< by the model, with target.capacity keys; 0 where that is unknown
  bool saturated = false;
  std::optional<std::uint64_t> clock = {};  ///< of a kind that forgets by time: the last time it was told
  filter_health health;                     ///< whether it is still what was asked for
  file_origin origin;
};

}  // namespace seen::inline v1
