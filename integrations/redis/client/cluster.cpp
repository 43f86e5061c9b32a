#include "client/cluster.hpp"

#include <seen/base/text.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <poll.h>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

namespace seen::redis::client {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t most_bytes_under_way = std::size_t{2} << 20;  // to one node
constexpr std::size_t most_flights_under_way = 256;
constexpr unsigned most_redirects = 16;
constexpr unsigned redirects_at_once = 4;  // then it is waited, for nodes that have not agreed yet

// "MOVED 3999 127.0.0.1:6381"
struct redirect {
  unsigned slot = 0;
  std::string to;
};
std::optional<redirect> redirect_of(const reply& told, std::string_view word) {
  if (!told.is_error(word)) return {};
  const std::string_view rest = std::string_view(told.text).substr(std::min(told.text.size(), word.size() + 1));
  const std::size_t blank = rest.find(' ');
  redirect read;
  const auto [end, wrong] = std::from_chars(rest.data(), rest.data() + std::min(blank, rest.size()), read.slot);
  if (blank == rest.npos || wrong != std::errc() || end != rest.data() + blank || read.slot >= slot_count) return {};
  read.to = rest.substr(blank + 1);
  return read;
}

bool is_for_later(const reply& told) {
  for (const std::string_view word : {"TRYAGAIN", "CLUSTERDOWN", "LOADING", "MASTERDOWN"}) {
    if (told.is_error(word)) return true;
  }
  return false;
}

// What can be better in a moment.
bool may_pass(const error& why) {
  return why.code == errc::io || why.code == errc::busy;
}

}  // namespace

struct cluster::flight {
  unsigned slot = 0;
  std::vector<request> commands;
  taking use;
  repeats may = repeats::yes;
  std::size_t bytes = 0;
  std::vector<reply> replies = {};
  bool asks = false;                   // that node, with ASKING before each command
  std::optional<address> target = {};  // of a redirect
  unsigned redirects = 0, failures = 0;
  clock::time_point since = {}, due = {};

  [[nodiscard]] std::size_t expected() const noexcept { return commands.size() * (asks ? 2 : 1); }
};

struct cluster::node {
  explicit node(address at) : where(std::move(at)) {}

  address where;
  std::unique_ptr<connection> line;
  std::deque<flight_ptr> under_way;
  std::size_t bytes = 0;  // of them
  clock::time_point heard = {};
  bool wrote = false;  // over this connection
};

cluster::cluster(address first, const patience& how)
    : first_(std::move(first)), how_(how), by_slot_(slot_count, nullptr) {}
cluster::~cluster() = default;

result<std::unique_ptr<cluster>> cluster::connect(const address& first, const patience& how) {
  std::unique_ptr<cluster> made(new cluster(first, how));
  const auto until = clock::now() + how.retries;
  for (;;) {
    auto known = made->refresh();
    if (known) return made;
    // A server that is still loading is there; one that is not there may be the wrong one.
    if (known.error().code != errc::busy || clock::now() >= until) return known.error();
    std::this_thread::sleep_for(milliseconds(100));
  }
}

cluster::node& cluster::known(const address& at) {
  auto& held = nodes_[at.name()];
  if (!held) held = std::make_unique<node>(at);
  return *held;
}

std::vector<address> cluster::primaries() const {
  std::set<const node*> told;
  std::vector<address> all;
  for (const node* each : by_slot_) {
    if (each != nullptr && told.insert(each).second) all.push_back(each->where);
  }
  return all;
}

std::string cluster::node_of(unsigned slot) const {
  return by_slot_[slot] != nullptr ? by_slot_[slot]->where.name() : "no node";
}

