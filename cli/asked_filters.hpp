// Filters of files that are asked together. They must take keys of one form, since a line is read once for all of them.
#pragma once

#include <seen/any_filter.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asked.hpp"
#include "options.hpp"
#include "records/written_number.hpp"

namespace seen::cli {

class confirmed_keys;

class asked_filters final : public asked {
 public:
  /// Opens them; with a time, those that forget are moved on to it. Says on stderr what their owner should know.
  static result<asked_filters> open(const std::vector<std::string>& paths, const filter_options& how,
                                    std::optional<std::uint64_t> now, together decide, bool quiet);

  /// What a key is to all of them.
  [[nodiscard]] const accepted_keys& accepts() const noexcept { return filters_.front().origin().accepts; }
  /// How keys that are numbers may be written beside.
  [[nodiscard]] const written_number& written() const noexcept { return written_; }
  [[nodiscard]] const any_filter& filter(std::size_t which) const noexcept { return filters_[which]; }

  /// From now on a key that is not among those is in no filter, whatever a filter says. They must live as long.
  void keep_to(const confirmed_keys& exact) noexcept { exact_ = &exact; }

 private:
  using asked::asked;
  [[nodiscard]] result<void> answer(std::size_t filter, std::span<const bytes_view> keys,
                                    std::span<bool> said) override;

  std::vector<any_filter> filters_;
  written_number written_;
  const confirmed_keys* exact_ = nullptr;
};

}  // namespace seen::cli
