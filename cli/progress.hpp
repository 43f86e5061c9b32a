// A progress bar on stderr, for people only.
//
//   counting [=========>          ]  47%  3.1M keys, 38M/s, 0:04 left
//   loading [=========>           ]  47%  1.3GB, 900MB/s, 0:02 left
//
// Drawn when stderr is a terminal and --quiet was not given, from the second tenth of a second on, ten times a second;
// erased when the work is done, so that a log of the session holds no bars. Colour unless NO_COLOR is set.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace seen::cli {

/// One bar for one piece of work.
class progress {
 public:
  /// `total_bytes` 0: unknown, then keys and rate only.
  progress(std::string_view label, std::uint64_t total_bytes, bool wanted);
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  /// Erases the bar, whichever way the work ends: the next line on the terminal may be an error.
  ~progress();

  /// Tells how far it is. Costs nothing to speak of when called once per batch.
  void update(std::uint64_t keys, std::uint64_t bytes);
  /// The same of work on bytes that are no keys.
  void update_bytes(std::uint64_t bytes);

 private:
  using clock = std::chrono::steady_clock;

  [[nodiscard]] bool is_due(clock::time_point now);
  // `done` in units: " keys" of which `bytes` were read, or "B".
  void draw(double done, const char* unit, std::uint64_t bytes, clock::time_point now);

  std::string label_;
  std::uint64_t total_bytes_;
  bool shown_;
  bool colour_ = false;
  bool on_screen_ = false;
  clock::time_point began_ = clock::now();
  clock::time_point next_ = began_ + std::chrono::milliseconds(200);
};

}  // namespace seen::cli
