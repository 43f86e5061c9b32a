// What `seen uniq` remembers: which keys came before.
//
//   filter_memory   a filter, which takes a few new keys for known ones; how many that will have been is known, not which
//   exact_memory    the keys themselves (exact_lines.hpp)
#pragma once

#include <seen/any_filter.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "exact_lines.hpp"

namespace seen::cli {

/// Says which keys are new, and remembers them. Where it cannot remember more it says so, and calls the rest new: rather twice
/// than never.
class line_memory {
 public:
  line_memory() = default;
  line_memory(const line_memory&) = delete;
  line_memory& operator=(const line_memory&) = delete;
  virtual ~line_memory() = default;

  virtual result<void> take(std::span<const bytes_view> keys, std::span<bool> is_new) = 0;
};

/// Keys, byte for byte.
class exact_memory final : public line_memory {
 public:
  /// `seed`: of exact_lines.
  explicit exact_memory(std::uint64_t seed) noexcept : lines_(seed) {}

  result<void> take(std::span<const bytes_view> keys, std::span<bool> is_new) override;

 private:
  exact_lines lines_;
};

/// Keys in a filter.
class filter_memory final : public line_memory {
 public:
  /// `runs`: the clock of a filter that forgets by time is that of the system.
  filter_memory(any_filter filter, std::string name, bool runs);

  result<void> take(std::span<const bytes_view> keys, std::span<bool> is_new) override;

  [[nodiscard]] const any_filter& filter() const noexcept { return filter_; }
  /// How many new keys were taken for known ones by chance, to be expected.
  [[nodiscard]] double expected_losses();

 private:
  result<void> move_on();
  [[nodiscard]] error full_or(const error& e) const;
  void sample();

  any_filter filter_;
  std::string name_;
  std::optional<std::uint64_t> clock_;
  bool runs_;
  std::uint64_t fresh_ = 0, sampled_ = 0, next_sample_ = 0;
  double rate_ = 0, losses_ = 0;
};

}  // namespace seen::cli