// True if these are the slots of a cluster; false: the server is alone, and has all of them.
result<bool> cluster::read_slots(const address& from, const reply& told) {
  if (told.is_error()) {
    const bool is_alone = told.text.find("cluster support disabled") != told.text.npos ||
                          told.text.find("unknown command") != told.text.npos ||
                          told.text.find("unknown subcommand") != told.text.npos;
    if (is_alone) return false;
    return {is_for_later(told) ? errc::busy : errc::invalid_argument, from.name() + ": " + told.in_words()};
  }
  const error wrong{errc::corrupt, from.name() + ": CLUSTER SLOTS: what was replied are no slots"};
  if (!told.is_array()) return wrong;
  std::vector<node*> found(slot_count, nullptr);
  for (const reply& range : told.elements) {
    if (!range.is_array() || range.elements.size() < 3) return wrong;
    const reply &begin = range.elements[0], &end = range.elements[1], &primary = range.elements[2];
    if (!begin.is_integer() || !end.is_integer() || begin.number < 0 || end.number >= slot_count ||
        begin.number > end.number || !primary.is_array() || primary.elements.size() < 2) {
      return wrong;
    }
    const reply &host = primary.elements[0], &port = primary.elements[1];
    if ((!host.is_text() && host.is != reply::kind::null) || !port.is_integer()) return wrong;
    auto at = node_address(host.text + ':' + std::to_string(port.number), from);
    if (!at) return wrong;
    node& here = known(*at);
    for (auto slot = begin.number; slot <= end.number; ++slot) found[static_cast<std::size_t>(slot)] = &here;
  }
  by_slot_ = std::move(found);
  return true;
}

// Asks the node that was named first, and then all that were ever heard of, over connections of their own: those in use have replies on their way.
result<void> cluster::refresh() {
  std::vector<address> all{first_};
  for (const auto& [name, each] : nodes_) {
    if (name != first_.name()) all.push_back(each->where);
  }
  error why{errc::io, first_.name() + ": no reply"};
  bool is_first = true;
  for (const address& each : all) {
    auto line = connection::open(each, how_.timeout);
    auto told = line ? (*line)->ask(request("CLUSTER", "SLOTS"), how_.timeout) : result<reply>(line.error());
    auto is_cluster = told ? read_slots(each, *told) : result<bool>(told.error());
    if (is_cluster) {
      if (!*is_cluster) by_slot_.assign(slot_count, &known(each));
      is_stale_ = false;
      return {};
    }
    if (is_first || !may_pass(is_cluster.error())) why = is_cluster.error();
    if (!may_pass(is_cluster.error())) break;
    is_first = false;
  }
  return why;
}

bool cluster::is_idle() const noexcept {
  return waiting_.empty() &&
         std::all_of(nodes_.begin(), nodes_.end(), [](const auto& each) { return each.second->under_way.empty(); });
}

// Nothing is under way after an error: replies that are still to come would be taken for those of other commands.
result<void> cluster::fail(result<void> why) {
  if (why) return why;
  waiting_.clear();
  for (auto& [name, each] : nodes_) {
    each->under_way.clear();
    each->bytes = 0;
    each->line.reset();
  }
  return why;
}

result<void> cluster::later(flight_ptr each, const error& why) {
  const auto now = clock::now();
  if (each->failures++ == 0) each->since = now;
  if (now - each->since >= how_.retries) {
    return why.prefixed("gave up after " + readable(static_cast<double>(how_.retries.count()) / 1000) + " s: ");
  }
  constexpr milliseconds shortest{20}, longest{1000};
  each->due = now + std::min(longest, shortest * (1 << std::min(each->failures - 1, 6U)));
  each->replies.clear();
  each->asks = false;
  each->target.reset();
  is_stale_ = true;
  waiting_.push_back(std::move(each));
  return {};
}

result<void> cluster::place(flight_ptr each) {
  node* const to = each->target ? &known(*each->target) : by_slot_[each->slot];
  if (to == nullptr) {
    const error nobody{errc::io, "no node of the cluster has slot " + std::to_string(each->slot)};
    return later(std::move(each), nobody);
  }
  if (!to->line) {
    auto line = connection::open(to->where, how_.timeout);
    if (!line) return may_pass(line.error()) ? later(std::move(each), line.error()) : result<void>(line.error());
    to->line = std::move(*line);
    to->wrote = false;
  }
  if (to->under_way.empty()) to->heard = clock::now();
  for (const request& command : each->commands) {
    if (each->asks) to->line->send(request("ASKING"));
    to->line->send(command);
  }
  to->bytes += each->bytes;
  to->under_way.push_back(std::move(each));
  return {};
}

