// seen formats: the file formats and the kinds of filter this release knows, from the registry.
#include <seen/registry.hpp>

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "output.hpp"
#include "verb.hpp"

namespace seen::cli {
namespace {

std::string as_json() {
  nlohmann::ordered_json document{{"formats", nlohmann::ordered_json::array()},
                                  {"kinds", nlohmann::ordered_json::array()}};
  for (const format_row* const each : formats()) {
    document["formats"].push_back(
        {{"name", each->name}, {"checksums", each->can.verifies}, {"summary", each->summary}});
  }
  for (const kind_row& each : kinds()) {
    nlohmann::ordered_json params = nlohmann::ordered_json::array();
    for (const std::string_view field : each.field_names) params.push_back(field);
    nlohmann::ordered_json variants = nlohmann::ordered_json::array();
    for (const kind_variant& variant : each.variants) variants.push_back(variant.name);
    document["kinds"].push_back({{"name", each.kind.name},
                                 {"params", params},
                                 {"variants", variants},
                                 {"static", each.build != nullptr},
                                 {"summary", each.summary}});
  }
  return document.dump(2) + '\n';
}

std::string as_table() {
  std::string text = fmt::format("{:<24} {:<10} {}\n", "format (--format)", "checksums", "what it is");
  for (const format_row* const each : formats()) {
    text += fmt::format("{:<24} {:<10} {}\n", each->name, each->can.verifies ? "yes" : "no", each->summary);
  }
  text += fmt::format("\n{:<24} {}\n", "kind (--kind)", "what it is");
  for (const kind_row& each : kinds()) text += fmt::format("{:<24} {}\n", each.kind.name, each.summary);
  return text;
}

}  // namespace

action define_formats(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "one JSON document");
  app.footer("Files of a format without checksums open as \"unverified\".");
  return [json]() -> result<exit_status> {
    if (auto printed = print(*json ? as_json() : as_table()); !printed) return printed.error();
    return exit_status::yes;
  };
}

}  // namespace seen::cli
