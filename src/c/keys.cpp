// Keys, one at a time and in batches, and what hashes them.
//
// A batch of any layout becomes views, in tiles of 1024 for questions, which the engines take as they are; adds get all views
// at once, since a filter that is full has to say how many keys it took. Integers are never turned into views.
#include <seen/base/bits.hpp>
#include <seen/hash/any_hash.hpp>

#include <array>
#include <span>
#include <vector>

#include "support.hpp"

using namespace seen::c;
using seen::any_filter;
using seen::bytes_view;
using seen::digest;
using seen::errc;
using seen::result;

namespace {

// Calls `use` with a key of bytes.
template <class Use>
seen_status with_key(seen_error** error, const seen_filter* filter, const void* key, std::size_t length,
                     Use use) noexcept {
  return guarded_with(
      error,
      [&]() -> result<void> {
        const auto bytes = bytes_of(key, length);
        if (!bytes) return no_bytes("key", length);
        return use(*bytes);
      },
      filter);
}

// The bytes of a text; a NULL text is NULL bytes of a length that is refused.
std::size_t length_of(const char* text) noexcept {
  return text == nullptr ? 1 : std::strlen(text);
}

// Puts what a call says where the caller wants it, if anywhere.
template <class T>
result<void> hand_out(const result<T>& said, T* out) {
  if (!said) return said.error();
  if (out != nullptr) *out = *said;
  return {};
}

// --- batches

// The keys of a batch, checked. key(i) is only asked for i < count.
class key_batch {
 public:
  static result<key_batch> of(const seen_keys* given) {
    if (auto there = require(given); !there) return there.error();
    auto known = known_part(given, "seen_keys");
    if (!known) return known.error();
    key_batch batch(*known);
    if (auto sound = batch.check(); !sound) return sound.error();
    return batch;
  }

  [[nodiscard]] std::size_t size() const noexcept { return keys_.count; }
  [[nodiscard]] bool is_integers() const noexcept { return keys_.layout == SEEN_KEYS_INTEGERS; }
  [[nodiscard]] std::span<const std::uint64_t> integers() const noexcept {
    return {static_cast<const std::uint64_t*>(keys_.data), keys_.count};
  }

  [[nodiscard]] bytes_view key(std::size_t i) const noexcept {
    switch (keys_.layout) {
      case SEEN_KEYS_VIEWS: {
        const seen_bytes& one = static_cast<const seen_bytes*>(keys_.data)[i];
        return {static_cast<const std::byte*>(one.data), one.length};
      }
      case SEEN_KEYS_TEXTS: {
        const char* const text = static_cast<const char* const*>(keys_.data)[i];
        return {reinterpret_cast<const std::byte*>(text), std::strlen(text)};
      }
      case SEEN_KEYS_FIXED:
        return {bytes() + i * keys_.width, keys_.width};
      case SEEN_KEYS_OFFSETS32:
        return between<std::int32_t>(i);
      default:
        return between<std::int64_t>(i);
    }
  }

 private:
  explicit key_batch(const seen_keys& keys) noexcept : keys_(keys) {}

  [[nodiscard]] const std::byte* bytes() const noexcept { return static_cast<const std::byte*>(keys_.data); }

  template <class Offset>
  [[nodiscard]] bytes_view between(std::size_t i) const noexcept {
    const auto* const offsets = static_cast<const Offset*>(keys_.offsets);
    const std::size_t length = static_cast<std::size_t>(offsets[i + 1] - offsets[i]);
    return length == 0 ? bytes_view() : bytes_view(bytes() + offsets[i], length);
  }

  template <class Offset>
  [[nodiscard]] result<void> check_offsets() const {
    const auto* const offsets = static_cast<const Offset*>(keys_.offsets);
    if (offsets == nullptr) return {errc::invalid_argument, "keys: this layout needs offsets"};
    if (offsets[0] < 0) return {errc::invalid_argument, "keys: offset 0 is " + std::to_string(offsets[0])};
    for (std::size_t i = 0; i < keys_.count; ++i) {
      if (offsets[i] > offsets[i + 1]) {
        return {errc::invalid_argument, "keys: key " + std::to_string(i) + " begins at " + std::to_string(offsets[i]) +
                                            " and ends at " + std::to_string(offsets[i + 1])};
      }
    }
    if (bytes() == nullptr && offsets[keys_.count] != offsets[0]) return no_data();
    return {};
  }

