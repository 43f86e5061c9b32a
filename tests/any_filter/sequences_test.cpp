// Random operations on filters of every kind and format, against an exact multiset.
//
//   kinds() × hash × seed × secret            ──►  one filter of each, a sequence of operations on it, and after every
//   formats() × variant × hash × key type          operation three questions:
//
//   is a key denied that was added?  ·  has a call that failed changed a byte?  ·  is what was read again written as it was?
//
// The tables of the registry are walked, so a new kind or format is covered by itself. Filters that forget (can_forget;
// Boom's stable and inverse ones) are asked for the key just added only; pyprobables' cuckoo filter keeps equal keys once.
// A failure prints what was made, its seed and the operations up to it. Long in `make soak`.
#include <seen/any_filter.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/soak.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

using bytes = std::vector<std::byte>;

constexpr std::size_t universe = 48;     // small, so that all states of a key are visited
constexpr std::uint32_t most_times = 3;  // few slots, small counters

// What to make, and how to open it again: the format is always named.
struct setup {
  std::string name;
  make_options make = {};
  open_options open = {};
  bool is_static = false;
  bool forgets = false;
  bool keeps_one = false;
};

// SplitMix64.
struct random_numbers {
  std::uint64_t state;

  std::uint64_t operator()() {
    std::uint64_t x = state += 0x9e37'79b9'7f4a'7c15;
    x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9;
    x = (x ^ x >> 27) * 0x94d0'49bb'1331'11eb;
    return x ^ x >> 31;
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>((*this)() % n); }
};

// Numbers where keys are numbers; else bytes of all lengths that hashes treat differently.
bytes key_of(std::size_t i, key_form form) {
  bytes key(8);
  if (form == key_form::real) {
    store_le(key.data(), std::bit_cast<std::uint64_t>(static_cast<double>(i) / 2));
  } else if (form != key_form::bytes || i % 4 == 1) {
    store_le(key.data(), static_cast<std::uint64_t>(i) - (form == key_form::bytes ? 0 : universe / 2));
  } else {
    const std::string text = i == 0 ? "" : "key-" + std::to_string(i) + std::string(i % 4 == 3 ? 7 * i : 0, 'x');
    key = bytes_of(text);
  }
  return key;
}

// A filter, how often each key must be in it, and the digests that were added as such.
struct modelled {
  any_filter f;
  std::vector<std::uint32_t> times = std::vector<std::uint32_t>(universe, 0);
  std::vector<std::uint64_t> digests = {};
};

class sequence {
 public:
  sequence(const setup& s, std::uint64_t seed, const temp_dir& dir) : setup_(s), random_{seed}, path_(dir / "f") {}

  // False where such a filter is not made at all.
  bool run(std::size_t operations) {
    auto made = make(random_.below(universe));
    if (!made) return false;
    now_.emplace(std::move(*made));
    for (std::size_t i = 0; i < operations && !::testing::Test::HasFailure(); ++i) {
      step();
      check();
    }
    return true;
  }
  [[nodiscard]] const std::string& log() const { return log_; }

 private:
  any_filter& f() { return now_->f; }
  std::uint32_t& times(std::size_t i) { return now_->times[i]; }
  bytes_view view(std::size_t i) const { return keys_[i]; }
  bool removes() const { return removes_; }

