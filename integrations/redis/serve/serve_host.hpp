// seen serve as a host of the table of commands.
//
// The keys of a command are locked before it begins, in the order of their addresses, so that two commands never wait for each other: alone
// where it writes, with other readers where it asks. An add is done again if its file was replaced while it was carried out: what is replied
// is then true of the file that is there.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/keyspace.hpp"
#include "serve/reply_writer.hpp"
#include "serve/shared_settings.hpp"
#include "table/command.hpp"
#include "table/host.hpp"

namespace seen::redis {

class serve_host final : public host {
 public:
  serve_host(keyspace& keys, const shared_settings& shared, reply_writer& to,
             const std::function<void(std::string_view)>& log)
      : keys_(&keys), shared_(&shared), to_(&to), log_(&log) {}

  /// Carries out a command of the table. Exactly one reply.
  void carry_out(const command_row& row, std::span<const std::string_view> words);
  /// Maps that have been added to since this was asked last; for who has adds on the device before they are acknowledged.
  [[nodiscard]] std::vector<std::shared_ptr<stored_filter>> take_touched() { return std::exchange(touched_, {}); }

  [[nodiscard]] std::span<const std::string_view> arguments() const override { return words_; }
  [[nodiscard]] found find(std::size_t key, family of, access how) override;
  value& put(std::size_t key, value made) override;

  void integer(std::int64_t number) override { to_->integer(number); }
  void boolean(bool yes) override { to_->boolean(yes); }
  void real(double number) override { to_->real(number); }
  void status(std::string_view word) override { to_->status(word); }
  void bytes(std::string_view some) override { to_->bytes(some); }
  void null() override { to_->null(); }
  void error(std::string_view words) override { to_->error(words); }
  void array(std::size_t elements) override { to_->array(elements); }
  void map(std::size_t pairs) override { to_->map(pairs); }
  [[nodiscard]] bool is_resp3() const override { return to_->is_resp3(); }

  // There are no replicas; that something has changed is what the file has to know.
  void replicate() override { has_changed_ = true; }
  void replicate(std::span<const std::string_view>) override { has_changed_ = true; }
  void notify(const char*, std::size_t) override {}

  [[nodiscard]] const settings& configured() const override { return configured_; }
  [[nodiscard]] std::uint64_t now() const override;
  [[nodiscard]] bool repeats() const override { return false; }
  [[nodiscard]] bool affords(std::uint64_t bytes) const override { return keys_->memory().affords(bytes); }
  void warn(std::string_view line) override { (*log_)(line); }

 private:
  struct used_key {
    std::size_t argument;
    std::shared_ptr<slot> at;  // null: no such name
  };

  class held_locks;

  void collect(const command_row& row);
  [[nodiscard]] bool may_write();
  [[nodiscard]] bool follow_all(bool maps);
  void run_until_settled(const command_row& row);
  [[nodiscard]] slot* slot_of(std::size_t key) const noexcept;

  keyspace* keys_;
  const shared_settings* shared_;
  settings configured_;  // as it was when the command began
  reply_writer* to_;
  const std::function<void(std::string_view)>* log_;
  std::span<const std::string_view> words_;
  std::vector<used_key> used_;
  std::vector<std::shared_ptr<stored_filter>> touched_;
  const command_row* row_ = nullptr;
  bool has_changed_ = false;
  mutable std::uint64_t now_ = 0;
};

}  // namespace seen::redis
