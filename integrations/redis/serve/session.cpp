#include "serve/session.hpp"

#include <algorithm>

#include "table/command.hpp"
#include "table/words.hpp"

namespace seen::redis {
namespace {

const own_command* find_own(std::string_view name) {
  for (const own_command& each : own_commands()) {
    if (same_word(each.name, name)) return &each;
  }
  return nullptr;
}

// Lines of HTTP: a page makes somebody's browser talk to us.
bool is_of_a_browser(std::string_view word) {
  return same_word(word, "POST") || same_word(word, "HOST:");
}

std::string shortened(std::string_view word) {
  constexpr std::size_t most = 128;
  return std::string(word.substr(0, most));
}

}  // namespace

session::session(service& shared, byte_queue& to)
    : shared_(&shared),
      reply_(to),
      host_(*shared.keys, shared.configured, reply_, shared.log),
      id_(shared.last_id.fetch_add(1, std::memory_order_relaxed) + 1) {}

void session::reset() {
  name.clear();
  reply_.speak(false);
}

void session::unknown() {
  std::string said = "ERR unknown command '" + shortened(words_[0]) + "', with args beginning with: ";
  for (const std::string_view each : words_.subspan(1)) {
    if (said.size() > 256) break;
    said += '\'' + shortened(each) + "' ";
  }
  reply_.error(said);
}

void session::carry_out(std::span<const std::string_view> words) {
  if (words.empty()) return;
  words_ = words;
  shared_->commands.fetch_add(1, std::memory_order_relaxed);
  if (last_row_ == nullptr || !same_word(last_row_->name, words[0])) {
    if (const own_command* const own = find_own(words[0])) {
      const auto given = static_cast<int>(words.size());
      if (own->words >= 0 ? given != own->words : given < -own->words) {
        reply_.error("ERR wrong number of arguments for '" + shortened(words[0]) + "' command");
      } else {
        own->carry_out(*this);
      }
      return;
    }
    const command_row* const row = find_command(words[0]);
    if (row == nullptr) {
      if (is_of_a_browser(words[0])) end();
      return unknown();
    }
    last_row_ = row;
  }
  host_.carry_out(*last_row_, words);
}

void session::settle() {
  auto touched = host_.take_touched();
  if (!shared_->syncs_first) return;
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (const auto& each : touched) {
    if (auto synced = each->sync(); !synced) throw_error(synced.error());
  }
}

}  // namespace seen::redis