  [[nodiscard]] result<void> check() const {
    switch (keys_.layout) {
      case SEEN_KEYS_VIEWS:
        return check_each<seen_bytes>([](const seen_bytes& one) { return one.data != nullptr || one.length == 0; });
      case SEEN_KEYS_TEXTS:
        return check_each<const char*>([](const char* text) { return text != nullptr; });
      case SEEN_KEYS_INTEGERS:
        return keys_.data != nullptr || keys_.count == 0 ? result<void>() : no_data();
      case SEEN_KEYS_FIXED:
        return keys_.data != nullptr || keys_.count == 0 || keys_.width == 0 ? result<void>() : no_data();
      case SEEN_KEYS_OFFSETS32:
        return keys_.count == 0 ? result<void>() : check_offsets<std::int32_t>();
      case SEEN_KEYS_OFFSETS64:
        return keys_.count == 0 ? result<void>() : check_offsets<std::int64_t>();
      default:
        return {errc::invalid_argument, "keys: there is no layout " + std::to_string(keys_.layout)};
    }
  }

  template <class One, class IsThere>
  [[nodiscard]] result<void> check_each(IsThere is_there) const {
    if (keys_.count == 0) return {};
    if (keys_.data == nullptr) return no_data();
    const std::span ones(static_cast<const One*>(keys_.data), keys_.count);
    const auto missing = std::find_if_not(ones.begin(), ones.end(), is_there);
    if (missing == ones.end()) return {};
    return {errc::invalid_argument, "keys: key " + std::to_string(missing - ones.begin()) + " is NULL"};
  }

  [[nodiscard]] result<void> no_data() const {
    return {errc::invalid_argument, "keys: NULL in place of " + std::to_string(keys_.count) + " keys"};
  }

  seen_keys keys_;
};

std::vector<bytes_view> all_views(const key_batch& batch) {
  std::vector<bytes_view> views(batch.size());
  for (std::size_t i = 0; i < views.size(); ++i) views[i] = batch.key(i);
  return views;
}

// Hands the keys on in tiles: use(keys, index of the first). A tile is a multiple of 64 keys, but for the last.
template <class Use>
void for_each_tile(const key_batch& batch, Use use) {
  constexpr std::size_t tile = 1024;
  std::array<bytes_view, tile> views;
  for (std::size_t first = 0; first < batch.size(); first += tile) {
    const std::size_t n = std::min(tile, batch.size() - first);
    if (batch.is_integers()) {
      use(batch.integers().subspan(first, n), first);
      continue;
    }
    for (std::size_t i = 0; i < n; ++i) views[i] = batch.key(first + i);
    use(std::span<const bytes_view>(views).first(n), first);
  }
}

// Adds to a builder that is not finished.
template <class Add>
seen_status add_to(seen_builder* builder, seen_error** error, Add add) noexcept {
  return guarded_with(
      error,
      [&]() -> result<void> {
        if (!builder->builder) return {errc::invalid_argument, "add: the builder is finished"};
        return add(*builder->builder);
      },
      builder);
}

// Refuses a batch with a key that the filter cannot hold, before any of the batch is answered.
result<void> check_keys(const seen::accepted_keys& accepts, const key_batch& batch) {
  if (accepts.form == seen::key_form::bytes || batch.is_integers()) return {};
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (accepts.takes(batch.key(i))) continue;
    return {errc::invalid_argument, "ask: key " + std::to_string(i) + " of these " + accepts.why_not(batch.key(i))};
  }
  return {};
}

