// Options that contradict one another are refused here, and so is one that would do nothing.
#include "key_options.hpp"

#include <string_view>

#include "numbers.hpp"
#include "options.hpp"

namespace seen::cli {
namespace {

constexpr std::uint64_t most_width = std::uint64_t{1} << 30;

struct option_pair {
  bool given;
  const char* one;
  const char* other;
};

error need_other(const char* option, const char* other) {
  return {errc::invalid_argument, std::string(option) + ": needs " + other};
}

result<bad_records> parse_policy(std::string_view text) {
  if (text == "error") return bad_records::error;
  if (text == "skip") return bad_records::skip;
  if (text == "empty") return bad_records::empty;
  return {errc::invalid_argument, '"' + std::string(text) + "\" is none of error, skip, empty"};
}

}  // namespace

void key_options::define(option_list& app) {
  option_list records =
      app.in_group("Keys (the bytes of a line without its newline; a carriage return is part of the key)");
  records.flag({"-0,--null", "keys end with a zero byte instead of a newline"}, null);
  records.value({"--field", "the key is field N of the line; several: 2-4, 1,3, 2-; -1 is the last", "N"}, field);
  records.value({"-d,--delimiter", "what separates fields (default: a tab)", "TEXT"}, delimiter);
  records.flag({"--blanks", "fields are separated by runs of blanks"}, blanks);
  records.flag({"--csv", "fields are separated by commas, and may stand in quotes (RFC 4180)"}, csv);
  records.flag({"--header", "the first line of each file names its fields; --field takes names"}, header);
  records.value({"--json-key", "a line is JSON, and the key at this path: .id, .user.id, .items[].id", "PATH"},
                json_key);
  records.value({"--width", "records of N bytes, with nothing between them", "N"}, width);
  records.value({"--parquet", "lists are Parquet files, and the keys are the values of this column", "COLUMN"},
                parquet);
  records.flag({"--hex", "keys are written in hexadecimal"}, hex);
  records.value({"--digest", "the digest of each key is taken instead: sha1, md5, sha256", "NAME"}, digest);
  records.flag({"--crlf", "a carriage return before the newline is no part of the key"}, crlf);
  records.flag({"--trim", "blanks at both ends are no part of the key"}, trim);
  records.flag({"--lower", "capitals are made small: A to Z, no others"}, lower);
  records.flag({"--skip-blank", "empty lines and keys are left out"}, skip_blank);
  records.value({"--comment", "lines that begin with it are left out", "TEXT"}, comment);
  records.value({"--on-bad", "what to do with a line that has no such key: error (default), skip, empty", "WHAT"},
                on_bad);
  records.flag({"--plain", "take the bytes as they are: decompress nothing, and accept what does not look like a list"},
               plain);
  app.value({"-j,--threads", "threads that read lists (default, and 0: as many as there are processors)", "N"},
            threads);
}

result<void> key_options::check() const {
  const bool has_field = !field.empty(), has_path = !json_key.empty(), has_delimiter = !delimiter.empty();
  const bool has_width = !width.empty(), has_column = !parquet.empty();
  for (const option_pair& each : {
           option_pair{csv && null, "--csv", "--null"},
           {csv && blanks, "--csv", "--blanks"},
           {csv && has_path, "--csv", "--json-key"},
           {blanks && has_delimiter, "--blanks", "--delimiter"},
           {has_path && has_field, "--json-key", "--field"},
           {has_path && header, "--json-key", "--header"},
           {has_width && null, "--width", "--null"},
           {has_width && csv, "--width", "--csv"},
           {has_width && header, "--width", "--header"},
           {has_width && crlf, "--width", "--crlf"},
           {has_column && null, "--parquet", "--null"},
           {has_column && csv, "--parquet", "--csv"},
           {has_column && has_width, "--parquet", "--width"},
           {has_column && has_field, "--parquet", "--field"},
           {has_column && has_path, "--parquet", "--json-key"},
           {has_column && header, "--parquet", "--header"},
           {has_column && plain, "--parquet", "--plain"},
       }) {
    if (each.given) return {errc::invalid_argument, std::string(each.one) + ": not together with " + each.other};
  }
  if (csv && !has_field) return need_other("--csv", "--field");
  if (blanks && !has_field) return need_other("--blanks", "--field");
  if (has_delimiter && !has_field) return need_other("--delimiter", "--field");
  return {};
}

result<field_separator> key_options::read_separator(char terminator) const {
  field_separator separator;
  if (csv) separator = {field_separator::way::csv, ","};
  if (blanks) separator.how = field_separator::way::blanks;
  if (!delimiter.empty()) separator.delimiter = delimiter == "\\t" ? "\t" : delimiter;
  const std::string& text = separator.delimiter;
  if (!blanks && text.find(terminator) != text.npos) {
    return {errc::invalid_argument, "--delimiter: is what ends the lines"};
  }
  if (csv && text.size() != 1) {
    return {errc::invalid_argument, "--delimiter: \"" + delimiter + "\" is not one byte, as in CSV"};
  }
  if (csv && (text == "\"" || text == "\r")) {
    return {errc::invalid_argument, "--delimiter: has a meaning of its own in CSV"};
  }
  return separator;
}

result<key_format> key_options::read(bool quiet) const {
  if (auto fine = check(); !fine) return fine.error();
  key_format format;
  if (null) format.terminator = '\0';
  auto separator = read_separator(format.terminator);
  if (!separator) return separator.error();
  format.csv = csv;
  format.csv_delimiter = csv ? separator->delimiter.front() : ',';
  if (!width.empty()) {
    auto bytes = parse_option("--width", width, parse_count);
    if (!bytes) return bytes.error();
    if (*bytes == 0 || *bytes > most_width) {
      return {errc::invalid_argument, "--width: " + width + " is not from 1 to 1 GiB"};
    }
    format.width = static_cast<std::size_t>(*bytes);
  }
  format.column = parquet;
  format.header = header;
  if (!field.empty()) {
    auto fields = field_choice::parse(field, std::move(*separator), header);
    if (!fields) return fields.error().prefixed("--field: ");
    format.fields = std::move(*fields);
  }
  if (!json_key.empty()) {
    auto path = parse_option("--json-key", json_key, json_path::parse);
    if (!path) return path.error();
    format.path = std::move(*path);
  }
  if (!digest.empty()) {
    auto found = parse_option("--digest", digest, find_digest);
    if (!found) return found.error();
    format.digest = *found;
  }
  if (!on_bad.empty()) {
    auto policy = parse_option("--on-bad", on_bad, parse_policy);
    if (!policy) return policy.error();
    format.on_bad = *policy;
  }
  format.crlf = crlf;
  format.trim = trim;
  format.lower = lower;
  format.skip_blank = skip_blank;
  format.comment = comment;
  format.hex = hex;
  format.decompress = !plain;
  if (!threads.empty()) {
    auto number = parse_option("--threads", threads, parse_count);
    if (!number) return number.error();
    if (*number > 1024) {
      return {errc::invalid_argument, "--threads: " + std::to_string(*number) + " is more than 1024"};
    }
    format.threads = static_cast<unsigned>(*number);
  }
  format.quiet = quiet;
  return format;
}

}  // namespace seen::cli
