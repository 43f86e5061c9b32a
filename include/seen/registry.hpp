// The registry: which kinds and formats this release knows. src/kinds/rows.hpp and src/formats/all.hpp name them.
//
// A row of the kind table turns a kind's name or number into its operations; a row of the format table does the same
// for files. `seen plan`, `seen formats`, any_filter::load and any_filter::make walk these tables.
#pragma once

#include <seen/any_builder.hpp>
#include <seen/any_filter.hpp>
#include <seen/base/result.hpp>
#include <seen/base/target.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seen::inline v1 {

/// Describes a filter of some kind before it is made.
struct plan_row {
  std::string kind;
  std::vector<named_field> shape;
  std::uint64_t bytes = 0;
  double bits_per_key = 0;
  double expected_fpr = 0;        ///< at the target's capacity
  std::uint32_t lines = 0;        ///< cache lines a lookup of a present key touches
  std::uint64_t build_bytes = 0;  ///< memory while it is built
  std::uint32_t add_steps = 0;    ///< locked instructions an add of many threads takes on x86-64; 0: not said
  bool can_add = false;
  bool can_remove = false;
  bool can_merge = false;
  bool can_intersect = false;
  bool can_grow = false;     ///< takes any number of keys at its rate
  bool can_shrink = false;   ///< may be planned too large and folded to what its keys need
  bool can_forget = false;   ///< keys leave by themselves
  bool can_share = false;    ///< has a form for many threads
  bool can_be_full = false;  ///< refuses keys it has no room for; others take them, and their rate rises
  bool is_fast_here = true;  ///< this processor has what its lookups are made for
};

/// A kind, by the names and operations the run-time world needs.
struct kind_row {
  kind_info kind;
  std::string_view summary;  ///< one line for people
  std::uint16_t index_rule;
  std::span<const std::string_view> field_names;
  field_type (*type_of_field)(std::size_t);
  result<plan_row> (*plan)(const target&);
  /// plan, with wishes.
  result<plan_row> (*plan_as)(const make_options&);
  /// The rate of a filter made so with this many keys in it, by the model.
  result<double> (*expected_fpr)(const make_options&, std::uint64_t keys);
  std::span<const kind_variant> variants;  ///< choices with a name, the usual one first; most kinds have none
  result<any_filter> (*make)(const make_options&);
  /// The filter of a native file whose header was read: reads and checks the rest.
  result<any_filter> (*open)(const native::header&, const source&, const open_options&, file_origin);
  /// The same over its pages, whose content any_filter::verify checks.
  result<any_filter> (*map)(native::mapped_file, const open_options&, file_origin);
  /// The same over a file that keys are added to. Null where an add is more than bits that go up.
  result<any_filter> (*map_writable)(native::in_place, const open_options&, file_origin);
  /// Describes the filter as open would, without the secret of a keyed one.
  result<filter_info> (*inspect)(const native::header&, const source&);
  /// The same without a look at its bits.
  result<filter_info> (*glance)(native::mapped_file);
  hash_id usual_hash;  ///< unless the options name one
  /// Whether these options can be planned for, whatever the number of keys.
  result<void> (*check)(const make_options&);
  /// Of a static kind: the filter of all digests. Null for the others.
  result<any_filter> (*build)(const make_options&, const build_options&, any_hash, building::digest_collector);
};

/// Whether bytes are a file of some format, by what they prove. A native file is known by its magic; of the others every format
/// is asked. Bytes are opened without a name where one format finds them likely or certain and no other finds them so much
/// as fitting: two claims do not settle it.
enum class detection : std::uint8_t {
  no,        ///< they are not
  possible,  ///< nothing speaks against it, and nothing for it
  fitting,   ///< a few small numbers agree with each other or with the length, as those of anybody's header might: the
             ///< format has to be named
  likely,    ///< the same, with odds of less than one in 2^24 that the content of another filter looks so: a guess. The
             ///< filter can be asked; to be changed, merged or converted, the format has to be named
  certain,  ///< a magic, a checksum, or relations that hold by accident once in 2^32 or less, and more of them than every
            ///< header has: the format is proven
};

