// A quotient filter from end to end: reading its fingerprints in order, writing a table in order, checking every bit.
//
// A fingerprint is quotient·2^r + remainder. Walking the blocks gives them ascending, which is why two filters merge and
// one doubles in a single pass without the keys.
#pragma once

#include <seen/base/result.hpp>
#include <seen/engines/quotient_slots.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

namespace seen::inline v1::engines {

/// Reads the fingerprints of a table, ascending. Ends at the end of the table whatever its metadata say.
class quotient_cursor {
 public:
  using value_type = std::uint64_t;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::forward_iterator_tag;
  using iterator_concept = std::forward_iterator_tag;

  quotient_cursor() noexcept : table_(nullptr, nothing) {}
  explicit quotient_cursor(const quotient_reader& table) noexcept : table_(table) {
    if (table_.home_blocks() != 0) unseen_ = table_.occupieds(0);
    to_next_run();
  }

  [[nodiscard]] std::uint64_t quotient() const noexcept { return quotient_; }
  [[nodiscard]] std::uint64_t remainder() const noexcept { return table_.remainder(slot_); }
  [[nodiscard]] bool at_end() const noexcept { return slot_ >= table_.slots(); }

  [[nodiscard]] std::uint64_t operator*() const noexcept { return quotient_ << table_.width() | remainder(); }
  quotient_cursor& operator++() noexcept {
    const bool run_is_over = table_.is_runend(slot_++);
    if (run_is_over) to_next_run();
    return *this;
  }
  quotient_cursor operator++(int) noexcept {
    const quotient_cursor before = *this;
    ++*this;
    return before;
  }
  [[nodiscard]] friend bool operator==(const quotient_cursor& a, const quotient_cursor& b) noexcept {
    return a.slot_ == b.slot_ || (a.at_end() && b.at_end());
  }
  [[nodiscard]] friend bool operator==(const quotient_cursor& a, std::default_sentinel_t) noexcept {
    return a.at_end();
  }

 private:
  void to_next_run() noexcept {
    while (unseen_ == 0) {
      if (++block_ >= table_.home_blocks()) {
        slot_ = table_.slots();
        return;
      }
      unseen_ = table_.occupieds(block_);
    }
    quotient_ = block_ * 64 + static_cast<std::uint64_t>(std::countr_zero(unseen_));
    unseen_ &= unseen_ - 1;
    slot_ = std::max(slot_, quotient_);
  }

  static inline const quotient_layout nothing{};

  quotient_reader table_;
  std::uint64_t block_ = 0;
  std::uint64_t unseen_ = 0;  // occupied quotients of the block that are still to come
  std::uint64_t quotient_ = 0;
  std::uint64_t slot_ = 0;
};

/// Writes fingerprints, given ascending, into an empty table. A block is put together in registers and written once: what
/// is stored in one is not read again, and no branch asks whether a quotient is new.
class quotient_appender {
 public:
  explicit quotient_appender(const quotient_writer& table) noexcept : table_(table) {}

