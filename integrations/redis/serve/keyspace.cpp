#include "serve/keyspace.hpp"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <mutex>
#include <shared_mutex>

#include "serve/file_name.hpp"

namespace seen::redis {
namespace {

std::shared_ptr<stored_filter> filter_of(const slot& at) {
  const std::shared_lock hold(at.lock);
  return at.filter;
}

// A file of the command line is for the commands of its kind, whatever was there before.
std::optional<family> family_if_made(const slot& at, const stored_filter& before) {
  if (at.is_declared) return {};
  const auto name = name_of_file(std::string_view(before.path()).substr(before.path().rfind('/') + 1));
  return name ? name->of : std::nullopt;
}

}  // namespace

result<void> keyspace::declare(const std::string& name, const std::string& path) {
  if (slots_.contains(name)) return {errc::invalid_argument, name + ": is the name of two files"};
  auto opened = stored_filter::open(path, how_);
  if (!opened) return opened.error();
  auto at = std::make_shared<slot>(name, true);
  at->filter = std::move(*opened);
  slots_.emplace(name, std::move(at));
  return {};
}

result<void> keyspace::open_directory() {
  if (directory_.empty()) return {};
  const std::unique_ptr<DIR, int (*)(DIR*)> all(::opendir(directory_.c_str()), ::closedir);
  if (all == nullptr) return system_error(directory_, "opendir", errno);
  while (const dirent* const each = ::readdir(all.get())) {
    const auto found = name_of_file(each->d_name);
    if (!found) continue;
    const std::string path = directory_ + "/" + each->d_name;
    if (const auto there = slots_.find(found->name); there != slots_.end()) {
      const file_identity same = file_identity::of(there->second->filter->path());
      if (same.is_same_file(file_identity::of(path))) continue;  // it was named on the command line, too
      return {errc::invalid_argument, path + ": " + found->name + " is the name of two files"};
    }
    auto opened = stored_filter::open(path, how_, found->of);
    if (!opened) return opened.error();
    auto at = std::make_shared<slot>(found->name, false);
    at->filter = std::move(*opened);
    weigh(*at);
    slots_.emplace(found->name, std::move(at));
  }
  return {};
}

std::string keyspace::path_of(std::string_view name, const value& held) const {
  const bool is_usual = held.is_whole() && usual_family(held.filter()) == held.of();
  return directory_ + "/" + file_name_of(name, is_usual ? std::nullopt : std::optional(held.of())).value_or("");
}

std::shared_ptr<slot> keyspace::find(std::string_view name) const {
  const std::shared_lock hold(lock_);
  const auto at = slots_.find(name);
  return at == slots_.end() ? nullptr : at->second;
}

std::shared_ptr<slot> keyspace::find_or_make(std::string_view name) {
  if (auto at = find(name)) return at;
  if (!makes_filters() || !file_name_of(name)) return nullptr;
  const std::unique_lock hold(lock_);
  auto& at = slots_[std::string(name)];
  if (at == nullptr) at = std::make_shared<slot>(std::string(name), false);
  return at;
}

void keyspace::drop_if_empty(std::shared_ptr<slot> at) {
  const std::unique_lock hold(lock_);
  constexpr long here_and_in_the_map = 2;
  if (at->is_declared || at.use_count() != here_and_in_the_map || filter_of(*at) != nullptr) return;
  const auto found = slots_.find(at->name);
  if (found != slots_.end() && found->second == at) slots_.erase(found);
}

void keyspace::weigh(slot& at) {
  if (at.is_declared) return;
  const std::uint64_t bytes = at.filter == nullptr ? 0 : at.filter->held().info().bytes;
  memory_->charge(bytes);
  memory_->give_back(std::exchange(at.charged, bytes));
}

result<void> keyspace::fill(slot& at, value made) {
  if (at.is_declared) {
    return {errc::unsupported, at.name + " is a file that `seen serve` was given, and no command replaces it"};
  }
  auto stored = stored_filter::create(path_of(at.name, made), std::move(made));
  if (!stored) return stored.error();
  // One that is for other commands had a file of another ending.
  if (at.filter != nullptr && at.filter->path() != (*stored)->path()) {
    if (auto removed = at.filter->remove(); !removed) return removed;
  }
  at.filter = std::move(*stored);
  weigh(at);
  return {};
}

result<void> keyspace::complete(slot& at) {
  if (at.filter == nullptr || !at.filter->wants_file()) return {};
  auto filled = fill(at, std::move(at.filter->held()));
  if (!filled) {  // it has no file to be asked for: its chunks have to come again
    at.filter.reset();
    weigh(at);
  }
  return filled;
}

result<void> keyspace::remove(slot& at) {
  if (at.is_declared) {
    return {errc::unsupported, at.name + " is a file that `seen serve` was given, and no command deletes it"};
  }
  if (at.filter == nullptr) return {};
  if (auto removed = at.filter->remove(); !removed) return removed;
  at.filter.reset();
  weigh(at);
  return {};
}

result<void> keyspace::follow(slot& at) {
  if (at.filter == nullptr) return {};
  switch (at.filter->look()) {
    case stored_filter::place::same:
      return {};
    case stored_filter::place::missing:
      return {errc::io, at.filter->path() + ": has been removed, and what is added would be lost"};
    case stored_filter::place::replaced:
      break;
  }
  auto opened = stored_filter::open(at.filter->path(), how_, family_if_made(at, *at.filter));
  if (!opened) return opened.error();
  at.filter = std::move(*opened);
  weigh(at);
  return {};
}

std::vector<std::shared_ptr<slot>> keyspace::slots() const {
  const std::shared_lock hold(lock_);
  std::vector<std::shared_ptr<slot>> all;
  all.reserve(slots_.size());
  for (const auto& [name, at] : slots_) all.push_back(at);
  return all;
}

std::vector<std::string> keyspace::names() const {
  std::vector<std::string> all;
  for (const auto& at : slots()) {
    const std::shared_lock hold(at->lock);
    if (at->filter != nullptr) all.push_back(at->name);
  }
  return all;
}

std::size_t keyspace::size() const {
  const std::shared_lock hold(lock_);
  return slots_.size();
}

void keyspace::follow_all(const problem& tell) {
  for (const auto& at : slots()) {
    const auto before = filter_of(*at);
    if (before == nullptr || before->look() != stored_filter::place::replaced) continue;
    auto opened = stored_filter::open(before->path(), how_, family_if_made(*at, *before));
    if (!opened) {
      tell(opened.error());
      continue;
    }
    // The old one goes when the lock has been given back: to unmap it takes time.
    std::shared_ptr<stored_filter> next = std::move(*opened);
    const std::unique_lock hold(at->lock);
    if (at->filter != before) continue;
    at->filter.swap(next);
    weigh(*at);
  }
}

void keyspace::sync_all(const problem& tell) {
  for (const auto& at : slots()) {
    const auto filter = filter_of(*at);
    if (filter == nullptr || !filter->is_map() || !filter->is_dirty()) continue;
    if (auto synced = filter->sync(); !synced) tell(synced.error());
  }
}

void keyspace::save_all(const problem& tell) {
  for (const auto& at : slots()) {
    std::shared_ptr<stored_filter> filter;
    result<any_filter> copied{errc::unsupported, ""};
    {
      const std::unique_lock hold(at->lock);
      weigh(*at);
      filter = at->filter;
      if (filter == nullptr || filter->stored() != stored_filter::form::in_memory || !filter->is_dirty()) continue;
      if (!filter->held().is_whole() || filter->wants_file() || filter->look() != stored_filter::place::same) continue;
      copied = filter->copy();
    }
    if (!copied) {
      tell(copied.error());
    } else if (auto saved = filter->save(*copied); !saved) {
      tell(saved.error());
    }
  }
}

void keyspace::close_all(const problem& tell) {
  for (const auto& at : slots()) {
    const std::unique_lock hold(at->lock);
    if (at->filter == nullptr || at->filter->look() != stored_filter::place::same) continue;
    if (auto closed = at->filter->close(); !closed) tell(closed.error());
  }
}

}  // namespace seen::redis
