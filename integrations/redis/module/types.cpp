// The types of keys that the module owns, and what the server asks of a value in one of them.
#include <array>
#include <atomic>
#include <string>
#include <thread>

#include "module/host.hpp"
#include "module/memory.hpp"
#include "module/payload.hpp"
#include "table/record.hpp"
#include "table/words.hpp"

namespace seen::redis {
namespace {

struct owned_type {
  const char* name;  // nine characters
  family of;
  std::unique_ptr<value> (*load)(stream*, int encoding) noexcept;
  data_type* type = nullptr;
};
// Values of a family are made as the first type of it.
std::array<owned_type, 4> types{{{"MBbloom--", family::bloom, load_bloom},
                                 {"MBbloomCF", family::cuckoo, load_cuckoo},
                                 {"bloomfltr", family::bloom, load_valkey},
                                 {"seen-look", family::lookup, load_lookup}}};

std::array<std::atomic<std::uint64_t>, 3> held_values{};

std::atomic<std::uint64_t>& number_of(family of) {
  return held_values[static_cast<std::size_t>(of)];
}
value& at(void* held) {
  return *static_cast<value*>(held);
}
const value& at(const void* held) {
  return *static_cast<const value*>(held);
}

template <std::size_t Type>
void* load(stream* from, int encoding) noexcept {
  return hold(types[Type].load(from, encoding));
}
void save_value(stream* to, void* held) noexcept {
  save(to, at(held));
}
void rewrite_value(stream* to, server_string* key, void* held) noexcept {
  rewrite(to, key, at(held));
}

std::size_t memory(const void* held) noexcept {
  return sizeof(value) + static_cast<std::size_t>(at(held).info().bytes);
}

// A server frees what takes more than 64 steps beside its clients.
std::size_t free_effort(server_string*, const void* held) noexcept {
  constexpr std::size_t step = std::size_t{16} << 10;
  return 1 + memory(held) / step;
}

// To give back a gigabyte takes the system a tenth of a second, which DEL would have every client wait for.
void release(void* held) noexcept {
  constexpr std::size_t large = std::size_t{16} << 20;
  value* const leaving = static_cast<value*>(held);
  --number_of(leaving->of());
  if (memory(held) >= large) {
    try {
      std::thread([leaving] { delete leaving; }).detach();
      return;
    } catch (...) {  // no thread: here and now
    }
  }
  delete leaving;
}

void* copy(server_string*, server_string*, const void* held) noexcept {
  try {
    if (auto same = at(held).copy()) return hold(std::make_unique<value>(std::move(*same)));
  } catch (...) {  // without memory there is no copy, which the server says
  }
  return nullptr;
}

// Small filters move to fresh memory; tables of half a megabyte and more have pages of their own, which do not fall to pieces.
int defrag(defrag_context* by, server_string*, void** held) noexcept {
  constexpr std::size_t large = std::size_t{512} << 10;
  if (memory(*held) >= large) return 0;
  take_memory_to_move_to(by);
  try {
    if (auto same = at(*held).copy()) {
      auto moved = std::make_unique<value>(std::move(*same));
      delete static_cast<value*>(*held);
      *held = moved.release();
    }
  } catch (...) {  // it stays where it is
  }
  take_memory_to_move_to(nullptr);
  return 0;
}

void digest_of(digest_context* to, void* held) noexcept {
  const auto add = [&](std::string_view bytes) { api::DigestAddStringBuffer(to, bytes.data(), bytes.size()); };
  try {
    if (at(held).is_whole()) {
      add(record::of_value(at(held), 0).write());
      (void)write_body(at(held), secrets::kept, [&](bytes_view bytes) {
        add(as_word(bytes));
        return result<void>();
      });
    }
  } catch (...) {  // a digest without them
  }
  api::DigestEndSequence(to);
}

template <std::size_t Type>
bool create(context* ctx) {
  type_methods methods{.load = load<Type>,
                       .save = save_value,
                       .rewrite = rewrite_value,
                       .memory = memory,
                       .digest = digest_of,
                       .release = release,
                       .free_effort = free_effort,
                       .copy = copy,
                       .defrag = defrag};
  types[Type].type = api::CreateDataType(ctx, types[Type].name, own_encoding, &methods);
  return types[Type].type != nullptr;
}

template <std::size_t... Types>
bool create_all(context* ctx, std::index_sequence<Types...>) {
  return (create<Types>(ctx) && ...);
}

}  // namespace

value* hold(std::unique_ptr<value> made) noexcept {
  if (made != nullptr) ++number_of(made->of());
  return made.release();
}

std::uint64_t values_held(family of) noexcept {
  return number_of(of);
}

bool create_types(context* ctx) {
  return create_all(ctx, std::make_index_sequence<types.size()>());
}

data_type* type_of(family of) noexcept {
  for (const owned_type& each : types) {
    if (each.of == of) return each.type;
  }
  return nullptr;
}

bool is_ours(const data_type* type) noexcept {
  for (const owned_type& each : types) {
    if (each.type == type) return true;
  }
  return false;
}

}  // namespace seen::redis
