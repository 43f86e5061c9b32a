#include "module/payload.hpp"

#include <seen/base/bits.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <string_view>

#include "formats/encodings/redis_rdb.hpp"
#include "module/configs.hpp"
#include "table/arrival.hpp"
#include "table/byte_buffer.hpp"
#include "table/making.hpp"
#include "table/record.hpp"
#include "table/words.hpp"

namespace seen::redis {
namespace {

constexpr std::size_t most_of_a_string = std::size_t{1} << 24;

error cut_off() {
  return {errc::corrupt, "the payload ends early, or a value in it is of another type"};
}

// Values of a payload, one after the other; after the first that is not there nothing is read.
class loader {
 public:
  explicit loader(stream* from) noexcept : from_(from) {}

  [[nodiscard]] bool failed() const noexcept { return api::IsIOError(from_) != 0; }
  void check() const {
    if (failed()) throw_error(cut_off());
  }
  std::uint64_t number() {
    const std::uint64_t read = api::LoadUnsigned(from_);
    check();
    return read;
  }
  double real() {
    const double read = api::LoadDouble(from_);
    check();
    return read;
  }
  /// Lives until the next one.
  bytes_view string() {
    std::size_t size = 0;
    string_.reset(api::LoadStringBuffer(from_, &size));
    check();
    if (!string_) throw_error(cut_off());
    return {reinterpret_cast<const std::byte*>(string_.get()), size};
  }

