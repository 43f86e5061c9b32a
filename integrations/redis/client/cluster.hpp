// cluster: commands for keys, each sent to the node that has the key's slot; a pipeline per node. One server alone is a cluster of one.
//
//   send(slot, commands, use) ──► node of the slot ──► under way … ──► use(replies), in the order of the node
//                                   ▲                      │
//                                   │   MOVED, ASK         ├─ another node has the slot: there, at once
//                                   └──────────────────────┤
//                                       waits, longer      └─ TRYAGAIN, CLUSTERDOWN, LOADING, a lost connection: again, with the slots
//                                       each time             asked for anew, until `patience` is over
//
// The commands of one send go together and stay in order; those of several sends do not. A command that must not be carried out twice says so
// (repeats::no): after a lost connection nobody knows whether it was.
#pragma once

#include <seen/base/result.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "client/address.hpp"
#include "client/connection.hpp"
#include "client/slots.hpp"

namespace seen::redis::client {

/// How long is waited for servers.
struct patience {
  std::chrono::milliseconds timeout{30'000};  ///< for a connection, and for a reply
  std::chrono::milliseconds retries{30'000};  ///< for a command that cannot be carried out just now
};

enum class repeats : std::uint8_t { yes, no };

class cluster {
 public:
  using clock = std::chrono::steady_clock;
  /// What becomes of the replies, one for each command.
  using taking = std::function<result<void>(std::span<reply>)>;

  static result<std::unique_ptr<cluster>> connect(const address& first, const patience& how = {});
  cluster(const cluster&) = delete;
  cluster& operator=(const cluster&) = delete;
  ~cluster();

  /// The nodes that have slots.
  [[nodiscard]] std::vector<address> primaries() const;
  /// The node that has a slot, in words.
  [[nodiscard]] std::string node_of(unsigned slot) const;
  [[nodiscard]] const patience& waiting() const noexcept { return how_; }

  /// Sends commands on keys of one slot. Waits while too much is under way. An error is one of this or of an earlier send; then nothing is under
  /// way any more, and what was is not known to have been carried out.
  [[nodiscard]] result<void> send(unsigned slot, std::vector<request> commands, taking use, repeats may = repeats::yes);
  /// Waits until everything is replied to.
  [[nodiscard]] result<void> finish();
  /// One command, and its reply, which may be an error of the server.
  [[nodiscard]] result<reply> ask(unsigned slot, request command, repeats may = repeats::yes);
  /// After adds: waits until so many replicas of every node that was written to have what was written.
  [[nodiscard]] result<void> wait_for_replicas(unsigned replicas);

 private:
  struct flight;
  struct node;
  using flight_ptr = std::unique_ptr<flight>;

  explicit cluster(address first, const patience& how);

  result<void> refresh();
  result<bool> read_slots(const address& from, const reply& told);
  node& known(const address& at);
  result<void> place(flight_ptr each);
  result<void> later(flight_ptr each, const error& why);
  result<void> replied(node& by, reply told);
  result<void> land(node& by, flight_ptr each);
  result<void> lose(node& each, const error& why);
  result<void> step();
  result<void> fail(result<void> why);
  [[nodiscard]] bool is_idle() const noexcept;

  address first_;
  patience how_;
  std::map<std::string, std::unique_ptr<node>> nodes_;  // by name
  std::vector<node*> by_slot_;
  std::vector<flight_ptr> waiting_;
  bool is_stale_ = false;  // what is known of the slots
  bool lost_writes_ = false;
};

}  // namespace seen::redis::client
