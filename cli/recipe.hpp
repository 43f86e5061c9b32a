// From the command line to the options that any_filter::make takes.
//
//   -n N -p P             a filter for N keys at rate P
//   -p P                  the same, with the keys counted first
//   --at-most N -p P      for N keys, and folded at the end to what the keys that came need
//   --shape, --bits, …    all fields a kind has: the shape itself. Some of them, or any beside -n or -p: wishes that the
//                         plan keeps where the kind can
#pragma once

#include <seen/any_filter.hpp>
#include <seen/registry.hpp>

#include <string>
#include <vector>

#include "command_line.hpp"

namespace seen::cli {

/// Where the size of a filter comes from.
enum class size_from {
  count,  ///< the keys, counted before anything is made
  plan,   ///< a number of keys that was given
  limit,  ///< the most keys there may be; folded at the end
  shape,  ///< the kind's own fields, all of them
};

/// Everything any_filter::make needs but the number of keys, where they are counted.
struct recipe {
  const kind_row* kind = nullptr;       ///< null where a foreign format brings its own
  const format_row* foreign = nullptr;  ///< that format
  make_options make;
  size_from size = size_from::count;
  accepted_keys accepts = {};  ///< which bytes it takes for keys

  /// Built from all keys at once.
  [[nodiscard]] bool is_static() const noexcept {
    return kind != nullptr ? kind->build != nullptr : foreign != nullptr && foreign->build != nullptr;
  }
  /// The kind's name, or the format's.
  [[nodiscard]] std::string name() const { return kind != nullptr ? std::string(kind->kind.name) : make.format; }
};

/// So many keys stand for a number that is not known yet: one, or more where there are wishes that a single key cannot
/// fulfil, or a format with a least size.
[[nodiscard]] std::uint64_t trial_capacity(const make_options& make);

/// The options a recipe is read from.
struct recipe_options {
  std::string kind, format;
  std::string capacity, at_most, fpr, bits, probes, fingerprint_bits, variant, window;
  std::vector<std::string> shape;
  std::string hash, seed, secret_file, new_secret, key_type;

  void define(option_list& app);
  void define_hash(option_list& app);
  [[nodiscard]] result<recipe> read() const;

 private:
  [[nodiscard]] bool is_foreign() const;
  [[nodiscard]] result<std::vector<named_field>> fields(const kind_row* row) const;
  [[nodiscard]] result<recipe> choose() const;
  [[nodiscard]] result<void> check_static(const recipe& made) const;
  result<void> read_size(recipe& made) const;
  result<void> fold_later(recipe& made) const;
  result<void> read_hash(make_options& make, const format_row* foreign) const;
};

}  // namespace seen::cli
