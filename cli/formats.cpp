// seen formats: the file formats and the kinds of filter this release knows, from the registry; one of them in full; and what
// converts to what (conversions.hpp).
#include <seen/base/text.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <fmt/core.h>
#include <memory>

#include "conversions.hpp"
#include "json.hpp"
#include "output.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

struct formats_options {
  std::string name;
  bool conversions = false, json = false;
};

constexpr std::size_t width = 100;

// Its filters are built from all keys at once, and in no other way.
bool is_static(const format_row& format) {
  return format.make == nullptr && format.build != nullptr;
}

json as_json(const format_row& format) {
  return json::object()
      .add("name", format.name)
      .add("summary", format.summary)
      .add("checksums", format.can.verifies)
      .add("adds", format.can.adds)
      .add("makes", format.make != nullptr || format.build != nullptr)
      .add("static", is_static(format))
      .add("variants", json::array_of(format.variants))
      .add("hashes", json::array_of(format.hashes))
      .add("key_types", json::array_of(format.key_types));
}

json as_json(const kind_row& kind) {
  json variants = json::array();
  for (const kind_variant& variant : kind.variants) variants.push(variant.name);
  return json::object()
      .add("name", kind.kind.name)
      .add("shape", json::array_of(kind.field_names))
      .add("variants", variants)
      .add("static", kind.build != nullptr)
      .add("summary", kind.summary);
}

std::string as_json() {
  json all_formats = json::array(), all_kinds = json::array();
  for (const format_row* const each : formats()) all_formats.push(as_json(*each));
  for (const kind_row& each : kinds()) all_kinds.push(as_json(each));
  return json::object().add("formats", all_formats).add("kinds", all_kinds).text() + '\n';
}

std::string as_table() {
  constexpr const char* row = "{:<24} {:<4} {:<7} {:<7} {}\n";
  const auto yes = [](bool can) { return can ? "yes" : "-"; };
  std::string text = fmt::format(row, "format (--format)", "add", "build", "checks", "what it is");
  for (const format_row* const each : formats()) {
    text += fmt::format(row, each->name, yes(each->can.adds), is_static(*each) ? "static" : yes(each->make != nullptr),
                        yes(each->can.verifies), each->summary);
  }
  text += fmt::format("\n{:<24} {}\n", "kind (--kind)", "what it is");
  for (const kind_row& each : kinds()) text += fmt::format("{:<24} {}\n", each.kind.name, each.summary);
  return text;
}

// --- what converts to what

// "bits-and-blooms", "native split-block".
std::string name_of(const specimen& each) {
  return each.format == formats()[0]->name ? each.format + ' ' + each.kind : each.format;
}

// Specimens of one name and hash that become each other, and the same others, are one row.
struct joined_row {
  std::string from, format;
  std::vector<std::string> hashes, variants;
  std::vector<written_as> all;  // what they become, and what they are
};

bool has(const std::vector<std::string>& some, const std::string& one) {
  return std::find(some.begin(), some.end(), one) != some.end();
}

// Sorted, so that rows can be compared.
std::vector<written_as> with_itself(const conversion_row& row) {
  std::vector<written_as> all = row.to;
  all.push_back({row.from.format, row.from.variant});
  std::sort(all.begin(), all.end(), [](const written_as& a, const written_as& b) {
    return a.format != b.format ? a.format < b.format : a.variant < b.variant;
  });
  return all;
}

std::vector<joined_row> joined(const std::vector<conversion_row>& rows) {
  std::vector<joined_row> joint;
  for (const conversion_row& each : rows) {
    if (each.to.empty()) continue;
    const std::string name = name_of(each.from);
    std::vector<written_as> all = with_itself(each);
    auto found = std::find_if(joint.begin(), joint.end(),
                              [&](const joined_row& other) { return other.from == name && other.all == all; });
    if (found == joint.end()) found = joint.insert(joint.end(), {name, each.from.format, {}, {}, std::move(all)});
    if (!each.from.hash.empty() && !has(found->hashes, each.from.hash)) found->hashes.push_back(each.from.hash);
    if (!each.from.variant.empty() && !has(found->variants, each.from.variant))
      found->variants.push_back(each.from.variant);
  }
  return joint;
}

