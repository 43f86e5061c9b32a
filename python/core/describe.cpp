// Every number and name of the library's structs, put into the dataclasses of src/seenfilter/_types.py by name.
#include "describe.hpp"

#include "errors.hpp"

namespace seen_python {
namespace {

nb::str text(std::string_view view) {
  return nb::str(view.data(), view.size());
}

template <class Names>
nb::tuple texts(const Names& names) {
  nb::list all;
  for (const std::string_view each : names) all.append(text(each));
  return nb::tuple(all);
}

// An instance of a dataclass, by the names of its fields.
nb::object made(const char* type, const nb::dict& fields) {
  return nb::module_::import_("seenfilter._types").attr(type)(**fields);
}

// Zero where the library does not know: None in Python.
template <class Number>
nb::object known(Number value) {
  return value == Number{} ? nb::none() : nb::cast(value);
}

nb::object planned(const seen::plan_row& row) {
  nb::dict d;
  d["kind"] = row.kind;
  d["shape"] = shape_to_dict(row.shape);
  d["bytes"] = row.bytes;
  d["bits_per_key"] = row.bits_per_key;
  d["expected_fpr"] = row.expected_fpr;
  d["lines"] = row.lines;
  d["build_bytes"] = row.build_bytes;
  d["can_add"] = row.can_add;
  d["can_remove"] = row.can_remove;
  d["can_merge"] = row.can_merge;
  d["can_intersect"] = row.can_intersect;
  d["can_grow"] = row.can_grow;
  d["can_shrink"] = row.can_shrink;
  d["can_forget"] = row.can_forget;
  return made("Plan", d);
}

}  // namespace

nb::object describe(const seen::filter_health& health) {
  nb::dict d;
  d["saturated"] = health.saturated;
  d["past_capacity"] = health.past_capacity;
  d["above_fpr"] = health.above_fpr;
  d["fill"] = health.fill;
  d["estimated_count"] = health.keys;
  d["most_keys"] = health.most_keys;
  d["estimated_fpr"] = health.fpr;
  d["most_fpr"] = health.most_fpr;
  return made("Health", d);
}

nb::object describe(const seen::filter_info& info) {
  nb::dict d;
  d["kind"] = info.kind;
  d["format"] = info.format;
  d["shape"] = shape_to_dict(info.shape);
  d["hash"] = seen::name_of(info.hash.id);
  d["seed"] = info.hash.seed;
  d["keyed"] = info.hash.keyed;
  nb::dict target;
  target["capacity"] = known(info.target.capacity);
  target["fpr"] = known(info.target.fpr);
  d["target"] = made("Target", target);
  d["bytes"] = info.bytes;
  d["huge_page_bytes"] = info.huge_page_bytes;
  d["estimated_count"] = info.keys;
  d["exact"] = info.keys_exact;
  d["fill"] = info.fill;
  d["estimated_fpr"] = info.fpr_now;
  d["fpr_at_capacity"] = known(info.fpr_at_capacity);
  d["saturated"] = info.saturated;
  d["health"] = describe(info.health);
  d["recognised"] = seen::name_of(info.origin.recognised);
  d["variant"] = info.origin.variant;
  d["file_bytes"] = known(info.origin.file_bytes);
  d["verified"] = info.origin.verified;
  d["mapped"] = info.origin.mapped;
  d["sealed"] = info.origin.sealed;
  d["alignment"] = info.origin.alignment;
  d["secret_stored"] = info.origin.secret_stored;
  d["metadata"] = nb::bytes(info.origin.metadata.data(), info.origin.metadata.size());
  return made("Info", d);
}

nb::list plan(const make_arguments& arguments) {
  nb::list rows;
  const seen::make_options options = options_of(arguments);
  for (const seen::kind_row& kind : seen::kinds()) {
    if (arguments.kind && *arguments.kind != kind.kind.name) continue;
    const auto row = kind.plan_as(options);
    // Of all kinds those are left out that cannot be: the list says what there is to choose from.
    if (!row && arguments.kind) raise(row.error());
    if (row) rows.append(planned(*row));
  }
  return rows;
}

nb::list kinds() {
  nb::list rows;
  for (const seen::kind_row& each : seen::kinds()) {
    nb::dict d;
    d["name"] = text(each.kind.name);
    d["summary"] = text(each.summary);
    d["shape"] = texts(each.field_names);
    d["hash"] = seen::name_of(each.usual_hash);
    d["static"] = each.build != nullptr;
    rows.append(made("Kind", d));
  }
  return rows;
}

nb::list formats() {
  nb::list rows;
  for (const seen::format_row* each : seen::formats()) {
    nb::dict d;
    d["name"] = text(each->name);
    d["summary"] = text(each->summary);
    d["variants"] = texts(each->variants);
    d["hashes"] = texts(each->hashes);
    d["key_types"] = texts(each->key_types);
    d["can_make"] = each->make != nullptr;
    d["can_add"] = each->can.adds;
    d["has_parts"] = each->can.parts;
    d["has_layouts"] = each->can.layouts;
    rows.append(made("Format", d));
  }
  return rows;
}

}  // namespace seen_python
