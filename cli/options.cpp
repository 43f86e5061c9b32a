#include "options.hpp"

#include <seen/storage/file.hpp>
#include <seen/storage/links.hpp>

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

// What a name stands for, where that is a file: pipes, terminals and devices are nobody's content.
std::optional<struct stat> regular_file(const std::string& path) {
  struct stat status {};
  const int failed = path == stdin_name ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
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

void key_options::define(CLI::App& app) {
  constexpr const char* group = "Keys (the bytes of a line without its newline; a carriage return is part of the key)";
  app.add_flag("-0,--null", null, "keys end with a zero byte instead of a newline")->group(group);
  app.add_option("--field", field, "the key is field N of the line, from 1; no quoting")
      ->type_name("N")
      ->check(not_empty)
      ->group(group);
  app.add_option("-d,--delimiter", delimiter, "what separates fields: one byte, a tab unless said")
      ->type_name("C")
      ->check(not_empty)
      ->group(group);
  app.add_flag("--hex", hex, "keys are written in hexadecimal")->group(group);
  app.add_flag("--plain", plain,
               "take the bytes as they are: gzip and zstd, and what is no list, are known by their content otherwise")
      ->group(group);
}

result<key_format> key_options::read() const {
  key_format format;
  format.hex = hex;
  format.decompress = !plain;
  if (null) format.terminator = '\0';
  if (!field.empty()) {
    auto number = parse_option("--field", field, parse_count);
    if (!number) return number.error();
    if (*number == 0) return {errc::invalid_argument, "--field: fields are counted from 1"};
    format.field = *number;
  }
  if (!delimiter.empty()) {
    if (format.field == 0) return {errc::invalid_argument, "--delimiter: needs --field"};
    const std::string_view text = delimiter == "\\t" ? "\t" : std::string_view(delimiter);
    if (text.size() != 1) return {errc::invalid_argument, "--delimiter: \"" + delimiter + "\" is not one byte"};
    format.delimiter = text[0];
  }
  if (format.field != 0 && format.delimiter == format.terminator) {
    return {errc::invalid_argument, "--delimiter: is what ends the lines"};
  }
  return format;
}

void filter_options::define_format(CLI::App& app) {
  app.add_option("--format", format, "the file's format, where its content does not tell (see `seen formats`)")
      ->type_name("NAME")
      ->check(not_empty);
  constexpr const char* group = "Files of other libraries that do not say it themselves (see `seen formats --json`)";
  app.add_option("--hash", hash, "the hash function it was made with")
      ->type_name("NAME")
      ->check(not_empty)
      ->group(group);
  app.add_option("--key-type", key_type, "what its keys are: bytes, utf16, long, …; numbers are read in decimal")
      ->type_name("NAME")
      ->check(not_empty)
      ->group(group);
  app.add_option("--part,--column", part, "which of several filters in the file: a Parquet column, a number")
      ->type_name("NAME")
      ->check(not_empty)
      ->group(group);
}

void filter_options::define(CLI::App& app) {
  define_format(app);
  app.add_option("--key-file", key_file, "the secret of a keyed filter: 16 bytes or 32 hexadecimal digits")
      ->type_name("FILE")
      ->check(not_empty);
}

result<open_options> filter_options::read() const {
  open_options options;
  options.format = format;
  options.hash = hash;
  options.keys = key_type;
  options.part = part;
  if (!key_file.empty()) {
    auto key = read_secret(key_file);
    if (!key) return key.error();
    options.key = *key;
  }
  return options;
}

void output_options::define(CLI::App& app, bool required) {
  app.add_option("-o,--output", path, "the file to write (- is standard output)")
      ->type_name("FILE")
      ->check(not_empty)
      ->required(required);
  app.add_flag("-f,--force", overwrite, "overwrite it if it exists");
}

void output_options::define_store_key(CLI::App& app, const char* group) {
  auto* const flag =
      app.add_flag("--store-key", store_key, "put the secret into the filter file: whoever reads it can forge keys");
  if (group != nullptr) flag->group(group);
}

result<void> output_options::check(const std::vector<std::string>& kept, const std::vector<std::string>& filters,
                                   const std::string& checkpoint) const {
  if (path == stdin_name) {
    if (auto apart = stdout_spares({kept, filters}); !apart) return apart;
    if (stdout_is_terminal()) return {errc::invalid_argument, "-o -: a filter is not for a terminal"};
    return {};
  }
  for (const std::string& each : kept) {
    if (!is_same_file(each, path)) continue;
    return {errc::invalid_argument, path + ": is read, and would be replaced by the filter: give another name to -o" +
                                        (each == path ? "" : " (it is " + display_name(each) + ")")};
  }
  // What is neither a file nor absent (a pipe, a device) is opened once only.
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
  if (auto begun = replacement::begin(path, overwrite); !begun) return about(path, begun.error());
  return {};
}

result<void> output_options::save(const any_filter& filter) const {
  save_options options{.overwrite = overwrite};
  if (store_key) {
    if (!filter.info().hash.keyed) return {errc::invalid_argument, "--store-key: the filter has no secret"};
    options.store_secret = true;
  }
  if (path != stdin_name) {
    if (auto saved = filter.save(path, options); !saved) return about(path, saved.error());
    return {};
  }
  auto bytes = filter.to_bytes(options);
  if (!bytes) return bytes.error();
  output out;
  out.append(bytes_view(*bytes));
  return out.flush();
}

void output_options::tell_of_secret(const any_filter& saved, const filter_options& from, bool quiet) const {
  if (quiet || store_key || !from.key_file.empty() || !saved.info().hash.keyed) return;
  if (regular_file(path) && path != stdin_name) {
    const auto written =
        any_filter::inspect(path);  // it may have replaced a file that held the secret, and holds it still
    if (!written || written->origin.secret_stored) return;
  }
  remark(false, "seen: " + (path == stdin_name ? "standard output" : path) +
                    ": does not hold its secret, which no --key-file gave: --store-key puts it in");
}

void define_quiet(CLI::App& app, bool& quiet) {
  app.add_flag("-q,--quiet", quiet, "no progress bar and no remarks on stderr");
}

void define_now(CLI::App& app, std::string& now) {
  app.add_option("--now", now,
                 "the time, in the unit of the filter's period: a filter that forgets by time turns to it")
      ->type_name("N")
      ->check(not_empty);
}

result<std::optional<std::uint64_t>> parse_time(const std::string& now) {
  if (now.empty()) return std::optional<std::uint64_t>();
  auto parsed = parse_option("--now", now, parse_count);
  if (!parsed) return parsed.error();
  return std::optional(*parsed);
}

std::vector<std::string> files_or_stdin(const std::vector<std::string>& files) {
  return files.empty() ? std::vector<std::string>{stdin_name} : files;
}

}  // namespace seen::cli
