// Options that several verbs share, and the checks that no file which is read is also written.
#include "options.hpp"

#include <seen/base/text.hpp>
#include <seen/registry.hpp>
#include <seen/storage/file.hpp>

#include <filesystem>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "numbers.hpp"
#include "output.hpp"
#include "secret_file.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

// The file that a name stands for; nothing for pipes, terminals and devices, which have no content to lose.
std::optional<struct stat> regular_file(const std::string& path) {
  struct stat status {};
  const int failed = path == dash ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
  if (failed != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return status;
}

bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

error name_is_used(const std::string& read, const std::string& name, const char* of_what) {
  return {errc::invalid_argument,
          display_name(read) + ": is read, and would be lost: " + (read == name ? "its name" : "the name " + name) +
              " is that of the output's " + of_what};
}

}  // namespace

bool is_same_file(const std::string& a, const std::string& b) {
  const auto one = regular_file(a), other = regular_file(b);
  return one && other && is_same(*one, *other);
}

bool is_same_place(const std::string& a, const std::string& b) {
  const auto place = [](const std::string& path) {
    std::error_code unknown;
    const auto end = end_of_links(path);  // of a link to nothing yet, too
    auto found = std::filesystem::weakly_canonical(std::filesystem::absolute(end ? *end : path, unknown), unknown);
    return unknown ? std::filesystem::path() : found;
  };
  const auto one = place(a);
  return a == b || (!one.empty() && one == place(b));
}

std::string temporary_of(const std::string& path) {
  const auto written = end_of_links(path);
  return hidden_beside(written ? *written : path, ".seen-tmp");
}

result<void> saving_spares(const std::string& path, const std::vector<std::string>& kept) {
  const std::string temporary = temporary_of(path);
  for (const std::string& each : kept) {
    if (is_same_file(each, temporary)) return name_is_used(each, temporary, "temporary file");
  }
  return {};
}

result<void> stdout_spares(std::initializer_list<std::vector<std::string>> read) {
  struct stat out {};
  if (::fstat(STDOUT_FILENO, &out) != 0) return {};
  for (const std::vector<std::string>& some : read) {
    for (const std::string& each : some) {
      const auto in = regular_file(each);
      if (!in || !is_same(*in, out)) continue;
      return {errc::invalid_argument, display_name(each) + ": is read, and standard output goes to the same file"};
    }
  }
  return {};
}

void filter_options::define_format(option_list& app, const char* variant_name) {
  app.value({"--format", "the file's format, if its content does not tell (see `seen formats`)", "FORMAT"}, format);
  option_list group = app.in_group("What files of other libraries may leave open (see `seen formats --json`)");
  group.value({"--hash", "the hash function it was made with", "HASH"}, hash);
  group.value({"--key-type", "what its keys are: bytes, utf16, long, …; numbers are read in decimal", "NAME"},
              key_type);
  group.value({"--part,--column", "which of several filters in the file: a Parquet column, a number", "NAME"}, part);
  group.value({variant_name, "how it is laid out: old, json-std, the length of its segments, …", "NAME"}, variant);
}

void filter_options::define(option_list& app, const char* variant_name) {
  define_format(app, variant_name);
  app.value({"--secret-file", "the secret of a keyed filter: 16 bytes or 32 hexadecimal digits", "FILE"}, secret_file);
}

void filter_options::define_check(option_list& app) {
  app.flag({"--check", "compare every checksum of a file beyond 16 MiB, too, before it is used"}, check);
}

result<open_options> filter_options::read() const {
  open_options options;
  options.format = format;
  options.hash = hash;
  options.key_type = key_type;
  options.part = part;
  options.variant = variant;
  if (!secret_file.empty()) {
    auto given = read_secret(secret_file);
    if (!given) return given.error();
    options.secret = *given;
  }
  return options;
}

void output_options::define(option_list& app, need needed) {
  app.value({"-o,--output", "the file to write (- is standard output)", "FILE", needed}, path);
  app.flag({"-f,--force", "overwrite it if it exists"}, overwrite);
}

void output_options::define_store_secret(option_list& app) {
  app.flag({"--store-secret", "put the secret into the filter file: whoever reads it can forge keys"}, store_secret);
}

result<void> output_options::check(const std::vector<std::string>& kept, const std::vector<std::string>& filters,
                                   const std::string& checkpoint) const {
  if (path == dash) {
    if (auto apart = stdout_spares({kept, filters}); !apart) return apart;
    if (stdout_is_terminal()) {
      return {errc::invalid_argument, "-o -: a " + std::string(product) + " is not for a terminal"};
    }
    return {};
  }
  for (const std::string& each : kept) {
    if (!is_same_file(each, path)) continue;
    return {errc::invalid_argument, path + ": is read, and would be replaced by the " + product +
                                        ": give another name to -o" +
                                        (each == path ? "" : " (it is " + display_name(each) + ")")};
  }
  // A pipe or a device is opened only once.
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return {};
  if (path.ends_with('/')) return {errc::invalid_argument, path + ": is the name of a directory, not of a file"};
  if (auto apart = saving_spares(path, kept); !apart) return apart;
  for (const std::string& each : kept) {
    if (!checkpoint.empty() && is_same_file(each, checkpoint)) return name_is_used(each, checkpoint, "checkpoint");
  }
  // By place: a crash may have left the temporary as a second name of the very filter that is replaced.
  const std::string temporary = temporary_of(path);
  for (const std::string& each : filters) {
    if (is_same_place(each, temporary)) return name_is_used(each, temporary, "temporary file");
  }
  if (auto begun = replacement::begin(path, overwrite); !begun) return cannot_write(path, begun.error());
  return {};
}

std::string output_options::name() const {
  return path == dash ? "standard output" : path;
}

result<void> output_options::save(const any_filter& filter, bool quiet) const {
  save_options options{.overwrite = overwrite};
  if (store_secret) {
    if (!filter.info().hash.keyed) return {errc::invalid_argument, "--store-secret: the filter has no secret"};
    options.store_secret = true;
  }
  if (path != dash) {
    if (auto saved = save_filter(filter, path, options, quiet); !saved) return cannot_write(path, saved.error());
    return {};
  }
  auto bytes = filter.to_bytes(options);
  if (!bytes) return bytes.error();
  output out;
  out.append(bytes_view(*bytes));
  return out.flush();
}

void output_options::tell_of_secret(const any_filter& saved, const filter_options& from, bool quiet) const {
  if (quiet || store_secret || !from.secret_file.empty() || !saved.info().hash.keyed) return;
  if (regular_file(path) && path != dash) {
    const auto written =
        any_filter::inspect(path);  // it may have replaced a file that held the secret, and holds it still
    if (!written || written->origin.secret_stored) return;
  }
  warn(false, name() + ": does not hold its secret, and no --secret-file gave it: --store-secret puts it in");
}

result<void> check_metadata(std::string_view format) {
  const auto row = find_format(format.empty() ? formats()[0]->name : format);
  if (!row || (*row)->name == native::format_name || (*row)->can.metadata) return {};
  std::string able(native::format_name);
  for (const format_row* each : formats()) {
    if (each->can.metadata) append_name(able, each->name);
  }
  return {errc::unsupported,
          "--metadata: the " + std::string(format) + " format has no place for it; these have: " + able};
}

void define_quiet(option_list& app, bool& quiet) {
  app.flag({"-q,--quiet", "no progress bar and no remarks on stderr"}, quiet);
}

std::vector<std::string> files_or_stdin(const std::vector<std::string>& files) {
  return files.empty() ? std::vector<std::string>{dash} : files;
}

}  // namespace seen::cli
