// The pages that memory lies in: small ones of 4 KiB, or huge ones of 2 MiB (on x86-64), which the system gives if it
// likes. storage and file::map ask for them; this says what came of it.
//
// A processor finds the page of an address in a table of its own, which holds a few thousand. In a large filter nearly
// every lookup is on another page: with small pages it waits for two things in turn, the entry and the cache line.
#pragma once

#include <seen/base/bits.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace seen::inline v1 {

/// A huge page of x86-64, and of 64-bit ARM with pages of 4 KiB.
inline constexpr std::size_t huge_page = std::size_t{2} << 20;

/// How many of these bytes lie in huge pages at the moment; nothing where the system does not say (other than Linux).
/// It reads /proc/self/smaps, whose length is that of the process's list of mappings: for monitoring, now and then.
[[nodiscard]] std::optional<std::uint64_t> bytes_in_huge_pages(bytes_view bytes) noexcept;

}  // namespace seen::inline v1
