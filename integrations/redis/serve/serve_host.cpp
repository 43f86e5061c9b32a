#include "serve/serve_host.hpp"

#include <seen/base/result.hpp>

#include <algorithm>
#include <chrono>
#include <string>

namespace seen::redis {
namespace {

bool has_gone(const slot* at) {
  return at != nullptr && at->filter != nullptr && at->filter->look() != stored_filter::place::same;
}

}  // namespace

// --- keys

void serve_host::collect(const command_row& row) {
  used_.clear();
  const std::size_t last = row.last_key < 0 ? words_.size() - 1 : static_cast<std::size_t>(row.last_key);
  for (auto key = static_cast<std::size_t>(row.first_key); key <= last && key < words_.size(); ++key) {
    used_.push_back({key, row.flags.writes ? keys_->find_or_make(words_[key]) : keys_->find(words_[key])});
  }
}

// Keeps the slots of a command locked.
class serve_host::held_locks {
 public:
  held_locks(std::span<const used_key> used, bool alone) : alone_(alone) {
    for (const used_key& each : used) {
      if (each.at != nullptr) slots_.push_back(each.at.get());
    }
    if (slots_.size() > 1) {
      std::sort(slots_.begin(), slots_.end());
      slots_.erase(std::unique(slots_.begin(), slots_.end()), slots_.end());
    }
    for (slot* const each : slots_) alone ? each->lock.lock() : each->lock.lock_shared();
  }
  held_locks(const held_locks&) = delete;
  held_locks& operator=(const held_locks&) = delete;
  ~held_locks() {
    for (slot* const each : slots_) alone_ ? each->lock.unlock() : each->lock.unlock_shared();
  }

 private:
  std::vector<slot*> slots_;
  const bool alone_;
};

slot* serve_host::slot_of(std::size_t key) const noexcept {
  for (const used_key& each : used_) {
    if (each.argument == key) return each.at.get();
  }
  return nullptr;
}

found serve_host::find(std::size_t key, family of, access) {
  const slot* const at = slot_of(key);
  if (at == nullptr || at->filter == nullptr) return {};
  value& held = at->filter->held();
  // redis-server says no to BF.EXISTS of a cuckoo filter. Who made it with CF.RESERVE knows better than to ask; of a file nobody need know
  // which kind it is, and a no would be a false negative. What SF.LOAD was given may be of any kind, too.
  const bool any = (at->is_declared || of == family::lookup) && std::string_view(row_->name).ends_with("EXISTS");
  if (held.of() == of || any) return {found::state::there, &held};
  return {found::state::other_type, nullptr};
}

value& serve_host::put(std::size_t key, value made) {
  slot* const at = slot_of(key);
  if (at == nullptr) throw_error({errc::unsupported, "a key that the command did not name"});
  if (auto filled = keys_->fill(*at, std::move(made)); !filled) throw_error(filled.error());
  return at->filter->held();
}

// --- commands

bool serve_host::may_write() {
  const slot* const first = used_.empty() ? nullptr : used_.front().at.get();
  if (first == nullptr) {
    const std::string name(words_[1].substr(0, 128));
    error(keys_->makes_filters() ? "ERR '" + name + "' is too long for the name of a file, or empty"
                                 : "ERR there is no filter '" + name +
                                       "', and `seen serve` makes no others (--directory DIR lets commands make them)");
    return false;
  }
  const bool may_be_replaced = !first->is_declared && keys_->makes_filters();
  if (first->filter != nullptr && !first->filter->takes_adds() && !may_be_replaced) {
    error("READONLY " + first->name + ": the file of this filter is not written to");
    return false;
  }
  if (row_->flags.takes_memory && keys_->memory().is_exceeded()) {
    error("OOM command not allowed when used memory > 'maxmemory'.");
    return false;
  }
  return true;
}

// Sees to it that keys are what their files are, maps too if asked. False: one cannot be, and that has been told.
bool serve_host::follow_all(bool maps) {
  for (const used_key& each : used_) {
    if (each.at == nullptr || each.at->filter == nullptr || (each.at->filter->is_map() && !maps)) continue;
    if (auto current = keys_->follow(*each.at); !current) {
      error("ERR " + current.error().detail);
      return false;
    }
  }
  return true;
}

void serve_host::run_until_settled(const command_row& row) {
  const std::size_t before = to_->size();
  for (;;) {
    // A map may be added to before its file is looked at: if that is not the file any more, nothing was lost there. Others are looked at first.
    if (!follow_all(false)) return;
    if (!may_write()) return;
    run(row, *this);
    if (std::none_of(used_.begin(), used_.end(), [](const used_key& each) { return has_gone(each.at.get()); })) break;
    to_->take_back(before);
    if (!follow_all(true)) return;
  }
  if (!has_changed_) return;
  for (const used_key& each : used_) {
    if (each.at == nullptr || each.at->filter == nullptr) continue;
    each.at->filter->changed();
    if (auto completed = keys_->complete(*each.at); !completed) {  // its last chunk has come
      to_->take_back(before);
      return error("ERR " + completed.error().detail);
    }
    keys_->weigh(*each.at);
    if (each.at->filter->is_map() && (touched_.empty() || touched_.back() != each.at->filter))
      touched_.push_back(each.at->filter);
  }
}

void serve_host::carry_out(const command_row& row, std::span<const std::string_view> words) {
  row_ = &row;
  words_ = words;
  now_ = 0;
  has_changed_ = false;
  const bool alone = row.flags.writes;
  if (alone) configured_ = shared_->get();
  collect(row);
  std::vector<std::shared_ptr<slot>> empty;
  {
    const held_locks held(used_, alone);
    if (alone && words.size() > 1) {
      run_until_settled(row);
    } else {
      run(row, *this);
    }
    for (used_key& each : used_) {
      if (alone && each.at != nullptr && !each.at->is_declared && each.at->filter == nullptr) empty.push_back(each.at);
    }
  }
  used_.clear();
  for (auto& each : empty) keys_->drop_if_empty(std::move(each));
}

std::uint64_t serve_host::now() const {
  using namespace std::chrono;
  if (now_ == 0) {
    now_ = static_cast<std::uint64_t>(duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count());
  }
  return now_;
}

}  // namespace seen::redis
