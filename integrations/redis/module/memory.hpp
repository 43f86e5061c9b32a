// The memory of filters, taken from the server: it counts what it gives out, in `used_memory` and against `maxmemory`.
//
// A filter that grows takes memory in the midst of an add, when the server has been asked whether it has any ("deny-oom") and not how much. Where the
// next table would go beyond `maxmemory` the add finds no memory, rather than the server evicting all it has to make room.
#pragma once

#include <cstdint>

namespace seen::redis {

class host;
struct defrag_context;

/// The call for which memory is taken, from now on: a large piece is taken only if that host affords it. Null: there is none.
void take_memory_for(const host* by) noexcept;

/// Memory is taken where the server would move what it defragments, from now on. Null: anywhere.
void take_memory_to_move_to(defrag_context* by) noexcept;

/// From now on filters take their memory from the server.
void take_memory_from_server() noexcept;
/// How much they have now.
[[nodiscard]] std::uint64_t memory_taken() noexcept;

}  // namespace seen::redis
