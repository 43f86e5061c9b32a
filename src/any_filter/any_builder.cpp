// Keys on their way to a filter of any static kind or format.
#include <seen/any_builder.hpp>
#include <seen/kernels/answers.hpp>
#include <seen/math/sizing.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace seen::inline v1 {

any_builder::any_builder(build_plan plan, building::digest_collector digests, build_options how)
    : plan_(std::move(plan)), digests_(std::move(digests)), how_(std::move(how)) {}

result<any_builder> any_builder::make(const make_options& options, const build_options& how) {
  return or_no_memory([&]() -> result<any_builder> {
    if (auto sane = math::check_given_fpr(options.target.fpr); !sane) return sane.error();
    auto format = find_format(options.format.empty() ? formats()[0]->name : std::string_view(options.format));
    if (!format) return format.error();
    if ((*format)->build == nullptr) {
      return {errc::unsupported, "build: a " + (options.kind.empty() ? "" : options.kind + " ") + "filter of the " +
                                     options.format + " format is made empty and added to, not built at once"};
    }
    // The format refuses what it must before keys are read.
    auto plan = (*format)->build(options);
    if (!plan) return plan.error();
    if (plan->in_memory && !(how.spill_directory.empty() && how.checkpoint.empty())) {
      return {errc::invalid_argument, "build: a filter of the " + options.format + " format has no shards that a " +
                                          (how.checkpoint.empty() ? "spill directory" : "checkpoint") + " could hold"};
    }
    building::sharded_options chosen{how};
    chosen.fpr = options.target.fpr;
    chosen.shards = plan->shards;
    if (plan->in_memory) chosen.memory = 0;  // which is kept an eye on here: nothing goes to disk
    auto digests = building::digest_collector::make(chosen);
    if (!digests) return digests.error();
    chosen.memory = how.memory;
    return any_builder(std::move(*plan), std::move(*digests), std::move(chosen));
  });
}

result<void> any_builder::check_budget(std::size_t more) const {
  if (const auto failed = digests_.failure()) return *failed;
  const std::uint64_t bytes = 8 * (digests_.size() + more);
  if (!plan_.in_memory || how_.memory == 0 || bytes <= how_.memory) return {};
  return {errc::no_memory, "build: keys of this format, 8 bytes each, wait in memory, and " + std::to_string(bytes) +
                               " bytes are more than the budget of " + std::to_string(how_.memory)};
}

result<void> any_builder::add_many(std::span<const bytes_view> keys) {
  return or_no_memory([&]() -> result<void> {
    if (plan_.check) {
      if (auto fine = plan_.check(keys); !fine) return fine;
    }
    if (auto room = check_budget(keys.size()); !room) return room;
    std::array<digest, 256> tile;
    while (!keys.empty()) {
      const auto some = keys.first(std::min(keys.size(), tile.size()));
      const auto hashed = std::span(tile).first(some.size());
      plan_.hash(some, hashed);
      if (auto kept = digests_.add(hashed); !kept) return kept;
      keys = keys.subspan(some.size());
    }
    return {};
  });
}

result<void> any_builder::digests_of(std::span<const bytes_view> keys, std::span<digest> out) const {
  return or_no_memory([&]() -> result<void> {
    if (plan_.check) {
      if (auto fine = plan_.check(keys); !fine) return fine;
    }
    kernels::check_room("digests_of", out.size(), keys.size());
    plan_.hash(keys, out.first(keys.size()));
    return {};
  });
}

result<void> any_builder::add_many(std::span<const digest> digests) {
  return or_no_memory([&]() -> result<void> {
    if (auto room = check_budget(digests.size()); !room) return room;
    return digests_.add(digests);
  });
}

result<any_filter> any_builder::finish() && {
  return or_no_memory([&]() -> result<any_filter> {
    if (const auto failed = digests_.failure()) return *failed;
    return plan_.finish(std::move(digests_), how_);
  });
}

}  // namespace seen::inline v1