// " (classic, classic-gob)"; nothing where they are all there are.
std::string variants_of(const std::string& format, const std::vector<std::string>& variants) {
  const auto row = find_format(format);
  if (variants.empty() || (row && variants.size() == (*row)->variants.size())) return "";
  return " (" + listed(variants) + ")";
}

// One row, broken where it is long and indented from the second line on.
std::string row_of(const std::string& words, std::size_t columns) {
  const std::string text = wrapped("", words, columns - 2);
  std::string indented;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    indented += (at == 0 ? "" : "  ") + text.substr(at, end - at);
    at = end;
  }
  return indented;
}

std::string conversions_table(const std::vector<conversion_row>& rows, std::size_t columns = width) {
  std::string text;
  for (const joined_row& each : joined(rows)) {
    std::string to = each.variants.size() > 1 ? "each other" : "";
    for (std::size_t i = 0; i < each.all.size();) {
      const std::string& format = each.all[i].format;
      std::vector<std::string> variants;
      for (; i < each.all.size() && each.all[i].format == format; ++i) {
        const std::string& variant = each.all[i].variant;
        if (format != each.format || !has(each.variants, variant)) variants.push_back(variant);
      }
      if (format == each.format && (variants.empty() || variants.front().empty())) continue;
      append_name(to, format + (variants.front().empty() ? "" : variants_of(format, variants)));
    }
    const std::string hashes = each.hashes.empty() ? "" : " with " + listed(each.hashes);
    text += row_of(each.from + variants_of(each.format, each.variants) + hashes + " -> " + to, columns);
  }
  return text.empty() ? "nothing\n" : text;
}

json conversions_json(const std::vector<conversion_row>& rows) {
  json all = json::array();
  for (const conversion_row& each : rows) {
    for (const written_as& to : each.to) {
      all.push(json::object()
                   .add("from", each.from.format)
                   .add("kind", each.from.kind)
                   .add("from_variant", each.from.variant.empty() ? json() : json(each.from.variant))
                   .add("hash", each.from.hash.empty() ? json() : json(each.from.hash))
                   .add("to", to.format)
                   .add("variant", to.variant.empty() ? json() : json(to.variant)));
    }
  }
  return all;
}

// --- one in full

std::string choice(const char* word, std::span<const std::string_view> names, const char* option) {
  if (names.empty()) return "";
  return wrapped(fmt::format("  {:<13} ", word),
                 listed(names) + (names.size() > 1 ? fmt::format("  ({}; the first is the usual one)", option) : ""),
                 width);
}

// Lines under one word, which stands before the first.
std::string under(const char* word, const std::string& lines) {
  std::string text;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at) + 1;
    text += fmt::format("  {:<13} ", at == 0 ? word : "") + lines.substr(at, end - at);
    at = end;
  }
  return text;
}

std::string in_full(const format_row& format) {
  std::string text = wrapped(fmt::format("{}: ", format.name), format.summary, width);
  text += choice("variants", format.variants, "--variant");
  text += choice("hashes", format.hashes, "--hash");
  text += choice("key types", format.key_types, "--key-type");
  const auto all = specimens(format.name);
  std::string holds;
  std::vector<std::string> can;
  for (const specimen& each : all) {
    if (holds.find(each.kind) == std::string::npos) append_name(holds, each.kind);
    for (std::string& name : operations_of(each)) {
      if (std::find(can.begin(), can.end(), name) == can.end()) can.push_back(std::move(name));
    }
  }
  if (!holds.empty()) text += wrapped(fmt::format("  {:<13} ", "kinds"), holds, width);
  std::string abilities = "be read and asked";
  if (format.make != nullptr || format.build != nullptr)
    abilities += is_static(format) ? ", be built from all its keys at once" : ", be built";
  for (const std::string& name : can) append_name(abilities, name);
  if (format.can.seeds) append_name(abilities, "take a seed (--seed)");
  if (format.can.parts) append_name(abilities, "hold several filters (--part)");
  append_name(abilities, format.can.verifies ? "be checked" : "not be checked: it has no checksums");
  text += wrapped(fmt::format("  {:<13} ", "can"), abilities, width);
  std::vector<specimen> others = specimens();
  std::erase_if(others, [&](const specimen& each) { return each.format == format.name; });
  text += under("converts to", conversions_table(conversions_of(all), width - 16));
  text += under("made from", conversions_table(conversions_of(others, format.name), width - 16));
  return text;
}

