// Describes filters, plans, kinds and formats. Structs that the library makes carry what they point to behind
// them: seen_info is the visible beginning of an owned_info.
#include <seen/registry.hpp>

#include <cassert>
#include <memory>
#include <span>
#include <vector>

#include "support.hpp"

using namespace seen::c;
using seen::errc;
using seen::field_type;
using seen::filter_info;
using seen::named_field;
using seen::result;

namespace {

// Pointers to the names in `fields`, which must stay where it is.
std::vector<seen_field> shown_fields(const std::vector<named_field>& fields) {
  std::vector<seen_field> shown;
  for (const named_field& field : fields) {
    const bool is_real = field.type == field_type::real;
    shown.push_back({field.name.c_str(), is_real ? 0 : field.value, is_real ? field.as_real() : 0, is_real});
  }
  return shown;
}

seen_health shown_health(const seen::filter_health& said) noexcept {
  return {.size = sizeof(seen_health),
          .saturated = said.saturated,
          .past_capacity = said.past_capacity,
          .above_fpr = said.above_fpr,
          .fill = said.fill,
          .estimated_count = said.keys,
          .most_keys = said.most_keys,
          .estimated_fpr = said.fpr,
          .most_fpr = said.most_fpr};
}

struct owned_info : seen_info {
  explicit owned_info(filter_info said) : seen_info{}, from(std::move(said)), hash_name(describe(from.hash.id)) {
    shown = shown_fields(from.shape);
    size = sizeof(seen_info);
    kind = from.kind.c_str();
    format = from.format.c_str();
    variant = from.origin.variant.c_str();
    shape = shown.data();
    shape_count = shown.size();
    hash = hash_name.c_str();
    seed = from.hash.seed;
    keyed = from.hash.keyed;
    capacity = from.target.capacity;
    fpr = from.target.fpr;
    bytes = from.bytes;
    estimated_count = from.keys;
    count_is_exact = from.keys_exact;
    has_fill = from.fill.has_value();
    fill = from.fill.value_or(0);
    saturated = from.saturated;
    estimated_fpr = from.fpr_now;
    fpr_at_capacity = from.fpr_at_capacity;
    file_bytes = from.origin.file_bytes;
    verified = from.origin.verified;
    sealed = from.origin.sealed;
    mapped = from.origin.mapped;
    alignment = from.origin.alignment;
    secret_stored = from.origin.secret_stored;
    key_form = name_of(from.origin.accepts.form);
    metadata = from.origin.metadata.data();
    metadata_length = from.origin.metadata.size();
    recognised = seen::name_of(from.origin.recognised);
    health = &own_health;
    has_huge_page_bytes = from.huge_page_bytes.has_value();
    huge_page_bytes = from.huge_page_bytes.value_or(0);
  }

  filter_info from;
  seen_health own_health = shown_health(from.health);
  std::string hash_name;
  std::vector<seen_field> shown;
};

struct owned_plan : seen_plan_info {
  explicit owned_plan(seen::plan_row said) : seen_plan_info{}, from(std::move(said)), shown(shown_fields(from.shape)) {
    size = sizeof(seen_plan_info);
    kind = from.kind.c_str();
    shape = shown.data();
    shape_count = shown.size();
    bytes = from.bytes;
    bits_per_key = from.bits_per_key;
    expected_fpr = from.expected_fpr;
    cache_lines = from.lines;
    build_bytes = from.build_bytes;
    can_add = from.can_add;
    can_remove = from.can_remove;
    can_merge = from.can_merge;
    can_intersect = from.can_intersect;
    can_grow = from.can_grow;
    can_shrink = from.can_shrink;
    can_forget = from.can_forget;
  }

  seen::plan_row from;
  std::vector<seen_field> shown;
};

// A number of a filter's info.
template <class Number>
seen_status tell(const seen_filter* filter, double* out, seen_error** error, Number number) noexcept {
  return guarded_with(
      error,
      [&]() -> result<void> {
        auto said = number(filter->filter.info());
        if (!said) return said.error();
        *out = *said;
        return {};
      },
      filter, out);
}

// --- lists

// The registry's names are literals.
const char* literal(std::string_view name) {
  assert(name.data()[name.size()] == '\0');
  return name.data();
}

std::vector<const char*> with_null(std::span<const std::string_view> names) {
  std::vector<const char*> all;
  for (const std::string_view name : names) all.push_back(literal(name));
  all.push_back(nullptr);
  return all;
}

struct owned_kind : seen_kind {
  explicit owned_kind(const seen::kind_row& row)
      : seen_kind{}, names(with_null(row.field_names)), real(new bool[names.size()]()) {
    for (std::size_t i = 0; i + 1 < names.size(); ++i) real[i] = row.type_of_field(i) == field_type::real;
    size = sizeof(seen_kind);
    name = literal(row.kind.name);
    summary = literal(row.summary);
    is_static = row.build != nullptr;
    field_names = names.data();
    field_is_real = real.get();
  }

