#include "formats/engines/fingerprint_build.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "formats/foreign.hpp"

namespace seen::inline v1::foreign {
namespace {

// The least likely try succeeds once in a hundred times (of the segments that the Go library gives 11,500 keys, and it
// tries others in between), and most do nearly always. As many tries as that library's: they fail for keys that were
// chosen to make them fail, if at all.
constexpr unsigned most_tries = 1024;

// "8, 16 or 32", where `listed` says "8, 16, 32".
std::string alternatives(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  }
  return text;
}

// --- what is to be built

result<const fingerprint_offer*> offer_of(const std::string& format, std::span<const fingerprint_offer> offers,
                                          const make_options& options) {
  const auto has_variant = [&](const fingerprint_offer& each) {
    return std::find(each.variants.begin(), each.variants.end(), options.variant) != each.variants.end();
  };
  std::vector<std::string> kinds;
  for (const fingerprint_offer& each : offers) {
    kinds.emplace_back(each.kind);
    if (!options.kind.empty() && options.kind != each.kind) continue;
    if (options.variant.empty() || has_variant(each)) return &each;
    if (options.kind.empty()) continue;
    const std::vector<std::string> its(each.variants.begin(), each.variants.end());
    return {errc::unsupported, format + ": " + options.variant + " is of another kind; a " + options.kind +
                                   " filter is written as " + alternatives(its)};
  }
  return {errc::unsupported, format + ": the format holds " + alternatives(kinds) + " filters, not " + options.kind};
}

result<std::uint32_t> width_for(const std::string& about, std::span<const std::uint32_t> widths,
                                const make_options& options) {
  std::vector<std::string> bits;
  for (const std::uint32_t each : widths) bits.push_back(std::to_string(8 * each));
  const std::string there_are = about + " filters have fingerprints of " + alternatives(bits) + " bits";
  for (const named_field& field : options.shape) {
    if (field.name != "fingerprint-bits") {
      return {errc::invalid_argument, about + " filters take no field " + field.name + " but fingerprint-bits"};
    }
  }
  for (const named_field& field : options.shape) {
    const auto at = std::find_if(widths.begin(), widths.end(), [&](std::uint32_t w) { return 8 * w == field.value; });
    if (field.type == field_type::integer && at != widths.end()) return *at;
    return {errc::unsupported,
            there_are + ", not " +
                (field.type == field_type::integer ? std::to_string(field.value) : readable(field.as_real()))};
  }
  const double rate = options.target.fpr;
  if (!(rate > 0 && rate < 1)) {
    return {errc::invalid_argument, about + ": fpr " + readable(rate) + " is not strictly between 0 and 1"};
  }
  const auto keeps = [&](std::uint32_t w) { return std::ldexp(1.0, -8 * static_cast<int>(w)) <= rate; };
  const auto least = std::find_if(widths.begin(), widths.end(), keeps);
  if (least != widths.end()) return *least;
  return {errc::unsupported,
          there_are + ": the lowest rate is 2^-" + bits.back() + ", and " + readable(rate) + " is asked for"};
}

// --- building

std::size_t lanes_of(const xor_shape&) noexcept {
  return 3;
}
std::size_t lanes_of(const fuse_shape&) noexcept {
  return 1;
}

// Slots with one key, last found first: those that wait, and those that gave it away. A slot comes once, so both have room
// at the two ends of an array of all slots.
class lane {
 public:
  explicit lane(std::span<std::uint32_t> room) : room_(room) {}

  void push(std::uint32_t slot) noexcept { room_[room_.size() - ++waiting_] = slot; }
  [[nodiscard]] bool empty() const noexcept { return waiting_ == 0; }
  std::uint32_t pop() noexcept { return room_[room_.size() - waiting_--]; }
  void keep(std::uint32_t slot) noexcept { room_[kept_++] = slot; }
  [[nodiscard]] std::size_t kept() const noexcept { return kept_; }
  /// The slot that was kept last, which is not any more.
  std::uint32_t take_back() noexcept { return room_[--kept_]; }

 private:
  std::span<std::uint32_t> room_;
  std::size_t waiting_ = 0;
  std::size_t kept_ = 0;
};

class table {
 public:
  explicit table(std::size_t slots) : sums_(slots), counts_(slots), room_(slots) {}

  /// Whether every key found a slot of its own with this shape and its seed.
  template <class Shape>
  bool solve(const Shape& shape, std::span<const std::uint64_t> keys) {
    return fill(shape, keys) && give_away(shape) == keys.size();
  }