  // A filter with so many random keys in it.
  std::optional<modelled> make(std::size_t count) {
    make_options options = setup_.make;
    options.target = {.capacity = std::array<std::uint64_t, 3>{20, 60, 200}[size_ % 3],
                      .fpr = size_ % 2 == 0 ? 0.01 : 0.2};
    std::optional<any_filter> empty;
    std::optional<any_builder> builder;
    if (setup_.is_static) {
      auto made = any_builder::make(options);
      if (!made) return {};
      builder.emplace(std::move(*made));
    } else {
      auto made = any_filter::make(options);
      if (!made) {  // some libraries make no small ones
        options.target.capacity = 1000;
        made = any_filter::make(options);
      }
      if (!made) return {};
      empty.emplace(std::move(*made));
    }
    if (keys_.empty()) choose_keys(empty, options);
    std::vector<std::uint32_t> in(universe, 0);
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t i = random_.below(universe);
      if (in[i] == most_times) continue;
      const auto added = builder ? builder->add(view(i)) : empty->add(view(i));
      if (added) in[i] = is_once() ? 1 : in[i] + 1;
    }
    if (!builder) return modelled{std::move(*empty), std::move(in)};
    auto built = std::move(*builder).finish();
    if (!built) return {};
    return modelled{std::move(*built), std::move(in)};
  }

  void choose_keys(const std::optional<any_filter>& empty, const make_options& options) {
    key_form form = key_form::bytes;
    if (empty) form = empty->origin().accepts.form;
    if (!empty && !options.format.empty()) form = find_format(options.format).value()->build(options)->accepts.form;
    for (std::size_t i = 0; i < universe; ++i) keys_.push_back(key_of(i, form));
    is_integer_ = form != key_form::real;
    all_are_integers_ = is_integer_ && form != key_form::bytes;
    if (empty) {
      auto tried = empty->copy();
      removes_ = tried && tried->remove(view(1)).has_value();
    }
  }
  [[nodiscard]] bool is_once() const { return setup_.keeps_one || setup_.is_static; }
  std::uint64_t number(std::size_t i) const { return load_le<std::uint64_t>(keys_[i].data()); }
  // A key that is the 8 bytes of an integer, where there are such.
  std::optional<std::size_t> integer() {
    if (!is_integer_) return {};
    const std::size_t i = random_.below(universe);
    return all_are_integers_ ? i : i / 4 * 4 + 1;
  }

  static bytes written(const any_filter& f, bool with_secret = false) {
    auto all = f.to_bytes({.store_secret = with_secret});
    EXPECT_TRUE(all) << all.error().detail;
    return all ? *all : bytes();
  }

  // Calls what returns a result; where it is refused, nothing has changed, and the reason is one of those that it may be.
  template <class Call>
  auto attempt(const std::string& what, Call call) -> decltype(call()) {
    const bytes before = written(f());
    auto said = call();
    log_ += what + (said ? "\n" : ": " + said.error().detail + "\n");
    if (said) return said;
    const errc code = said.error().code;
    EXPECT_TRUE(code == errc::unsupported || code == errc::incompatible || code == errc::full ||
                code == errc::invalid_argument || code == errc::too_large)
        << said.error().detail;
    EXPECT_TRUE(written(f()) == before) << "a refused call changed the filter";
    return said;
  }

  void added(std::size_t i) {
    times(i) = is_once() ? 1 : times(i) + 1;
    EXPECT_TRUE(f().may_contain(view(i))) << "key " << i << " is denied at once";
  }

  void add_one() {
    const std::size_t i = random_.below(universe);
    if (times(i) >= most_times) return;
    const bool before = f().may_contain(view(i));
    if (random_.below(2) == 0) {
      if (attempt("add " + std::to_string(i), [&] { return f().add(view(i)); })) added(i);
      return;
    }
    const auto was = attempt("test_and_add " + std::to_string(i), [&] { return f().test_and_add(view(i)); });
    if (!was) return;
    EXPECT_EQ(*was, before) << "key " << i;
    added(i);
  }

  void add_some() {
    std::vector<std::size_t> some;
    std::vector<bytes_view> views;
    std::vector<std::uint64_t> numbers;
    const bool as_numbers = random_.below(2) == 0;
    for (std::size_t n = random_.below(20); n > 0; --n) {
      const auto i = as_numbers ? integer() : std::optional(random_.below(universe));
      if (!i || times(*i) >= most_times || std::find(some.begin(), some.end(), *i) != some.end()) continue;
      some.push_back(*i);
      views.push_back(view(*i));
      if (as_numbers) numbers.push_back(number(*i));
    }
    const parallel how{.threads = random_.below(2) == 0 ? 1u : 3u};
    const bytes before = written(f());
    auto put = as_numbers ? f().add_many(std::span<const std::uint64_t>(numbers), how)
                          : f().add_many(std::span<const bytes_view>(views), how);
    log_ += "add_many";
    for (const std::size_t i : some) log_ += " " + std::to_string(i);
    log_ += put ? "\n" : ": " + put.error().detail + "\n";
    std::size_t taken = some.size();
    if (!put) {
      taken = static_cast<std::size_t>(put.error().done);
      if (taken == 0) {
        EXPECT_TRUE(written(f()) == before) << "a refused batch changed the filter";
      }
    }
    for (std::size_t n = 0; n < taken; ++n) times(some[n]) = is_once() ? 1 : times(some[n]) + 1;
  }

  void add_digest() {
    const std::uint64_t value = random_();
    if (now_->digests.size() < 10 && attempt("add a digest", [&] { return f().add(digest(value)); }))
      now_->digests.push_back(value);
  }

  void remove() {
    const std::size_t i = random_.below(universe);
    const bool claimed = f().may_contain(view(i));
    // A key that was not added, and tests present, would take another with it; so would one that a filter has
    // forgotten.
    if (times(i) == 0 ? claimed : setup_.forgets) return;
    const bytes before = written(f());
    const auto gone = attempt("remove " + std::to_string(i), [&] { return f().remove(view(i)); });
    if (!gone) return;
    EXPECT_EQ(*gone, times(i) != 0) << "key " << i;
    if (!*gone) {
      EXPECT_TRUE(written(f()) == before) << "what was not there left a trace";
    }
    if (times(i) != 0) --times(i);
  }

  void combine(bool merging) {
    auto other = make(random_.below(12));
    if (!other) return;
    const bool reopened = random_.below(2) == 0;
    if (reopened) other->f = read_again(other->f);
    const bytes theirs = written(other->f);
    const std::string what =
        std::string(merging ? "merge" : "intersect") + (reopened ? " with one read" : " with one made");
    const auto done = attempt(what, [&] { return merging ? f().merge(other->f) : f().intersect(other->f); });
    EXPECT_TRUE(written(other->f) == theirs) << "the other one changed";
    if (!done) return;
    for (std::size_t i = 0; i < universe; ++i) {
      times(i) = merging ? times(i) + other->times[i] : std::min(times(i), other->times[i]);
      if (is_once()) times(i) = std::min(times(i), 1u);
    }
    if (!merging) now_->digests.clear();
  }

  // The filter that a file of it holds: the same bytes, and the same keys.
  any_filter read_again(const any_filter& from) {
    const bool with_secret = random_.below(2) == 0;
    const bytes all = written(from, with_secret);
    std::optional<any_filter> found;
    // Few keys may leave open which variant it is, where the part can say so.
    for (const std::string& variant : {from.origin().variant, std::string()}) {
      open_options how = setup_.open;
      how.variant = variant;
      if (with_secret) how.secret.reset();
      auto opened = any_filter::from_bytes(all, how);
      if (!opened) continue;
      const bool same = opened->origin().variant == from.origin().variant;
      if (!found || same) found.emplace(std::move(*opened));
      if (same) break;
    }
    if (!found) {
      ADD_FAILURE() << "what was written cannot be read";
      return from.copy().value();
    }
    EXPECT_EQ(found->origin().accepts, from.origin().accepts);
    EXPECT_TRUE(written(*found, with_secret) == all) << "read again it is written otherwise";
    return std::move(*found);
  }

  void through_a_file() {
    const bytes before = written(f());
    const auto saved = f().save(path_);
    ASSERT_TRUE(saved) << saved.error().detail;
    EXPECT_TRUE(read_bytes(path_) == before);
    auto mapped = any_filter::map(path_, setup_.open);
    if (!setup_.make.format.empty()) {
      EXPECT_EQ(mapped.error().code, errc::unsupported);
      return;
    }
    ASSERT_TRUE(mapped) << mapped.error().detail;
    log_ += "map\n";
    EXPECT_TRUE(mapped->verify());
    EXPECT_EQ(mapped->add(view(1)).error().code, errc::unsupported);
    EXPECT_TRUE(written(*mapped) == before);
    auto own = mapped->copy();
    ASSERT_TRUE(own) << own.error().detail;
    EXPECT_TRUE(written(*own) == before);
    now_->f = std::move(*own);
  }

  void convert() {
    const format_row& to = *formats()[random_.below(formats().size())];
    auto copied = f().copy();
    ASSERT_TRUE(copied) << copied.error().detail;
    EXPECT_TRUE(written(*copied) == written(f())) << "a copy differs";
    auto other = attempt("convert to " + std::string(to.name), [&] { return std::move(*copied).convert(to.name); });
    if (other) {
      check(*other);
    } else {
      now_->f = f().copy().value();
    }
  }

  void clear() {
    if (!attempt("clear", [&] { return f().clear(); })) return;
    now_->times.assign(universe, 0);
    now_->digests.clear();
  }

  void step() {
    const std::size_t what = random_.below(32);
    if (what < 9) return add_one();
    if (what < 13) return add_some();
    if (what < 17) return remove();
    if (what < 20) return combine(true);
    if (what < 21) return combine(false);
    if (what < 23) return through_a_file();
    if (what < 25) return convert();
    if (what < 26) return add_digest();
    if (what < 27) return random_.below(3) == 0 ? clear() : void();
    const double fpr = 0.001 * static_cast<double>(1 + random_.below(900));
    if (what < 28) return void(attempt("shrink to " + std::to_string(fpr), [&] { return f().shrink_to_fpr(fpr); }));
    if (what < 29) return void(attempt("advance", [&] { return f().advance(clock_ += random_.below(100)); }));
    log_ += "read again\n";
    now_->f = read_again(f());
  }

  void check(const any_filter& filter) {
    if (setup_.forgets) return;
    std::vector<bytes_view> present;
    std::vector<std::size_t> index;
    for (std::size_t i = 0; i < universe; ++i) {
      if (times(i) == 0) continue;
      present.push_back(view(i));
      index.push_back(i);
    }
    const auto answers = std::make_unique<bool[]>(universe);
    EXPECT_EQ(filter.may_contain_many(present, {answers.get(), present.size()}), present.size());
    for (std::size_t n = 0; n < present.size(); ++n) {
      EXPECT_TRUE(answers[n] && filter.may_contain(present[n])) << "key " << index[n] << " is denied";
      const auto counted = filter.count(present[n]);
      if (!counted) continue;
      EXPECT_GE(*counted, removes() ? std::min(times(index[n]), most_times) : 1u) << "key " << index[n];
    }
    for (const std::uint64_t each : now_->digests) {
      const auto there = filter.may_contain(digest(each));
      EXPECT_TRUE(!there || *there) << "a digest is denied";
    }
  }
  void check() { check(f()); }

  const setup& setup_;
  random_numbers random_;
  std::string path_, log_;
  std::uint64_t size_ = random_();  // which of the sizes; merged ones have the same
  std::uint64_t clock_ = 0;
  std::vector<bytes> keys_;
  bool is_integer_ = false, all_are_integers_ = false, removes_ = false;
  std::optional<modelled> now_;
};

