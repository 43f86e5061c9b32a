// stored_filter: a filter and the file it comes from.
//
//   mapped to add    native kinds whose bits only go up (bloom, partitioned-bloom, blocked-bloom, split-block): an add is in the file at once, so
//                    no end of the program loses it; sync() has it on the device. The file is unsealed from the first add to close()
//   in memory        other kinds that keys are added to: an add is in the file after the next save()
//   mapped to ask    static kinds, files that may not be written, and everything where the server only asks
//
// A file that is added to is locked as `seen add` locks it, so no two programs change it. What replaces it (rename, as `save` does) wins: the
// new file is what there is, and adds to the old one that were not in it are gone, as the one who replaced it wished.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/base/result.hpp>
#include <seen/storage/file.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "serve/file_identity.hpp"
#include "table/file_value.hpp"
#include "table/value.hpp"

namespace seen::redis {

/// How files are opened.
struct storing {
  open_options open = {};
  bool only_asks = false;
  bool checks = false;  ///< verifies every page first, of large files too
};

class stored_filter {
 public:
  enum class form : std::uint8_t { mapped_to_add, in_memory, mapped_to_ask };

  /// For these commands, or for those that its kind is usually for. errc::busy while another process changes the file.
  static result<std::shared_ptr<stored_filter>> open(const std::string& path, const storing& how,
                                                     std::optional<family> of = {});
  /// A filter that was made by a command: it has its file, whole, when this returns. One that is still arriving in chunks has none.
  static result<std::shared_ptr<stored_filter>> create(const std::string& path, value made);

  stored_filter(const stored_filter&) = delete;
  stored_filter& operator=(const stored_filter&) = delete;

  [[nodiscard]] value& held() noexcept { return held_; }
  [[nodiscard]] form stored() const noexcept { return form_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] bool is_map() const noexcept { return form_ == form::mapped_to_add; }
  [[nodiscard]] bool takes_adds() const noexcept { return form_ != form::mapped_to_ask; }

  enum class place : std::uint8_t { same, replaced, missing };
  /// Whether the path still leads to what was opened.
  [[nodiscard]] place look() const noexcept;

  /// Whether it has arrived since it was made, and still has no file.
  [[nodiscard]] bool wants_file() const noexcept { return has_no_file_ && held_.is_whole(); }

  /// There is something that sync or save has not put into the file.
  void changed() noexcept { dirty_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool is_dirty() const noexcept { return dirty_.load(std::memory_order_relaxed); }

  /// Of a map: all adds before are on the device. Adds may go on meanwhile.
  [[nodiscard]] result<void> sync();
  /// Of a filter in memory, what a save writes: a copy, so that the filter need not wait for the device.
  [[nodiscard]] result<any_filter> copy() {
    dirty_.store(false);
    auto copied = held_.filter().copy();
    if (!copied) changed();
    return copied;
  }
  /// Replaces the file by that copy; the lock is on the new one before anybody sees it.
  [[nodiscard]] result<void> save(const any_filter& copied);
  /// Takes the file away, after a save that is under way.
  [[nodiscard]] result<void> remove();
  /// Brings the file to its end: seals a map, saves what is in memory.
  [[nodiscard]] result<void> close();

 private:
  stored_filter(std::string path, value held, form how) noexcept
      : path_(std::move(path)),
        held_(std::move(held)),
        form_(how),
        has_no_file_(!held_.is_whole()),
        shows_writes_(!has_no_file_ && held_.filter().is_mapped()) {}
  [[nodiscard]] any_filter& filter() noexcept;
  void expect(const file_identity& next) noexcept;

  std::string path_;
  value held_;
  const form form_;
  // What of `held_` may be asked without the lock of those who change it.
  const bool has_no_file_, shows_writes_;
  std::mutex saves_;
  bool is_removed_ = false;
  mutable std::mutex identity_;
  file_identity opened_, saving_;            // what the path leads to; and what it may lead to before save returns
  std::unique_ptr<file> lock_;               // of a filter in memory: the file as it was opened
  std::unique_ptr<replacement> saved_lock_;  // or as it was saved
  std::atomic<bool> dirty_{false};
};

}  // namespace seen::redis
