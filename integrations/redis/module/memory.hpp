// The memory of filters, taken from the server: it counts what it gives out, in `used_memory` and against `maxmemory`.
#pragma once

#include <cstdint>

namespace seen::redis {

/// From now on filters take their memory from the server.
void take_memory_from_server() noexcept;
/// How much they have now.
[[nodiscard]] std::uint64_t memory_taken() noexcept;

}  // namespace seen::redis
