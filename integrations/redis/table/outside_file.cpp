#include "table/outside_file.hpp"

#include <seen/hash/xxh3.hpp>
#include <seen/storage/file.hpp>

#include <algorithm>
#include <vector>

namespace seen::redis {

bool is_file_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= 200 && name[0] != '.' && name.find('/') == name.npos &&
         name.find('\0') == name.npos;
}

result<outside_file> look_at(const std::string& folder, std::string_view name) {
  if (folder.empty()) return {errc::unsupported, "no folder of filters is configured (sf-directory)"};
  if (!is_file_name(name)) return {errc::invalid_argument, "that is no name of a file in the folder of filters"};
  const auto opened = file::open(folder + '/' + std::string(name));
  if (!opened) return opened.error();
  const auto size = opened->size();
  if (!size) return size.error();
  constexpr std::uint64_t head = 4096;
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(*size, head)));
  if (auto read = opened->read_at(0, bytes); !read) return read.error();
  return outside_file{std::string(name), *size, xxh3_64()(bytes).value};
}

result<any_filter> map_file(const std::string& folder, const outside_file& known) {
  const auto now = look_at(folder, known.name);
  if (!now) return now.error();
  if (*now != known) return error{errc::not_recognised, known.name + " is another file than the one that was loaded"};
  return any_filter::map(folder + '/' + known.name);
}

}  // namespace seen::redis
