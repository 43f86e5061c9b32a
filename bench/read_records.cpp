// Records as they were written, by this program or by those in other languages.
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/records.hpp"

namespace seen::bench {
namespace {

record from_object(const nlohmann::json& in) {
  record r;
  r.run = in.value("run", "");
  r.keys = in.value("keys", std::uint64_t{0});
  r.family = in.value("family", "");
  r.filter = in.value("filter", "");
  r.peer = in.value("peer", "");
  r.row = {in.value("call", ""), in.value("mix", ""), in.value("queries", ""), in.value("threads", 1u)};
  r.ns = in.value("ns", std::vector<double>{});
  r.bits_per_key = in.value("bits_per_key", 0.0);
  r.fpr = in.value("fpr", 0.0);
  return r;
}

}  // namespace

std::vector<record> from_json(const std::string& text) {
  std::vector<record> records;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    while (!line.empty() && (line.back() == ',' || line.back() == '\r')) line.pop_back();
    const auto parsed = nlohmann::json::parse(line, nullptr, false);
    if (parsed.is_object()) records.push_back(from_object(parsed));
  }
  return records;
}

}  // namespace seen::bench
