#include "table/redisbloom_numbers.hpp"

#include <seen/base/bits.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "table/words.hpp"

namespace seen::redis {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;  // of a filter: more than any server has
constexpr std::size_t chain_header = 20, link_header = 53, cuckoo_header = 38;

// Reads packed little-endian fields; the caller has checked that they are there.
class fields {
 public:
  explicit fields(std::string_view from) noexcept : at_(from.data()) {}
  template <class T>
  fields& read(T& into) noexcept {
    if constexpr (std::is_same_v<T, double>) {
      std::uint64_t bits = 0;
      read(bits);
      into = std::bit_cast<double>(bits);
    } else {
      into = load_le<T>(reinterpret_cast<const std::byte*>(at_));
      at_ += sizeof(T);
    }
    return *this;
  }
  fields& skip(std::uint64_t bytes) noexcept {
    at_ += bytes;
    return *this;
  }

 private:
  const char* at_;
};

// Takes one chunk out of the file of a filter, which is  iterator u64 │ length u64 │ data  again and again, the first being the header.
class chunk_picker {
 public:
  // The header, or the chunk of the body that begins after so many bytes of it.
  explicit chunk_picker(std::optional<std::uint64_t> begin) noexcept : wanted_(begin) {}

  result<void> take(bytes_view bytes) {
    while (!bytes.empty()) {
      if (head_bytes_ < head_.size()) {
        const std::size_t some = std::min(bytes.size(), head_.size() - head_bytes_);
        std::memcpy(head_.data() + head_bytes_, bytes.data(), some);
        head_bytes_ += some;
        bytes = bytes.subspan(some);
        if (head_bytes_ < head_.size()) return {};
        left_ = load_le<std::uint64_t>(head_.data() + 8);
        is_wanted_ = wanted_ ? !is_header_ && *wanted_ == sent_ : is_header_;
      }
      const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
      if (is_wanted_) found_.insert(found_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(some));
      bytes = bytes.subspan(some);
      left_ -= some;
      if (left_ != 0) return {};
      if (!is_header_) sent_ += load_le<std::uint64_t>(head_.data() + 8);
      if (is_wanted_ && !found_.empty()) {
        is_done_ = true;
        return {errc::cancelled, "the chunk is here"};
      }
      is_header_ = false;
      head_bytes_ = 0;
    }
    return {};
  }

  std::optional<piece> of(const any_filter& filter) {
    const auto written = filter.write_to([this](bytes_view bytes) { return is_done_ ? result<void>() : take(bytes); });
    if (!written && written.error().code != errc::cancelled) throw_error(written.error());
    if (!is_done_) return {};
    return piece{sent_, std::move(found_)};
  }

 private:
  std::optional<std::uint64_t> wanted_;
  std::array<std::byte, 16> head_{};
  std::size_t head_bytes_ = 0;
  std::uint64_t left_ = 0, sent_ = 0;
  bool is_header_ = true, is_wanted_ = false, is_done_ = false;
  std::vector<std::byte> found_;
};

std::optional<std::uint64_t> within_most(std::uint64_t sum, std::uint64_t more) noexcept {
  if (more > most_bytes || sum > most_bytes - more) return {};
  return sum + more;
}

}  // namespace

std::optional<bloom_numbers> bloom_numbers::read(std::string_view header) {
  if (header.size() < chain_header) return {};
  bloom_numbers told;
  std::uint32_t count = 0;
  fields(header).read(told.items).read(count).read(told.options).read(told.growth);
  if (count == 0 || header.size() != chain_header + std::uint64_t{link_header} * count) return {};
  for (std::size_t i = 0; i < count; ++i) {
    link l;
    fields(header.substr(chain_header + link_header * i))
        .read(l.bytes)
        .read(l.bits)
        .read(l.items)
        .read(l.error)
        .read(l.bits_per_entry)
        .read(l.hashes)
        .read(l.entries)
        .read(l.n2);
    told.links.push_back(l);
  }
  return told;
}

std::optional<std::uint64_t> bloom_numbers::body_bytes() const noexcept {
  std::optional<std::uint64_t> sum = 0;
  for (const link& each : links) {
    if (sum) sum = within_most(*sum, each.bytes);
  }
  return sum;
}

