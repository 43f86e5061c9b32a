// A ring of slices that forgets the oldest: the engine of filters/windowed_bloom.hpp.
//
// All state is one number, the clock: adds so far, or the time last told. The slice being filled is number
// floor(clock / length) mod (S + 1), where length is a slice's share of the window or period, rounded up. A slice is
// emptied when it becomes the one being filled; with adds that is at the first add that falls into it.
#pragma once

#include <seen/base/bit_words.hpp>
#include <seen/base/digest.hpp>
#include <seen/base/taken.hpp>
#include <seen/concepts.hpp>
#include <seen/kernels/bloom.hpp>
#include <seen/kernels/window.hpp>
#include <seen/math/estimate.hpp>
#include <seen/math/windowed_bloom.hpp>
#include <seen/storage/access.hpp>
#include <seen/storage/storage.hpp>
#include <seen/survey.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seen::inline v1::engines {

/// Rule says where the bits of a digest lie in one slice; its shape_type describes the ring.
template <class Rule>
class window_engine {
 public:
  using access_type = plain_access;
  using digest_type = digest;
  using shape_type = typename Rule::shape_type;

  static constexpr kind_info kind = Rule::kind;
  static constexpr std::uint16_t index_rule = Rule::id;
  static constexpr bool is_monotone = false;

  window_engine() noexcept = default;

  /// An empty filter of this shape, at the beginning of its time.
  static result<window_engine> make(const shape_type& shape) {
    const auto fine = shape_type::from_fields(shape.fields());
    if (!fine) return fine.error();
    auto bytes = storage::allocate(shape.bytes());
    if (!bytes) return bytes.error();
    return window_engine(shape, std::move(*bytes), 0);
  }

  // --- keys

  void add(digest d) noexcept {
    if (probes() == 0) return;  // moved from
    if (counts_adds()) count_adds(1);
    std::uint64_t* const words = this->words();
    const Rule rule = rule_for(filling_);
    auto state = rule.start(d);
    for (std::uint32_t i = probes(); i != 0; --i) {
      const std::uint64_t at = rule.template take<1>(state)[0];
      words[at / 64] |= bit_mask(at);
    }
  }

  [[nodiscard]] bool may_contain(digest d) const noexcept {
    const Rule rule = rule_for(0);
    return kernels::window_lookup(words(), rule, rule.start(d), probes(), ring()) != 0;
  }

  void add_many(std::span<const digest> digests) noexcept {
    if (probes() == 0) return;
    while (!digests.empty()) {
      std::size_t some = digests.size();
      if (counts_adds()) some = static_cast<std::size_t>(count_adds(some));
      kernels::bloom_add_many(kernels::bit_cells<plain_access>{words()}, rule_for(filling_), probes(),
                              digests.first(some));
      digests = digests.subspan(some);
    }
  }

  std::size_t may_contain_many(std::span<const digest> digests, bool* out) const noexcept {
    if (probes() == 0) {
      std::fill_n(out, digests.size(), true);
      return digests.size();
    }
    return kernels::window_lookup_many(words(), rule_for(0), probes(), ring(), digests, out);
  }

  // --- time

  /// Sets the time and forgets keys that are too old. A time before the last one is ignored, and so is any time when
  /// the window is counted in adds. Walks the table when a slice turns.
  void advance(std::uint64_t now) noexcept {
    if (probes() == 0 || counts_adds() || now <= clock_) return;
    const std::uint64_t length = shape_->slice_length();
    turn(now / length - clock_ / length);
    clock_ = now;
  }
  /// may_contain after advance(now), without a change: what a ring that is shared for reading is asked.
  [[nodiscard]] bool may_contain_at(digest d, std::uint64_t now) const noexcept {
    if (probes() == 0 || counts_adds() || now <= clock_) return may_contain(d);
    const std::uint64_t length = shape_->slice_length(), turned = now / length - clock_ / length;
    if (turned >= ring_slices()) return false;
    std::uint64_t slices = ring();
    for (std::uint64_t i = 1; i <= turned; ++i) slices &= ~(std::uint64_t{1} << (filling_ + i) % ring_slices());
    const Rule rule = rule_for(0);
    return kernels::window_lookup(words(), rule, rule.start(d), probes(), slices) != 0;
  }
  /// Adds so far, or the time last told.
  [[nodiscard]] std::uint64_t clock() const noexcept { return clock_; }

  // --- the whole filter

  /// Forgets everything but the time.
  void clear() noexcept {
    std::fill_n(words(), word_count(), std::uint64_t{0});
    if (counts_adds()) set_clock(0);
  }

  /// Puts an empty table in place and returns the full one; the time goes on.
  [[nodiscard]] window_engine reset() {
    if (storage_.size() == 0) return {};  // moved from
    auto fresh = make(*shape_);
    if (!fresh) throw_error(fresh.error());
    if (!counts_adds()) fresh->set_clock(clock_);
    std::swap(*this, *fresh);
    return std::move(*fresh);
  }