  /// False: this one and those before it do not fit.
  [[nodiscard]] bool append(std::uint64_t quotient, std::uint64_t remainder) noexcept {
    if (quotient / 64 != block_ && !enter_block(quotient / 64)) return false;
    const std::uint64_t is_new = quotient + 1 != after_, slot = std::max(end_, quotient & (0 - is_new));
    // The run before it ends in the slot before end_, which is of the block whose remainders are at hand.
    ends_ |= (is_new & (end_ != 0)) << (end_ - 1) % 64;
    if (slot / 64 != home_ && !enter_home(slot / 64)) return false;
    occupieds_ |= std::uint64_t{1} << quotient % 64;
    remainders_[slot % 64] = remainder;
    after_ = quotient + 1;
    end_ = slot + 1;
    ++count_;
    return true;
  }
  /// Writes what is known only at the end. False: the fingerprints do not fit.
  [[nodiscard]] bool finish() noexcept {
    if (end_ != 0) ends_ |= std::uint64_t{1} << (end_ - 1) % 64;
    write_home();
    if (!enter_block(table_.blocks() - 1)) return false;
    table_.set_occupieds(block_, occupieds_);
    return true;
  }

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  // Goes on to quotients of block b. The offset of a block counts its slots that earlier quotients took, which is known
  // when the first later one comes.
  [[nodiscard]] bool enter_block(std::uint64_t b) noexcept {
    if (block_ < b) table_.set_occupieds(block_, std::exchange(occupieds_, 0));
    for (; block_ < b; ++block_) {
      const std::uint64_t begin = (block_ + 1) * 64, offset = end_ > begin ? end_ - begin : 0;
      if (offset > quotient_layout::max_offset) return false;
      table_.set_offset(block_ + 1, offset);
    }
    return true;
  }
  // Goes on to slots of block b.
  [[nodiscard]] bool enter_home(std::uint64_t b) noexcept {
    if (b >= table_.blocks()) return false;
    write_home();
    home_ = b;
    ends_ = 0;
    remainders_.fill(0);
    return true;
  }
  void write_home() noexcept {
    table_.set_runends(home_, ends_);
    table_.set_remainders(home_, remainders_);
  }

  quotient_writer table_;
  std::uint64_t block_ = 0;      // of the quotients at hand: offsets up to it are written
  std::uint64_t occupieds_ = 0;  // of that block
  std::uint64_t home_ = 0;       // the block of the slots at hand
  std::uint64_t ends_ = 0;       // its runends
  std::array<std::uint64_t, 64> remainders_{};
  std::uint64_t after_ = 0;  // the quotient after the last one
  std::uint64_t end_ = 0;    // the slot after the last remainder
  std::uint64_t count_ = 0;
};

/// Whether a table is what adding keys makes of it, to the last bit: runs where they belong, ascending, as many as
/// `count`; offsets that agree; nothing in the slots between.
[[nodiscard]] inline result<void> check_quotient_table(const quotient_reader& table, std::uint64_t count) {
  const auto corrupt = [](const char* what, std::uint64_t at) {
    return error{errc::corrupt, std::string(what) + std::to_string(at)};
  };
  std::uint64_t end = 0, found = 0;
  // The first slot of [end, until) that is not empty, or `until`.
  const auto first_used = [&](std::uint64_t until) {
    std::uint64_t slot = end;
    while (slot < until && !table.is_runend(slot) && table.remainder(slot) == 0) ++slot;
    return slot;
  };
  for (std::uint64_t b = 0; b < table.blocks(); ++b) {
    if (table.offset(b) != (end > b * 64 ? end - b * 64 : 0)) return corrupt("the offset is wrong in block ", b);
    std::uint64_t occupied = table.occupieds(b);
    if (b >= table.home_blocks() && occupied != 0) return corrupt("a quotient is beyond the last, in block ", b);
    for (; occupied != 0; occupied &= occupied - 1) {
      const std::uint64_t quotient = b * 64 + static_cast<std::uint64_t>(std::countr_zero(occupied));
      if (end < quotient) {
        if (const auto slot = first_used(quotient); slot != quotient) return corrupt("no run owns slot ", slot);
        end = quotient;
      }
      std::uint64_t before = 0;
      for (bool is_last = false; !is_last; ++end, ++found) {
        if (end >= table.slots()) return corrupt("no end to the run of quotient ", quotient);
        const std::uint64_t remainder = table.remainder(end);
        if (remainder < before) return corrupt("remainders out of order in slot ", end);
        before = remainder;
        is_last = table.is_runend(end);
      }
    }
  }
  if (const auto slot = first_used(table.slots()); slot < table.slots()) return corrupt("no run owns slot ", slot);
  if (found != count) {
    return {errc::corrupt, "it counts " + std::to_string(count) + " keys and holds " + std::to_string(found)};
  }
  return {};
}

}  // namespace seen::inline v1::engines
