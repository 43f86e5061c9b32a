// The filter whose kind is known at run time: what the command and the bindings see.
#include <seen/any_filter.hpp>
#include <seen/registry.hpp>

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "support/all_filters.hpp"
#include "support/error_code.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

any_filter made(const make_options& options) {
  auto f = any_filter::make(options);
  if (!f) throw bad_result(f.error());
  return std::move(*f);
}

TEST(registry, names_and_numbers_are_unique) {
  std::set<std::string_view> names;
  std::set<std::uint16_t> numbers;
  for (const kind_row& each : kinds()) {
    EXPECT_TRUE(names.insert(each.kind.name).second) << each.kind.name;
    EXPECT_TRUE(numbers.insert(each.kind.id).second) << each.kind.name;
    EXPECT_EQ(kind_name(each.kind.id), each.kind.name);  // a table of its own, for programs without the registry
    EXPECT_FALSE(each.summary.empty());
  }
  EXPECT_EQ(kind_name(0), "kind 0");
  EXPECT_EQ(kind_name(777), "kind 777");
  EXPECT_EQ(formats()[0]->name, "native");
}

// --- what makes no sense

std::vector<double> senseless_rates() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity, -1.0, -1e-300, 1.0, 5.0};
}

// The fields that a kind plans, some of them or all, are what a user might give beside a rate.
std::vector<std::vector<named_field>> shapes_of(const kind_row& kind) {
  const auto planned = kind.plan({.capacity = 100, .fpr = 0.01});
  std::vector<std::vector<named_field>> shapes{{}};
  if (!planned) return shapes;
  for (const named_field& each : planned->shape) shapes.push_back({each});
  for (std::size_t i = 1; i < planned->shape.size(); ++i) {
    shapes.emplace_back(planned->shape.end() - static_cast<std::ptrdiff_t>(i + 1), planned->shape.end());
  }
  return shapes;
}

// Every filter that is made can be written, and every file that is written can be read, with the same content.
void expect_kept(const any_filter& f, const std::string& which) {
  const auto bytes = f.to_bytes();
  ASSERT_TRUE(bytes) << which << bytes.error().detail;
  const auto again = any_filter::from_bytes(*bytes, {.format = std::string(f.format())});
  ASSERT_TRUE(again) << which << again.error().detail;
}

TEST(any_filter_make, refuses_a_senseless_rate_whatever_the_shape) {
  for (const kind_row& kind : kinds()) {
    for (const auto& shape : shapes_of(kind)) {
      for (const std::uint64_t capacity : {0u, 100u}) {
        for (const double fpr : senseless_rates()) {
          const make_options options{
              .kind = std::string(kind.kind.name), .target = {.capacity = capacity, .fpr = fpr}, .shape = shape};
          const errc code =
              kind.build == nullptr ? code_of(any_filter::make(options)) : code_of(any_builder::make(options));
          EXPECT_EQ(code, errc::invalid_argument) << kind.kind.name << " " << fpr << " " << shape.size();
        }
      }
    }
  }
  for (const format_row* format : formats()) {
    for (const double fpr : senseless_rates()) {
      for (const auto& shape : {std::vector<named_field>{}, {{"bits", 640}, {"probes", 3}}}) {
        const make_options options{.target = {.capacity = shape.empty() ? 100u : 0u, .fpr = fpr},
                                   .shape = shape,
                                   .format = std::string(format->name)};
        if (format->make != nullptr) {
          EXPECT_EQ(code_of(any_filter::make(options)), errc::invalid_argument) << format->name << " " << fpr;
        }
        if (format->build != nullptr) {
          EXPECT_FALSE(any_builder::make(options)) << format->name << " " << fpr;
        }
      }
    }
  }
}

