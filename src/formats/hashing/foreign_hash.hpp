// foreign_hash<Digest>: a hash function of another library, chosen when its file is opened.
//
//   key ──► function object ──► Digest        a pair of words, four of them, or a list: whatever the peer's positions need
//
// The function is a copyable value with `Digest operator()(bytes_view) const noexcept`. It is behind one indirect call a
// key, or a batch, so that formats whose positions are computed alike share one compiled filter however they hash.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>
#include <seen/base/result.hpp>
#include <seen/hash/fnv1a.hpp>
#include <seen/hash/hash.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace seen::inline v1::foreign {

/// Two words of a key, from which positions are summed: a, a + b, a + 2b, …
struct digest_pair {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
};

/// As many words as a key has positions; those beyond are not written.
template <class Word, std::size_t Most>
struct digest_list {
  std::array<Word, Most> word;
};

/// All of these words, whatever a key's positions are.
template <class Word, std::size_t Count>
struct digest_words {
  std::array<Word, Count> word;
};

/// A key itself, for filters that keep keys or hash them more than once. It lives as long as the call it was given to; but a
/// key of eight bytes may be an integer, whose bytes are gone once it is hashed: those are kept here.
struct key_reference {
  std::uint64_t size = 0;
  const std::byte* data = nullptr;
  std::array<std::byte, 8> eight{};

  key_reference() = default;
  explicit key_reference(bytes_view key) noexcept : size(key.size()), data(key.data()) {
    if (size == eight.size()) std::memcpy(eight.data(), data, eight.size());
  }
  [[nodiscard]] bytes_view bytes() const noexcept {
    return size == eight.size() ? bytes_view(eight) : bytes_view(data, static_cast<std::size_t>(size));
  }
};

/// The low and the high half of a 64-bit hash, as many double-hashing filters use them.
[[nodiscard]] constexpr digest_pair halves_of(std::uint64_t x) noexcept {
  return {x & 0xffff'ffff, x >> 32};
}

// A digest as one word that tells its function from others: all of it. A digest type of a format's own has such a
// function beside it.
[[nodiscard]] inline std::uint64_t identifying_word(digest d) noexcept {
  return d.value;
}
[[nodiscard]] inline std::uint64_t identifying_word(const digest_pair& d) noexcept {
  return splitmix64(splitmix64(d.a) ^ d.b);
}
template <class Word, std::size_t Count>
[[nodiscard]] std::uint64_t identifying_word(const digest_words<Word, Count>& d) noexcept {
  std::uint64_t all = 0;
  for (const Word each : d.word) all = splitmix64(all ^ each);
  return all;
}
/// The first: they are made alike, and how many there are is the shape's business, whose message says so.
template <class Word, std::size_t Most>
[[nodiscard]] std::uint64_t identifying_word(const digest_list<Word, Most>& d) noexcept {
  return d.word[0];
}
[[nodiscard]] inline std::uint64_t identifying_word(const key_reference& d) noexcept {
  return fnv1a_64_word(d.bytes());
}

template <class Digest>
class foreign_hash {
 public:
  using digest_type = Digest;

  /// `named`: what the file's own words for the function are; its check value is computed here.
  template <class Function>
  requires std::is_nothrow_invocable_r_v<Digest, const Function&, bytes_view> foreign_hash(Function function,
                                                                                           hash_identity named)
      : function_(std::make_shared<const Function>(std::move(function))),
        calls_(&calls_of<Function>),
        identity_(named) {
    // A text and a number: functions that differ only in what they make of numbers differ here. (-0.0 as 8 bytes: its two
    // halves differ, and it exposes functions that drop the sign.)
    std::array<std::byte, 8> number{};
    number[7] = std::byte{0x80};
    identity_.check =
        identifying_word((*this)(as_key(hash_check_text))) ^ std::rotl(identifying_word((*this)(number)), 32);
  }

  [[nodiscard]] Digest operator()(bytes_view key) const noexcept { return calls_->one(function_.get(), key); }
  void hash_many(std::span<const bytes_view> keys, std::span<Digest> digests) const noexcept {
    calls_->many(function_.get(), keys, digests.data());
  }
  /// Integer keys are the 8 little-endian bytes that they are.
  void hash_many(std::span<const std::uint64_t> keys, std::span<Digest> digests) const noexcept {
    calls_->many_integers(function_.get(), keys, digests.data());
  }

  [[nodiscard]] hash_identity identity() const { return identity_; }
  [[nodiscard]] std::uint64_t seed() const noexcept { return identity_.seed; }
  /// Native files never name these functions.
  static result<foreign_hash> restore(const hash_identity& stored, const secret*) {
    return {errc::wrong_hash, describe(stored) + " is not a function of another library's format"};
  }

 private:
  struct calls {
    Digest (*one)(const void*, bytes_view) noexcept;
    void (*many)(const void*, std::span<const bytes_view>, Digest*) noexcept;
    void (*many_integers)(const void*, std::span<const std::uint64_t>, Digest*) noexcept;
  };
  template <class Function>
  static constexpr calls calls_of{
      [](const void* f, bytes_view key) noexcept -> Digest { return (*static_cast<const Function*>(f))(key); },
      [](const void* f, std::span<const bytes_view> keys, Digest* out) noexcept {
        const Function& function = *static_cast<const Function*>(f);
        for (const bytes_view key : keys) *out++ = function(key);
      },
      [](const void* f, std::span<const std::uint64_t> keys, Digest* out) noexcept {
        const Function& function = *static_cast<const Function*>(f);
        for (const std::uint64_t key : keys) {
          std::array<std::byte, 8> bytes;  // so many, which the compiler makes use of
          store_le(bytes.data(), key);
          *out++ = function(bytes_view(bytes));
        }
      }};

  std::shared_ptr<const void> function_;
  const calls* calls_;
  hash_identity identity_;
};

}  // namespace seen::inline v1::foreign