  /// Writes the fingerprints of what was solved; `to` is zeroed.
  template <class Word, class Shape>
  void write(const Shape& shape, std::byte* to) {
    const auto at = [&](std::uint64_t slot) { return to + sizeof(Word) * slot; };
    for (auto r = runs_.rbegin(); r != runs_.rend(); ++r) {
      for (std::size_t left = r->slots; left != 0; --left) {
        const std::uint32_t slot = lanes_[r->lane].take_back();
        const std::uint64_t h = sums_[slot];
        Word own = static_cast<Word>(h ^ h >> 32);
        // Its own is 0 still.
        for (const std::uint64_t each : shape.slots_of(h)) own = static_cast<Word>(own ^ load_le<Word>(at(each)));
        store_le(at(slot), own);
      }
    }
  }

 private:
  static constexpr std::uint8_t one_key = 4;  // what a count counts in

  template <class Shape>
  bool fill(const Shape& shape, std::span<const std::uint64_t> keys) {
    std::fill(sums_.begin(), sums_.end(), 0);
    std::fill(counts_.begin(), counts_.end(), std::uint8_t{0});
    for (const std::uint64_t key : keys) {
      const std::uint64_t h = fmix64(key + shape.seed);
      const three_slots at = shape.slots_of(h);
      for (std::size_t i = 0; i < at.size(); ++i) {
        std::uint8_t& count = counts_[static_cast<std::size_t>(at[i])];
        if (count >= 63 * one_key) return false;  // chosen to be there: the next one would not be counted
        count = static_cast<std::uint8_t>((count + one_key) ^ i);
        sums_[static_cast<std::size_t>(at[i])] ^= h;
      }
    }
    return true;
  }

  // How many keys were given away.
  template <class Shape>
  std::size_t give_away(const Shape& shape) {
    lanes_.clear();
    runs_.clear();
    const std::size_t lanes = lanes_of(shape), slots = counts_.size() / lanes;
    for (std::size_t l = 0; l < lanes; ++l) {
      lanes_.emplace_back(std::span(room_).subspan(l * slots, slots));
      for (std::size_t slot = l * slots; slot < (l + 1) * slots; ++slot) {
        if (has_one(slot)) lanes_[l].push(static_cast<std::uint32_t>(slot));
      }
    }
    std::size_t given = 0, before = 0;
    do {
      before = given;
      for (std::size_t l = 0; l < lanes; ++l) {
        const std::size_t begin = lanes_[l].kept();
        drain(shape, lanes_[l]);
        runs_.push_back({l, lanes_[l].kept() - begin});
        given += runs_.back().slots;
      }
    } while (given != before);
    return given;
  }

  template <class Shape>
  void drain(const Shape& shape, lane& from) {
    while (!from.empty()) {
      const std::uint32_t slot = from.pop();
      if (!has_one(slot)) continue;  // another slot gave the key away
      from.keep(slot);
      const std::uint64_t h = sums_[slot];
      const three_slots at = shape.slots_of(h);
      const std::size_t own = counts_[slot] % one_key;
      for (std::size_t step = 1; step < at.size(); ++step) {
        const std::size_t which = (own + step) % at.size();
        const auto other = static_cast<std::size_t>(at[which]);
        counts_[other] = static_cast<std::uint8_t>((counts_[other] - one_key) ^ which);
        sums_[other] ^= h;
        if (has_one(other)) lanes_[lanes_.size() == 1 ? 0 : which].push(static_cast<std::uint32_t>(other));
      }
    }
  }

  [[nodiscard]] bool has_one(std::size_t slot) const noexcept { return counts_[slot] / one_key == 1; }

  std::vector<std::uint64_t> sums_;
  std::vector<std::uint8_t> counts_;
  std::vector<std::uint32_t> room_;  // of the lanes
  std::vector<lane> lanes_;
  struct run {
    std::size_t lane;
    std::size_t slots;
  };
  std::vector<run> runs_;  // what the lanes kept, in turns
};

result<void> check_memory(std::uint64_t keys, std::uint64_t slots, std::uint64_t budget) {
  const std::uint64_t needed = 8 * keys + 13 * slots;
  if (budget == 0 || needed <= budget) return {};
  return {errc::no_memory, "build: " + std::to_string(keys) + " keys need " +
                               readable_bytes(1.005 * static_cast<double>(needed)) +
                               " beside the filter, whose format has no shards; the budget is " +
                               readable_bytes(static_cast<double>(budget))};
}

result<void> tell(const build_options& how, build_progress::stage stage, std::uint64_t done, std::uint64_t total) {
  if (!how.progress || how.progress({.now = stage, .done = done, .total = total})) return {};
  return {errc::cancelled, "build: cancelled"};
}

}  // namespace