/// The abilities of a format beside being read and saved again. (`make` and `build` say whether one
/// can be made, empty or from all its keys.)
struct format_abilities {
  bool verifies = false;  ///< it has checksums, or the like
  bool adds = false;      ///< keys can be added to what was read
  bool seeds = false;     ///< its hash takes a seed
  bool parts = false;     ///< a file may hold several filters: open_options.part names one
  bool metadata = false;  ///< the user's own data are kept behind its filters
  bool layouts = false;   ///< a file may leave open how it is laid out: open_options.variant names it
};

/// The same filter as one of another format: the filter, an error, or nothing (std::nullopt) where the bits mean something
/// else there, which any_filter::convert says in words that name both sides.
class [[nodiscard]] conversion : public result<std::optional<any_filter>> {
 public:
  conversion(any_filter made) : result(std::optional<any_filter>(std::move(made))) {}
  conversion(std::nullopt_t) : result(std::optional<any_filter>()) {}
  conversion(seen::error e) : result(std::move(e)) {}
  conversion(result<any_filter> made) : conversion(made ? conversion(std::move(*made)) : conversion(made.error())) {}
};

/// A file format, native or foreign. A foreign format is one of these, defined in src/formats/<name>.cpp and named in
/// src/formats/all.hpp; formats/foreign.hpp says how to write one.
struct format_row {
  std::string_view name;
  std::string_view summary;  ///< one line for people
  format_abilities can = {};
  std::span<const std::string_view> variants = {};   ///< the layouts of its files, the usual one first
  std::span<const std::string_view> hashes = {};     ///< what open_options.hash may be, the usual one first
  std::span<const std::string_view> key_types = {};  ///< what open_options.key_type may be, the usual one first
  /// Looks at the content, and reads little of it.
  detection (*detect)(const source&);
  result<any_filter> (*open)(const source&, const open_options&);
  /// A filter over the bytes of a whole file, where they are laid out as they are in memory.
  result<any_filter> (*map)(storage whole, const std::string& name, const open_options&) = nullptr;
  /// A filter over a file that keys are added to where it lies.
  result<any_filter> (*map_writable)(const std::string& path, const open_options&) = nullptr;
  /// An empty filter that is saved in this format.
  result<any_filter> (*make)(const make_options&) = nullptr;
  /// How a filter with these options is built of all its keys, where the format has such.
  result<build_plan> (*build)(const make_options&) = nullptr;
  /// The same filter as one of this format and variant (empty: the usual one, or the one it has), where its bits mean
  /// the same there. Without it a filter of this format is converted to no other variant.
  conversion (*convert)(any_filter, std::string_view variant) = nullptr;
  /// A filter of this format as a native one, where there is a kind whose bits mean the same.
  result<any_filter> (*to_native)(any_filter) = nullptr;
  /// Describes the filter in a file, if that takes less than opening it: a keyed file without its secret.
  result<filter_info> (*inspect)(const source&, const open_options&) = nullptr;
  /// Describes the filter in a file by what its header says, without a look at the bits.
  result<filter_info> (*glance)(storage whole, const std::string& name, const open_options&) = nullptr;
};

/// All kinds, the default first.
[[nodiscard]] std::span<const kind_row> kinds();
/// All formats, native first.
[[nodiscard]] std::span<const format_row* const> formats();

/// A kind by name; the error lists the names there are.
[[nodiscard]] result<const kind_row*> find_kind(std::string_view name);
/// A kind by its number in files; null for one that this release does not know.
[[nodiscard]] const kind_row* find_kind(std::uint16_t id) noexcept;
/// A format by name; the error lists the names there are.
[[nodiscard]] result<const format_row*> find_format(std::string_view name);

}  // namespace seen::inline v1