TEST(any_filter_make, gives_what_can_be_written_and_read_at_any_capacity_and_rate_or_refuses) {
  for (const kind_row& kind : kinds()) {
    if (kind.build != nullptr) continue;
    for (const auto& shape : shapes_of(kind)) {
      for (const std::uint64_t capacity :
           {std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
        for (const double fpr : {0.0, 5e-324, 1e-19, 1e-5, 0.5, std::nextafter(1.0, 0.0)}) {
          const auto made = any_filter::make(
              {.kind = std::string(kind.kind.name), .target = {.capacity = capacity, .fpr = fpr}, .shape = shape});
          if (made) expect_kept(*made, std::string(kind.kind.name) + ": ");
        }
      }
    }
  }
}

TEST(registry, an_unknown_name_lists_the_known_ones) {
  const std::string message = find_kind("blom").error().detail;
  EXPECT_TRUE(message.starts_with("no kind blom; there are blocked-bloom, bloom, ")) << message;
  for (const kind_row& each : kinds()) {
    EXPECT_NE(message.find(std::string(" ").append(each.kind.name)), std::string::npos) << message;
  }
  const std::string about_formats = find_format("guava2").error().detail;
  EXPECT_TRUE(about_formats.starts_with("no format guava2; there are native, ")) << about_formats;
  for (const format_row* const each : formats()) {
    EXPECT_NE(about_formats.find(std::string(" ").append(each->name)), std::string::npos) << about_formats;
  }
}

// Empty and added to, or built at once: whatever the kind is.
any_filter filled(const kind_row& kind, std::span<const bytes_view> keys, std::uint64_t one_more) {
  const make_options options{.kind = std::string(kind.kind.name), .target = {.capacity = 1000, .fpr = 0.01}};
  if (kind.build != nullptr) {
    auto b = any_builder::make(options).value();
    EXPECT_TRUE(b.add_many(keys));
    EXPECT_TRUE(b.add(one_more));
    return std::move(b).finish().value();
  }
  any_filter f = made(options);
  EXPECT_TRUE(f.add_many(keys));
  EXPECT_TRUE(f.add(one_more));
  return f;
}

TEST(any_filter, every_kind_can_be_made_filled_asked_and_saved) {
  for (const kind_row& each : kinds()) {
    std::vector<std::string> keys;
    std::vector<bytes_view> views;
    for (std::uint64_t i = 0; i < 1000; ++i) keys.push_back(sample_key(i));
    for (const auto& key : keys) views.push_back(std::as_bytes(std::span(key)));
    any_filter f = filled(each, views, 42);
    EXPECT_TRUE(f.may_contain(42));
    EXPECT_TRUE(f.may_contain(std::string_view("\x2a\0\0\0\0\0\0\0", 8))) << "an integer is its 8 bytes";
    const auto out = std::make_unique<bool[]>(views.size());
    EXPECT_EQ(f.may_contain_many(views, {out.get(), views.size()}), views.size());
    f.set_metadata("mine");
    const auto again = any_filter::from_bytes(*f.to_bytes());
    ASSERT_TRUE(again) << again.error().detail;
    EXPECT_EQ(again->kind(), each.kind.name);
    EXPECT_EQ(again->metadata(), "mine");
    EXPECT_EQ(*again->to_bytes(), *f.to_bytes());
    const filter_info info = again->info();
    EXPECT_EQ(info.shape.size(), each.field_names.size());
    EXPECT_EQ(info.target, (target{.capacity = each.build == nullptr ? 1000u : 1001u, .fpr = 0.01}));
    EXPECT_TRUE(info.origin.verified);
    EXPECT_NEAR(info.keys, 1001, 60);
  }
}

TEST(any_builder, refuses_what_is_not_built_at_once) {
  EXPECT_EQ(any_builder::make({.kind = "bloom", .target = {.fpr = 0.01}}).error().detail,
            "build: a bloom filter is made empty and added to, not built at once");
  EXPECT_EQ(any_builder::make({.kind = "ribbon", .target = {.fpr = 0.01}, .format = "portable"}).error().code,
            errc::unsupported);
  EXPECT_EQ(any_builder::make({.kind = "none", .target = {.fpr = 0.01}}).error().code, errc::invalid_argument);
  EXPECT_EQ(any_builder::make({.kind = "ribbon", .target = {.fpr = 2}}).error().code, errc::invalid_argument);
  EXPECT_EQ(any_builder::make({.kind = "ribbon", .target = {.fpr = 0.01}, .shape = {{"slots-9", 1}}}).error().detail,
            "ribbon has no field slots-9 in its shape");
}

TEST(any_filter, what_a_kind_cannot_do_is_an_error_that_says_so) {
  any_filter f = made({.kind = "bloom", .target = {.capacity = 10, .fpr = 0.01}});
  ASSERT_TRUE(f.add("alice"));
  const auto before = *f.to_bytes();
  const auto removed = f.remove("alice");
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().code, errc::unsupported);
  EXPECT_EQ(removed.error().detail, "remove: a bloom filter cannot do that");
  EXPECT_EQ(*f.to_bytes(), before);
}

