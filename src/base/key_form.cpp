// The words for forms of keys, in names that programs read and in sentences that people do.
#include <seen/base/key_form.hpp>

#include <algorithm>

namespace seen::inline v1 {

const char* name_of(key_form form) noexcept {
  switch (form) {
    case key_form::bytes:
      break;
    case key_form::integer:
      return "integer";
    case key_form::int64:
      return "int64";
    case key_form::int32:
      return "int32";
    case key_form::real:
      return "real";
  }
  return "bytes";
}

std::size_t accepted_keys::taken(std::span<const bytes_view> keys) const noexcept {
  if (form == key_form::bytes) return keys.size();
  const auto odd = std::find_if(keys.begin(), keys.end(), [this](bytes_view key) { return !takes(key); });
  return static_cast<std::size_t>(odd - keys.begin());
}

const char* accepted_keys::in_words() const noexcept {
  switch (form) {
    case key_form::bytes:
      return "any bytes";
    case key_form::real:
      return "a number";
    case key_form::int32:
      return "a whole number of 32 bits";
    case key_form::int64:
      return "a whole number of 64 bits with its sign";
    case key_form::integer:
      break;
  }
  return "a whole number of 64 bits";
}

std::string accepted_keys::lengths() const {
  const std::string usual = std::to_string(number_width) + " bytes";
  if (width == number_width || width == any_width) return usual;
  return width < number_width ? std::to_string(width) + " or " + usual : usual + " or " + std::to_string(width);
}

std::string accepted_keys::described() const {
  if (form == key_form::bytes) return in_words();
  return std::string(in_words()) + " (" + lengths() + ")";
}

std::string accepted_keys::why_not(bytes_view key) const {
  return "has " + std::to_string(key.size()) + (key.size() == 1 ? " byte" : " bytes") + ", and is not " + described() +
         ", which the keys of this filter are";
}

}  // namespace seen::inline v1
