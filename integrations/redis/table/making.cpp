#include "table/making.hpp"

#include <seen/base/text.hpp>

#include <algorithm>
#include <array>
#include <vector>

#include "table/redisbloom_numbers.hpp"
#include "table/words.hpp"

namespace seen::redis {
namespace {

using words = std::span<const std::string_view>;

constexpr double most_error = 0.25;                            // RedisBloom's
constexpr std::uint64_t most_window = std::uint64_t{1} << 40;  // seconds

bool is_rate(const std::optional<double>& rate) {
  return rate && *rate > 0 && *rate < 1;
}

bool lies_in(const std::optional<std::int64_t>& number, std::uint64_t least, std::uint64_t most) {
  return number && *number >= 0 && static_cast<std::uint64_t>(*number) >= least &&
         static_cast<std::uint64_t>(*number) <= most;
}

std::string range_of(std::string_view what, std::uint64_t least, std::uint64_t most) {
  return std::string(what) + " must be in the range [" + std::to_string(least) + ", " + std::to_string(most) + "]";
}

// The words of a command, taken one after the other.
class reader {
 public:
  reader(words said, std::size_t first) : said_(said), next_(first) {}

  [[nodiscard]] bool is_at_end() const { return next_ >= said_.size(); }
  // Takes the next word if it is this one.
  bool take(std::string_view word) {
    if (is_at_end() || !same_word(said_[next_], word)) return false;
    ++next_;
    return true;
  }
  // The next word, whatever it is; an empty one at the end.
  std::string_view take() { return is_at_end() ? std::string_view() : said_[next_++]; }
  [[nodiscard]] words rest() const { return said_.subspan(std::min(next_, said_.size())); }