TEST(any_filter, two_kinds_or_formats_are_not_combined) {
  any_filter f = made({.kind = "bloom", .shape = {{"bits", 700}, {"probes", 7}}});
  const any_filter sliced = made({.kind = "partitioned-bloom", .shape = {{"bits", 700}, {"probes", 7}}});
  const any_filter portable = made({.shape = {{"bits", 700}, {"probes", 7}}, .format = "portable"});
  EXPECT_EQ(f.merge(sliced).error().detail,
            "merge: kinds differ: bloom (native) here, partitioned-bloom (native) there");
  EXPECT_EQ(f.intersect(portable).error().detail,
            "intersect: kinds differ: bloom (native) here, bloom (portable) there");
  EXPECT_TRUE(f.merge(made({.kind = "bloom", .shape = {{"bits", 700}, {"probes", 7}}})));
}

TEST(any_filter, wrong_fields_are_named) {
  const auto message = [](std::vector<named_field> fields) {
    return any_filter::make({.kind = "bloom", .shape = std::move(fields)}).error().detail;
  };
  EXPECT_EQ(message({{"bits", 100}}), "bloom needs probes too");
  EXPECT_EQ(message({{"bits", 100}, {"probes", 3}, {"slots", 4}}), "bloom has no field slots in its shape");
  EXPECT_EQ(message({{"bits", 100}, {"probes", 300}}), "probes is 300; it must be from 1 to 30");
  EXPECT_EQ(any_filter::make({.hash = hash_id::xxh64, .format = "portable"}).error().code, errc::invalid_argument);
}

TEST(any_filter, foreign_filters_whose_keys_differ_are_not_combined) {
  const auto made = [](const char* format, const char* keys) {
    return any_filter::make({.target = {.capacity = 100, .fpr = 0.01}, .format = format, .key_type = keys}).value();
  };
  for (const auto& [format, here, there] :
       {std::tuple("guava", "int", "long"), std::tuple("guava", "utf16", "bytes"),
        std::tuple("datasketches", "long", "double"), std::tuple("rust-bloomfilter", "bytes", "str")}) {
    auto f = made(format, here);
    EXPECT_EQ(code_of(f.merge(made(format, there))), errc::incompatible) << format;
    EXPECT_TRUE(f.merge(made(format, here))) << format;
  }
}

TEST(any_filter, fields_beside_a_target_are_refused_where_the_kind_takes_no_wishes) {
  const auto made =
      any_filter::make({.kind = "bloom", .target = {.capacity = 10, .fpr = 0.01}, .shape = {{"probes", 3}}});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().detail, "bloom takes either a capacity and a rate or its whole shape: bits, probes");
}

