#include "table/record.hpp"

#include <seen/base/bits.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "table/settings.hpp"
#include "table/words.hpp"

namespace seen::redis {
namespace {

constexpr std::string_view magic = "\x8dSEENV\r\n";
constexpr std::uint8_t version = 1;

// 16 MiB, as RedisBloom's; of large filters a sixteenth, since each piece is found by writing the file from its beginning.
std::size_t most_of_a_piece(const value& from) {
  constexpr std::uint64_t least = std::uint64_t{16} << 20, most = std::uint64_t{128} << 20;
  return static_cast<std::size_t>(std::clamp(from.info().bytes / 16, least, most));
}

class head_reader {
 public:
  explicit head_reader(std::string_view from) noexcept : left_(from) {}

  template <class T>
  T number() noexcept {
    if (left_.size() < sizeof(T)) {
      is_short_ = true;
      return {};
    }
    const T read = load_le<T>(reinterpret_cast<const std::byte*>(left_.data()));
    left_.remove_prefix(sizeof(T));
    return read;
  }
  double real() noexcept { return std::bit_cast<double>(number<std::uint64_t>()); }
  std::string text() {
    const std::size_t size = number<std::uint8_t>();
    const std::string read(left_.substr(0, size));
    is_short_ = is_short_ || read.size() != size;
    left_.remove_prefix(read.size());
    return read;
  }
  [[nodiscard]] bool is_done() const noexcept { return !is_short_ && left_.empty(); }

 private:
  std::string_view left_;
  bool is_short_ = false;
};

class head_writer {
 public:
  template <class T>
  head_writer& number(T value) {
    std::array<std::byte, sizeof(T)> bytes;
    store_le(bytes.data(), value);
    bytes_.append(as_word(bytes));
    return *this;
  }
  head_writer& real(double value) { return number(std::bit_cast<std::uint64_t>(value)); }
  head_writer& text(std::string_view value) {
    number(static_cast<std::uint8_t>(value.size()));
    bytes_.append(value);
    return *this;
  }
  std::string bytes_{magic};
};

// Numbers that a command could have given.
bool is_sensible(const terms& t) {
  return t.error >= 0 && t.error < 1 && t.bucket_size <= most_bucket_size && t.iterations <= most_iterations &&
         t.expansion <= ~std::uint32_t{0};
}

// A value is of a format that a command makes: the readers of others might unfold a few bytes to any size.
bool is_ours_to_hold(const record& r) {
  if (r.is != record::state::whole || r.format == native::format_name) return true;
  return (r.format == redisbloom_format && r.of != family::lookup) ||
         (r.format == valkey_format && r.of == family::bloom);
}

// Chunks of RedisBloom hold either.
bool is_of_family(const any_filter& filter, family of) {
  if (!is_chunked(filter)) return true;
  return cuckoo_numbers::read(redisbloom_header(filter)).has_value() == (of == family::cuckoo);
}

}  // namespace

bool is_record(std::string_view head) noexcept {
  return head.starts_with(magic);
}

std::optional<record> record::read(std::string_view head) {
  if (!is_record(head)) return {};
  head_reader in(head.substr(magic.size()));
  record read;
  const auto said = in.number<std::uint8_t>(), of = in.number<std::uint8_t>(), state = in.number<std::uint8_t>();
  read.of = static_cast<family>(of);
  read.is = static_cast<record::state>(state);
  read.format = in.text();
  terms& t = read.asked;
  t.error = in.real();
  for (std::uint64_t* const each : {&t.capacity, &t.expansion, &t.bucket_size, &t.iterations, &t.window,
                                    &read.so_far.items, &read.so_far.removed}) {
    *each = in.number<std::uint64_t>();
  }
  t.kind = in.text();
  read.body_bytes = in.number<std::uint64_t>();
  if (!in.is_done() || said != version || of > 2 || state > 2 || !is_ours_to_hold(read) || !is_sensible(t)) return {};
  return read;
}

std::string record::write() const {
  head_writer to;
  to.number(version).number(static_cast<std::uint8_t>(of)).number(static_cast<std::uint8_t>(is));
  to.text(format).real(asked.error);
  for (const std::uint64_t each : {asked.capacity, asked.expansion, asked.bucket_size, asked.iterations, asked.window,
                                   so_far.items, so_far.removed}) {
    to.number(each);
  }
  to.text(asked.kind).number(body_bytes);
  return std::move(to.bytes_);
}

record record::of_file(const outside_file& file) {
  return {.of = family::lookup, .is = state::in_file, .asked = {.kind = file.name}, .so_far = {file.bytes, file.check}};
}

record record::of_value(const value& from, std::uint64_t body_bytes) {
  return {.of = from.of(),
          .format = std::string(from.filter().format()),
          .asked = from.asked(),
          .so_far = from.counted(),
          .body_bytes = body_bytes};
}

result<value> record::with_body(bytes_view body, const std::optional<secret>& key) const {
  auto filter = any_filter::from_bytes(body, {.secret = key, .format = format, .max_bytes = body.size()});
  if (!filter) return filter.error();
  if (!is_of_family(*filter, of)) return error{errc::corrupt, "the other one of a Bloom filter and a cuckoo filter"};
  terms said = asked;
  const bool forgets = filter->info().clock.has_value();
  if (forgets != (said.window != 0)) return error{errc::corrupt, "a filter that forgets, and one that does not"};
  return value::holding(of, std::move(*filter), std::move(said), so_far);
}

result<void> write_body(const value& from, secrets how, const sink& out) {
  save_options options;
  if (from.filter().format() == native::format_name) options.store_secret = how == secrets::told;
  return from.filter().write_to(out, options);
}

std::string dump_head(const value& from, secrets how) {
  if (is_chunked(from.filter())) return redisbloom_header(from.filter());
  std::uint64_t bytes = 0;
  const auto counted = write_body(from, how, [&](bytes_view some) {
    bytes += some.size();
    return result<void>();
  });
  if (!counted) throw_error(counted.error());
  return record::of_value(from, bytes).write();
}

std::optional<piece> dump_piece(const value& from, std::uint64_t begin, secrets how) {
  if (is_chunked(from.filter())) return redisbloom_piece(from.filter(), begin);
  const std::size_t most = most_of_a_piece(from);
  piece found{begin};
  std::uint64_t at = 0;
  const auto written = write_body(from, how, [&](bytes_view some) -> result<void> {
    if (found.bytes.size() == most) return {errc::cancelled, "the piece is full"};
    const std::uint64_t skipped = std::min<std::uint64_t>(begin - std::min(begin, at), some.size());
    at += some.size();
    some = some.subspan(static_cast<std::size_t>(skipped));
    some = some.first(std::min(some.size(), most - found.bytes.size()));
    found.bytes.insert(found.bytes.end(), some.begin(), some.end());
    return {};
  });
  if (!written && written.error().code != errc::cancelled) throw_error(written.error());
  if (found.bytes.empty()) return {};
  found.end = begin + found.bytes.size();
  return found;
}

}  // namespace seen::redis
