// word_engine<Engine, Rule, Access>: the base of every engine that is one array of words described by a rule.
//
//   bloom_engine, block_engine, counting_engine  ──►  word_engine  ──►  a rule, and the words it speaks of
//
// A rule says how large the array is and where a digest lies in it; the engine above says what is done there. This
// base has all that does not depend on either: making and opening the array, copying, emptying and swapping it, and
// handing it from one access policy to another without a copy.
//
// The engine brings (all static, given a rule):
//   bits_of(rule)     bits of the array, padding apart
//   in_words(rule)    the same for a message: "9586 bits", "100 counters of 4 bits"
#pragma once

#include <seen/base/bit_words.hpp>
#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/base/taken.hpp>
#include <seen/base/threads.hpp>
#include <seen/concepts.hpp>
#include <seen/storage/access.hpp>
#include <seen/storage/storage.hpp>
#include <seen/survey.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seen::inline v1::engines {

// Shared by the engines that fold (src/engines/word_engine.cpp).

/// The divisors of `n` above 1 and up to `most`, largest first.
[[nodiscard]] std::vector<std::uint64_t> divisors_from_above(std::uint64_t n, std::uint64_t most);

/// Rejects an fpr outside (0, 1), and an empty filter, which gives no size to aim for.
[[nodiscard]] result<void> check_shrink(double fpr, std::uint64_t set_bits);

/// Refuses a divisor that does not divide the size.
[[nodiscard]] result<void> check_divisor(std::uint64_t unit, std::uint64_t divisor);

/// The error of a filter that has no smaller size.
[[nodiscard]] error no_divisor(std::uint64_t cells, double fpr);

/// Bytes of an array of `bits` bits: whole cache lines, so that mapped and owned memory are laid out alike.
[[nodiscard]] constexpr std::size_t bit_array_bytes(std::uint64_t bits) noexcept {
  return clamp_to_size(round_up(ceil_div(bits, 8), storage::alignment));
}

template <template <class, class> class Engine, class Rule, class Access>
class word_engine {
 public:
  using engine_type = Engine<Rule, Access>;
  using rule_type = Rule;
  using access_type = Access;
  using digest_type = typename Rule::digest_type;
  using shape_type = typename Rule::shape_type;

  static constexpr kind_info kind = Rule::kind;
  static constexpr std::uint16_t index_rule = Rule::id;

  word_engine() noexcept = default;
  word_engine(word_engine&&) noexcept = default;
  word_engine& operator=(word_engine&&) noexcept = default;
  // A copy of words that other threads write would be a copy of no one state: shared engines have snapshot() instead.
  word_engine(const word_engine&) requires(!Access::is_shared) = default;
  word_engine& operator=(const word_engine&) requires(!Access::is_shared) = default;
  ~word_engine() = default;

  /// An empty filter of this shape.
  static result<engine_type> make(const shape_type& shape) {
    auto rule = Rule::make(shape);
    if (!rule) return rule.error();
    return empty_of(*rule);
  }

  /// A filter over bytes that exist already: a file's body, or the caller's memory.
  static result<engine_type> over(const shape_type& shape, storage bytes) {
    auto rule = Rule::make(shape);
    if (!rule) return rule.error();
    const std::uint64_t bits = engine_type::bits_of(*rule);
    const std::size_t least = clamp_to_size(ceil_div(bits, 64) * sizeof(std::uint64_t));
    const std::size_t most = bit_array_bytes(bits);
    if (bytes.size() < least || bytes.size() > most || bytes.size() % sizeof(std::uint64_t) != 0) {
      return {errc::invalid_argument, engine_type::in_words(*rule) + " take " + std::to_string(least) +
                                          (most == least ? "" : " to " + std::to_string(most)) + " bytes; " +
                                          std::to_string(bytes.size()) + " were given"};
    }
    if (auto fine = check_alignment(bytes.data()); !fine) return fine.error();
    engine_type made(*rule, std::move(bytes));
    if (!detail::zero_beyond<Access>(made.words(), made.word_count(), bits)) {
      return {errc::corrupt, "bits beyond the last of " + engine_type::in_words(*rule) + " are set"};
    }
    return made;
  }

  /// Empties the filter. With shared access it is free of races, but answers during it are unspecified.
  void clear() noexcept {
    std::uint64_t* const words = this->words();
    for (std::size_t i = 0; i < word_count(); ++i) Access::store(words + i, 0);
  }

