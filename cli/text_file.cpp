// The one file that knows streams and folders.
#include "text_file.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace seen::cli {

result<void> write_text(const std::string& folder, const std::string& name, std::string_view text) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);  // what fails here fails below
  const std::string path = folder + "/" + name;
  std::ofstream out(path, std::ios::binary);
  out << text << std::flush;
  if (!out) return {errc::io, path + ": cannot be written"};
  return {};
}

}  // namespace seen::cli
