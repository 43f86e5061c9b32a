#include "table/making.hpp"

#include <seen/base/text.hpp>

#include <vector>

#include "table/words.hpp"

namespace seen::redis {
namespace {

using words = std::span<const std::string_view>;

constexpr double most_error = 0.25;  // RedisBloom's

bool is_rate(double rate) {
  return rate > 0 && rate < 1;
}

std::string range_of(std::string_view what, std::uint64_t least, std::uint64_t most) {
  return "ERR " + std::string(what) + " must be in the range [" + std::to_string(least) + ", " + std::to_string(most) +
         "]";
}

bool lies_in(std::optional<std::int64_t> number, std::uint64_t least, std::uint64_t most) {
  return number && *number >= 0 && static_cast<std::uint64_t>(*number) >= least &&
         static_cast<std::uint64_t>(*number) <= most;
}

}  // namespace

terms usual_terms(family of, const settings& configured) {
  const auto number = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  if (of == family::cuckoo) {
    return {.error = 0,
            .capacity = number(configured.cf_initial_size),
            .expansion = number(configured.cf_expansion_factor),
            .bucket_size = number(configured.cf_bucket_size),
            .iterations = number(configured.cf_max_iterations)};
  }
  return {.error = std::min(configured.bf_error_rate, most_error),
          .capacity = number(configured.bf_initial_size),
          .expansion = number(configured.bf_expansion_factor)};
}

reservation reservation_of(words said) {
  reservation read;
  terms& wanted = read.wanted;
  const auto refuse = [&](std::string why) -> reservation& {
    read.wrong = std::move(why);
    return read;
  };
  const auto error = real_number(said[2]);
  if (!error) return refuse("ERR bad error rate");
  if (!is_rate(*error)) return refuse("ERR error rate must be in the range (0.000000, 1.000000)");
  read.was_capped = *error > most_error;
  wanted.error = std::min(*error, most_error);
  const auto capacity = whole_number(said[3]);
  if (!capacity) return refuse("ERR bad capacity");
  if (!lies_in(capacity, 1, most_capacity)) return refuse(range_of("capacity", 1, most_capacity));
  wanted.capacity = static_cast<std::uint64_t>(*capacity);
  bool fixed = false, expands = false;
  for (std::size_t i = 4; i < said.size(); ++i) {
    const bool is_last = i + 1 == said.size();
    if (same_word(said[i], "NONSCALING")) {
      fixed = true;
    } else if (same_word(said[i], "EXPANSION")) {
      if (is_last) return refuse("ERR no expansion");
      const auto expansion = whole_number(said[++i]);
      if (!expansion) return refuse("ERR bad expansion");
      if (!lies_in(expansion, 0, most_expansion)) return refuse(range_of("expansion", 0, most_expansion));
      wanted.expansion = static_cast<std::uint64_t>(*expansion);
      expands = *expansion != 0;
    } else {
      return refuse(std::string(unknown_argument));
    }
  }
  if (fixed && expands) return refuse("Nonscaling filters cannot expand");
  if (fixed) wanted.expansion = 0;
  return read;
}

insertion insertion_of(words said, const settings& configured) {
  insertion read{.wanted = usual_terms(family::bloom, configured)};
  const auto refuse = [&](std::string_view why) -> insertion& {
    read.wrong = why;
    return read;
  };
  for (std::size_t i = 2; i < said.size(); ++i) {
    if (same_word(said[i], "ITEMS")) {
      read.items = said.subspan(i + 1);
      return read;
    }
    if (same_word(said[i], "NOCREATE")) {
      read.must_exist = true;
      continue;
    }
    if (same_word(said[i], "NONSCALING")) {
      read.wanted.expansion = 0;
      continue;
    }
    const bool is_last = i + 1 == said.size();
    if (same_word(said[i], "ERROR")) {
      const auto error = is_last ? std::nullopt : real_number(said[++i]);
      if (!error || !is_rate(*error)) return refuse("Bad error rate");
      read.wanted.error = std::min(*error, most_error);
    } else if (same_word(said[i], "CAPACITY")) {
      const auto capacity = is_last ? std::nullopt : whole_number(said[++i]);
      if (!lies_in(capacity, 1, most_capacity)) return refuse("Bad capacity");
      read.wanted.capacity = static_cast<std::uint64_t>(*capacity);
    } else if (same_word(said[i], "EXPANSION")) {
      const auto expansion = is_last ? std::nullopt : whole_number(said[++i]);
      if (!lies_in(expansion, 0, most_expansion)) return refuse("Bad expansion");
      read.wanted.expansion = static_cast<std::uint64_t>(*expansion);
    } else {
      return refuse(unknown_argument);
    }
  }
  return read;
}

value* make_filter(host& by, family of, terms wanted) {
  auto made = value::make(of, wanted, [&](std::uint64_t bytes) { return by.repeats() || by.affords(bytes); });
  if (made) return &by.put(1, std::move(*made));
  if (made.error().code == errc::no_memory) {
    by.error(no_memory);
  } else {
    by.error("ERR could not create filter: " + made.error().detail);
  }
  return nullptr;
}

void replicate_reservation(host& by, const value&) {
  by.replicate();
}

void replicate_adding(host& by, const value& to, words items, bool is_new) {
  if (!is_new) return by.replicate();
  const terms& made = to.asked();
  const std::string error = exactly(made.error), capacity = std::to_string(made.capacity),
                    expansion = std::to_string(made.expansion);
  std::vector<std::string_view> all{"BF.INSERT", by.arguments()[1], "ERROR",   error,  "CAPACITY",
                                    capacity,    "EXPANSION",       expansion, "ITEMS"};
  all.insert(all.end(), items.begin(), items.end());
  by.replicate(all);
}

std::string words_of_add(const error& why) {
  if (why.code == errc::full) return "ERR non scaling filter is full";
  return "ERR problem inserting into filter: " + why.detail;
}

void wrong_arity(host& by) {
  by.error("ERR wrong number of arguments for '" + std::string(by.arguments()[0]) + "' command");
}

}  // namespace seen::redis
