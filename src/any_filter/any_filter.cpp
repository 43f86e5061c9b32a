// Filters of any kind and format at run time: which format a file has, what may be done to a filter that was opened,
// and the errors of what may not. The work itself is done behind the table of functions that each filter type has
// (any_filter_table.hpp).
#include <seen/any_filter.hpp>
#include <seen/base/text.hpp>
#include <seen/kernels/answers.hpp>
#include <seen/math/sizing.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

namespace seen::inline v1 {
namespace {

// An error is told in memory, and where there is none, that is the error.
template <class Tell>
error told(Tell tell) {
  return or_no_memory([&]() -> result<void> { return tell(); }).error();
}

struct recognised_format {
  const format_row* row;
  recognition how;
};

// The format named; or the only one that claims the bytes, where its claim is likely or certain; else an error that
// lists what they might be. All formats are asked: two claims do not settle it, however strong one of them is.
result<recognised_format> format_for(const source& from, const open_options& options) {
  if (!options.format.empty()) {
    auto named = find_format(options.format);
    if (!named) return named.error();
    return recognised_format{*named, recognition::named};
  }
  // The native magic is proof by itself: what begins with it and was cut short is a damaged native file, whatever else
  // its few bytes would fit.
  const format_row* const own = formats().front();
  if (own->detect(from) == detection::certain) return recognised_format{own, recognition::proven};
  std::array<std::vector<const format_row*>, 5> found;  // by their detection
  for (const format_row* each : formats()) found[static_cast<std::size_t>(each->detect(from))].push_back(each);
  const auto& [no, possible, fitting, likely, certain] = found;
  if (certain.size() + likely.size() == 1 && fitting.empty()) {
    if (likely.empty()) return recognised_format{certain.front(), recognition::proven};
    return recognised_format{likely.front(), recognition::guessed};
  }
  std::vector<const format_row*> candidates;
  for (const auto* each : {&certain, &likely, &fitting, &possible}) {
    candidates.insert(candidates.end(), each->begin(), each->end());
  }
  if (candidates.empty()) return {errc::not_recognised, from.name + ": not a filter of any format known here"};
  const std::string names = listed(candidates, [](const format_row* each) { return each->name; });
  const std::string which = candidates.size() == 1 ? "it may be " + names + ", which has to be named"
                                                   : "it could be " + names + ": name the format";
  return {errc::not_recognised, from.name + ": its content does not tell its format; " + which};
}

// A foreign file brings nothing but itself: what it takes in memory is bounded by its size, unless it is packed, and
// then its decoder looks.
result<void> check_size(const source& from, const open_options& options) {
  if (from.size <= options.max_bytes) return {};
  return {errc::too_large, from.name + ": has " + std::to_string(from.size) + " bytes; at most " +
                               std::to_string(options.max_bytes) + " are allowed here"};
}

// What has to be chosen by whoever opens a file that does not say it: what was chosen for one who did not.
std::string_view assumed(std::span<const std::string_view> choices, const std::string& chosen) {
  return choices.size() > 1 && chosen.empty() ? choices.front() : std::string_view();
}

// A file's proof of its format is not enough if its keys may have been hashed otherwise than is assumed: a key that it
// holds would be denied, and one that is added be found by nobody. A decoder that learnt it from the file says `proven`.
recognition recognised(const format_row& row, recognition how, file_origin& decoded, const open_options& options) {
  if (decoded.recognised != recognition::proven) {
    decoded.assumed_hash = assumed(row.hashes, options.hash);
    decoded.assumed_key_type = assumed(row.key_types, options.key_type);
  }
  const bool is_assumed = !decoded.assumed_hash.empty() || !decoded.assumed_key_type.empty();
  return how == recognition::proven && is_assumed ? recognition::guessed : how;
}

bool is_sealed(const native::mapped_file& pages) {
  return pages.about.state == native::seal_state::sealed;
}

constexpr std::size_t watched_piece = std::size_t{4} << 20;

// The same source, whose reads are told of, long ones piece by piece.
source watched(source from, const std::function<void(std::uint64_t)>& watch) {
  if (!watch) return from;
  from.read = [read = std::move(from.read), watch, done = std::uint64_t{0}](
                  std::uint64_t offset, std::span<std::byte> into) mutable -> result<void> {
    while (!into.empty()) {
      const auto piece = into.first(std::min(into.size(), watched_piece));
      if (auto got = read(offset, piece); !got) return got;
      watch(done += piece.size());
      offset += piece.size();
      into = into.subspan(piece.size());
    }
    return {};
  };
  return from;
}

// The same of what is written.
sink watched(const sink& out, const std::function<void(std::uint64_t)>& watch) {
  if (!watch) return out;
  return [out, watch, done = std::uint64_t{0}](bytes_view bytes) mutable -> result<void> {
    while (!bytes.empty()) {
      const bytes_view piece = bytes.first(std::min(bytes.size(), watched_piece));
      if (auto put = out(piece); !put) return put;
      watch(done += piece.size());
      bytes = bytes.subspan(piece.size());
    }
    return {};
  };
}

// Opens a file, finds its format, and hands all on.
template <class Use>
auto with_file(const std::string& path, const open_options& options, Use use)
    -> decltype(use(std::declval<recognised_format>(), std::declval<const source&>(), std::declval<const file&>())) {
  auto opened = file::open(path);
  if (!opened) return opened.error();
  auto from = source::of(*opened);
  if (!from) return from.error();
  if (auto sized = check_size(*from, options); !sized) return sized.error();
  auto format = format_for(*from, options);
  if (!format) return format.error();
  return use(*format, watched(std::move(*from), options.watch), *opened);
}

}  // namespace

result<any_filter> any_filter::open_as(const format_row& format, recognition how, const source& from,
                                       const open_options& options) {
  auto opened = format.open(from, options);
  if (!opened) return opened;
  file_origin& origin = opened->origin_;
  origin.file_bytes = from.size;
  origin.recognised = recognised(format, how, origin, options);
  return opened;
}

result<any_filter> any_filter::load(const std::string& path, const open_options& options) {
  return or_no_memory([&]() -> result<any_filter> {
    return with_file(path, options, [&](const recognised_format& format, const source& from, const file&) {
      return open_as(*format.row, format.how, from, options);
    });
  });
}

result<any_filter> any_filter::from_bytes(bytes_view bytes, const open_options& options) {
  return or_no_memory([&]() -> result<any_filter> {
    const source from = source::of(bytes);
    if (auto sized = check_size(from, options); !sized) return sized.error();
    auto format = format_for(from, options);
    if (!format) return format.error();
    return open_as(*format->row, format->how, from, options);
  });
}

namespace {

// The format of bytes that will be mapped, not copied.
result<recognised_format> format_to_map(const source& from, const open_options& options) {
  if (auto sized = check_size(from, options); !sized) return sized.error();
  auto format = format_for(from, options);
  if (!format) return format.error();
  if (format->row->map == nullptr) {
    return {errc::unsupported, from.name + ": only native files are mapped, and this is a " +
                                   std::string(format->row->name) + " file: load it"};
  }
  return format;
}

}  // namespace

result<any_filter> any_filter::map_as(const format_row& format, recognition how, storage whole, const std::string& name,
                                      const open_options& options) {
  const std::uint64_t bytes = whole.size();
  auto mapped = format.map(std::move(whole), name, options);
  if (!mapped) return mapped;
  mapped->origin_.file_bytes = bytes;
  mapped->origin_.recognised = how;
  return mapped;
}

result<any_filter> any_filter::map(const std::string& path, const open_options& options) {
  return or_no_memory([&]() -> result<any_filter> {
    auto opened = file::open(path);
    if (!opened) return opened.error();
    auto from = source::of(*opened);
    if (!from) return from.error();
    auto format = format_to_map(*from, options);
    if (!format) return format.error();
    auto whole = opened->map(from->size, false, options.huge_pages);
    if (!whole) return whole.error();
    return map_as(*format->row, format->how, std::move(*whole), path, options);
  });
}

result<any_filter> any_filter::map_writable(const std::string& path, const open_options& options) {
  return or_no_memory([&]() -> result<any_filter> {
    auto recognised = with_file(path, options, [&](const recognised_format& format, const source&, const file&) {
      return result<recognised_format>(format);
    });
    if (!recognised) return recognised.error();
    if (recognised->row->map_writable == nullptr) {
      return {errc::unsupported, path + ": only native files are added to where they lie, and this is a " +
                                     std::string(recognised->row->name) + " file: load it"};
    }
    auto mapped = recognised->row->map_writable(path, options);
    if (!mapped) return mapped;
    mapped->origin_.recognised = recognised->how;
    return mapped;
  });
}

result<void> any_filter::add_in_place(const added_keys& added) {
  if (!is_writable_map()) return refusal("add");
  return or_no_memory([&] { return table_->add_in_place(filter_.get(), added, *writable_); });
}

result<void> any_filter::sync() {
  if (!is_writable_map()) return {errc::unsupported, "sync: the filter is no writable map"};
  return or_no_memory([&] { return writable_->sync(); });
}

result<void> any_filter::seal() {
  if (!is_writable_map()) return {errc::unsupported, "seal: the filter is no writable map"};
  return or_no_memory([&] { return writable_->seal(); });
}

result<any_filter> any_filter::view(bytes_view bytes, const open_options& options) {
  return or_no_memory([&]() -> result<any_filter> {
    auto format = format_to_map(source::of(bytes), options);
    if (!format) return format.error();
    // Whatever would write is refused, so nothing is ever written through this.
    std::span<std::byte> borrowed(const_cast<std::byte*>(bytes.data()), bytes.size());
    return map_as(*format->row, format->how, storage::borrow(borrowed), "bytes", options);
  });
}

result<filter_info> any_filter::inspect(const std::string& path, const open_options& options) {
  return or_no_memory([&]() -> result<filter_info> {
    return with_file(path, options, [&](const recognised_format& format, const source& from, const file&) {
      if (format.row->inspect != nullptr) {
        auto info = format.row->inspect(from, options);
        if (!info) return info;
        info->origin.file_bytes = from.size;
        info->origin.recognised = format.how;
        return info;
      }
      auto opened = open_as(*format.row, format.how, from, options);
      if (!opened) return result<filter_info>(opened.error());
      return result<filter_info>(opened->info());
    });
  });
}

result<filter_info> any_filter::glance(const std::string& path, const open_options& options) {
  return or_no_memory([&]() -> result<filter_info> {
    return with_file(path, options, [&](const recognised_format& format, const source& from, const file& opened) {
      if (format.row->glance == nullptr) return inspect(path, options);
      auto whole = opened.map(from.size, false, false);
      if (!whole) return result<filter_info>(whole.error());
      auto info = format.row->glance(std::move(*whole), path, options);
      if (!info) return info;
      info->origin.file_bytes = from.size;
      info->origin.recognised = format.how;
      return info;
    });
  });
}

result<any_filter> any_filter::make(const make_options& options) {
  return or_no_memory([&]() -> result<any_filter> {
    if (auto sane = math::check_given_fpr(options.target.fpr); !sane) return sane.error();
    auto format = find_format(options.format.empty() ? formats()[0]->name : std::string_view(options.format));
    if (!format) return format.error();
    if ((*format)->make == nullptr) {
      return {errc::unsupported, std::string((*format)->name) + ": filters of this format are " +
                                     ((*format)->build != nullptr ? "built from all their keys at once, not made empty"
                                                                  : "read here, not made")};
    }
    return (*format)->make(options);
  });
}

result<any_filter> any_filter::convert(std::string_view format, std::string_view variant) && {
  return or_no_memory([&]() -> result<any_filter> {
    if (origin_.recognised == recognition::guessed) return refusal("convert");
    if (is_mapped()) {  // another format may lay the same bits out otherwise
      auto own = copy();
      if (!own) return own;
      return std::move(*own).convert(format, variant);
    }
    auto row = find_format(format);
    if (!row) return row.error();
    const auto& variants = (*row)->variants;
    if (!variant.empty() && std::find(variants.begin(), variants.end(), variant) == variants.end()) {
      return {errc::invalid_argument, std::string(format) + " has no variant " + std::string(variant) +
                                          (variants.empty() ? "" : "; there are " + listed(variants))};
    }
    const bool is_its_own = format == format_;
    const std::string kept = origin_.variant;
    if (is_its_own && variant.empty() && std::find(variants.begin(), variants.end(), kept) != variants.end()) {
      variant = kept;
    }
    // A file that is written as it was read keeps what no variant names, such as the definitions of a gob.
    const bool as_it_is = variant.empty() ? (*row)->convert == nullptr : variant == kept;
    if (is_its_own && as_it_is) return std::move(*this);
    const std::string from = std::string(kind()) + " filter (" + std::string(format_) + ")";
    if ((*row)->convert != nullptr) {
      auto made = (*row)->convert(std::move(*this), variant);
      if (!made) return made.error();
      if (*made) return std::move(**made);
    }
    if (is_its_own) {
      return {errc::unsupported, "convert: " + std::string(format) + " places the keys of " + std::string(variant) +
                                     " otherwise than those of this file: build it anew from its keys"};
    }
    return {errc::unsupported, "convert: the bits of a " + from + " mean something else in a " + std::string(format) +
                                   " file: build it anew from its keys"};
  });
}

namespace {

template <class Key, class Use>
std::size_t for_each_answer(const any_filter& f, std::span<const Key> keys, Use use) {
  return kernels::for_each_answer(
      keys.size(),
      [&](std::size_t first, std::size_t n, bool* out) {
        return f.may_contain_many(keys.subspan(first, n), std::span(out, n));
      },
      use);
}

template <class Key>
std::size_t fill_bitmap(const any_filter& f, std::span<const Key> keys, std::span<std::uint64_t> out) {
  kernels::check_room("may_contain_bitmap", out.size() * 64, keys.size());
  return for_each_answer(f, keys, [&](const bool* answers, std::size_t n, std::size_t first) {
    kernels::pack_answers(answers, n, out.data() + first / 64);
  });
}

template <class Key>
std::size_t fill_selection(const any_filter& f, std::span<const Key> keys, std::span<std::uint64_t> out) {
  kernels::check_room("select", out.size(), keys.size());
  std::size_t selected = 0;
  return for_each_answer(f, keys, [&](const bool* answers, std::size_t n, std::size_t first) {
    selected += kernels::select_answers(answers, n, first, out.data() + selected);
  });
}

}  // namespace

std::size_t any_filter::may_contain_bitmap(std::span<const bytes_view> keys, std::span<std::uint64_t> out) const {
  return fill_bitmap(*this, keys, out);
}
std::size_t any_filter::may_contain_bitmap(std::span<const std::uint64_t> keys, std::span<std::uint64_t> out) const {
  return fill_bitmap(*this, keys, out);
}
std::size_t any_filter::select(std::span<const bytes_view> keys, std::span<std::uint64_t> out) const {
  return fill_selection(*this, keys, out);
}
std::size_t any_filter::select(std::span<const std::uint64_t> keys, std::span<std::uint64_t> out) const {
  return fill_selection(*this, keys, out);
}

filter_info any_filter::described_by(void (*describe)(const void*, filter_info&)) const {
  filter_info info;
  describe(filter_.get(), info);
  info.format = format_;
  info.origin = origin_;
  return info;
}

filter_info any_filter::info() const {
  return described_by(table_->describe);
}

filter_info any_filter::glance() const {
  filter_info info = described_by(table_->describe_shape);
  info.counted = false;
  return info;
}

any_filter::any_filter(owned f, const any_filter& like)
    : filter_(std::move(f)), table_(like.table_), format_(like.format_), write_(like.write_), origin_(like.origin_) {
  origin_.mapped = false;
}

result<any_filter> any_filter::copy() const {
  return or_no_memory([&]() -> result<any_filter> {
    if (is_mapped() && is_sealed(*pages())) {
      if (auto sound = pages()->verify(); !sound) return sound.error();
    }
    auto copied = table_->copy(filter_.get());
    if (!copied) return copied.error();
    any_filter own(std::move(*copied), *this);
    if (!is_mapped()) return own;
    // A filter that may be changed must be sound, as if it had been opened; and the pages may have changed since they were
    // checked.
    if (auto same = own.check_against(*pages()); !same) return same.error();
    own.origin_.verified = is_sealed(*pages());
    return own;
  });
}

result<void> any_filter::verify() const {
  return or_no_memory([&]() -> result<void> {
    if (!is_mapped()) return {};
    if (auto sound = pages()->verify(); !sound) return sound;
    return check_against(*pages());
  });
}

// Compares the content with itself and with what the header of the pages counts.
result<void> any_filter::check_against(const native::mapped_file& pages) const {
  return table_->check(filter_.get(), pages.about, pages.name);
}

error any_filter::no_key(const char* what, bytes_view key) const {
  return told([&] {
    return error{errc::invalid_argument, std::string(what) + ": the key " + origin_.accepts.why_not(key)};
  });
}

result<void> any_filter::check_keys(std::span<const bytes_view> added) const {
  const std::size_t good = origin_.accepts.taken(added);
  if (good == added.size()) return {};
  return told([&] {
    return error{errc::invalid_argument,
                 "add: key " + std::to_string(good) + " of these " + origin_.accepts.why_not(added[good])};
  });
}

// Turns a "no" into "maybe" if what was asked is not a key; returns how many there were.
std::size_t any_filter::allow_no_keys(std::span<const bytes_view> keys, std::span<bool> answers) const noexcept {
  std::size_t turned = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (answers[i] || origin_.accepts.takes(keys[i])) continue;
    answers[i] = true;
    ++turned;
  }
  return turned;
}

