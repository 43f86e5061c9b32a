#include "options.hpp"

#include <optional>
#include <string_view>
#include <sys/stat.h>
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

}  // namespace

bool is_same_file(const std::string& a, const std::string& b) {
  const auto one = regular_file(a), other = regular_file(b);
  return one && other && is_same(*one, *other);
}

result<void> stdout_spares(const std::string& path) {
  struct stat out {};
  const auto in = regular_file(path);
  if (!in || ::fstat(STDOUT_FILENO, &out) != 0 || !is_same(*in, out)) return {};
  return {errc::invalid_argument, display_name(path) + ": is read, and standard output goes to the same file"};
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
      ->type_name("FILE");
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
      ->required(required);
  app.add_flag("-f,--force", overwrite, "overwrite it if it exists");
}

void output_options::define_store_key(CLI::App& app, const char* group) {
  auto* const flag =
      app.add_flag("--store-key", store_key, "put the secret into the filter file: whoever reads it can forge keys");
  if (group != nullptr) flag->group(group);
}

result<void> output_options::check(const std::vector<std::string>& kept,
                                   const std::vector<std::string>& filters) const {
  const bool to_stdout = path == stdin_name;
  for (const std::string& each : kept) {
    if (auto apart = to_stdout ? stdout_spares(each) : result<void>(); !apart) return apart;
    if (to_stdout || !is_same_file(each, path)) continue;
    return {errc::invalid_argument, path + ": is read, and would be replaced by the filter: give another name to -o" +
                                        (each == path ? "" : " (it is " + display_name(each) + ")")};
  }
  if (to_stdout) {
    for (const std::string& each : filters) {
      if (auto apart = stdout_spares(each); !apart) return apart;
    }
    if (stdout_is_terminal()) return {errc::invalid_argument, "-o -: a filter is not for a terminal"};
    return {};
  }
  // What is neither a file nor absent (a pipe, a device) is opened once only.
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return {};
  if (auto begun = replacement::begin(path, overwrite); !begun) return about(path, begun.error());
  return {};
}

result<void> output_options::save(const any_filter& filter, save_options options) const {
  options.overwrite = overwrite;
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
