// How a foreign format is written: everything that one needs, and the order of work.
//
//   file ──byte_reader──► shape, bits, the rest of its header
//                            │
//                            ▼
//   filter<engine<the peer's rule>, foreign_hash>  +  a function that writes it back  =  any_filter
//
// A format is a `format_row` (registry.hpp) called `format` in a namespace of its own. src/formats/<name>.cpp defines it below
// an essay on the layout of the file; all.hpp has a line for it. A file <name>_<part> holds a part of a large format. guava.cpp
// is the model. The parts of a row:
//
//   detect   reads a little, and never claims more certainty than the bytes give
//   open     checks every length against the file's true size before it allocates; keeps what save needs to give the same
//            bytes back in the function that writes; refuses options it has no use for (`check_options`)
//   make     an empty filter sized as the peer would size it (`shape_for`)
//   build    or how one is made of all its keys at once (engines/fingerprint_build.hpp)
//   convert  from the filters of other formats whose bits mean the same
//
// What several formats need is in three folders: encodings/ (bytes, JSON, gobs, …), engines/ (where a peer puts the bits of a
// key, and what else it keeps), hashing/ (how it hashes). Nothing a peer does wrongly is put right: its bits mean what it does.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/base/text.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "formats/encodings/bytes.hpp"
#include "formats/engines/bloom_rules.hpp"
#include "formats/hashing/foreign_hash.hpp"

namespace seen::inline v1 {
namespace foreign {

/// `chosen`, or the first of the names where nothing was chosen; an error that lists them where it is none of them.
[[nodiscard]] inline result<std::string_view> choose(const char* what, std::string_view format,
                                                     std::span<const std::string_view> names, std::string_view chosen) {
  if (chosen.empty()) return names.empty() ? std::string_view() : names.front();
  const auto found = std::find(names.begin(), names.end(), chosen);
  if (found != names.end()) return *found;
  std::string known;
  for (const std::string_view each : names) known += (known.empty() ? "" : ", ") + std::string(each);
  return {errc::invalid_argument, std::string(format) + ": no " + what + " " + std::string(chosen) +
                                      (known.empty() ? " can be chosen" : "; there are " + known)};
}

/// Refuses options of opening that the format has no choice of, so that none is silently ignored.
[[nodiscard]] inline result<void> check_options(const format_row& row, const open_options& options) {
  if (auto hash = choose("hash", row.name, row.hashes, options.hash); !hash) return hash.error();
  if (auto keys = choose("kind of keys", row.name, row.key_types, options.key_type); !keys) return keys.error();
  if (!row.can.parts && !options.part.empty()) {
    return {errc::invalid_argument, std::string(row.name) + ": a file holds one filter, and no part " + options.part};
  }
  return {};
}

/// The same of making one. `kind` is what the format holds.
[[nodiscard]] inline result<void> check_options(const format_row& row, const make_options& options,
                                                std::string_view kind = chain_rule::kind.name) {
  const std::string name(row.name);
  if (!options.kind.empty() && options.kind != kind) {
    return {errc::unsupported, name + ": the format holds " + std::string(kind) + " filters, not " + options.kind};
  }
  if (options.secret) return {errc::unsupported, name + ": the format's hash takes no secret"};
  if (options.seed != 0 && !row.can.seeds) return {errc::unsupported, name + ": the format's hash takes no seed"};
  if (auto v = choose("variant", row.name, row.variants, options.variant); !v) return v.error();
  if (auto k = choose("kind of keys", row.name, row.key_types, options.key_type); !k) return k.error();
  if (options.hash) {
    if (auto h = choose("hash", row.name, row.hashes, name_of(*options.hash)); !h) return h.error();
  }
  return {};
}

/// The value of a parameter by its name, where the options have it.
[[nodiscard]] inline std::optional<std::uint64_t> field_of(const make_options& options, std::string_view name) {
  for (const named_field& each : options.shape) {
    if (each.name == name) return each.value;
  }
  return {};
}

/// The shape of a new filter: from "bits" and "probes", or as `sizing` (target -> probe_shape) has it for the target.
template <class Sizing>
[[nodiscard]] result<probe_shape> shape_for(const format_row& row, const make_options& options, Sizing sizing) {
  const std::string name(row.name);
  for (const named_field& each : options.shape) {
    if (each.name != "bits" && each.name != "probes") {
      return {errc::invalid_argument, name + ": there is no parameter " + each.name + " but bits and probes"};
    }
    if (each.type != field_type::integer) {
      return {errc::invalid_argument, name + ": " + each.name + " is a whole number, not " + readable(each.as_real())};
    }
  }
  probe_shape shape;
  if (options.shape.empty()) {
    if (auto sane = bloom_shape::plan(options.target); !sane) return sane.error();
    shape = sizing(options.target);
  } else {
    const auto bits = field_of(options, "bits"), probes = field_of(options, "probes");
    if (options.target.capacity != 0 || !bits || !probes) {
      return {errc::invalid_argument, name + " takes either a capacity and a rate or bits and probes"};
    }
    shape = {.bits = *bits, .probes = clamp_to_u32(*probes)};
  }
  if (auto ok = shape.check(); !ok) return ok.error().prefixed(name + ": ");
  return shape;
}

/// The sizing of several libraries in Go: m = -n ln p / (ln 2)^2 and k = m/n ln 2, both rounded up.
[[nodiscard]] inline probe_shape rounded_up(const target& asked) {
  const double ln2 = std::log(2.0), keys = static_cast<double>(asked.capacity);
  const double bits = std::ceil(-keys * std::log(asked.fpr) / (ln2 * ln2));
  return {.bits = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(bits)),
          .probes = static_cast<std::uint32_t>(std::max(1.0, std::ceil(ln2 * bits / keys)))};
}

/// An identity of a function that takes no seed of its own; foreign_hash computes the check value.
[[nodiscard]] inline hash_identity named(hash_id id, std::uint64_t seed = 0) {
  return {.id = id, .encoding = key_encoding::bytes, .keyed = false, .seed = seed, .check = 0};
}

/// A Bloom filter over bits that were read: F is sum_bloom<…>, list_bloom<…> or the like.
template <class F>
[[nodiscard]] result<F> bloom_over(const probe_shape& shape, storage bits, typename F::hash_type hash) {
  auto engine = F::engine_type::over(shape, std::move(bits));
  if (!engine) return engine.error();
  return F(std::move(*engine), std::move(hash));
}

}  // namespace foreign

// Filters that several formats share, compiled once, in src/formats/engines/shared_blooms.cpp.
extern template const any_filter::table any_filter::table_for<foreign::sum_bloom<foreign::as_it_is>>;
extern template const any_filter::table any_filter::table_for<foreign::sum_bloom<foreign::complement_if_negative_32>>;

}  // namespace seen::inline v1