namespace {

// Why a file of this format is only guessed: its magic, if it has one, does not tell how its keys were hashed.
const char* doubt_of(std::string_view format) {
  const format_row& row = **find_format(format);
  if (row.hashes.size() > 1) return "its content does not prove its format and hash";
  if (row.key_types.size() > 1) return "its content does not prove its format and key type";
  return "nothing in it proves it";
}

}  // namespace

error any_filter::refusal(const char* what) const {
  return told([&] {
    if (origin_.recognised == recognition::guessed) {
      return error{errc::not_recognised, std::string(what) + ": this looks like a " + std::string(format_) +
                                             " file, but " + doubt_of(format_) + ": name the format"};
    }
    return error{errc::unsupported,
                 std::string(what) + ": the filter is mapped read-only; a copy of it can be changed"};
  });
}

namespace {

// Says how two filters of different types differ, each side in its own words.
std::string difference(const any_filter& here, const any_filter& there) {
  const auto differ = [&](const char* what, auto say) {
    return std::string(what) + ": " + say(here) + " here, " + say(there) + " there";
  };
  const auto named = [](const any_filter& f) { return std::string(f.kind()) + " (" + std::string(f.format()) + ")"; };
  if (named(here) != named(there)) return differ("kinds differ", named);
  if (here.origin().variant != there.origin().variant) {
    return differ("variants differ", [](const any_filter& f) { return f.origin().variant; });
  }
  if (here.origin().accepts != there.origin().accepts) {
    return differ("keys differ", [](const any_filter& f) { return f.origin().accepts.described(); });
  }
  // A library that makes a filter of all its keys at once: what was read takes no more.
  const auto was_read = [](const any_filter& f) { return f.origin().file_bytes != 0; };
  if (was_read(here) != was_read(there)) {
    return differ("one takes keys, and one is finished",
                  [&](const any_filter& f) { return named(f) + (was_read(f) ? ", read" : ", made anew"); });
  }
  return differ("hashes differ", [](const any_filter& f) {
    const hash_identity hash = f.info().hash;
    return describe(hash) + " with check value " + std::to_string(hash.check);
  });
}

}  // namespace

