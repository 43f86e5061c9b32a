// The checksum of files: XXH3-64 with seed 0, fed piece by piece. Nothing to do with the hash a filter uses for keys.
#pragma once

#include <seen/base/bits.hpp>

#include <cstdint>
#include <memory>

namespace seen::inline v1::detail {

/// XXH3-64 of bytes that come in pieces.
class checksum {
 public:
  checksum();
  void update(bytes_view bytes) noexcept;
  [[nodiscard]] std::uint64_t value() const noexcept;
  void restart() noexcept;

  /// Of one piece.
  [[nodiscard]] static std::uint64_t of(bytes_view bytes) noexcept;

 private:
  struct state;
  struct release {
    void operator()(state*) const noexcept;
  };
  std::unique_ptr<state, release> state_;
};

}  // namespace seen::inline v1::detail
