// The types of keys that the module owns, and what the server asks of a value in one of them.
#include <array>
#include <string>

#include "module/host.hpp"

namespace seen::redis {
namespace {

struct owned_type {
  const char* name;  // nine characters
  family of;
  data_type* type = nullptr;
};
std::array<owned_type, 2> types{{{"MBbloom--", family::bloom}, {"MBbloomCF", family::cuckoo}}};

constexpr int own_encoding = 513;

const value& at(const void* held) {
  return *static_cast<const value*>(held);
}

void release(void* held) {
  delete static_cast<value*>(held);
}
std::size_t memory(const void* held) {
  return sizeof(value) + static_cast<std::size_t>(at(held).bytes());
}

}  // namespace

bool create_types(context* ctx) {
  for (owned_type& each : types) {
    type_methods methods{.memory = memory, .release = release};
    each.type = api::CreateDataType(ctx, each.name, own_encoding, &methods);
    if (each.type == nullptr) return false;
  }
  return true;
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