result<void> any_filter::combine(result<void> (*operation)(void*, const void*), const char* what,
                                 const any_filter& other) {
  if (is_fixed()) return refusal(what);
  if (other.origin_.recognised == recognition::guessed) return other.refusal(what);
  if (table_ != other.table_) return {errc::incompatible, std::string(what) + ": " + difference(*this, other)};
  // Pages that nobody has looked at could make of a sound filter one that has lost keys.
  if (other.is_mapped()) {
    if (auto sound = is_sealed(*other.pages()) ? other.verify() : other.check_against(*other.pages()); !sound)
      return sound;
  }
  return operation(filter_.get(), other.filter_.get());
}

result<void> any_filter::write_to(const sink& out, const save_options& options) const {
  return or_no_memory([&]() -> result<void> {
    if (write_) {
      const bool keeps = (**find_format(format_)).can.metadata;
      const std::string& metadata = options.metadata ? *options.metadata : origin_.metadata;
      if ((!keeps && !options.metadata.value_or("").empty()) ||
          options.alignment.value_or(storage::alignment) != storage::alignment) {
        return {errc::unsupported, "save: " + std::string(format_) + " files have " +
                                       (keeps ? "no alignment" : "neither metadata nor alignment")};
      }
      if (auto put = write_(filter_.get(), out); !put || !keeps) return put;
      return out(std::as_bytes(std::span(metadata)));
    }
    if (table_->write == nullptr) {
      return {errc::unsupported, "save: this " + std::string(kind()) + " filter belongs to another format"};
    }
    save_options kept = options;
    if (!kept.metadata) kept.metadata = origin_.metadata;
    if (!kept.alignment) kept.alignment = origin_.alignment;
    return table_->write(filter_.get(), out, kept);
  });
}

namespace {

// Whether there is a file whose readers know the secret of this hash.
bool stores_secret_of(const std::string& path, const hash_identity& hash) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  auto opened = file::open(path);
  if (!opened) return false;
  const auto from = source::of(*opened);
  if (!from) return false;
  const auto header = native::read_header(*from, true);
  return header && header->stored_secret && header->hash == hash;
}

}  // namespace

result<void> any_filter::save(const std::string& path, const save_options& options) const {
  return or_no_memory([&]() -> result<void> {
    save_options kept = options;
    // Whoever changes a file in place may have the secret from nowhere else; elsewhere it would be a copy that nobody
    // asked for.
    if (!kept.store_secret && kept.overwrite && !write_) {
      const hash_identity hash = info().hash;
      kept.store_secret = hash.keyed && stores_secret_of(path, hash);
    }
    return write_file(path, kept.overwrite, [&](const sink& out) { return write_to(watched(out, kept.watch), kept); });
  });
}

result<std::vector<std::byte>> any_filter::to_bytes(const save_options& options) const {
  return or_no_memory([&] { return collect([&](const sink& out) { return write_to(out, options); }); });
}

}  // namespace seen::inline v1
