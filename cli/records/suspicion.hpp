// Lists that are hardly meant as they are: with carriage returns, byte-order marks, or in UTF-16.
//
//   every key ends in \r      told when a thousand do, or all of a file                --crlf
//   begins with EF BB BF      told                                                     --crlf, --trim
//   UTF-16                    refused: its lines would be keys that nobody asks for     iconv, --plain
//
// What is seen does not depend on how the bytes arrive: records are counted, not blocks.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "records/key_format.hpp"

namespace seen::cli {

/// Watches the records of some files, and tells once what is odd.
class suspicion {
 public:
  explicit suspicion(const key_format& format) noexcept;

  /// The first record of a file.
  result<void> begin(const std::string& path, bytes_view first);
  /// The second one.
  result<void> go_on(bytes_view second) const;
  /// Keys as they are written.
  void watch(std::span<const bytes_view> texts) {
    if (watching_) watch_ends(texts);
  }
  /// The end of a file.
  void end();
  /// What the other one has told is not told again, and the other way round, though they be of different threads.
  void tells_once_with(const suspicion& other) { told_ = other.told_; }

 private:
  struct told {
    std::atomic<bool> returns = false, mark = false;
  };

  void watch_ends(std::span<const bytes_view> texts);
  [[nodiscard]] error utf16() const;

  bool is_text_;  // in lines, and not to be taken as it is
  bool keeps_mark_;
  bool quiet_;
  bool watching_ = false;
  bool perhaps_utf16_ = false;
  std::uint64_t returns_ = 0;
  std::string path_;
  std::shared_ptr<told> told_ = std::make_shared<told>();
};

}  // namespace seen::cli
