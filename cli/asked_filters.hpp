// Filters that are asked together, and what they said of the last lines.
//
//                 line 0 1 2 3                  each   a verdict per filter: monday.seen of 0 and 2, tuesday.seen of 2
//   monday.seen        y . y .                  any    one verdict: 0, 2
//   tuesday.seen       . . y .                  all    2
//                                               none   1, 3
//
// The filters must take keys of one form, since a line is read once for all of them. A line with several keys may be in a
// filter if one of its keys may.
#pragma once

#include <seen/any_filter.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keys.hpp"
#include "options.hpp"
#include "records/written_number.hpp"

namespace seen::cli {

class confirmed_keys;

/// How several filters decide on a line.
enum class together { each, any, all, none };

/// What was decided on the last lines; of several filters that decide each on its own, one of them by name.
struct verdict {
  std::string name;           ///< empty where there is one verdict
  const bool* yes = nullptr;  ///< per line
};

/// Filters that are asked for the same lines.
class asked_filters {
 public:
  /// Opens them; with a time, those that forget are moved on to it. Says on stderr what their owner should know.
  static result<asked_filters> open(const std::vector<std::string>& paths, const filter_options& how,
                                    std::optional<std::uint64_t> now, together decide, bool quiet);

  /// What a key is to all of them.
  [[nodiscard]] const accepted_keys& accepts() const noexcept { return filters_.front().filter.origin().accepts; }
  /// How keys that are numbers may be written beside.
  [[nodiscard]] const written_number& written() const noexcept { return written_; }
  [[nodiscard]] std::size_t size() const noexcept { return filters_.size(); }
  [[nodiscard]] const std::string& name(std::size_t filter) const noexcept { return filters_[filter].name; }
  [[nodiscard]] const any_filter& filter(std::size_t which) const noexcept { return filters_[which].filter; }

  /// Asks for all keys of a batch. With `exact`, a key that is not among those is in no filter, whatever a filter says.
  void ask(const key_batch& batch, const confirmed_keys* exact);
  /// Whether a line of the batch may be in a filter.
  [[nodiscard]] bool says(std::size_t filter, std::size_t line) const noexcept { return filters_[filter].said[line]; }
  /// What was decided on the lines of the batch.
  [[nodiscard]] const std::vector<verdict>& verdicts() const noexcept { return verdicts_; }

 private:
  struct one {
    std::string name;
    any_filter filter;
    answer_buffer by_key = {}, by_line = {};
    const bool* said = nullptr;  // per line
  };

  explicit asked_filters(together decide) : decide_(decide) {}
  void decide(std::size_t lines);

  std::vector<one> filters_;
  written_number written_;
  together decide_;
  answer_buffer decided_;
  std::vector<verdict> verdicts_;
};

}  // namespace seen::cli
