#include "client/address.hpp"

#include <charconv>

namespace seen::redis::client {
namespace {

result<std::string> without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    unsigned code = 0;
    const char* const digits = text.data() + i + 1;
    if (text.size() - i < 3 || std::from_chars(digits, digits + 2, code, 16).ptr != digits + 2) {
      return {errc::invalid_argument, "a % that two hexadecimal digits do not follow"};
    }
    plain += static_cast<char>(code);
    i += 2;
  }
  return plain;
}

bool read_port(std::string_view text, std::uint16_t& to) {
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), to);
  return wrong == std::errc() && end == text.data() + text.size() && to != 0;
}

// The host and the port behind the last colon; an address of IPv6 has colons of its own, and brackets unless a node of a cluster wrote it.
result<void> read_host_and_port(std::string_view text, bool needs_port, address& to) {
  const error wrong{errc::invalid_argument, '"' + std::string(text) + "\" is no host and port"};
  std::size_t colon = text.rfind(':');
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == text.npos) return wrong;
    to.host = text.substr(1, end - 1);
    colon = end + 1;
    if (colon == text.size())
      colon = text.npos;
    else if (text[colon] != ':')
      return wrong;
  } else {
    to.host = text.substr(0, colon);
  }
  if (colon == text.npos) return needs_port ? result<void>(wrong) : result<void>();
  if (!read_port(text.substr(colon + 1), to.port)) return wrong;
  return {};
}

}  // namespace

result<address> address::parse(std::string_view url) {
  const auto begins = [&](std::string_view with) { return url.starts_with(with); };
  const error wrong{errc::invalid_argument,
                    "say redis://[user:password@]host[:port] or unix:/path, not \"" + std::string(url) + '"'};
  address made;
  if (begins("unix:")) {
    made.path = url.substr(5);
    if (made.path.starts_with("///")) made.path.erase(0, 2);  // unix:///path
    return made.path.empty() ? result<address>(wrong) : result<address>(made);
  }
  if (begins("rediss:")) {
    return {errc::unsupported, "rediss: TLS is not spoken here; connect through a tunnel (stunnel, ssh -L)"};
  }
  if (!begins("redis://")) return wrong;
  std::string_view rest = url.substr(8);
  if (const std::size_t at = rest.rfind('@'); at != rest.npos) {
    const std::string_view who = rest.substr(0, at);
    const std::size_t colon = who.find(':');
    auto user = without_escapes(who.substr(0, colon));
    auto password = without_escapes(colon == who.npos ? std::string_view() : who.substr(colon + 1));
    if (!user) return user.error();
    if (!password) return password.error();
    made.user = *user;
    made.password = *password;
    rest = rest.substr(at + 1);
  }
  if (const std::size_t slash = rest.find('/'); slash != rest.npos) {
    const std::string_view database = rest.substr(slash + 1);
    if (!database.empty() && database != "0") {
      return {errc::unsupported, "database " + std::string(database) + ": only database 0, as in a cluster"};
    }
    rest = rest.substr(0, slash);
  }
  if (rest.empty()) return wrong;
  if (auto read = read_host_and_port(rest, false, made); !read) return read.error();
  return made.host.empty() ? result<address>(wrong) : result<address>(made);
}

std::string address::name() const {
  if (!path.empty()) return path;
  const bool is_v6 = host.find(':') != host.npos;
  return (is_v6 ? '[' + host + ']' : host) + ':' + std::to_string(port);
}

result<address> node_address(std::string_view text, const address& asked) {
  address made = asked;
  made.path.clear();
  const std::string host = asked.path.empty() ? asked.host : std::string("127.0.0.1");
  if (auto read = read_host_and_port(text, true, made); !read) return read.error();
  if (made.host.empty()) made.host = host;
  return made;
}

}  // namespace seen::redis::client