// All replies to a flight are there.
result<void> cluster::land(node& by, flight_ptr each) {
  if (each->asks) {
    std::vector<reply> of_commands;
    for (std::size_t i = 1; i < each->replies.size(); i += 2) of_commands.push_back(std::move(each->replies[i]));
    each->replies = std::move(of_commands);
    each->asks = false;
  }
  each->target.reset();
  for (const reply& told : each->replies) {
    auto to = redirect_of(told, "MOVED");
    const bool has_moved = to.has_value();
    if (!to) to = redirect_of(told, "ASK");
    if (to) {
      auto at = node_address(to->to, by.where);
      if (!at) return {errc::corrupt, by.where.name() + ": " + told.in_words()};
      if (++each->redirects > most_redirects) {
        return {errc::io, "redirected " + std::to_string(most_redirects) + " times, the last time by " +
                              by.where.name() + ": " + told.in_words()};
      }
      const error why{errc::io, by.where.name() + ": " + told.in_words()};
      if (has_moved) {
        by_slot_[each->slot] = &known(*at);
        if (each->redirects > redirects_at_once) return later(std::move(each), why);
      } else {
        each->target = *at;
        each->asks = true;
      }
      each->replies.clear();
      return place(std::move(each));
    }
    if (is_for_later(told)) {
      const error why{errc::io, by.where.name() + ": " + told.in_words()};
      return later(std::move(each), why);
    }
  }
  by.wrote = true;
  return each->use(each->replies);
}

result<void> cluster::replied(node& by, reply told) {
  if (by.under_way.empty()) return {errc::corrupt, by.where.name() + ": a reply that nobody asked for"};
  flight& first = *by.under_way.front();
  first.replies.push_back(std::move(told));
  if (first.replies.size() != first.expected()) return {};
  flight_ptr landed = std::move(by.under_way.front());
  by.under_way.pop_front();
  by.bytes -= landed->bytes;
  return land(by, std::move(landed));
}

// A connection is gone, and what was under way is sent again.
result<void> cluster::lose(node& each, const error& why) {
  lost_writes_ = lost_writes_ || each.wrote;
  each.line.reset();
  each.bytes = 0;
  std::deque<flight_ptr> all = std::move(each.under_way);
  each.under_way.clear();
  for (flight_ptr& lost : all) {
    if (lost->may == repeats::no) {
      return why.prefixed("the connection was lost, so it is not known whether the last command was carried out: ");
    }
    if (auto waits = later(std::move(lost), why); !waits) return waits;
  }
  return {};
}

