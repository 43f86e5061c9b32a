// Children, and what they write.
#include "processes.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace seen::bench {
namespace {

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

std::vector<record> run_apart(const std::string& self, const std::vector<std::string>& arguments, const apart& how) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("seen_bench." + std::to_string(getpid()) + ".json");
  std::string command = how.huge_pages ? "GLIBC_TUNABLES=glibc.malloc.hugetlb=1 " : "";
  command += quoted(self);
  for (const std::string& each : arguments) command += ' ' + quoted(each);
  command += " --json " + quoted(file.string()) + " > /dev/null";
  std::vector<std::vector<record>> processes;
  for (int i = 0; i < how.processes; ++i) {
    const int status = std::system(command.c_str());
    processes.push_back(from_json(text_of(file)));
    std::filesystem::remove(file);
    if (status != 0) throw std::runtime_error("this process failed: " + command);
  }
  return how.processes == 1 ? processes.front() : merged(processes);
}

}  // namespace seen::bench
