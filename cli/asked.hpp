// Filters that are asked together, and what they said of the last lines.
//
//                 line 0 1 2 3                  each   a verdict per filter: monday.seen of 0 and 2, tuesday.seen of 2
//   monday.seen        y . y .                  any    one verdict: 0, 2
//   tuesday.seen       . . y .                  all    2
//                                               none   1, 3
//
// Where the filters are is not known here: in files (asked_filters.hpp), or on servers. A line with several keys may be in a
// filter if one of its keys may.
#pragma once

#include <seen/base/result.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "keys.hpp"

namespace seen::cli {

/// How several filters decide on a line.
enum class together { each, any, all, none };

/// What was decided on the last lines; of several filters that decide each on its own, one of them by name.
struct verdict {
  std::string name;           ///< empty where there is one verdict
  const bool* yes = nullptr;  ///< per line
};

/// Filters that are asked for the same lines.
class asked {
 public:
  virtual ~asked() = default;

  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
  [[nodiscard]] const std::string& name(std::size_t filter) const noexcept { return names_[filter]; }

  /// Asks for all keys of a batch.
  [[nodiscard]] result<void> ask(const key_batch& batch);
  /// Whether a line of the batch may be in a filter.
  [[nodiscard]] bool says(std::size_t filter, std::size_t line) const noexcept { return said_[filter].of_line[line]; }
  /// What was decided on the lines of the batch.
  [[nodiscard]] const std::vector<verdict>& verdicts() const noexcept { return verdicts_; }

 protected:
  asked(std::vector<std::string> names, together decide);
  asked(asked&&) = default;
  asked& operator=(asked&&) = default;

 private:
  struct answers {
    answer_buffer by_key = {}, by_line = {};
    const bool* of_line = nullptr;
  };

  /// Whether keys may be in a filter.
  [[nodiscard]] virtual result<void> answer(std::size_t filter, std::span<const bytes_view> keys,
                                            std::span<bool> said) = 0;
  void decide(std::size_t lines);

  std::vector<std::string> names_;
  std::vector<answers> said_;
  together decide_;
  answer_buffer decided_;
  std::vector<verdict> verdicts_;
};

}  // namespace seen::cli
