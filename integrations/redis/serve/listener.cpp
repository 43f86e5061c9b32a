#include "serve/listener.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace seen::redis {
namespace {

constexpr int backlog = 1024;

handle socket_of(int domain) {
  return handle(::socket(domain, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

// A socket that nobody answers at.
result<void> remove_left_behind(const std::string& path, const sockaddr_un& name) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) return {};
  if (!S_ISSOCK(found.st_mode)) return {errc::exists, path + ": is there, and is no socket", EEXIST};
  const handle asking = socket_of(AF_UNIX);
  const int answer = ::connect(asking.number(), reinterpret_cast<const sockaddr*>(&name), sizeof name);
  if (answer == 0 || errno != ECONNREFUSED) return {errc::busy, path + ": another server is there", EADDRINUSE};
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return system_error(path, "unlink", errno);
  return {};
}

}  // namespace

result<listener> listener::at_path(const std::string& path, unsigned mode) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof name.sun_path) {
    return {errc::invalid_argument, path + ": is longer than the " + std::to_string(sizeof name.sun_path - 1) +
                                        " characters that the name of a socket may have"};
  }
  std::memcpy(name.sun_path, path.data(), path.size());
  auto lock = file::open_or_create(path + ".lock");
  if (!lock && lock.error().code == errc::busy) return {errc::busy, path + ": another server is there", EADDRINUSE};
  if (!lock) return lock.error();
  listener made(socket_of(AF_UNIX), path);
  made.keeps_.emplace(std::move(*lock));
  if (auto removed = remove_left_behind(path, name); !removed) return removed.error();
  // The socket is made with these permissions: it is never open to more.
  const mode_t before = ::umask(static_cast<mode_t>(~mode & 0777));
  const int bound = ::bind(made.number(), reinterpret_cast<const sockaddr*>(&name), sizeof name);
  const int why = errno;
  ::umask(before);
  if (bound != 0) return system_error(path, "bind", why);
  made.is_bound_ = true;
  if (::listen(made.number(), backlog) != 0) return system_error(path, "listen", errno);
  return made;
}

result<listener> listener::at_port(int port) {
  listener made(socket_of(AF_INET), "127.0.0.1:" + std::to_string(port));
  const int yes = 1;
  ::setsockopt(made.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(static_cast<std::uint16_t>(port));
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(made.number(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0) {
    return system_error(made.address(), "bind", errno);
  }
  if (::listen(made.number(), backlog) != 0) return system_error(made.address(), "listen", errno);
  socklen_t size = sizeof name;
  if (::getsockname(made.number(), reinterpret_cast<sockaddr*>(&name), &size) == 0) made.port_ = ntohs(name.sin_port);
  made.address_ = "127.0.0.1:" + std::to_string(made.port_);
  return made;
}

listener::~listener() {
  if (!keeps_) return;
  if (is_bound_) ::unlink(address_.c_str());
  keeps_->remove();
}

}  // namespace seen::redis