std::string in_full(const kind_row& kind) {
  std::string text = wrapped(fmt::format("{}: ", kind.kind.name), kind.summary, width);
  text += wrapped(fmt::format("  {:<13} ", "shape"), listed(kind.field_names) + "  (--shape)", width);
  std::vector<std::string_view> variants;
  for (const kind_variant& each : kind.variants) variants.push_back(each.name);
  text += choice("variants", variants, "--variant");
  text += fmt::format("  {:<13} {}\n", "usual hash", describe(kind.usual_hash));
  std::vector<specimen> all = specimens(formats()[0]->name);
  std::erase_if(all, [&](const specimen& each) { return each.kind != kind.kind.name; });
  std::string can = kind.build != nullptr ? "be built from all its keys at once" : "";
  for (const std::string& name : operations_of(all.front())) append_name(can, name);
  if (const auto plan = kind.plan(target{.capacity = 1000, .fpr = 0.01})) {
    if (plan->can_grow) append_name(can, "grow");
    if (plan->can_share) append_name(can, "threads");
  }
  text += wrapped(fmt::format("  {:<13} ", "can"), can, width);
  return text + under("converts to", conversions_table(conversions_of(all), width - 16));
}

result<exit_status> tell_of(const std::string& name, bool as_document) {
  std::string text;
  if (const auto format = find_format(name)) {
    text = as_document
               ? as_json(**format).add("conversions", conversions_json(conversions_of(specimens(name)))).text() + '\n'
               : in_full(**format);
  } else if (const auto kind = find_kind(name)) {
    text = as_document ? as_json(**kind).text() + '\n' : in_full(**kind);
  } else {
    return {errc::invalid_argument,
            fmt::format("formats: no format or kind is called \"{}\" (seen formats lists them)", name)};
  }
  if (auto printed = print(text); !printed) return printed.error();
  return exit_status::yes;
}

result<exit_status> list(const formats_options& o) {
  if (!o.name.empty() && !o.conversions) return tell_of(o.name, o.json);
  std::string text;
  if (o.conversions) {
    if (!o.name.empty() && !find_format(o.name)) return find_format(o.name).error();
    const auto rows = conversions_of(specimens(o.name));
    text = o.json ? conversions_json(rows).text() + '\n' : conversions_table(rows);
  } else {
    text = o.json ? as_json() : as_table();
  }
  if (auto printed = print(text); !printed) return printed.error();
  return exit_status::yes;
}

}  // namespace

action define_formats(option_list& app) {
  auto o = std::make_shared<formats_options>();
  app.value({"name", "a format or a kind, to be told all of it", "NAME"}, o->name);
  app.flag({"--conversions", "what converts to what, found by trying"}, o->conversions);
  app.flag({"--json", "one JSON document"}, o->json);
  app.footer(
      "All of them are read, asked and saved again. add: keys can be added to a file;\n"
      "build: `seen build --format` makes one (static: from all keys at once);\n"
      "checks: it has checksums (the others open as \"unverified\").\n"
      "\n"
      "Examples:\n"
      "  seen formats guava                variants (--variant), hashes (--hash), key types (--key-type), conversions\n"
      "  seen formats --conversions");
  return [o] { return list(*o); };
}

}  // namespace seen::cli
