// Of hiredis the blocking connect, which knows names, both families of addresses and Unix sockets, and the reader of replies, which is given
// functions of ours that make them: its own would take as much memory as an array announces.
#include "client/connection.hpp"

#ifdef SEEN_WITH_HIREDIS
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <new>
#include <poll.h>
#include <sys/socket.h>
#endif

namespace seen::redis::client {

#ifdef SEEN_WITH_HIREDIS
namespace {

constexpr std::size_t most_bytes = std::size_t{640} << 20;  // of a reply: a server sends no text beyond 512 MiB
constexpr std::size_t longest_line = std::size_t{64} << 10;
constexpr std::size_t most_elements = std::size_t{1} << 20;  // of a reply, in all of its arrays

// Where a part of a reply belongs: into the array around it, or nowhere yet. Elements are counted in the reader's private data. Nothing may
// be thrown through hiredis, and null is its word for no memory.
void* put(const redisReadTask* task, reply made) noexcept {
  auto& elements = *static_cast<std::size_t*>(task->privdata);
  try {
    if (task->parent == nullptr) {
      elements = 0;
      return new reply(std::move(made));
    }
    if (++elements > most_elements) return nullptr;
    auto& all = static_cast<reply*>(task->parent->obj)->elements;
    all.push_back(std::move(made));
    return &all.back();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void* put_text(const redisReadTask* task, char* text, std::size_t size) {
  const auto is = task->type == REDIS_REPLY_ERROR    ? reply::kind::error
                  : task->type == REDIS_REPLY_STATUS ? reply::kind::status
                                                     : reply::kind::text;
  try {
    return put(task, {.is = is, .text = std::string(text, size)});
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

// The count is an int in hiredis 0, and a size_t since 1.
template <class Count>
void* put_array(const redisReadTask* task, Count count) {
  if (count < 0 || static_cast<std::size_t>(count) > most_elements) return nullptr;
  return put(task, {.is = reply::kind::array});
}

void* put_integer(const redisReadTask* task, long long number) {
  return put(task, {.is = reply::kind::integer, .number = number});
}

void* put_null(const redisReadTask* task) {
  return put(task, {});
}

void forget(void* root) {
  delete static_cast<reply*>(root);
}

// Types of RESP3, which hiredis reads since 1: without functions it would hand out numbers for pointers.
template <class Functions>
redisReplyObjectFunctions* reply_functions() {
  static Functions functions = [] {
    Functions made{};
    made.createString = put_text;
    made.createArray = put_array;
    made.createInteger = put_integer;
    made.createNil = put_null;
    made.freeObject = forget;
    if constexpr (requires { made.createDouble; }) {
      made.createDouble = [](const redisReadTask*, double, char*, std::size_t) -> void* { return nullptr; };
      made.createBool = [](const redisReadTask*, int) -> void* { return nullptr; };
    }
    return made;
  }();
  return &functions;
}

timeval time_of(connection::milliseconds t) {
  timeval made{};
  made.tv_sec = static_cast<decltype(made.tv_sec)>(t.count() / 1000);
  made.tv_usec = static_cast<decltype(made.tv_usec)>(t.count() % 1000 * 1000);
  return made;
}

}  // namespace

struct connection::wire {
  explicit wire(redisContext* made) : context(made) {}
  wire(const wire&) = delete;
  wire& operator=(const wire&) = delete;
  ~wire() {
    redisReaderFree(reader);
    redisFree(context);
  }

  redisContext* context;
  redisReader* reader = nullptr;
  std::size_t elements = 0;  // of the reply that is being read
};

connection::connection(std::string name) : name_(std::move(name)) {}
connection::~connection() = default;

int connection::descriptor() const noexcept {
  return wire_->context->fd;
}

result<std::unique_ptr<connection>> connection::open(const address& to, milliseconds timeout) {
  std::unique_ptr<connection> made(new connection(to.name()));
  redisContext* const context = to.path.empty() ? redisConnectWithTimeout(to.host.c_str(), to.port, time_of(timeout))
                                                : redisConnectUnixWithTimeout(to.path.c_str(), time_of(timeout));
  if (context == nullptr) return error{errc::no_memory, made->name_ + ": no memory for a connection"};
  made->wire_ = std::make_unique<wire>(context);
  if (context->err != 0) {
    const int why = errno;
    const bool is_system = context->err == REDIS_ERR_IO && why != 0;
    return error{errc::io, made->name_ + ": " + (is_system ? std::strerror(why) : context->errstr),
                 is_system ? why : 0};
  }
  const int flags = ::fcntl(context->fd, F_GETFL);
  if (flags < 0 || ::fcntl(context->fd, F_SETFL, flags | O_NONBLOCK) < 0) {
    return system_error(made->name_, "fcntl", errno);
  }
  static_cast<void>(::fcntl(context->fd, F_SETFD, FD_CLOEXEC));
  made->wire_->reader = redisReaderCreateWithFunctions(reply_functions<redisReplyObjectFunctions>());
  if (made->wire_->reader == nullptr) return error{errc::no_memory, made->name_ + ": no memory for a connection"};
  made->wire_->reader->privdata = &made->wire_->elements;
  made->wire_->reader->maxbuf = 0;  // keeps its buffer
  if (to.password.empty()) return made;
  request login("AUTH");
  if (!to.user.empty()) login.add(to.user);
  auto told = made->ask(login.add(to.password), timeout);
  if (!told) return told.error();
  if (!told->is_status("OK")) return error{errc::invalid_argument, made->name_ + ": " + told->in_words()};
  return made;
}

result<void> connection::flush() {
  while (has_unsent()) {
    const auto put = ::send(descriptor(), unsent_.data() + sent_, unsent_.size() - sent_, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return {};
    if (put < 0) return system_error(name_, "send", errno);
    sent_ += static_cast<std::size_t>(put);
  }
  unsent_.clear();
  sent_ = 0;
  return {};
}

result<void> connection::receive() {
  redisReader& reader = *wire_->reader;
  char block[std::size_t{64} << 10];
  for (;;) {
    const auto got = ::recv(descriptor(), block, sizeof block, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return {};
    if (got < 0) return system_error(name_, "recv", errno);
    if (got == 0) return {errc::io, name_ + ": the server has closed the connection"};
    if (redisReaderFeed(&reader, block, static_cast<std::size_t>(got)) != REDIS_OK) {
      return {errc::corrupt, name_ + ": " + reader.errstr};
    }
    return {};  // hiredis moves what is left after each reply, so not too much is given to it at once
  }
}

result<std::optional<reply>> connection::next() {
  redisReader& reader = *wire_->reader;
  void* root = nullptr;
  if (redisReaderGetReply(&reader, &root) != REDIS_OK) {
    const bool is_memory = reader.err == REDIS_ERR_OOM;
    return {errc::corrupt,
            name_ + ": is no server of Redis, or replies more than fits: " +
                (is_memory ? "a reply of too many elements or of a type that was not asked for" : reader.errstr)};
  }
  if (root != nullptr) {
    const std::unique_ptr<reply> held(static_cast<reply*>(root));
    return std::optional<reply>(std::move(*held));
  }
  const std::size_t waiting = reader.len - reader.pos;
  const char* const from = reader.buf + reader.pos;
  if (waiting > most_bytes || (waiting > longest_line && std::memchr(from, '\n', longest_line) == nullptr)) {
    return {errc::corrupt, name_ + ": is no server of Redis, or replies more than fits: " + std::to_string(waiting) +
                               " bytes, and no end of it"};
  }
  return std::optional<reply>();
}

result<reply> connection::ask(const request& each, milliseconds timeout) {
  using clock = std::chrono::steady_clock;
  send(each);
  const auto until = clock::now() + timeout;
  for (;;) {
    if (auto sent = flush(); !sent) return sent.error();
    auto told = next();
    if (!told) return told.error();
    if (*told) return std::move(**told);
    const auto left = std::chrono::duration_cast<milliseconds>(until - clock::now()).count();
    if (left <= 0) return {errc::io, name_ + ": no reply for " + std::to_string(timeout.count()) + " ms"};
    pollfd waiting{descriptor(), static_cast<short>(POLLIN | (has_unsent() ? POLLOUT : 0)), 0};
    if (::poll(&waiting, 1, static_cast<int>(left)) <= 0) continue;
    if ((waiting.revents & (POLLIN | POLLHUP | POLLERR)) == 0) continue;
    if (auto got = receive(); !got) return got.error();
  }
}

#else

struct connection::wire {};

connection::connection(std::string name) : name_(std::move(name)) {}
connection::~connection() = default;
int connection::descriptor() const noexcept {
  return -1;
}
result<std::unique_ptr<connection>> connection::open(const address&, milliseconds) {
  return error{errc::unsupported, "this seen was built without hiredis, which talks to servers of Redis"};
}
result<void> connection::flush() {
  return {};
}
result<void> connection::receive() {
  return {};
}
result<std::optional<reply>> connection::next() {
  return std::optional<reply>();
}
result<reply> connection::ask(const request&, milliseconds) {
  return reply{};
}

#endif

}  // namespace seen::redis::client