  [[nodiscard]] friend bool operator==(const window_engine& a, const window_engine& b) noexcept {
    return a.shape() == b.shape() && a.clock_ == b.clock_ &&
           std::equal(a.words(), a.words() + a.word_count(), b.words(), b.words() + b.word_count());
  }

  // --- what it is

  [[nodiscard]] shape_type shape() const noexcept { return *shape_; }

  /// Set bits of all slices.
  [[nodiscard]] std::uint64_t census() const noexcept {
    return detail::count_bits<plain_access>(words(), word_count());
  }
  /// Share of the bits of all slices that are set.
  [[nodiscard]] double fill() const noexcept {
    const std::uint64_t bits = shape_->slice_bits * (shape_->slices + 1);
    return bits == 0 ? 0 : static_cast<double>(census()) / static_cast<double>(bits);
  }
  /// The keys it remembers, slice by slice: one that came again in another slice is counted in both.
  [[nodiscard]] double estimated_count() const noexcept {
    double sum = 0;
    for (const std::uint64_t set : set_bits_by_slice()) sum += math::estimate_count(set, shape_->slice_bits, probes());
    return sum;
  }
  /// What estimated_count() says at most of a window of so many keys, but for once in 10^9: all slices full, the one being
  /// filled too.
  [[nodiscard]] double most_keys(std::uint64_t) const noexcept {
    return static_cast<double>(shape_->slices + 1) *
           math::most_keys(shape_->slice_keys(), shape_->slice_bits, probes());
  }
  /// The rate with all slices as full as that.
  [[nodiscard]] double most_fpr() const noexcept {
    const double most = math::most_set_bits(shape_->slice_keys(), shape_->slice_bits, probes());
    const double rate = math::fpr_of_fill(most / static_cast<double>(shape_->slice_bits), probes());
    return -std::expm1(static_cast<double>(shape_->slices + 1) * std::log1p(-rate));
  }
  /// The chance that some slice says yes to an absent key, as they are filled now.
  [[nodiscard]] double estimated_fpr() const noexcept {
    double log_pass = 0;
    for (const std::uint64_t set : set_bits_by_slice())
      log_pass += std::log1p(-math::fpr_of_fill(fill_of(set), probes()));
    return probes() == 0 ? 1 : 0 - std::expm1(log_pass);  // not -0 where nothing is set
  }
  /// Some slice is far fuller than planned: more keys came in its time than expected.
  [[nodiscard]] bool saturated() const noexcept {
    const auto set = set_bits_by_slice();
    return std::any_of(set.begin(), set.end(), [&](std::uint64_t each) { return math::count_is_weak(fill_of(each)); });
  }

  // --- a survey (survey.hpp): slice by slice, each of a bit per cell

  class slice_table {
   public:
    static constexpr std::string_view place = "bit";
    slice_table(const window_engine& of, std::uint64_t mine) noexcept : of_(&of), mine_(mine) {}

    [[nodiscard]] std::uint64_t pieces() const noexcept { return of_->word_count(); }
    [[nodiscard]] counted_places count_pieces(std::uint64_t first, std::uint64_t last) const noexcept {
      const std::uint64_t cells = 64 / math::cell_bits(of_->shape_->slices), all = of_->shape_->slice_bits;
      return {std::min(all, last * cells) - std::min(all, first * cells),
              of_->set_bits(mine_, static_cast<std::size_t>(first), static_cast<std::size_t>(last))};
    }

   private:
    const window_engine* of_;
    std::uint64_t mine_;
  };
  /// use(slice) for each, the one that is being filled last.
  template <class Use>
  void for_each_table(Use use) const {
    if (storage_.size() == 0) return;  // moved from
    for (std::uint64_t i = 1; i <= ring_slices(); ++i)
      use(slice_table(*this, cells_of((filling_ + i) % ring_slices())));
  }

  // --- in a file: the shape and the clock, with the cells

  [[nodiscard]] std::vector<engine_part> parts() const {
    std::vector<engine_part> parts;
    if (storage_.size() == 0) return parts;
    const auto fields = shape_->fields();
    parts.push_back({{fields.begin(), fields.end()}, storage_.bytes()});
    parts[0].fields.push_back(clock_);
    return parts;
  }

  static result<window_engine> from_parts(std::vector<stored_part> parts) {
    const auto shape = shape_of_only_part<window_engine>(parts, 1);
    if (!shape) return shape.error();
    const std::uint64_t clock = parts[0].fields.back();
    if (shape->period == 0 && clock >> 63 != 0) {
      return {errc::corrupt, "counts " + std::to_string(clock) + " adds, more than there can have been"};
    }
    if (auto fits = check_body_size(shape->bytes(), parts[0].bytes.size()); !fits) return fits.error();
    if (auto fine = check_alignment(parts[0].bytes.data()); !fine) return fine.error();
    window_engine made(*shape, std::move(parts[0].bytes), clock);
    const std::uint64_t used = shape->slice_bits * math::cell_bits(shape->slices);
    if (!detail::zero_beyond<plain_access>(made.words(), made.word_count(), used)) {
      return {errc::corrupt, "bits beyond the last of " + std::to_string(shape->slice_bits) + " cells are set"};
    }
    return made;
  }

