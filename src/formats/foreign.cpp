// Opening and making, as far as all formats share them: options that are refused, shapes that are chosen.
#include "formats/foreign.hpp"

#include <seen/base/names.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace seen::inline v1::foreign {

result<std::string_view> choose(const char* what, std::string_view format, std::span<const std::string_view> names,
                                std::string_view chosen) {
  if (chosen.empty()) return names.empty() ? std::string_view() : names.front();
  const auto is_it = [&](std::string_view name) { return is_same_name(name, chosen); };
  const auto found = std::find_if(names.begin(), names.end(), is_it);
  if (found != names.end()) return *found;
  return {errc::invalid_argument, std::string(format) + ": no " + what + " " + std::string(chosen) +
                                      (names.empty() ? " can be chosen" : "; there are " + listed(names)) +
                                      did_you_mean(chosen, names)};
}

result<void> check_options(const format_row& row, const open_options& options) {
  if (auto hash = choose("hash", row.name, row.hashes, options.hash); !hash) return hash.error();
  if (auto keys = choose("key type", row.name, row.key_types, options.key_type); !keys) return keys.error();
  if (!row.can.parts && !options.part.empty()) {
    return {errc::invalid_argument, std::string(row.name) + ": a file holds one filter, and no part " + options.part};
  }
  if (!row.can.layouts && !options.variant.empty()) {
    return {
        errc::invalid_argument,
        std::string(row.name) + ": a file says itself how it is laid out: leave out the variant " + options.variant};
  }
  return {};
}

result<void> check_options(const format_row& row, const make_options& options, std::string_view kind) {
  const std::string name(row.name);
  if (!options.kind.empty() && !is_same_name(options.kind, kind)) {
    return {errc::unsupported, name + ": the format holds " + std::string(kind) + " filters, not " + options.kind};
  }
  if (options.secret) return {errc::unsupported, name + ": the format's hash takes no secret"};
  if (options.seed != 0 && !row.can.seeds) return {errc::unsupported, name + ": the format's hash takes no seed"};
  if (auto v = choose("variant", row.name, row.variants, options.variant); !v) return v.error();
  if (auto k = choose("key type", row.name, row.key_types, options.key_type); !k) return k.error();
  if (options.hash) {
    if (auto h = choose("hash", row.name, row.hashes, name_of(*options.hash)); !h) return h.error();
  }
  return {};
}

std::optional<std::uint64_t> field_of(const make_options& options, std::string_view name) {
  for (const named_field& each : options.shape) {
    if (each.name == name) return each.value;
  }
  return {};
}

result<probe_shape> shape_for(const format_row& row, const make_options& options,
                              const std::function<probe_shape(const target&)>& sizing) {
  const std::string name(row.name);
  for (const named_field& each : options.shape) {
    if (each.name != "bits" && each.name != "probes") {
      return {errc::invalid_argument, name + ": there is no field " + each.name + " but bits and probes"};
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

namespace {

using std::numbers::ln2;

double rounded_up_bits(const target& asked) {
  return std::ceil(-static_cast<double>(asked.capacity) * std::log(asked.fpr) / (ln2 * ln2));
}

probe_shape shape_of(double bits, double probes) {
  return {.bits = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(bits)),
          .probes = static_cast<std::uint32_t>(std::max(1.0, std::ceil(probes)))};
}

}  // namespace

probe_shape rounded_up(const target& asked) {
  const double bits = rounded_up_bits(asked);
  return shape_of(bits, ln2 * bits / static_cast<double>(asked.capacity));
}

probe_shape rounded_up_phrozen(const target& asked) {
  const double bits = rounded_up_bits(asked);
  return shape_of(bits, bits / static_cast<double>(asked.capacity) * ln2);
}

hash_identity named(hash_id id, std::uint64_t seed) {
  return {.id = id, .encoding = key_encoding::bytes, .keyed = false, .seed = seed, .check = 0};
}

}  // namespace seen::inline v1::foreign
