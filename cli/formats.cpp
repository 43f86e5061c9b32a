// seen formats: the file formats and the kinds of filter this release knows, from the registry.
#include <seen/registry.hpp>

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "output.hpp"
#include "verb.hpp"

namespace seen::cli {
namespace {

nlohmann::ordered_json list_of(std::span<const std::string_view> names) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const std::string_view name : names) list.push_back(name);
  return list;
}

// Its filters are built from all keys at once, and in no other way.
bool is_static(const format_row& format) {
  return format.make == nullptr && format.build != nullptr;
}

std::string as_json() {
  nlohmann::ordered_json document{{"formats", nlohmann::ordered_json::array()},
                                  {"kinds", nlohmann::ordered_json::array()}};
  for (const format_row* const each : formats()) {
    document["formats"].push_back({{"name", each->name},
                                   {"summary", each->summary},
                                   {"checksums", each->can.verifies},
                                   {"adds", each->can.adds},
                                   {"makes", each->make != nullptr || each->build != nullptr},
                                   {"static", is_static(*each)},
                                   {"variants", list_of(each->variants)},
                                   {"hashes", list_of(each->hashes)},
                                   {"key_types", list_of(each->keys)}});
  }
  for (const kind_row& each : kinds()) {
    nlohmann::ordered_json variants = nlohmann::ordered_json::array();
    for (const kind_variant& variant : each.variants) variants.push_back(variant.name);
    document["kinds"].push_back({{"name", each.kind.name},
                                 {"params", list_of(each.field_names)},
                                 {"variants", variants},
                                 {"static", each.build != nullptr},
                                 {"summary", each.summary}});
  }
  return document.dump(2) + '\n';
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

action define_formats(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "one JSON document");
  app.footer(
      "All of them are read, asked and saved again. add: keys can be added to a file;\n"
      "build: `seen build --format` makes one (static: from all keys at once);\n"
      "checks: it has checksums (the others open as \"unverified\").\n"
      "--json also lists encodings (--variant), hashes (--hash) and kinds of keys (--key-type) to choose from.");
  return [json]() -> result<exit_status> {
    if (auto printed = print(*json ? as_json() : as_table()); !printed) return printed.error();
    return exit_status::yes;
  };
}

}  // namespace seen::cli
