// seen formats: the file formats and the kinds of filter this release knows, from the registry.
#include <seen/registry.hpp>

#include <fmt/core.h>
#include <memory>

#include "json.hpp"
#include "output.hpp"
#include "verb.hpp"

namespace seen::cli {
namespace {

// Its filters are built from all keys at once, and in no other way.
bool is_static(const format_row& format) {
  return format.make == nullptr && format.build != nullptr;
}

std::string as_json() {
  json all_formats = json::array(), all_kinds = json::array();
  for (const format_row* const each : formats()) {
    all_formats.push(json::object()
                         .add("name", each->name)
                         .add("summary", each->summary)
                         .add("checksums", each->can.verifies)
                         .add("adds", each->can.adds)
                         .add("makes", each->make != nullptr || each->build != nullptr)
                         .add("static", is_static(*each))
                         .add("variants", json::array_of(each->variants))
                         .add("hashes", json::array_of(each->hashes))
                         .add("key_types", json::array_of(each->key_types)));
  }
  for (const kind_row& each : kinds()) {
    json variants = json::array();
    for (const kind_variant& variant : each.variants) variants.push(variant.name);
    all_kinds.push(json::object()
                       .add("name", each.kind.name)
                       .add("shape", json::array_of(each.field_names))
                       .add("variants", variants)
                       .add("static", each.build != nullptr)
                       .add("summary", each.summary));
  }
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

}  // namespace

action define_formats(option_list& app) {
  auto as_document = std::make_shared<bool>(false);
  app.flag({"--json", "one JSON document"}, *as_document);
  app.footer(
      "All of them are read, asked and saved again. add: keys can be added to a file;\n"
      "build: `seen build --format` makes one (static: from all keys at once);\n"
      "checks: it has checksums (the others open as \"unverified\").\n"
      "--json also lists variants (--variant), hashes (--hash) and key types (--key-type) to choose from.");
  return [as_document]() -> result<exit_status> {
    if (auto printed = print(*as_document ? as_json() : as_table()); !printed) return printed.error();
    return exit_status::yes;
  };
}

}  // namespace seen::cli
