// The native format: its file is read in src/native/, and its filter is put together by the row of its kind. Here is what lies between:
// which kind it is, and what the file says beside its filter.
#include <seen/native/native.hpp>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "formats/all.hpp"

namespace seen::inline v1::native {
namespace {

detection detect(const source& from) {
  std::array<std::byte, magic.size()> beginning{};
  if (from.size < beginning.size() || !from.read(0, beginning)) return detection::no;
  return recognises(beginning) ? detection::certain : detection::no;
}

result<const kind_row*> kind_of(const header& h, const std::string& name) {
  if (const kind_row* const row = find_kind(h.kind); row != nullptr) return row;
  return {errc::newer_version, name + ": kind " + std::to_string(h.kind) + " is not known to this release"};
}

// The part of a file's origin that any_filter does not learn from the file's size and its format.
file_origin origin_of(const header& h) {
  const bool sealed = h.state == seal_state::sealed;
  return {.verified = sealed,
          .sealed = sealed,
          .alignment = h.body_offset % 4096 == 0 ? std::size_t{4096} : std::size_t{64},
          .secret_stored = h.stored_secret.has_value(),
          .metadata = h.metadata};
}

result<void> refuse_foreign_options(const open_options& options, const std::string& name) {
  if (options.hash.empty() && options.key_type.empty() && options.part.empty() && options.variant.empty()) return {};
  return {errc::invalid_argument,
          name + ": a native file says itself what its hash and keys are: leave the option out"};
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto none = refuse_foreign_options(options, from.name); !none) return none.error();
  auto h = read_header(from, options.recover);
  if (!h) return h.error();
  auto kind = kind_of(*h, from.name);
  if (!kind) return kind.error();
  return (*kind)->open(*h, from, options, origin_of(*h));
}

result<any_filter> map(storage whole, const std::string& name, const open_options& options) {
  if (auto none = refuse_foreign_options(options, name); !none) return none.error();
  auto pages = read_in_place(std::move(whole), name, options.recover);
  if (!pages) return pages.error();
  auto kind = kind_of(pages->about, name);
  if (!kind) return kind.error();
  file_origin origin = origin_of(pages->about);
  origin.verified = false;
  return (*kind)->map(std::move(*pages), options, std::move(origin));
}

result<any_filter> map_writable(const std::string& path, const open_options& options) {
  if (auto none = refuse_foreign_options(options, path); !none) return none.error();
  auto file = in_place::open(path, options.recover);
  if (!file) return file.error();
  const header& about = file->pages().about;
  auto kind = kind_of(about, path);
  if (!kind) return kind.error();
  if ((*kind)->map_writable == nullptr) {
    return {errc::unsupported, path + ": a " + std::string((*kind)->kind.name) +
                                   " filter is not added to where it lies: bits go down, or move; load it"};
  }
  file_origin origin = origin_of(about);
  origin.verified = false;
  origin.file_bytes = about.file_bytes;
  return (*kind)->map_writable(std::move(*file), options, std::move(origin));
}

// Whatever state it is in: what it says is all that is asked.
result<filter_info> inspect(const source& from, const open_options&) {
  auto h = read_header(from, true);
  if (!h) return h.error();
  auto kind = kind_of(*h, from.name);
  if (!kind) return kind.error();
  auto info = (*kind)->inspect(*h, from);
  if (info) info->origin = origin_of(*h);
  return info;
}

result<filter_info> glance(storage whole, const std::string& name, const open_options&) {
  auto pages = read_in_place(std::move(whole), name, true);
  if (!pages) return pages.error();
  file_origin origin = origin_of(pages->about);
  origin.verified = false;
  origin.mapped = true;
  auto kind = kind_of(pages->about, name);
  if (!kind) return kind.error();
  auto info = (*kind)->glance(std::move(*pages));
  if (info) info->origin = std::move(origin);
  return info;
}

result<any_filter> make(const make_options& options) {
  auto kind = find_kind(options.kind.empty() ? kinds().front().kind.name : std::string_view(options.kind));
  if (!kind) return kind.error();
  return (*kind)->make(options);
}

// A static kind's plan: the hash and the shards are the options', the rest is the kind's.
result<build_plan> build(const make_options& options) {
  auto kind = find_kind(options.kind);
  if (!kind) return kind.error();
  if ((*kind)->build == nullptr) {
    return {errc::unsupported, "build: a " + options.kind + " filter is made empty and added to, not built at once"};
  }
  auto hash = any_hash::make(options.hash.value_or((*kind)->usual_hash), options.seed, options.secret);
  if (!hash) return hash.error();
  if (auto tried = (*kind)->check(options); !tried) return tried.error();
  build_plan plan;
  for (const named_field& field : options.shape) {
    if (field.name == "shards") plan.shards = field.value;
  }
  plan.hash = [h = *hash](std::span<const bytes_view> keys, std::span<digest> digests) { h.hash_many(keys, digests); };
  plan.finish = [row = *kind, options, h = *hash](building::digest_collector digests, const build_options& how) {
    return row->build(options, how, h, std::move(digests));
  };
  return plan;
}

conversion convert(any_filter from, std::string_view) {
  if (from.format() == format.name) return from;
  const auto row = find_format(from.format());
  if (!row || (*row)->to_native == nullptr) return std::nullopt;
  return (*row)->to_native(std::move(from));
}

}  // namespace

constinit const format_row format{
    .name = format_name,
    .summary = "seen's own: mapped, checksummed, every kind and hash",
    .can = {.verifies = true, .adds = true, .seeds = true},
    .detect = detect,
    .open = open,
    .map = map,
    .map_writable = map_writable,
    .make = make,
    .build = build,
    .convert = convert,
    .inspect = inspect,
    .glance = glance,
};

}  // namespace seen::inline v1::native
