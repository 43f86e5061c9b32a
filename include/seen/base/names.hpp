// Names that people type: of kinds, formats, hashes, verbs and options.
//
//   is_same_name("blocked_bloom", "blocked-bloom")     code and command lines differ in a letter
//   did_you_mean("xro", names)                         ; did you mean xor?
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace seen::inline v1 {

/// True if both are one name: a dash and an underscore are one letter, since code and command lines differ there.
[[nodiscard]] bool is_same_name(std::string_view one, std::string_view other) noexcept;

/// The name that someone who wrote `word` most likely meant; empty if none comes near. Up to a third of its letters may be
/// wrong, missing, too many or in each other's place [Damerau 1964], or the end of the name is missing. A dash and an
/// underscore are one letter, and so are a letter and its capital.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> names);

/// "; did you mean xor?" or nothing, for the end of a message.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> names);

}  // namespace seen::inline v1
