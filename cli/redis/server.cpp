// Passwords are read here and nowhere else, and no message has them.
#include <cstdlib>
#include <limits>

#include "input.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "redis/redis.hpp"

namespace seen::cli::over_redis {
namespace {

constexpr const char* password_variable = "REDISCLI_AUTH";

// The first line of a file, without its end.
result<std::string> read_password(const std::string& path) {
  constexpr std::size_t longest = 4096;
  auto from = input::open(path, reading::plain);
  if (!from) return from.error();
  std::string text(longest + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    auto got = from->read(std::as_writable_bytes(std::span(text).subspan(size)));
    if (!got) return got.error();
    if (*got == 0) break;
    size += *got;
  }
  text.resize(size);
  text.resize(std::min(text.find('\n'), text.size()));
  if (text.ends_with('\r')) text.pop_back();
  if (text.empty() || text.size() > longest) {
    return {errc::invalid_argument,
            path + ": its first line is no password: it has " + std::to_string(text.size()) + " bytes"};
  }
  return text;
}

result<void> read_milliseconds(const char* option, const std::string& text, std::chrono::milliseconds& to) {
  if (text.empty()) return {};
  auto seconds = parse_option(option, text, parse_duration);
  if (!seconds) return seconds.error();
  constexpr std::uint64_t most = 1'000'000;
  if (*seconds > most || *seconds == 0) {
    return {errc::invalid_argument, std::string(option) + ": " + text + " is not from 1 to a million seconds"};
  }
  to = std::chrono::seconds(*seconds);
  return {};
}

}  // namespace

void waiting_options::define(option_list& app) {
  app.value({"--timeout", "how long to wait for a connection, and for a reply (30)", "SECONDS"}, timeout);
  app.value({"--retry", "how long to try again while a node is away or slots move (30)", "SECONDS"}, retry);
}

result<client::patience> waiting_options::read() const {
  client::patience made;
  if (auto read = read_milliseconds("--timeout", timeout, made.timeout); !read) return read.error();
  if (auto read = read_milliseconds("--retry", retry, made.retries); !read) return read.error();
  return made;
}

void server_options::define(option_list& app) {
  option_list server = app.in_group("The server");
  server.value(
      {"-u,--url", "redis://[user@]host[:port] or unix:/path; any node of a cluster (redis://127.0.0.1)", "URL"}, url);
  server.value({"--password-file", "its password; or in REDISCLI_AUTH, as redis-cli has it", "FILE"}, password_file);
  waiting.define(server);
}

result<std::unique_ptr<client::cluster>> connect(const char* option, const std::string& url,
                                                 const std::string& password_file, const waiting_options& waiting) {
  auto where = parse_option(option, url, client::address::parse);
  if (!where) return where.error();
  auto patience = waiting.read();
  if (!patience) return patience.error();
  if (!password_file.empty()) {
    auto password = read_password(password_file);
    if (!password) return password.error();
    where->password = *password;
  } else if (const char* const known = std::getenv(password_variable); known != nullptr && where->password.empty()) {
    where->password = known;
  }
  auto made = client::cluster::connect(*where, *patience);
  if (!made && made.error().detail.find("NOAUTH") != std::string::npos) {
    error why = made.error();
    why.detail += std::string(" (--password-file, or ") + password_variable + " in the environment)";
    return why;
  }
  return made;
}

result<std::unique_ptr<client::cluster>> server_options::connect() const {
  return over_redis::connect("--url", url, password_file, waiting);
}

}  // namespace seen::cli::over_redis
