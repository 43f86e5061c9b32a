#include "serve/connection.hpp"

#include <cerrno>
#include <sys/socket.h>

namespace seen::redis {
namespace {

constexpr std::size_t at_once = std::size_t{64} << 10;

bool would_wait() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

}  // namespace

connection::connection(handle socket, service& shared, time now)
    : socket_(std::move(socket)),
      shared_(&shared),
      in_(*shared.memory),
      out_(*shared.memory),
      reader_(shared.bounds),
      session_(shared, out_),
      now_(now),
      heard_(now),
      sent_(now) {}

connection::~connection() {
  shared_->memory->give_back(charged_);
}

bool connection::receive() {
  const std::size_t least = in_.size() < at_once ? std::size_t{16} << 10 : at_once;
  const std::span<char> room = in_.free_room(least);
  if (room.empty()) {
    session_.reply().error("ERR no memory for so long a request");
    closing_ = true;
    return true;
  }
  const auto got = ::recv(socket_.number(), room.data(), std::min(room.size(), at_once), 0);
  if (got < 0) return would_wait();
  if (got == 0) closing_ = true;  // it may still be reading
  in_.grow(static_cast<std::size_t>(got));
  heard_ = now_;
  return true;
}

// A request of very many words takes memory beside its bytes.
void connection::account() {
  const std::size_t memory = reader_.memory();
  if (memory > charged_) shared_->memory->charge(memory - charged_);
  if (memory < charged_) shared_->memory->give_back(charged_ - memory);
  charged_ = memory;
}

void connection::carry_out_all() {
  while (!session_.is_over()) {
    if (out_.size() > shared_->bounds.unsent && (!send() || out_.size() > shared_->bounds.unsent)) {
      paused_ = true;
      return;
    }
    const auto outcome = reader_.read(in_.bytes());
    account();
    if (outcome == request_reader::outcome::incomplete) return;
    if (outcome == request_reader::outcome::wrong) {
      session_.reply().error(reader_.wrong());
      closing_ = true;
      in_.drop(in_.size());
      return;
    }
    session_.carry_out(reader_.words());
    in_.drop(reader_.size());
    reader_.next();
    if (session_.reply().is_broken()) return;
  }
  closing_ = true;
  in_.drop(in_.size());
}

bool connection::send() {
  session_.settle();
  if (session_.reply().is_broken()) return false;
  while (!out_.empty()) {
    const std::string_view bytes = out_.bytes();
    const auto put = ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (put < 0) return would_wait();
    out_.drop(static_cast<std::size_t>(put));
    sent_ = now_;
  }
  return true;
}

bool connection::go_on(bool readable, bool writable, time now) {
  now_ = now;
  if (out_.empty()) sent_ = now;  // nothing has waited until now
  if (writable && !send()) return false;
  if (readable && wants_to_read() && !receive()) return false;
  do {
    paused_ = paused_ && out_.size() > shared_->bounds.unsent / 2;
    if (!paused_ && !in_.empty()) carry_out_all();
    if (!send()) return false;
  } while (paused_ && out_.size() <= shared_->bounds.unsent / 2);
  in_.rest();
  out_.rest();
  return !closing_ || wants_to_write();
}

bool connection::finish() {
  closing_ = true;
  return send() && wants_to_write();
}

bool connection::is_forsaken(time now) const noexcept {
  const auto longer_than = [&](time since, unsigned seconds) {
    return seconds != 0 && now - since > std::chrono::seconds(seconds);
  };
  return longer_than(heard_, shared_->bounds.idle) || (wants_to_write() && longer_than(sent_, shared_->bounds.stall));
}

}  // namespace seen::redis