// Places what has waited long enough, writes what the sockets take, and takes what has come; waits for that if there is nothing to do.
result<void> cluster::step() {
  auto now = clock::now();
  auto next = now + how_.timeout;
  const auto is_due = [&](const flight_ptr& each) { return each->due <= now; };
  if (std::any_of(waiting_.begin(), waiting_.end(), is_due)) {
    if (is_stale_) {
      if (auto known = refresh(); !known && !may_pass(known.error())) return known;
    }
    const auto rest = std::partition(waiting_.begin(), waiting_.end(), [&](const auto& each) { return !is_due(each); });
    std::vector<flight_ptr> due(std::make_move_iterator(rest), std::make_move_iterator(waiting_.end()));
    waiting_.erase(rest, waiting_.end());
    for (flight_ptr& each : due) {
      if (auto placed = place(std::move(each)); !placed) return placed;
    }
  }
  for (const flight_ptr& each : waiting_) next = std::min(next, each->due);
  std::vector<pollfd> sockets;
  std::vector<node*> owners;
  for (auto& [name, each] : nodes_) {
    if (!each->line || each->under_way.empty()) continue;
    if (auto sent = each->line->flush(); !sent) {
      if (auto lost = lose(*each, sent.error()); !lost) return lost;
      continue;
    }
    next = std::min(next, each->heard + how_.timeout);
    const int events = POLLIN | (each->line->has_unsent() ? POLLOUT : 0);
    sockets.push_back({each->line->descriptor(), static_cast<short>(events), 0});
    owners.push_back(each.get());
  }
  if (sockets.empty() && waiting_.empty()) return {};
  now = clock::now();
  const auto left = std::chrono::ceil<milliseconds>(std::max(next - now, clock::duration::zero()));
  if (::poll(sockets.data(), sockets.size(), static_cast<int>(left.count())) < 0 && errno != EINTR) {
    return system_error("connections", "poll", errno);
  }
  now = clock::now();
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    node& each = *owners[i];
    if ((sockets[i].revents & ~POLLOUT) == 0) {
      if (!each.line || now - each.heard < how_.timeout) continue;
      const error silent{errc::io,
                         each.where.name() + ": no reply for " + std::to_string(how_.timeout.count()) + " ms"};
      if (auto lost = lose(each, silent); !lost) return lost;
      continue;
    }
    each.heard = now;
    auto got = each.line->receive();
    if (!got && !may_pass(got.error())) return got;
    // What came before the end counts.
    for (;;) {
      auto told = each.line->next();
      if (!told) return told.error();
      if (!*told) break;
      if (auto taken = replied(each, std::move(**told)); !taken) return taken;
    }
    if (got) continue;
    if (auto lost = lose(each, got.error()); !lost) return lost;
  }
  return {};
}

result<void> cluster::send(unsigned slot, std::vector<request> commands, taking use, repeats may) {
  auto each = std::make_unique<flight>();
  for (const request& command : commands) each->bytes += command.bytes();
  each->slot = slot;
  each->commands = std::move(commands);
  each->use = std::move(use);
  each->may = may;
  const auto is_full = [&] {
    const node* const to = by_slot_[slot];
    return waiting_.size() > most_flights_under_way ||
           (to != nullptr && !to->under_way.empty() &&
            (to->bytes > most_bytes_under_way || to->under_way.size() >= most_flights_under_way));
  };
  while (is_full()) {
    if (auto stepped = step(); !stepped) return fail(stepped);
  }
  if (auto placed = place(std::move(each)); !placed) return fail(placed);
  // The server begins while the next commands are put together.
  for (auto& [name, to] : nodes_) {
    if (!to->line || !to->line->has_unsent()) continue;
    if (auto sent = to->line->flush(); !sent) {
      if (auto lost = lose(*to, sent.error()); !lost) return fail(lost);
    }
  }
  return {};
}

result<void> cluster::finish() {
  while (!is_idle()) {
    if (auto stepped = step(); !stepped) return fail(stepped);
  }
  return {};
}

result<reply> cluster::ask(unsigned slot, request command, repeats may) {
  reply told;
  std::vector<request> one;
  one.push_back(std::move(command));
  const auto take = [&](std::span<reply> all) -> result<void> {
    told = std::move(all.front());
    return {};
  };
  if (auto sent = send(slot, std::move(one), take, may); !sent) return sent.error();
  if (auto done = finish(); !done) return done.error();
  return told;
}

result<void> cluster::wait_for_replicas(unsigned replicas) {
  if (auto done = finish(); !done) return done;
  if (lost_writes_) {
    return {errc::io,
            "a connection was lost after writes, so it is not known whether replicas have them: run it again, adds are "
            "not counted twice"};
  }
  for (auto& [name, each] : nodes_) {
    if (!each->line || !each->wrote) continue;
    auto told = each->line->ask(request("WAIT", replicas, how_.retries.count()), how_.retries + how_.timeout);
    if (!told) return fail(told.error());
    if (!told->is_integer()) return {errc::io, name + ": WAIT: " + told->in_words()};
    if (told->number >= static_cast<std::int64_t>(replicas)) continue;
    return {errc::io, name + ": " + std::to_string(told->number) + " replicas have what was written, and " +
                          std::to_string(replicas) + " were asked for"};
  }
  return {};
}

}  // namespace seen::redis::client
