// The bar is one line that is drawn over itself; it is cut where the terminal is narrower, since a line that wraps cannot be
// erased.
#include "progress.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/core.h>
#include <unistd.h>

#include "output.hpp"

namespace seen::cli {
namespace {

void put(std::string_view text) {
  static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
}

bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

// A terminal that can erase a line.
bool is_capable_terminal() {
  const char* const type = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && !(type != nullptr && std::string_view(type) == "dumb");
}

// 3120000 -> "3.1M": as wide as it needs to be read at a glance.
std::string brief(double n) {
  constexpr std::string_view units[] = {"", "k", "M", "G", "T"};
  std::size_t unit = 0;
  for (; n >= 999.5 && unit + 1 < std::size(units); ++unit) n /= 1000;
  return fmt::format("{:.{}f}{}", n, unit != 0 && n < 9.95 ? 1 : 0, units[unit]);
}

std::string clock_time(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::min(seconds, 359999.0) + 0.5);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

progress::progress(std::string_view label, std::uint64_t total_bytes, bool wanted)
    : label_(label), total_bytes_(total_bytes), shown_(wanted && is_capable_terminal()) {
  colour_ = shown_ && !is_set("NO_COLOR");
}

progress::~progress() {
  if (on_screen_) put("\r\x1b[K");
}

bool progress::is_due(clock::time_point now) {
  if (now < next_) return false;
  next_ = now + std::chrono::milliseconds(100);
  return true;
}

void progress::update(std::uint64_t keys, std::uint64_t bytes) {
  if (!shown_) return;
  const auto now = clock::now();
  if (is_due(now)) draw(static_cast<double>(keys), " keys", bytes, now);
}

void progress::update_bytes(std::uint64_t bytes) {
  if (!shown_) return;
  const auto now = clock::now();
  if (is_due(now)) draw(static_cast<double>(bytes), "B", bytes, now);
}

void progress::draw(double done_so_far, const char* unit, std::uint64_t bytes, clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - began_).count();
  const std::size_t width = columns_of(STDERR_FILENO), room = width != 0 ? width : 80;
  bool has_bar = false;
  std::string line = label_;
  std::string figures =
      fmt::format(" {}{}, {}{}/s", brief(done_so_far), unit, brief(done_so_far / seconds), *unit == 'B' ? unit : "");
  if (total_bytes_ != 0 && bytes != 0) {
    const double share = std::min(1.0, static_cast<double>(bytes) / static_cast<double>(total_bytes_));
    figures = fmt::format(" {:3.0f}% {}, {} left", 100 * share, figures, clock_time(seconds / share - seconds));
    const std::size_t taken = label_.size() + figures.size() + 4;  // space, brackets, and a free last column
    has_bar = room >= taken + 8;
    if (has_bar) {
      const std::size_t length = std::min<std::size_t>(room - taken, 40);
      const auto done = static_cast<std::size_t>(share * static_cast<double>(length));
      std::string bar(done, '=');
      if (done < length) bar += '>' + std::string(length - done - 1, ' ');
      line += colour_ ? " [\x1b[32m" + bar + "\x1b[0m]" : " [" + bar + "]";
    }
  }
  line += figures;
  if (line.size() >= room && !has_bar) line.resize(room - 1);
  put("\r" + line + "\x1b[K");
  on_screen_ = true;
}

}  // namespace seen::cli
