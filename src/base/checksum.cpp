// The checksum of native files is XXH3, whose state stays out of the header: who includes that needs no xxhash.h.
#include "base/checksum.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace seen::inline v1::detail {

struct checksum::state {
  XXH3_state_t xxh3;
};

void checksum::release::operator()(state* owned) const noexcept {
  delete owned;
}

checksum::checksum() : state_(new state) {
  restart();
}

void checksum::restart() noexcept {
  XXH3_64bits_reset(&state_->xxh3);
}

void checksum::update(bytes_view bytes) noexcept {
  XXH3_64bits_update(&state_->xxh3, bytes.data(), bytes.size());
}

std::uint64_t checksum::value() const noexcept {
  return XXH3_64bits_digest(&state_->xxh3);
}

std::uint64_t checksum::of(bytes_view bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace seen::inline v1::detail