  std::vector<const char*> names;
  std::unique_ptr<bool[]> real;
};

struct owned_format : seen_format {
  explicit owned_format(const seen::format_row* row)
      : seen_format{},
        variant_names(with_null(row->variants)),
        hash_names(with_null(row->hashes)),
        key_names(with_null(row->key_types)) {
    size = sizeof(seen_format);
    name = literal(row->name);
    summary = literal(row->summary);
    can_make = row->make != nullptr;
    can_map = row->map != nullptr;
    can_add = row->can.adds;
    can_verify = row->can.verifies;
    can_seed = row->can.seeds;
    has_parts = row->can.parts;
    variants = variant_names.data();
    hashes = hash_names.data();
    key_types = key_names.data();
    has_layouts = row->can.layouts;
  }

  std::vector<const char*> variant_names;
  std::vector<const char*> hash_names;
  std::vector<const char*> key_names;
};

// Row `index` of a list that is made when it is first asked for; null after the last, and where there is no memory.
template <class Owned, class Rows>
const Owned* row_at(std::size_t index, Rows rows) noexcept {
  try {
    static const std::vector<Owned> all(rows().begin(), rows().end());
    return index < all.size() ? &all[index] : nullptr;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

seen_status seen_info_of(const seen_filter* filter, seen_info** out, seen_error** error) {
  if (out != nullptr) *out = nullptr;
  return guarded_with(
      error,
      [&]() -> result<void> {
        *out = new owned_info(filter->filter.info());
        return {};
      },
      filter, out);
}

seen_status seen_inspect(const char* path, const seen_open_options* options, seen_info** out, seen_error** error) {
  if (out != nullptr) *out = nullptr;
  return guarded_with(
      error,
      [&]() -> result<void> {
        auto how = as_open_options(options);
        if (!how) return how.error();
        auto said = seen::any_filter::inspect(path, *how);
        if (!said) return said.error();
        *out = new owned_info(std::move(*said));
        return {};
      },
      path, out);
}

void seen_info_free(seen_info* info) {
  delete static_cast<owned_info*>(info);
}

seen_status seen_health_of(const seen_filter* filter, seen_health** out, seen_error** error) {
  if (out != nullptr) *out = nullptr;
  return guarded_with(
      error,
      [&]() -> result<void> {
        *out = new seen_health(shown_health(filter->filter.health()));
        return {};
      },
      filter, out);
}

void seen_health_free(seen_health* health) {
  delete health;
}

seen_status seen_estimated_count(const seen_filter* filter, double* keys, seen_error** error) {
  return tell(filter, keys, error, [](const filter_info& info) { return result<double>(info.keys); });
}

seen_status seen_fill(const seen_filter* filter, double* fill, seen_error** error) {
  return tell(filter, fill, error, [](const filter_info& info) -> result<double> {
    if (info.fill) return *info.fill;
    return {errc::unsupported, "fill: a " + info.kind + " filter has nothing that fills up"};
  });
}

seen_status seen_estimated_fpr(const seen_filter* filter, double* fpr, seen_error** error) {
  return tell(filter, fpr, error, [](const filter_info& info) { return result<double>(info.fpr_now); });
}

seen_status seen_plan(const seen_make_options* options, seen_plan_info** out, seen_error** error) {
  if (out != nullptr) *out = nullptr;
  return guarded_with(
      error,
      [&]() -> result<void> {
        auto wanted = as_make_options(options);
        if (!wanted) return wanted.error();
        if (wanted->target.capacity == 0) return {errc::invalid_argument, "plan: needs a capacity"};
        auto kind = seen::find_kind(wanted->kind.empty() ? seen::kinds()[0].kind.name : wanted->kind);
        if (!kind) return kind.error();
        auto planned = (*kind)->plan_as(*wanted);
        if (!planned) return planned.error();
        *out = new owned_plan(std::move(*planned));
        return {};
      },
      out);
}

void seen_plan_free(seen_plan_info* plan) {
  delete static_cast<owned_plan*>(plan);
}

const seen_kind* seen_kind_at(size_t index) {
  return row_at<owned_kind>(index, seen::kinds);
}

const seen_format* seen_format_at(size_t index) {
  return row_at<owned_format>(index, seen::formats);
}

const char* seen_hash_at(size_t index) {
  const auto& names = seen::detail::hash_names;
  return index < names.size() ? names[index].name : nullptr;
}