  /// Puts empty bytes in place and returns the full ones, as a filter; readers see one or the other. The caller keeps
  /// what is returned until no call that began before the reset is still running.
  [[nodiscard]] engine_type reset() {
    auto fresh = storage::allocate(storage_.size());
    if (!fresh) throw_error(fresh.error());
    // Two resets at once: one after the other.
    const detail::stripe_lock lock(reinterpret_cast<std::uintptr_t>(this));
    storage_.template replace_with<Access>(*fresh);
    return engine_type(*rule_, std::move(*fresh));
  }

  [[nodiscard]] friend bool operator==(const engine_type& a, const engine_type& b) noexcept {
    return a.shape() == b.shape() && detail::equal_words<Access>(a.words(), b.words(), a.used_words());
  }

  // --- what it is

  [[nodiscard]] shape_type shape() const noexcept { return rule_->shape(); }
  [[nodiscard]] std::uint32_t probes() const noexcept { return rule_->probes(); }
  [[nodiscard]] const Rule& rule() const noexcept { return *rule_; }

  [[nodiscard]] bytes_view bytes() const noexcept { return storage_.bytes(); }
  [[nodiscard]] std::uint64_t* words() noexcept {
    return reinterpret_cast<std::uint64_t*>(storage_.template data_as<Access>());
  }
  [[nodiscard]] const std::uint64_t* words() const noexcept {
    return reinterpret_cast<const std::uint64_t*>(storage_.template data_as<Access>());
  }
  [[nodiscard]] std::size_t word_count() const noexcept { return storage_.size() / sizeof(std::uint64_t); }
  /// The words in use. Two filters of one shape have as many; the padding after them may differ in length.
  [[nodiscard]] std::size_t used_words() const noexcept {
    return static_cast<std::size_t>(ceil_div(engine_type::bits_of(*rule_), 64));
  }

  /// Kept in a file beside the bytes, to notice when they are not these: the number of set bits, which every flip
  /// changes.
  [[nodiscard]] std::uint64_t census() const noexcept { return detail::count_bits<Access>(words(), word_count()); }

  // --- a survey (survey.hpp): word by word

  static constexpr std::string_view place = "bit";
  [[nodiscard]] std::uint64_t pieces() const noexcept { return used_words(); }
  [[nodiscard]] counted_places count_pieces(std::uint64_t first, std::uint64_t last) const noexcept {
    const std::uint64_t bits = engine_type::bits_of(*rule_);
    return {std::min(bits, last * 64) - std::min(bits, first * 64),
            detail::count_bits<Access>(words() + first, static_cast<std::size_t>(last - first))};
  }

  // --- from one access policy to another

  /// The same bytes under another policy, without a copy.
  template <class Other>
  [[nodiscard]] Engine<Rule, Other> with_access() && {
    const Rule rule = *rule_;
    rule_ = detail::taken<Rule>();
    return Engine<Rule, Other>(rule, std::move(storage_));
  }

  /// A copy that no other thread touches: every word is read once, and every add that happened before is in it.
  [[nodiscard]] result<Engine<Rule, plain_access>> snapshot() const {
    auto copy = storage::allocate(storage_.size());
    if (!copy) return copy.error();
    detail::copy_words<Access>(reinterpret_cast<std::uint64_t*>(copy->data()), words(), word_count());
    return Engine<Rule, plain_access>(*rule_, std::move(*copy));
  }

 protected:
  word_engine(const Rule& rule, storage bytes) noexcept : storage_(std::move(bytes)), rule_(rule) {}

  /// make, of a rule that was checked already.
  static result<engine_type> empty_of(const Rule& rule) {
    auto bytes = storage::allocate(bit_array_bytes(engine_type::bits_of(rule)));
    if (!bytes) return bytes.error();
    return engine_type(rule, std::move(*bytes));
  }

  /// Applies change(word here, word there) to every pair of words. Each table's address is looked up once: all of the
  /// other goes into one table, whatever a reset does meanwhile.
  template <class Change>
  void combine_words(const engine_type& other, Change change) noexcept {
    std::uint64_t* const to = words();
    const std::uint64_t* const from = other.words();
    for (std::size_t i = 0; i < used_words(); ++i) change(to + i, Access::load(from + i));
  }

 private:
  template <template <class, class> class, class, class>
  friend class word_engine;

 protected:
  // In this order: an assignment that finds no memory for the bytes has not changed the rule yet.
  storage storage_;
  detail::taken<Rule> rule_;
};

}  // namespace seen::inline v1::engines