result<fingerprint_choice> choose_fingerprints(const format_row& row, std::span<const fingerprint_offer> offers,
                                               const make_options& options) {
  const std::string format(row.name);
  if (auto known = choose("variant", row.name, row.variants, options.variant); !known) return known.error();
  auto offer = offer_of(format, offers, options);
  if (!offer) return offer.error();
  if (auto fine = check_options(row, options, (*offer)->kind); !fine) return fine.error();
  auto width = width_for(format + ": " + std::string((*offer)->kind), (*offer)->widths, options);
  if (!width) return width.error();
  fingerprint_choice chosen{.offer = *offer, .width = *width, .variant = (*offer)->variants.front(), .hash = {}};
  // The names of the row's own, which outlive the options.
  for (const std::string_view each : (*offer)->variants) {
    if (each == options.variant) chosen.variant = each;
  }
  for (const std::string_view each : row.hashes) {
    if (options.hash && each == name_of(*options.hash)) chosen.hash = each;
  }
  return chosen;
}

fuse_shape segments_for(std::uint64_t keys, std::uint64_t fewest) {
  const auto n = static_cast<double>(keys);
  const double power = keys == 0 ? 2 : std::floor(std::log(n) / std::log(3.33) + 2.25);
  const double factor = keys <= 1 ? 0 : std::max(1.125, 0.875 + 0.25 * std::log(1e6) / std::log(n));
  const auto slots = static_cast<std::uint64_t>(std::round(n * factor));
  fuse_shape shape;
  shape.segment_length = std::uint64_t{1} << std::min(18, static_cast<int>(power));
  while (shape.segment_length > 256 && ceil_div(slots, shape.segment_length) < fewest) shape.segment_length /= 2;
  shape.segments = std::max<std::uint64_t>(3, ceil_div(slots, shape.segment_length)) - 2;
  return shape;
}

result<void> check_integers(std::span<const bytes_view> keys) {
  const auto odd = std::find_if(keys.begin(), keys.end(), [](bytes_view key) { return key.size() != 8; });
  if (odd == keys.end()) return {};
  const std::string which = keys.size() == 1 ? "this one" : "key " + std::to_string(odd - keys.begin()) + " of these";
  return {errc::invalid_argument, "build: the format's keys are integers of 8 bytes, and " + which + " has " +
                                      std::to_string(odd->size()) + "; or name a hash that makes integers of them"};
}

template <class Shape>
result<fingerprint_engine<Shape>> build_fingerprints(building::digest_collector digests, const build_options& how,
                                                     const shape_of_try<Shape>& shape_of) {
  using stage = build_progress::stage;
  const auto keys = digests.sorted();
  if (!keys) return keys.error();
  const std::uint64_t count = keys->size();
  if (auto on = tell(how, stage::sorting, digests.size(), digests.size()); !on) return on.error();
  auto shape = shape_of(count, 0);
  if (!shape) return shape.error();
  if (shape->slots() >> 32 != 0) {
    return {errc::too_large, "build: " + std::to_string(count) + " keys need " + std::to_string(shape->slots()) +
                                 " slots; the library counts them in 32 bits"};
  }
  if (auto room = check_memory(count, shape->slots(), how.memory); !room) return room.error();
  table slots(static_cast<std::size_t>(shape->slots()));
  for (unsigned number = 0; !slots.solve(*shape, *keys);) {
    if (++number == most_tries) {
      return {errc::invalid_argument, "build: " + std::to_string(most_tries) + " seeds did not tell " +
                                          std::to_string(count) + " keys apart: they were chosen to be alike"};
    }
    if (auto on = tell(how, stage::solving, 0, count); !on) return on.error();
    shape = shape_of(count, number);
    if (!shape) return shape.error();
  }
  { const building::digest_collector no_longer_needed = std::move(digests); }
  auto body = storage::allocate(static_cast<std::size_t>(round_up(shape->bytes(), storage::alignment)));
  if (!body) return body.error();
  if (shape->width == 1) slots.write<std::uint8_t>(*shape, body->data());
  if (shape->width == 2) slots.write<std::uint16_t>(*shape, body->data());
  if (shape->width == 4) slots.write<std::uint32_t>(*shape, body->data());
  if (auto on = tell(how, stage::solving, count, count); !on) return on.error();
  return fingerprint_engine<Shape>(*shape, std::move(*body), static_cast<std::uint32_t>(count));
}

template result<fingerprint_engine<xor_shape>> build_fingerprints(building::digest_collector, const build_options&,
                                                                  const shape_of_try<xor_shape>&);
template result<fingerprint_engine<fuse_shape>> build_fingerprints(building::digest_collector, const build_options&,
                                                                   const shape_of_try<fuse_shape>&);

}  // namespace seen::inline v1::foreign
