// A batch finds most of what is known already; what is left is asked and added key by key, since it may come twice in a batch.
#include "line_memory.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

#include "remarks.hpp"
#include "words.hpp"

namespace seen::cli {

result<void> exact_memory::take(std::span<const bytes_view> keys, std::span<bool> is_new) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    auto inserted = lines_.insert(keys[i]);
    if (!inserted) {
      std::fill(is_new.begin() + static_cast<std::ptrdiff_t>(i), is_new.end(), true);
      return inserted.error();
    }
    is_new[i] = *inserted;
  }
  return {};
}

filter_memory::filter_memory(any_filter filter, std::string name, bool runs)
    : filter_(std::move(filter)), name_(std::move(name)), clock_(filter_.info().clock), runs_(runs) {
  sample();
}

result<void> filter_memory::take(std::span<const bytes_view> keys, std::span<bool> is_new) {
  if (auto told = move_on(); !told) {
    std::fill(is_new.begin(), is_new.end(), true);
    return told;
  }
  filter_.may_contain_many(keys, is_new);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    is_new[i] = !is_new[i];
    if (!is_new[i]) continue;
    auto before = filter_.test_and_add(keys[i]);
    if (!before) {
      for (++i; i < keys.size(); ++i) is_new[i] = !is_new[i];
      return full_or(before.error());
    }
    is_new[i] = !*before;
    if (is_new[i]) ++fresh_;
  }
  if (fresh_ >= next_sample_) sample();
  return {};
}

double filter_memory::expected_losses() {
  sample();
  return losses_;
}

// Time that goes back, as the system's may when it is set, stands still.
result<void> filter_memory::move_on() {
  if (!clock_ || !runs_) return {};
  const auto time = static_cast<std::uint64_t>(std::time(nullptr));
  if (time <= *clock_) return {};
  clock_ = time;
  if (auto told = filter_.advance(time); !told) return about(name_, told.error());
  return {};
}

error filter_memory::full_or(const error& e) const {
  if (e.code != errc::full) return about(name_, e);
  return {errc::full, name_ + ": full" + how_full(filter_.info(), 0) + "; give a larger -n, or a kind that grows"};
}

// The rate rises with the keys: it is asked for anew when a quarter more have come. The trapezoid below it, from the last sample
// to this one: to n keys that were taken for new, at rate p, come n·p/(1 - p) that were not.
void filter_memory::sample() {
  const double rate = std::min(filter_.info().fpr_now, 0.999);
  const double p = (rate + rate_) / 2;
  losses_ += static_cast<double>(fresh_ - sampled_) * p / (1 - p);
  rate_ = rate;
  sampled_ = fresh_;
  next_sample_ = std::max<std::uint64_t>(fresh_ + fresh_ / 4, fresh_ + 10'000);
}

}  // namespace seen::cli