TEST(any_filter, a_foldable_size_has_many_divisors) {
  for (const kind_row& kind : kinds()) {
    const target asked{.capacity = 10'000, .fpr = 0.01};
    const auto plan = kind.plan(asked);
    ASSERT_TRUE(plan) << plan.error().detail;
    if (!plan->can_add) continue;
    const any_filter planned = made({.kind = std::string(kind.kind.name), .target = asked});
    any_filter large = made({.kind = std::string(kind.kind.name), .target = asked, .foldable = true});
    EXPECT_EQ(large.info().bytes > planned.info().bytes, plan->can_shrink) << kind.kind.name;
    if (!plan->can_shrink) continue;
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(large.add(i));
    ASSERT_TRUE(large.shrink_to_fpr(0.01)) << kind.kind.name;
    // Divisors of 5040 lie at most a factor of 2 apart.
    EXPECT_LE(large.info().bytes, 2 * planned.info().bytes / 10 + 64) << kind.kind.name;
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(large.may_contain(i)) << kind.kind.name;
  }
}

TEST(any_filter, digests_work_where_the_format_has_them) {
  any_filter f = made({.target = {.capacity = 100, .fpr = 1e-6}});
  ASSERT_TRUE(f.add(digest(7)));
  EXPECT_TRUE(*f.may_contain(digest(7)));
  EXPECT_FALSE(*f.may_contain(digest(8)));
  EXPECT_FALSE(*f.test_and_add("alice"));
  EXPECT_TRUE(*f.test_and_add("alice"));
  ASSERT_TRUE(f.clear());
  EXPECT_FALSE(f.may_contain("alice"));
}

TEST(any_filter, wraps_a_filter_of_a_known_type) {
  any_filter f(sample_of<bloom>(100));
  EXPECT_TRUE(f.may_contain(sample_key(7)));
  any_filter moved = std::move(f);
  f = std::move(moved);
  EXPECT_TRUE(f.may_contain(sample_key(7)));
  EXPECT_EQ(f.kind(), "bloom");
}

TEST(any_filter, a_page_aligned_file_stays_so) {
  const any_filter f = made({.target = {.capacity = 100, .fpr = 0.01}});
  const auto aligned = any_filter::from_bytes(*f.to_bytes({.alignment = 4096}));
  ASSERT_TRUE(aligned) << aligned.error().detail;
  EXPECT_EQ(aligned->to_bytes()->size(), f.to_bytes({.alignment = 4096})->size());
  EXPECT_GT(aligned->to_bytes()->size(), f.to_bytes()->size());
  EXPECT_EQ(aligned->to_bytes({.alignment = 64}).value(), f.to_bytes().value()) << "unless that is asked for";
}

TEST(any_filter, what_a_file_holds_beside_its_bits_can_be_left_out_of_the_next) {
  const make_options options{
      .kind = "bloom", .target = {.capacity = 100, .fpr = 0.01}, .hash = hash_id::siphash_1_3, .secret = secret{}};
  const any_filter f = made(options);
  const auto plain = f.to_bytes().value();
  const auto stored = any_filter::from_bytes(f.to_bytes({.store_secret = true, .metadata = "mine"}).value()).value();
  EXPECT_EQ(stored.to_bytes().value(), f.to_bytes({.metadata = "mine"}).value());
  EXPECT_EQ(stored.to_bytes({.store_secret = true}).value(),
            f.to_bytes({.store_secret = true, .metadata = "mine"}).value());
  EXPECT_EQ(stored.to_bytes({.store_secret = false, .metadata = ""}).value(), plain);
}

TEST(any_filter, a_secret_goes_to_another_file_only_when_asked_for) {
  const temp_dir dir;
  const auto keyed = [](std::byte each) {
    make_options options{.kind = "bloom", .shape = {{"bits", 50'400}, {"probes", 5}}, .hash = hash_id::siphash_1_3};
    options.secret.emplace().bytes.fill(each);
    return options;
  };
  const auto stores = [&](const std::string& path) { return any_filter::inspect(path).value().origin.secret_stored; };
  any_filter f = made(keyed(std::byte{7}));
  ASSERT_TRUE(f.add("alice"));
  ASSERT_TRUE(f.save(dir / "stored", {.store_secret = true}));
  ASSERT_TRUE(f.save(dir / "plain"));
  ASSERT_TRUE(made(keyed(std::byte{9})).save(dir / "other", {.store_secret = true}));
  const auto opened = [&] { return any_filter::load(dir / "stored").value(); };

  std::vector<any_filter> filters;
  filters.push_back(opened());
  filters.push_back(opened().copy().value());
  filters.push_back(any_filter::map(dir / "stored").value());
  filters.push_back(any_filter::map(dir / "stored").value().copy().value());
  filters.push_back(opened().convert("native").value());
  filters.push_back(opened());
  ASSERT_TRUE(filters.back().merge(f));
  filters.push_back(opened());
  ASSERT_TRUE(filters.back().intersect(f));
  filters.push_back(opened());
  ASSERT_TRUE(filters.back().shrink_to_fpr(0.5));
  for (std::size_t i = 0; i < filters.size(); ++i) {
    SCOPED_TRACE(i);
    for (const char* name : {"new", "plain", "other"}) {
      ASSERT_TRUE(filters[i].save(dir / name));
      EXPECT_FALSE(stores(dir / name)) << name;
    }
    EXPECT_EQ(code_of(any_filter::from_bytes(filters[i].to_bytes().value())), errc::secret_required);
    EXPECT_TRUE(any_filter::from_bytes(filters[i].to_bytes({.store_secret = true}).value()));
    // The same file: whoever opens it may have the secret from nowhere else.
    ASSERT_TRUE(filters[i].save(dir / "stored"));
    EXPECT_TRUE(stores(dir / "stored"));
    ASSERT_TRUE(f.save(dir / "stored"));  // nor does it matter where the filter comes from
    EXPECT_TRUE(stores(dir / "stored"));
    ASSERT_TRUE(made(keyed(std::byte{9})).save(dir / "other", {.store_secret = true}));
  }
  const any_filter last = opened();
  std::filesystem::create_symlink(dir / "stored", dir / "link");
  ASSERT_TRUE(last.save(dir / "link"));
  EXPECT_TRUE(stores(dir / "stored")) << "by another name";
  ASSERT_TRUE(last.save(dir / "stored", {.store_secret = false}));
  EXPECT_FALSE(stores(dir / "stored"));
  ASSERT_TRUE(last.save(dir / "stored"));
  EXPECT_FALSE(stores(dir / "stored")) << "gone is gone";
}

TEST(any_filter, what_is_no_number_is_no_key_where_keys_are_numbers) {
  const auto of_length = [](std::size_t length) { return std::vector<std::byte>(length, std::byte{1}); };
  const auto check = [&](any_filter f, std::vector<std::size_t> lengths) {
    SCOPED_TRACE(std::string(f.format()) + " " + f.origin().variant);
    ASSERT_FALSE(lengths.empty());
    const auto before = f.to_bytes().value();
    for (std::size_t length = 0; length <= 20; ++length) {
      if (std::find(lengths.begin(), lengths.end(), length) != lengths.end()) {
        EXPECT_TRUE(f.origin().accepts.takes(of_length(length)));
        EXPECT_FALSE(f.may_contain(bytes_view(of_length(length)))) << length;
        continue;
      }
      const auto none = of_length(length), good = of_length(lengths.front());
      EXPECT_FALSE(f.origin().accepts.takes(none));
      // Whoever asks so has some number in mind: a no would be wrong.
      EXPECT_TRUE(f.may_contain(bytes_view(none))) << length;
      const std::vector<bytes_view> batch{good, none, good, none};
      const auto answers = std::make_unique<bool[]>(4);
      EXPECT_EQ(f.may_contain_many(batch, {answers.get(), 4}), 2u);
      EXPECT_TRUE(!answers[0] && answers[1] && !answers[2] && answers[3]);
      std::vector<std::uint64_t> bitmap(1), selected(4);
      EXPECT_EQ(f.may_contain_bitmap(batch, bitmap), 2u);
      EXPECT_EQ(bitmap[0], 10u);
      EXPECT_EQ(f.select(batch, selected), 2u);
      // Whatever can say so says so, and changes nothing.
      EXPECT_EQ(code_of(f.add(bytes_view(none))), errc::invalid_argument);
      EXPECT_EQ(code_of(f.test_and_add(bytes_view(none))), errc::invalid_argument);
      EXPECT_EQ(code_of(f.remove(bytes_view(none))), errc::invalid_argument);
      EXPECT_EQ(code_of(f.count(bytes_view(none))), errc::invalid_argument);
      const auto refused = f.add_many(batch);
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, errc::invalid_argument);
      EXPECT_EQ(refused.error().detail.find("add: key 1 of these has " + std::to_string(length) + " byte"), 0u)
          << refused.error().detail;
      EXPECT_TRUE(f.to_bytes().value() == before);
    }
  };
  const auto empty = [](std::string format, std::string keys) {
    return made({.target = {.capacity = 100, .fpr = 0.01}, .format = std::move(format), .key_type = std::move(keys)});
  };
  check(empty("guava", "long"), {8});
  check(empty("guava", "int"), {8, 4});
  check(empty("spark", "long"), {8});
  check(empty("datasketches", "double"), {8});
  check(empty("parquet", "int32"), {8, 4});
  check(empty("parquet", "float"), {8, 4});
  check(empty("parquet", "int64"), {8});
  for (const char* format : {"xorfilter-go", "xor-singleheader"}) {
    any_builder b = any_builder::make({.target = {.fpr = 0.004}, .format = format}).value();
    for (std::uint64_t i = 0; i < 100; ++i) ASSERT_TRUE(b.add(i));
    check(std::move(b).finish().value(), {8});
  }
}

TEST(any_filter, a_foreign_file_takes_no_metadata_and_no_alignment) {
  const any_filter f = made({.target = {.capacity = 100, .fpr = 0.01}, .format = "guava"});
  EXPECT_EQ(code_of(f.to_bytes({.metadata = "mine"})), errc::unsupported);
  EXPECT_EQ(code_of(f.to_bytes({.alignment = 4096})), errc::unsupported);
  EXPECT_TRUE(f.to_bytes({.alignment = 64, .metadata = ""}));
}

}  // namespace
}  // namespace seen::testing