// Runs sequences of every setup; returns how many of the setups there are filters of.
std::size_t run_all(const std::vector<setup>& setups) {
  const temp_dir dir;
  const std::size_t each = scaled(std::max<std::size_t>(2, 12 / setups.size()), 400);
  std::size_t made = 0;
  for (const setup& s : setups) {
    bool any = false;
    for (std::uint64_t n = 0; n < each; ++n) {
      const std::uint64_t seed = std::accumulate(s.name.begin(), s.name.end(), n, [](std::uint64_t sum, char c) {
        return sum * 1099511628211u + static_cast<unsigned char>(c);
      });
      sequence one(s, seed, dir);
      any = one.run(40) || any;
      if (::testing::Test::HasFailure()) {
        ADD_FAILURE() << s.name << ", seed " << seed << ":\n" << one.log();
        return made;
      }
    }
    made += any;
  }
  return made;
}

class kind_sequences : public ::testing::TestWithParam<const kind_row*> {};
class format_sequences : public ::testing::TestWithParam<const format_row*> {};

TEST_P(kind_sequences, lose_no_key_whatever_the_hash) {
  const kind_row& kind = *GetParam();
  std::vector<setup> setups;
  for (const detail::hash_name& hash : detail::hash_names) {
    const bool keyed = hash.id == hash_id::siphash_1_3 || hash.id == hash_id::siphash_2_4;
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{0x9e37'79b9'7f4a'7c15}}) {
      if (keyed && seed != 0) continue;
      setup s{.name = std::string(kind.kind.name) + " " + hash.name + " seed " + std::to_string(seed)};
      s.make = {.kind = std::string(kind.kind.name), .hash = hash.id, .seed = seed};
      s.open = {.format = std::string(formats()[0]->name)};
      if (keyed) {
        secret made;
        for (std::size_t i = 0; i < made.bytes.size(); ++i) made.bytes[i] = static_cast<std::byte>(i * 17);
        s.make.secret = s.open.secret = made;
      }
      s.is_static = kind.build != nullptr;
      s.forgets = kind.plan({.capacity = 1000, .fpr = 0.01})->can_forget;
      setups.push_back(std::move(s));
    }
  }
  EXPECT_GE(run_all(setups), detail::hash_names.size()) << "of " << setups.size() << " setups";
}

