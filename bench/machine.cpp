// From Linux's files; what is not there is left out.
#include "machine.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <thread>

namespace seen::bench {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  std::string family, model, name;
  for (std::string line; std::getline(in, line) && !line.empty();) {
    const auto value = [&] { return line.substr(std::min(line.find(": ") + 2, line.size())); };
    if (line.starts_with("cpu family")) family = value();
    if (line.starts_with("model\t")) model = value();
    if (line.starts_with("model name")) name = value();
  }
  if (name.empty()) return "unknown processor";
  return fmt::format("{} (family {}, model {})", name, family, model);
}

std::string caches() {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    const std::string at = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", i);
    const std::string level = first_line(at + "level"), type = first_line(at + "type");
    if (level.empty() || type == "Instruction") continue;
    text += fmt::format(", L{} {}", level, first_line(at + "size"));
  }
  return text;
}

// "always [madvise] never" has its setting in brackets.
std::string huge_pages() {
  const std::string all = first_line("/sys/kernel/mm/transparent_hugepage/enabled");
  const std::size_t from = all.find('['), to = all.find(']');
  return from == std::string::npos || to == std::string::npos ? ""
                                                              : ", huge pages: " + all.substr(from + 1, to - from - 1);
}

}  // namespace

record this_machine(const std::string& run) {
  record r{.run = run, .family = "machine"};
  r.filter = fmt::format("{}, {} processors{}{}, compiler {}", processor(), std::thread::hardware_concurrency(),
                         caches(), huge_pages(), __VERSION__);
  return r;
}

std::string machine_lines(const std::vector<record>& records) {
  std::vector<std::pair<std::string, std::string>> machines;  // and its runs
  for (const record& r : records) {
    if (r.family != "machine") continue;
    auto found = std::find_if(machines.begin(), machines.end(), [&](const auto& m) { return m.first == r.filter; });
    if (found == machines.end()) found = machines.insert(machines.end(), {r.filter, ""});
    found->second += (found->second.empty() ? "" : "; ") + r.run;
  }
  std::string text;
  for (const auto& [machine, runs] : machines) text += fmt::format("\nmachine: {} | {}\n", machine, runs);
  return text;
}

}  // namespace seen::bench
