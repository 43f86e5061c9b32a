// /proc/self/smaps lists the mappings of the process, each with a line per figure:
//
//   7f2a40000000-7f2a48000000 rw-p 00000000 00:00 0
//   Size:             131072 kB
//   AnonHugePages:    131072 kB          memory; FilePmdMapped and ShmemPmdMapped: files; …_Hugetlb: reserved pages
//   …
//
// It needs no privilege. What a mapping has is not said to the page, but memory that asks for huge pages is a mapping
// of its own, since the system keeps what was asked for by mapping.
#include <seen/storage/pages.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

namespace seen::inline v1 {
namespace {

constexpr std::array<std::string_view, 5> huge{
    "AnonHugePages:", "FilePmdMapped:", "ShmemPmdMapped:", "Private_Hugetlb:", "Shared_Hugetlb:"};

struct closer {
  void operator()(std::FILE* open) const noexcept { std::fclose(open); }
};

}  // namespace

std::optional<std::uint64_t> bytes_in_huge_pages(bytes_view bytes) noexcept {
  if (bytes.size() < huge_page / 2) return 0;  // nobody asks for a page to leave most of it empty
  const std::unique_ptr<std::FILE, closer> maps(std::fopen("/proc/self/smaps", "re"));
  if (maps == nullptr) return std::nullopt;
  const auto first = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(bytes.data()));
  const std::uint64_t last = first + bytes.size();
  std::uint64_t found = 0, overlap = 0, kib = 0;
  std::array<char, 512> line;  // names of files may be longer; the rest of such a line is no figure
  while (std::fgets(line.data(), static_cast<int>(line.size()), maps.get()) != nullptr) {
    unsigned long long begin = 0, end = 0, figure = 0;
    if (std::sscanf(line.data(), "%llx-%llx ", &begin, &end) == 2) {
      found += std::min(overlap, kib << 10);
      const std::uint64_t from = std::max<std::uint64_t>(begin, first), to = std::min<std::uint64_t>(end, last);
      overlap = from < to ? to - from : 0;
      kib = 0;
    } else if (overlap != 0) {
      for (const std::string_view name : huge) {
        if (std::strncmp(line.data(), name.data(), name.size()) != 0) continue;
        if (std::sscanf(line.data() + name.size(), "%llu", &figure) == 1) kib += figure;
      }
    }
  }
  return found + std::min(overlap, kib << 10);
}

}  // namespace seen::inline v1