  /// Bits of a cell that belong to no slice must be 0.
  [[nodiscard]] result<void> check() const {
    for (std::size_t i = 0; i < word_count(); ++i) {
      if ((little_endian(words()[i]) & ~in_every_cell(ring())) != 0) {
        return {errc::corrupt, "bits that belong to none of " + std::to_string(shape_->slices + 1) + " slices are set"};
      }
    }
    return {};
  }

 private:
  window_engine(const shape_type& shape, storage bytes, std::uint64_t clock) noexcept
      : storage_(std::move(bytes)), shape_(shape) {
    set_clock(clock);
  }

  [[nodiscard]] std::uint32_t probes() const noexcept { return shape_->probes; }
  [[nodiscard]] bool counts_adds() const noexcept { return shape_->period == 0; }
  [[nodiscard]] std::uint64_t ring_slices() const noexcept { return shape_->slices + 1; }
  /// A bit for each slice.
  [[nodiscard]] std::uint64_t ring() const noexcept { return ~std::uint64_t{0} >> (63 - shape_->slices); }
  [[nodiscard]] Rule rule_for(std::uint64_t slice) const noexcept {
    return {shape_->slice_bits, math::cell_bits(shape_->slices), slice};
  }
  [[nodiscard]] std::uint64_t* words() noexcept { return reinterpret_cast<std::uint64_t*>(storage_.data()); }
  [[nodiscard]] const std::uint64_t* words() const noexcept {
    return reinterpret_cast<const std::uint64_t*>(storage_.data());
  }
  [[nodiscard]] std::size_t word_count() const noexcept { return storage_.size() / sizeof(std::uint64_t); }

  // A word whose every cell has these bits.
  [[nodiscard]] std::uint64_t in_every_cell(std::uint64_t bits) const noexcept {
    for (std::uint32_t width = math::cell_bits(shape_->slices); width < 64; width *= 2) bits |= bits << width;
    return bits;
  }

  void set_clock(std::uint64_t clock) noexcept {
    const std::uint64_t length = shape_->slice_length();
    clock_ = clock;
    if (length == 0) return;
    // A slice that has just been filled is turned by the next add, not before.
    const std::uint64_t began = counts_adds() && clock != 0 ? (clock - 1) / length : clock / length;
    filling_ = began % ring_slices();
    room_ = counts_adds() ? (began + 1) * length - clock : 0;
  }

  // Counts up to `most` adds into the slice being filled, after turning to the next if it is full; returns how many.
  std::uint64_t count_adds(std::uint64_t most) noexcept {
    if (room_ == 0) {
      turn(1);
      room_ = shape_->slice_length();
    }
    const std::uint64_t counted = std::min(most, room_);
    room_ -= counted;
    clock_ += counted;
    return counted;
  }

  // Fills the slice `steps` further on, and empties all on the way there in one walk.
  void turn(std::uint64_t steps) noexcept {
    const std::uint64_t few = std::min(steps, ring_slices());
    std::uint64_t emptied = 0;
    for (std::uint64_t i = 1; i <= few; ++i) emptied |= std::uint64_t{1} << ((filling_ + i) % ring_slices());
    filling_ = (filling_ + steps % ring_slices()) % ring_slices();
    if (emptied == 0) return;
    const std::uint64_t kept = ~little_endian(in_every_cell(emptied));
    std::uint64_t* const words = this->words();
    for (std::size_t i = 0; i < word_count(); ++i) words[i] &= kept;
  }

  [[nodiscard]] double fill_of(std::uint64_t set) const noexcept {
    return shape_->slice_bits == 0 ? 0 : static_cast<double>(set) / static_cast<double>(shape_->slice_bits);
  }
  [[nodiscard]] std::array<std::uint64_t, math::max_slices + 1> set_bits_by_slice() const noexcept {
    std::array<std::uint64_t, math::max_slices + 1> set{};
    for (std::size_t slice = 0; slice < ring_slices(); ++slice) {
      set[slice] = set_bits(cells_of(slice), 0, word_count());
    }
    return set;
  }
  // The bits of a slice in every word, as they lie in memory.
  [[nodiscard]] std::uint64_t cells_of(std::uint64_t slice) const noexcept {
    return little_endian(in_every_cell(std::uint64_t{1} << slice));
  }
  [[nodiscard]] std::uint64_t set_bits(std::uint64_t mine, std::size_t first, std::size_t last) const noexcept {
    return detail::count_bits_of([&, from = words()](std::size_t i) { return from[i] & mine; }, first, last);
  }

  // In this order: an assignment that finds no memory for the bytes has not changed the shape yet.
  storage storage_;
  detail::taken<shape_type> shape_;
  std::uint64_t clock_ = 0;
  std::uint64_t filling_ = 0;  // the slice that is being filled
  std::uint64_t room_ = 0;     // adds until it is full; not used with a period
};

}  // namespace seen::inline v1::engines