 private:
  words said_;
  std::size_t next_;
};

std::uint64_t positive(const std::optional<std::int64_t>& number) {
  return static_cast<std::uint64_t>(*number);
}

void replicate_words(host& by, const std::vector<std::string>& all) {
  by.replicate(std::vector<std::string_view>(all.begin(), all.end()));
}

// The RESERVE that makes this filter anywhere.
void replicate_making(host& by, const value& made) {
  const terms& t = made.asked();
  const std::string key(by.arguments()[1]), capacity = std::to_string(t.capacity),
                                            expansion = std::to_string(t.expansion);
  std::vector<std::string> all;
  if (made.of() == family::cuckoo) {
    all = {"CF.RESERVE",
           key,
           capacity,
           "BUCKETSIZE",
           std::to_string(t.bucket_size),
           "MAXITERATIONS",
           std::to_string(t.iterations),
           "EXPANSION",
           expansion};
    if (t.error != 0) all.insert(all.end(), {"ERROR", exactly(t.error)});
  } else {
    all = {"BF.RESERVE", key, exactly(t.error), capacity, "EXPANSION", expansion};
    if (t.window != 0) all.insert(all.end(), {"WINDOW", std::to_string(t.window / 1000)});
    if (t.key) all.insert(all.end(), {"KEYED", "SECRET", hex_of(*t.key)});
  }
  if (!t.kind.empty()) all.insert(all.end(), {"KIND", t.kind});
  replicate_words(by, all);
}

// Of a value that is not whole.
void tell_why_not(host& by, const value& held) {
  if (held.arriving() != nullptr) {
    return by.error("ERR the filter is still arriving: not all of its chunks have been loaded");
  }
  by.error("ERR the file " + held.file()->name + " is not in the folder of filters, or is another one");
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

reservation bloom_reservation(words said) {
  reservation read;
  terms& wanted = read.wanted;
  const auto refuse = [&](std::string why) -> reservation& {
    read.wrong = std::move(why);
    return read;
  };
  const auto error = real_number(said[2]);
  if (!error) return refuse("ERR bad error rate");
  if (!is_rate(error)) return refuse("ERR error rate must be in the range (0.000000, 1.000000)");
  read.was_capped = *error > most_error;
  wanted.error = std::min(*error, most_error);
  const auto capacity = whole_number(said[3]);
  if (!capacity) return refuse("ERR bad capacity");
  if (!lies_in(capacity, 1, most_capacity)) return refuse("ERR " + range_of("capacity", 1, most_capacity));
  wanted.capacity = positive(capacity);
  bool fixed = false, expands = false;
  for (reader in(said, 4); !in.is_at_end();) {
    if (in.take("NONSCALING")) {
      fixed = true;
    } else if (in.take("EXPANSION")) {
      if (in.is_at_end()) return refuse("ERR no expansion");
      const auto expansion = whole_number(in.take());
      if (!expansion) return refuse("ERR bad expansion");
      if (!lies_in(expansion, 0, most_expansion)) return refuse("ERR " + range_of("expansion", 0, most_expansion));
      wanted.expansion = positive(expansion);
      expands = *expansion != 0;
    } else if (in.take("KIND")) {
      wanted.kind = in.take();
      if (wanted.kind.empty()) return refuse("ERR no kind");
    } else if (in.take("WINDOW")) {
      const auto seconds = whole_number(in.take());
      if (!lies_in(seconds, 1, most_window))
        return refuse("ERR " + range_of("window", 1, most_window) + ", in seconds");
      wanted.window = 1000 * positive(seconds);
    } else if (in.take("KEYED")) {
      if (in.take("SECRET")) {
        wanted.key = secret_of(in.take());
        if (!wanted.key) return refuse("ERR a secret has 32 hexadecimal digits");
      } else {
        wanted.key = or_throw(secret::random());
      }
    } else {
      return refuse(std::string(unknown_argument));
    }
  }
  if (fixed && expands) return refuse("Nonscaling filters cannot expand");
  if (fixed) wanted.expansion = 0;
  if (wanted.key && wanted.kind == redisbloom_format) return refuse("ERR a filter of kind redisbloom has no secret");
  if (wanted.window != 0 && !wanted.kind.empty() && wanted.kind != "windowed-bloom") {
    return refuse("ERR a filter of kind " + wanted.kind + " has no window");
  }
  return read;
}

reservation cuckoo_reservation(words said, const settings& configured) {
  reservation read{.wanted = usual_terms(family::cuckoo, configured)};
  terms& wanted = read.wanted;
  const auto refuse = [&](std::string why) -> reservation& {
    read.wrong = std::move(why);
    return read;
  };
  const auto capacity = whole_number(said[2]);
  if (!capacity) return refuse("Bad capacity");
  struct option {
    std::string_view name;
    std::uint64_t terms::*place;
    std::uint64_t least, most;
  };
  constexpr std::array<option, 3> options{{{"MAXITERATIONS", &terms::iterations, 1, most_iterations},
                                           {"BUCKETSIZE", &terms::bucket_size, 1, most_bucket_size},
                                           {"EXPANSION", &terms::expansion, 0, most_expansion}}};
  for (reader in(said, 3); !in.is_at_end();) {
    const auto* const named =
        std::find_if(options.begin(), options.end(), [&](const option& o) { return in.take(o.name); });
    if (named != options.end()) {
      const std::string name(named->name);
      const auto number = whole_number(in.take());
      if (!number) return refuse("Couldn't parse " + name);
      if (!lies_in(number, named->least, named->most)) {
        return refuse(name + ": " + range_of("value", named->least, named->most));
      }
      wanted.*(named->place) = positive(number);
    } else if (in.take("ERROR")) {
      const auto error = real_number(in.take());
      if (!error) return refuse("ERR bad error rate");
      if (!is_rate(error)) return refuse("ERR error rate must be in the range (0.000000, 1.000000)");
      wanted.error = *error;
    } else if (in.take("KIND")) {
      wanted.kind = in.take();
    } else {
      return refuse(std::string(unknown_argument));
    }
  }
  if (wanted.error != 0 && wanted.kind == redisbloom_format) {
    return refuse("ERR the rate of a filter of kind redisbloom follows from its bucket size");
  }
  if (!lies_in(capacity, 2 * wanted.bucket_size, most_capacity)) {
    return refuse("Capacity must be in the range [2 * BUCKETSIZE, " + std::to_string(most_capacity) + "]");
  }
  wanted.capacity = positive(capacity);
  return read;
}

insertion insertion_of(family of, words said, const settings& configured) {
  insertion read{.wanted = usual_terms(of, configured)};
  const bool blooms = of == family::bloom;
  const auto refuse = [&](std::string_view why) -> insertion& {
    read.wrong = why;
    return read;
  };
  for (reader in(said, 2); !in.is_at_end();) {
    if (in.take("ITEMS")) {
      read.items = in.rest();
      return read;
    }
    if (in.take("NOCREATE")) {
      read.must_exist = true;
    } else if (in.take("CAPACITY")) {
      const auto capacity = whole_number(in.take());
      if (!capacity) return refuse("Bad capacity");
      if (blooms && !lies_in(capacity, 1, most_capacity)) return refuse("Bad capacity");
      if (!blooms && !lies_in(capacity, 2 * read.wanted.bucket_size, most_capacity)) {
        return refuse("Capacity must be in the range [cf-bucket-size * 2, " + std::to_string(most_capacity) + "]");
      }
      read.wanted.capacity = positive(capacity);
    } else if (blooms && in.take("NONSCALING")) {
      read.wanted.expansion = 0;
    } else if (blooms && in.take("ERROR")) {
      const auto error = real_number(in.take());
      if (!is_rate(error)) return refuse("Bad error rate");
      read.wanted.error = std::min(*error, most_error);
    } else if (blooms && in.take("EXPANSION")) {
      const auto expansion = whole_number(in.take());
      if (!lies_in(expansion, 0, most_expansion)) return refuse("Bad expansion");
      read.wanted.expansion = positive(expansion);
    } else if (blooms && in.take("AT")) {
      const auto time = whole_number(in.take());
      if (!lies_in(time, 0, ~std::uint64_t{0} >> 1)) return refuse("ERR bad time");
      read.at = positive(time);
    } else {
      return refuse(unknown_argument);
    }
  }
  return read;
}

value* make_filter(host& by, family of, const terms& wanted) {
  auto made = value::make(of, wanted, [&](std::uint64_t bytes) { return by.repeats() || by.affords(bytes); });
  if (made) {
    value& put = by.put(1, std::move(*made));
    replicate_making(by, put);
    by.notify(of == family::bloom ? "bloom.reserve" : "cuckoo.reserve", 1);
    return &put;
  }
  if (made.error().code == errc::no_memory) return by.error(no_memory), nullptr;
  const std::string_view could_not =
      of == family::bloom ? "ERR could not create filter: " : "ERR Could not create filter: ";
  by.error(std::string(could_not) + made.error().detail);
  return nullptr;
}

value* find_or_tell(host& by, family of, access how, std::string_view absent) {
  const found key = by.find(1, of, how);
  if (key.there() && key.held->is_whole()) return key.held;
  if (key.there()) return tell_why_not(by, *key.held), nullptr;
  by.error(key.absent() ? absent : wrong_type);
  return nullptr;
}

value* find_to_ask(host& by, family of, bool& told) {
  const found key = by.find(1, of, access::read);
  if (!key.there()) return nullptr;
  if (key.held->is_whole()) return key.held;
  told = true;
  tell_why_not(by, *key.held);
  return nullptr;
}

value* find_to_add(host& by, family of, const terms& wanted, bool may_make) {
  const found key = by.find(1, of, access::write);
  if (!key.absent() || !may_make) return find_or_tell(by, of, access::write, not_found);
  return make_filter(by, of, wanted);
}

void wrong_arity(host& by) {
  by.error("ERR wrong number of arguments for '" + std::string(by.arguments()[0]) + "' command");
}

std::optional<secret> secret_of(std::string_view hex) {
  secret read;
  if (hex.size() != 2 * read.bytes.size()) return {};
  for (std::size_t i = 0; i < read.bytes.size(); ++i) {
    std::uint8_t byte = 0;
    const char* const digits = hex.data() + 2 * i;
    const auto [end, wrong] = std::from_chars(digits, digits + 2, byte, 16);
    if (wrong != std::errc() || end != digits + 2) return {};
    read.bytes[i] = std::byte{byte};
  }
  return read;
}

std::string hex_of(const secret& key) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const std::byte b : key.bytes) {
    hex += digits[std::to_integer<std::size_t>(b) >> 4];
    hex += digits[std::to_integer<std::size_t>(b) & 15];
  }
  return hex;
}

}  // namespace seen::redis
