// A lookup in a large table waits for memory: digests of some hundred keys come first, and their slots are on the way when
// they are looked at.
#include "confirm.hpp"

#include <seen/hash/murmur3.hpp>

#include <algorithm>
#include <random>

#include "feed.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

constexpr std::size_t at_once = 256;

// Calls use(index, digest) for every key that `wanted` names, with the digest's slot on its way.
template <class Digest, class Prefetch, class Wanted, class Use>
void for_digests(std::span<const bytes_view> keys, Digest digest, Prefetch prefetch, Wanted wanted, Use use) {
  std::array<std::array<std::uint64_t, 2>, at_once> digests;
  for (std::size_t first = 0; first < keys.size(); first += at_once) {
    const std::size_t count = std::min(at_once, keys.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      if (!wanted(first + i)) continue;
      digests[i] = digest(keys[first + i]);
      prefetch(digests[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (wanted(first + i)) use(first + i, digests[i]);
    }
  }
}

}  // namespace

confirmed_keys::confirmed_keys() : slots_(1024), held_(1024) {
  std::random_device random;
  seed_ = std::uint64_t{random()} << 32 | random();
}

confirmed_keys::digest_words confirmed_keys::digest_of(bytes_view key) const noexcept {
  digest_words d = murmur3_x64_128_words(key, seed_);
  if (d == digest_words{}) d[1] = 1;  // zero is an empty slot
  return d;
}

std::size_t confirmed_keys::slot_of(const digest_words& d) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = d[0] & mask;
  while (slots_[at] != d && slots_[at] != digest_words{}) at = (at + 1) & mask;
  return at;
}

void confirmed_keys::grow() {
  std::vector<digest_words> old(2 * slots_.size());
  old.swap(slots_);
  for (const digest_words& each : old) {
    if (each != digest_words{}) slots_[slot_of(each)] = each;
  }
}

void confirmed_keys::collect(std::span<const bytes_view> keys, std::span<const bool> answers) {
  for_digests(
      keys, [&](bytes_view key) { return digest_of(key); },
      [&](const digest_words& d) { __builtin_prefetch(&slots_[d[0] & (slots_.size() - 1)], 1); },
      [&](std::size_t i) { return answers[i]; },
      [&](std::size_t, const digest_words& d) {
        const std::size_t at = slot_of(d);
        if (slots_[at] == d) return;
        slots_[at] = d;
        if (++used_ * 4 > slots_.size() * 3) grow();
      });
}

result<void> confirmed_keys::read(key_reader& list, const std::string& name, const any_filter& filter,
                                  bool show_progress) {
  held_.assign(slots_.size(), false);
  answer_buffer answers;
  auto read = feed(list, "confirming", show_progress, [&](const key_batch& batch) -> result<void> {
    const std::span<bool> said = answers.of(batch.keys.size());
    if (filter.may_contain_many(batch.keys, said) != batch.keys.size()) {
      const auto denied = static_cast<std::size_t>(std::find(said.begin(), said.end(), false) - said.begin());
      return {errc::invalid_argument, list.where(batch.line_of(denied)) + ": " + shown(batch.keys[denied]) +
                                          " is not in " + name + ", which was not made of this list (--confirm)"};
    }
    for_digests(
        batch.keys, [&](bytes_view key) { return digest_of(key); },
        [&](const digest_words& d) { __builtin_prefetch(&slots_[d[0] & (slots_.size() - 1)]); },
        [](std::size_t) { return true; },
        [&](std::size_t, const digest_words& d) {
          const std::size_t at = slot_of(d);
          if (slots_[at] == d) held_[at] = true;
        });
    return {};
  });
  if (!read) return read.error();
  return {};
}

void confirmed_keys::keep_held(std::span<const bytes_view> keys, std::span<bool> answers) const {
  for_digests(
      keys, [&](bytes_view key) { return digest_of(key); },
      [&](const digest_words& d) { __builtin_prefetch(&slots_[d[0] & (slots_.size() - 1)]); },
      [&](std::size_t i) { return answers[i]; },
      [&](std::size_t i, const digest_words& d) {
        const std::size_t at = slot_of(d);
        answers[i] = slots_[at] == d && held_[at];
      });
}

}  // namespace seen::cli
