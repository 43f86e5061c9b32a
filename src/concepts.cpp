// Refuses the parts of an engine, once for all kinds.
#include <seen/concepts.hpp>

namespace seen::inline v1 {

result<void> check_alignment(const std::byte* bytes) {
  if (reinterpret_cast<std::uintptr_t>(bytes) % 8 == 0) return {};
  return {errc::invalid_argument, "the bytes of a filter must be aligned to 8"};
}

result<void> check_body_size(std::uint64_t described, std::uint64_t there) {
  if (described == there) return {};
  return {errc::corrupt,
          "the shape describes " + std::to_string(described) + " bytes, the body has " + std::to_string(there)};
}

error not_one_part(std::string_view kind, std::size_t fields) {
  return {errc::corrupt,
          "a " + std::string(kind) + " filter has one segment with a shape of " + std::to_string(fields) + " numbers"};
}

}  // namespace seen::inline v1