 private:
  struct freeing {
    void operator()(char* bytes) const noexcept { api::Free(bytes); }
  };
  stream* from_;
  std::unique_ptr<char, freeing> string_;
};

void need(const result<void>& done) {
  if (!done) throw_error(done.error());
}

sink into(byte_buffer& buffer) {
  return [&buffer](bytes_view bytes) { return buffer.append(bytes); };
}
template <class T>
void put(byte_buffer& to, T value) {
  std::array<std::byte, sizeof(T)> bytes;
  store_le(bytes.data(), value);
  need(to.append(bytes));
}

// --- ours

result<value> load_arriving(loader& in, const record& said) {
  const std::string head(as_word(in.string()));
  const std::string key(as_word(in.string()));
  auto begun = arrival::begin(said.of, head, secret_of(key));
  if (!begun) return begun.error();
  while (const std::uint64_t end = in.number()) {
    if (auto taken = (*begun)->take(end, in.string()); !taken) return taken.error();
  }
  if ((*begun)->is_complete()) return error{errc::corrupt, "a filter that is still arriving, and is whole"};
  return value::awaiting(said.of, std::move(*begun));
}

result<value> load_own(loader& in, family of) {
  const auto said = record::read(as_word(in.string()));
  if (!said || said->of != of) return error{errc::corrupt, "not the record of such a filter"};
  if (said->is == record::state::arriving) return load_arriving(in, *said);
  if (said->is == record::state::in_file) {
    if (!is_file_name(said->asked.kind)) return error{errc::corrupt, "not the name of a file"};
    auto mapped = map_file(server_settings().lookup_folder, said->file());
    if (!mapped) return value::lost(said->file());
    return value::mapped(std::move(*mapped), said->file());
  }
  byte_buffer body;
  for (bytes_view piece = in.string(); !piece.empty(); piece = in.string()) {
    if (auto done = body.append(piece); !done) return done.error();
  }
  return said->with_body(body.bytes(), {});
}

// --- of others

// A payload of DUMP of the same values.
result<value> load_redisbloom(loader& in, int encoding) {
  byte_buffer payload;
  const sink out = into(payload);
  redis_rdb::writer to(out, redis_rdb::id_of("MBbloom--", static_cast<std::uint32_t>(encoding)));
  const auto number = [&] {
    const std::uint64_t read = in.number();
    to.number(read);
    return read;
  };
  const auto real = [&] {
    const double read = in.real();
    to.real(read);
    return read;
  };
  bloom_numbers said;
  said.items = number();
  const std::uint64_t links = number();
  said.options = encoding >= 2 ? clamp_to_u32(number()) : 0;
  said.growth = encoding >= 4 ? clamp_to_u32(number()) : 2;
  for (std::uint64_t i = 0; i < links; ++i) {
    bloom_numbers::link link{.entries = number()};
    link.error = real();
    number();  // hashes
    real();    // bits per entry
    if (encoding >= 1) {
      number();  // bits
      number();  // n2
    }
    to.string(in.string());
    number();  // items
    if (i == 0) said.links.push_back(link);
  }
  constexpr std::uint16_t rdb_version = 10;
  if (auto done = to.finish(rdb_version); !done) return done.error();
  const auto read = [&] { return any_filter::from_bytes(payload.bytes(), {.format = std::string(redisbloom_format)}); };
  auto filter = read();
  if (!filter) return filter.error();
  // From now on it is written as SCANDUMP hands it out, if LOADCHUNK would take it.
  auto chunks = std::move(*filter).convert(redisbloom_format, said.scales() ? "chunks" : "nonscaling");
  if (chunks) return redisbloom_value(family::bloom, std::move(*chunks));
  filter = read();
  if (!filter) return filter.error();
  return value::holding(family::bloom, std::move(*filter), said.as_terms(), {said.items, 0});
}

// The chunks of the same tables.
result<value> load_redisbloom_cuckoo(loader& in, int encoding) {
  constexpr int with_expansion = 4;  // older ones have buckets of two slots, and grow by tables of one size
  cuckoo_numbers said;
  said.tables = in.number();
  said.buckets = in.number();
  said.items = in.number();
  const auto small = [&] { return static_cast<std::uint16_t>(std::min<std::uint64_t>(in.number(), 0xffff)); };
  if (encoding >= with_expansion) {
    said.deletes = in.number();
    said.bucket_size = small();
    said.iterations = small();
    said.expansion = small();
  } else {
    said.bucket_size = 2;
    said.iterations = 20;
    said.expansion = 1;
  }
  byte_buffer chunks;
  const auto wrap = [&](std::uint64_t iterator, bytes_view bytes) {
    put(chunks, iterator);
    put(chunks, std::uint64_t{bytes.size()});
    need(chunks.append(bytes));
  };
  wrap(1, as_item(said.write()));
  std::uint64_t sent = 0;
  for (std::uint64_t i = 0; i < said.tables; ++i) {
    if (encoding >= with_expansion) (void)in.number();  // its buckets, which follow from the others
    for (bytes_view table = in.string(); !table.empty();) {
      const bytes_view some = table.first(std::min(table.size(), most_of_a_string));
      wrap(1 + (sent += some.size()), some);
      table = table.subspan(some.size());
    }
  }
  auto filter = any_filter::from_bytes(chunks.bytes(), {.format = std::string(redisbloom_format)});
  if (!filter) return filter.error();
  return redisbloom_value(family::cuckoo, std::move(*filter));
}

// The object that BF.LOAD takes, of the same filters.
result<value> load_valkey_bloom(loader& in) {
  byte_buffer object;
  const std::uint64_t links = in.number(), expansion = in.number();
  const double error = in.real(), tightening = in.real();
  const bool random = in.number() != 0;
  if (expansion > 0xffff'ffff) return seen::error{errc::corrupt, "an expansion of more than 32 bits"};
  put(object, std::uint8_t{1});
  put(object, static_cast<std::uint32_t>(expansion));
  put(object, std::bit_cast<std::uint64_t>(error));
  put(object, std::bit_cast<std::uint64_t>(tightening));
  put(object, static_cast<std::uint8_t>(random ? 1 : 0));
  put(object, links);
  for (std::uint64_t i = 0; i < links; ++i) {
    const bytes_view image = in.string();
    put(object, std::uint64_t{image.size()});
    need(object.append(image));
    const std::uint64_t capacity = in.number(), items = i + 1 == links ? in.number() : capacity;
    put(object, items);
    put(object, capacity);
  }
  return valkey_value(object.bytes());
}

// Whatever goes wrong is a line in the log and no value.
template <class Load>
std::unique_ptr<value> loaded(stream* from, Load load) noexcept {
  try {
    loader in(from);
    auto made = load(in);
    if (made) return std::make_unique<value>(std::move(*made));
    api::LogIOError(from, "warning", "seen: %s", made.error().detail.c_str());
  } catch (...) {
    api::LogIOError(from, "warning", "seen: %s", current_error().detail.c_str());
  }
  return nullptr;
}

error unknown(int encoding) {
  return {errc::newer_version, "encoding " + std::to_string(encoding) + " is not known here"};
}

}  // namespace

std::unique_ptr<value> load_bloom(stream* from, int encoding) noexcept {
  return loaded(from, [&](loader& in) -> result<value> {
    if (encoding == own_encoding) return load_own(in, family::bloom);
    return encoding > 4 ? unknown(encoding) : load_redisbloom(in, encoding);
  });
}
std::unique_ptr<value> load_cuckoo(stream* from, int encoding) noexcept {
  return loaded(from, [&](loader& in) -> result<value> {
    if (encoding == own_encoding) return load_own(in, family::cuckoo);
    return encoding > 4 ? unknown(encoding) : load_redisbloom_cuckoo(in, encoding);
  });
}
std::unique_ptr<value> load_valkey(stream* from, int encoding) noexcept {
  return loaded(from, [&](loader& in) -> result<value> {
    if (encoding == own_encoding) return load_own(in, family::bloom);
    return encoding != 1 ? unknown(encoding) : load_valkey_bloom(in);
  });
}
std::unique_ptr<value> load_lookup(stream* from, int encoding) noexcept {
  return loaded(from, [&](loader& in) -> result<value> {
    return encoding != own_encoding ? unknown(encoding) : load_own(in, family::lookup);
  });
}

void save(stream* to, const value& held) noexcept {
  const auto string = [&](std::string_view bytes) { api::SaveStringBuffer(to, bytes.data(), bytes.size()); };
  if (const arrival* const pieces = held.arriving()) {
    string(record{.of = held.of(), .is = record::state::arriving}.write());
    string(pieces->head());
    string(pieces->key() ? hex_of(*pieces->key()) : std::string());
    pieces->for_each_chunk([&](std::uint64_t end, bytes_view bytes) {
      api::SaveUnsigned(to, end);
      string(as_word(bytes));
    });
    api::SaveUnsigned(to, 0);
    return;
  }
  if (held.file()) return string(record::of_file(*held.file()).write());
  string(record::of_value(held, 0).write());
  // A piece of the file is a string, whatever its size; an empty one is the end.
  const auto written = write_body(held, secrets::told, [&](bytes_view bytes) -> result<void> {
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), most_of_a_string))) {
      string(as_word(bytes.first(std::min(bytes.size(), most_of_a_string))));
    }
    return {};
  });
  if (!written) api::LogIOError(to, "warning", "seen: %s", written.error().detail.c_str());
  string({});
}