// A question about many keys: ask(filter, keys of a tile, index of the first) says how many were found.
template <class Ask, class Out>
seen_status ask_many(const seen_filter* filter, const seen_keys* keys, Out* out, std::size_t* found, seen_error** error,
                     Ask ask) noexcept {
  return guarded_with(
      error,
      [&]() -> result<void> {
        auto batch = key_batch::of(keys);
        if (!batch) return batch.error();
        if (out == nullptr && batch->size() != 0) {
          return {errc::invalid_argument, "answers: NULL in place of room for " + std::to_string(batch->size())};
        }
        if (auto fine = check_keys(filter->filter.origin().accepts, *batch); !fine) return fine;
        std::size_t all = 0;
        for_each_tile(*batch, [&](auto some, std::size_t first) { all += ask(filter->filter, some, first, all); });
        if (found != nullptr) *found = all;
        return {};
      },
      filter);
}

}  // namespace

// --- one key

seen_status seen_add(seen_filter* filter, const void* key, size_t length, seen_error** error) {
  return with_key(error, filter, key, length, [&](bytes_view bytes) { return filter->filter.add(bytes); });
}
seen_status seen_add_text(seen_filter* filter, const char* key, seen_error** error) {
  return seen_add(filter, key, length_of(key), error);
}
seen_status seen_add_integer(seen_filter* filter, uint64_t key, seen_error** error) {
  return guarded_with(
      error, [&] { return filter->filter.add(key); }, filter);
}

bool seen_may_contain(const seen_filter* filter, const void* key, size_t length) {
  const auto bytes = bytes_of(key, length);
  return !bytes || filter->filter.may_contain(*bytes);
}
bool seen_may_contain_text(const seen_filter* filter, const char* key) {
  return seen_may_contain(filter, key, length_of(key));
}
bool seen_may_contain_integer(const seen_filter* filter, uint64_t key) {
  return filter->filter.may_contain(key);
}

seen_status seen_test_and_add(seen_filter* filter, const void* key, size_t length, bool* before, seen_error** error) {
  return with_key(error, filter, key, length,
                  [&](bytes_view bytes) { return hand_out(filter->filter.test_and_add(bytes), before); });
}
seen_status seen_test_and_add_text(seen_filter* filter, const char* key, bool* before, seen_error** error) {
  return seen_test_and_add(filter, key, length_of(key), before, error);
}
seen_status seen_test_and_add_integer(seen_filter* filter, uint64_t key, bool* before, seen_error** error) {
  return guarded_with(
      error, [&] { return hand_out(filter->filter.test_and_add(key), before); }, filter);
}

seen_status seen_remove(seen_filter* filter, const void* key, size_t length, bool* removed, seen_error** error) {
  return with_key(error, filter, key, length,
                  [&](bytes_view bytes) { return hand_out(filter->filter.remove(bytes), removed); });
}
seen_status seen_remove_text(seen_filter* filter, const char* key, bool* removed, seen_error** error) {
  return seen_remove(filter, key, length_of(key), removed, error);
}
seen_status seen_remove_integer(seen_filter* filter, uint64_t key, bool* removed, seen_error** error) {
  return guarded_with(
      error, [&] { return hand_out(filter->filter.remove(key), removed); }, filter);
}

seen_status seen_count(const seen_filter* filter, const void* key, size_t length, uint64_t* count, seen_error** error) {
  return with_key(error, filter, key, length,
                  [&](bytes_view bytes) { return hand_out(filter->filter.count(bytes), count); });
}
seen_status seen_count_text(const seen_filter* filter, const char* key, uint64_t* count, seen_error** error) {
  return seen_count(filter, key, length_of(key), count, error);
}
seen_status seen_count_integer(const seen_filter* filter, uint64_t key, uint64_t* count, seen_error** error) {
  return guarded_with(
      error, [&] { return hand_out(filter->filter.count(key), count); }, filter);
}

seen_status seen_add_digest(seen_filter* filter, uint64_t value, seen_error** error) {
  return guarded_with(
      error, [&] { return filter->filter.add(digest(value)); }, filter);
}
seen_status seen_may_contain_digest(const seen_filter* filter, uint64_t value, bool* answer, seen_error** error) {
  return guarded_with(
      error, [&] { return hand_out(filter->filter.may_contain(digest(value)), answer); }, filter, answer);
}

// --- many keys