terms bloom_numbers::as_terms() const {
  const link& first = links.front();
  return {.error = scales() ? std::min(2 * first.error, 0.25) : first.error,
          .capacity = first.entries,
          .expansion = scales() ? growth : 0,
          .kind = std::string(redisbloom_format)};
}

std::optional<cuckoo_numbers> cuckoo_numbers::read(std::string_view header) {
  if (header.size() != cuckoo_header) return {};
  cuckoo_numbers told;
  fields(header)
      .read(told.items)
      .read(told.buckets)
      .read(told.deletes)
      .read(told.tables)
      .read(told.bucket_size)
      .read(told.iterations)
      .read(told.expansion);
  return told;
}

std::string cuckoo_numbers::write() const {
  std::string header;
  const auto put = [&](auto number) {
    std::array<std::byte, sizeof(number)> bytes;
    store_le(bytes.data(), number);
    header.append(as_word(bytes));
  };
  for (const std::uint64_t each : {items, buckets, deletes, tables}) put(each);
  for (const std::uint16_t each : {bucket_size, iterations, expansion}) put(each);
  return header;
}

std::optional<std::uint64_t> cuckoo_numbers::all_buckets() const noexcept {
  constexpr std::uint64_t most_tables = 1 << 16;
  std::optional<std::uint64_t> sum = 0;
  if (tables > most_tables) return {};
  std::uint64_t next = buckets;
  for (std::uint64_t i = 0; i < tables && sum; ++i) {
    sum = next > most_bytes ? std::nullopt : within_most(*sum, next);
    next *= expansion;
  }
  return sum;
}

std::optional<std::uint64_t> cuckoo_numbers::body_bytes() const noexcept {
  const auto all = all_buckets();
  if (!all || *all > most_bytes / 255) return {};
  return *all * bucket_size;
}

terms cuckoo_numbers::as_terms() const {
  return {.error = 0,
          .capacity = buckets * bucket_size,
          .expansion = expansion,
          .bucket_size = bucket_size,
          .iterations = iterations,
          .kind = std::string(redisbloom_format)};
}

result<value> redisbloom_value(family of, any_filter filter) {
  const std::string header = redisbloom_header(filter);
  if (const auto blooms = bloom_numbers::read(header); blooms && of == family::bloom) {
    return value::holding(of, std::move(filter), blooms->as_terms(), {blooms->items, 0}, *blooms->body_bytes());
  }
  if (const auto tables = cuckoo_numbers::read(header); tables && of == family::cuckoo) {
    return value::holding(of, std::move(filter), tables->as_terms(), {tables->items, tables->deletes},
                          *tables->body_bytes());
  }
  return error{errc::wrong_kind, "the other one of a Bloom filter and a cuckoo filter"};
}

result<value> valkey_value(bytes_view object) {
  auto filter = any_filter::from_bytes(object, {.format = std::string(valkey_format)});
  if (!filter) return filter.error();
  // The object has been checked: its head is there, and that of the first image, whose length comes before it.
  std::uint8_t version = 0, random = 0;
  std::uint32_t expansion = 0;
  double error = 0, tightening = 0;
  std::uint64_t links = 0, image = 0, items = 0, capacity = 0;
  fields in(as_word(object));
  in.read(version).read(expansion).read(error).read(tightening).read(random).read(links);
  terms asked{.error = error, .expansion = expansion};
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < links; ++i) {
    in.read(image).skip(image).read(items).read(capacity);
    if (i == 0) asked.capacity = capacity;
    sum += items;
  }
  return value::holding(family::bloom, std::move(*filter), std::move(asked), {sum, 0});
}

bool is_chunked(const any_filter& filter) {
  return filter.format() == redisbloom_format && !filter.origin().variant.starts_with("rdb");
}

std::string redisbloom_header(const any_filter& filter) {
  const auto found = chunk_picker(std::nullopt).of(filter);
  return found ? std::string(as_word(found->bytes)) : std::string();
}

std::optional<piece> redisbloom_piece(const any_filter& filter, std::uint64_t begin) {
  return chunk_picker(begin).of(filter);
}

}  // namespace seen::redis
