// Searches among plans, which cost microseconds each.
#include "solve.hpp"

#include <algorithm>
#include <fmt/core.h>

#include "words.hpp"

namespace seen::cli {
namespace {

// Rates of two digits from 1e-20 up: 1.0e-20, 1.1e-20, … 9.9e-20, 1.0e-19, … 0.99.
constexpr int rate_steps = 20 * 90;
double rate_at(int step) {
  double unit = 10;
  for (int i = step / 90; i < 20; ++i) unit *= 10;
  return (10 + step % 90) / unit;
}

bool fits_in(std::uint64_t memory, const result<plan_row>& plan) {
  return plan && need_of(*plan) <= memory;
}

}  // namespace

make_options candidate::options(const target& asked) const {
  make_options wanted{.kind = std::string(kind->kind.name), .target = asked};
  if (variant != nullptr) wanted.shape.push_back({std::string(variant->field), variant->value});
  return wanted;
}

std::string name_of(const candidate& each) {
  return std::string(each.kind->kind.name) + (each.variant != nullptr ? " " + std::string(each.variant->name) : "");
}

std::uint64_t need_of(const plan_row& row) {
  return std::max(row.bytes, row.build_bytes);
}

void add_candidates(std::vector<candidate>& candidates, const kind_row& kind, const target& asked) {
  if (kind.variants.empty()) candidates.push_back({&kind, kind.plan(asked), nullptr, asked});
  for (const kind_variant& each : kind.variants) {
    candidate made{&kind, plan_row(), &each, asked};
    made.plan = kind.plan_as(made.options(asked));
    candidates.push_back(std::move(made));
  }
}

std::vector<candidate> candidates_for(const target& asked) {
  std::vector<candidate> candidates;
  for (const kind_row& each : kinds()) add_candidates(candidates, each, asked);
  return candidates;
}

std::optional<double> lowest_fitting(const candidate& each, std::uint64_t keys, std::uint64_t memory, double beyond) {
  const auto fits_at = [&](int step) {
    return fits_in(memory, each.kind->plan_as(each.options({.capacity = keys, .fpr = rate_at(step)})));
  };
  int low = 0, high = rate_steps - 1;
  while (low < high && rate_at(low) <= beyond) ++low;
  if (!fits_at(high)) return std::nullopt;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (fits_at(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return rate_at(high);
}

std::optional<std::uint64_t> most_fitting(const candidate& each, double fpr, std::uint64_t memory) {
  const auto fits = [&](std::uint64_t keys) {
    return fits_in(memory, each.kind->plan_as(each.options({.capacity = keys, .fpr = fpr})));
  };
  if (!fits(1)) return std::nullopt;
  std::uint64_t most = 1;
  while (most < std::uint64_t{1} << 60 && fits(2 * most)) most *= 2;
  for (std::uint64_t step = most / 2; step != 0; step /= 2) {
    if (fits(most + step)) most += step;
  }
  return most;
}

void solve(std::vector<candidate>& candidates, const target& wanted, unknown looked_for, std::uint64_t memory) {
  for (candidate& each : candidates) {
    target found = wanted;
    if (looked_for == unknown::rate) {
      found.fpr = lowest_fitting(each, wanted.capacity, memory).value_or(0);
    } else {
      found.capacity = most_fitting(each, wanted.fpr, memory).value_or(0);
    }
    if (found.fpr == 0 || found.capacity == 0) {
      each.plan = error{errc::too_large, fmt::format("does not fit in {} at any {}", human_bytes(memory),
                                                     looked_for == unknown::rate ? "rate" : "number of keys")};
      continue;
    }
    each.made_for = found;
    each.plan = each.kind->plan_as(each.options(found));
  }
}

}  // namespace seen::cli
