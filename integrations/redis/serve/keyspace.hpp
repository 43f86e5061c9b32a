// keyspace: names, and the filter behind each.
//
//   names (a lock) ──► slot (a lock: many ask, one adds) ──► stored_filter
//
// Most names are files of the command line. With a directory there are more: NAME is DIRECTORY/NAME.seen (file_name.hpp), and commands make and delete them. A
// slot without a filter is a name that a command is about to fill; when nothing comes of it, the slot goes.
//
// Whoever wants a filter for longer than a command (to sync, to save) keeps it alive and lets go of the lock, so that nobody waits for a device.
#pragma once

#include <seen/base/result.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/fair_lock.hpp"
#include "serve/limits.hpp"
#include "serve/stored_filter.hpp"

namespace seen::redis {

/// A name and what is in it.
struct slot {
  explicit slot(std::string name, bool declared) : name(std::move(name)), is_declared(declared) {}

  const std::string name;
  const bool is_declared;  ///< by the command line: commands do not delete or replace it
  mutable fair_lock lock;
  std::shared_ptr<stored_filter> filter;  ///< null: nothing
  std::uint64_t charged = 0;              ///< bytes that it takes of the memory of all
};

class keyspace {
 public:
  keyspace(storing how, std::string directory, budget& memory)
      : how_(std::move(how)), directory_(std::move(directory)), memory_(&memory) {}

  /// A file of the command line.
  [[nodiscard]] result<void> declare(const std::string& name, const std::string& path);
  /// All files of the directory.
  [[nodiscard]] result<void> open_directory();

  /// Null if there is none.
  [[nodiscard]] std::shared_ptr<slot> find(std::string_view name) const;
  /// The same, and made if there is none. Null where commands make no filters.
  [[nodiscard]] std::shared_ptr<slot> find_or_make(std::string_view name);
  /// Takes slots out that are empty and that nobody else has.
  void drop_if_empty(std::shared_ptr<slot> at);

  // --- with the lock of the slot, for changes

  /// Puts a filter of a command into a slot, and its file into the directory.
  [[nodiscard]] result<void> fill(slot& at, value made);
  /// Gives a filter that has arrived its file.
  [[nodiscard]] result<void> complete(slot& at);
  /// Empties a slot and removes its file.
  [[nodiscard]] result<void> remove(slot& at);
  /// Charges what the filter takes now.
  void weigh(slot& at);
  /// Sees to it that the filter is the one its path leads to. An error if there is no file any more.
  [[nodiscard]] result<void> follow(slot& at);

  // --- all of them, without a lock

  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool makes_filters() const noexcept { return !directory_.empty() && !how_.only_asks; }
  /// The budget of everything that clients make the server hold.
  [[nodiscard]] budget& memory() const noexcept { return *memory_; }

  using problem = std::function<void(const error&)>;
  /// Opens what has been replaced. What cannot be opened stays as it was.
  void follow_all(const problem& tell);
  /// Adds of maps reach the device.
  void sync_all(const problem& tell);
  /// Adds of filters in memory reach their files.
  void save_all(const problem& tell);
  /// Seals and saves everything; the server has stopped.
  void close_all(const problem& tell);

 private:
  [[nodiscard]] std::vector<std::shared_ptr<slot>> slots() const;
  [[nodiscard]] std::string path_of(std::string_view name, const value& held) const;

  const storing how_;
  const std::string directory_;
  budget* const memory_;
  mutable fair_lock lock_;
  std::map<std::string, std::shared_ptr<slot>, std::less<>> slots_;
};

}  // namespace seen::redis