seen_status seen_add_many(seen_filter* filter, const seen_keys* keys, unsigned threads, seen_error** error) {
  return guarded_with(
      error,
      [&]() -> result<void> {
        auto batch = key_batch::of(keys);
        if (!batch) return batch.error();
        const seen::parallel how{.threads = threads};
        if (batch->is_integers()) return filter->filter.add_many(batch->integers(), how);
        return filter->filter.add_many(all_views(*batch), how);
      },
      filter);
}

seen_status seen_may_contain_many(const seen_filter* filter, const seen_keys* keys, bool* answers, size_t* found,
                                  seen_error** error) {
  return ask_many(filter, keys, answers, found, error,
                  [&](const any_filter& f, auto some, std::size_t first, std::size_t) {
                    return f.may_contain_many(some, std::span(answers + first, some.size()));
                  });
}

seen_status seen_may_contain_bitmap(const seen_filter* filter, const seen_keys* keys, uint8_t* bitmap, size_t* found,
                                    seen_error** error) {
  return ask_many(filter, keys, bitmap, found, error,
                  [&](const any_filter& f, auto some, std::size_t first, std::size_t) {
                    std::array<std::uint64_t, 16> words{};
                    const std::size_t hits = f.may_contain_bitmap(some, words);
                    for (std::size_t byte = 0; byte < (some.size() + 7) / 8; ++byte) {
                      bitmap[first / 8 + byte] = static_cast<std::uint8_t>(words[byte / 8] >> (byte % 8 * 8));
                    }
                    return hits;
                  });
}

seen_status seen_select(const seen_filter* filter, const seen_keys* keys, uint64_t* indices, size_t* found,
                        seen_error** error) {
  return ask_many(filter, keys, indices, found, error,
                  [&](const any_filter& f, auto some, std::size_t first, std::size_t before) {
                    const std::span to(indices + before, some.size());
                    const std::size_t hits = f.select(some, to);
                    for (std::uint64_t& index : to.first(hits)) index += first;
                    return hits;
                  });
}

// --- keys of static filters

seen_status seen_builder_add(seen_builder* builder, const void* key, size_t length, seen_error** error) {
  return add_to(builder, error, [&](seen::any_builder& b) -> result<void> {
    const auto bytes = bytes_of(key, length);
    if (!bytes) return no_bytes("key", length);
    return b.add(*bytes);
  });
}
seen_status seen_builder_add_text(seen_builder* builder, const char* key, seen_error** error) {
  return seen_builder_add(builder, key, length_of(key), error);
}
seen_status seen_builder_add_integer(seen_builder* builder, uint64_t key, seen_error** error) {
  return add_to(builder, error, [&](seen::any_builder& b) { return b.add(key); });
}

seen_status seen_builder_add_many(seen_builder* builder, const seen_keys* keys, seen_error** error) {
  return add_to(builder, error, [&](seen::any_builder& b) -> result<void> {
    auto batch = key_batch::of(keys);
    if (!batch) return batch.error();
    if (!batch->is_integers()) return b.add_many(all_views(*batch));
    for (const std::uint64_t key : batch->integers()) {
      if (auto added = b.add(key); !added) return added;
    }
    return {};
  });
}

// --- hashes

seen_status seen_hash_key(const seen_hash_options* options, const void* key, size_t length, uint64_t* out,
                          seen_error** error) {
  return guarded_with(
      error,
      [&]() -> result<void> {
        auto known = known_part(options, "seen_hash_options");
        if (!known) return known.error();
        const auto bytes = bytes_of(key, length);
        if (!bytes) return no_bytes("key", length);
        auto id =
            known->hash == nullptr ? result<seen::hash_id>(seen::default_hash::id) : seen::hash_id_from(known->hash);
        if (!id) return id.error();
        auto hash = seen::any_hash::make(*id, known->seed, secret_of(known->secret));
        if (!hash) return hash.error();
        *out = (*hash)(*bytes).value;
        return {};
      },
      out);
}

seen_status seen_random_secret(void* out, seen_error** error) {
  return guarded_with(
      error,
      [&]() -> result<void> {
        auto fresh = seen::secret::random();
        if (!fresh) return fresh.error();
        std::memcpy(out, fresh->bytes.data(), fresh->bytes.size());
        return {};
      },
      static_cast<const char*>(out));
}