TEST_P(format_sequences, lose_no_key_whatever_the_variant_hash_and_key_type) {
  const format_row& format = *GetParam();
  const auto or_none = [](std::span<const std::string_view> names) {
    return names.empty() ? std::vector<std::string_view>{""} : std::vector(names.begin(), names.end());
  };
  std::vector<setup> setups;
  for (const std::string_view variant : or_none(format.variants)) {
    for (const std::string_view hash : or_none(format.hashes)) {
      for (const std::string_view keys : or_none(format.key_types)) {
        setup s{.name = std::string(format.name) + " " + std::string(variant) + " " + std::string(hash) + " " +
                        std::string(keys)};
        s.make = {.format = std::string(format.name), .variant = std::string(variant), .key_type = std::string(keys)};
        s.open = {.format = std::string(format.name), .hash = std::string(hash), .key_type = std::string(keys)};
        if (!hash.empty() && hash != format.hashes.front()) {
          const auto id = hash_id_from(hash);
          if (!id) continue;  // is read, and not made
          s.make.hash = *id;
        }
        if (format.can.seeds) s.make.seed = 5;
        s.is_static = format.build != nullptr;
        s.forgets = variant.starts_with("stable") || variant.starts_with("inverse");
        s.keeps_one = format.name == "pyprobables" && variant.starts_with("cuckoo");
        setups.push_back(std::move(s));
      }
    }
  }
  const std::size_t made = run_all(setups);
  const bool can_be_made = format.make != nullptr || format.build != nullptr;
  EXPECT_EQ(made != 0, can_be_made) << "of " << setups.size() << " setups";
}

std::vector<const kind_row*> all_kinds() {
  std::vector<const kind_row*> rows;
  for (const kind_row& each : kinds()) rows.push_back(&each);
  return rows;
}

template <class Row>
std::string in_name(const ::testing::TestParamInfo<const Row*>& info) {
  std::string name;
  if constexpr (std::is_same_v<Row, kind_row>) {
    name = info.param->kind.name;
  } else {
    name = info.param->name;
  }
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(all, kind_sequences, ::testing::ValuesIn(all_kinds()), in_name<kind_row>);
INSTANTIATE_TEST_SUITE_P(all, format_sequences, ::testing::ValuesIn(formats().begin() + 1, formats().end()),
                         in_name<format_row>);

}  // namespace
}  // namespace seen::testing