void rewrite(stream* to, server_string* key, const value& held) noexcept {
  if (const auto& file = held.file()) {
    const std::string bytes = std::to_string(file->bytes),
                      check = std::to_string(static_cast<std::int64_t>(file->check));
    return api::EmitAOF(to, "SF.LOAD", "sccccc", key, "FILE", file->name.c_str(), "CHECK", bytes.c_str(),
                        check.c_str());
  }
  const char* const command = held.of() == family::bloom    ? "BF.LOADCHUNK"
                              : held.of() == family::cuckoo ? "CF.LOADCHUNK"
                                                            : "SF.LOADCHUNK";
  const auto chunk = [&](std::uint64_t iterator, std::string_view bytes) {
    api::EmitAOF(to, command, "slb", key, static_cast<long long>(iterator), bytes.data(), bytes.size());
  };
  if (const arrival* const pieces = held.arriving()) {
    const std::string_view head = pieces->head();
    if (pieces->key()) {
      const std::string hex = hex_of(*pieces->key());
      api::EmitAOF(to, command, "slbcc", key, 1LL, head.data(), head.size(), "SECRET", hex.c_str());
    } else {
      chunk(1, head);
    }
    pieces->for_each_chunk([&](std::uint64_t end, bytes_view bytes) { chunk(end + 1, as_word(bytes)); });
    return;
  }
  chunk(1, dump_head(held, secrets::told));
  std::uint64_t sent = 0;
  while (const auto next = dump_piece(held, sent, secrets::told)) {
    chunk(next->end + 1, as_word(next->bytes));
    sent = next->end;
  }
}

}  // namespace seen::redis
