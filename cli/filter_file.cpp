// The library says of a file whether it can be mapped; whether it should be is said here.
#include "filter_file.hpp"

#include <sys/stat.h>

namespace seen::cli {
namespace {

bool is_small(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && static_cast<std::uint64_t>(status.st_size) <= small_file;
}

}  // namespace

result<any_filter> open_filter(const std::string& path, const open_options& options, opening how) {
  if (how == opening::checked) return any_filter::load(path, options);
  open_options as_it_is = options;
  as_it_is.recover = true;  // bits only go up in a file that is added to, so an unsealed one has lost no key
  if (is_small(path)) return any_filter::load(path, as_it_is);
  auto mapped = any_filter::map(path, as_it_is);
  // Other formats are not mapped, and what is wrong with the rest is told by loading it.
  if (!mapped && mapped.error().code == errc::unsupported) return any_filter::load(path, as_it_is);
  return mapped;
}

}  // namespace seen::cli
