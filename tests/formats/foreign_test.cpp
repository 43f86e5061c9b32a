// Every file of another library that is kept here: answers exactly as the library's own, one by one and in batches;
// adding; writing it back byte for byte; making it again from the same keys.
#include <seen/registry.hpp>

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "support/error_code.hpp"
#include "support/foreign_vectors.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

// One test per format and question, over all files of the format.
class foreign : public ::testing::TestWithParam<std::string> {
 protected:
  template <class Check>
  static void for_each_file(Check check) {
    for (const foreign_vector& v : foreign_vectors(GetParam())) {
      SCOPED_TRACE(vector_name(v));
      check(v);
    }
  }
  [[nodiscard]] static any_filter opened(const foreign_vector& v) {
    auto f = any_filter::load(v.path, v.options());
    if (!f) throw std::runtime_error(f.error().detail);
    return std::move(*f);
  }
};
INSTANTIATE_TEST_SUITE_P(all, foreign, ::testing::ValuesIn(foreign_formats()), format_in_name);

void check_answers(const any_filter& f, const expected_answers& expected) {
  std::vector<std::string> keys;
  std::vector<bool> answers;
  const auto expect = [&](const std::string& key, bool answer) {
    keys.push_back(key);
    answers.push_back(answer);
  };
  for (const auto& key : expected.present) expect(key, true);
  for (const auto& key : expected.refused) expect(key, false);
  for (const auto& [key, answer] : expected.others) expect(key, answer);
  std::vector<bytes_view> views;
  for (const auto& key : keys) views.push_back(std::as_bytes(std::span(key)));
  const auto batch = std::make_unique<bool[]>(keys.size());
  const std::size_t found = f.may_contain_many(views, {batch.get(), keys.size()});
  EXPECT_EQ(found, static_cast<std::size_t>(std::count(answers.begin(), answers.end(), true)));
  std::vector<std::uint64_t> bitmap(keys.size() / 64 + 1);
  EXPECT_EQ(f.may_contain_bitmap(views, bitmap), found);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(f.may_contain(keys[i]), answers[i]) << "key " << i << ": " << keys[i];
    ASSERT_EQ(batch[i], answers[i]) << "key " << i << " in a batch";
    ASSERT_EQ((bitmap[i / 64] >> (i % 64) & 1) != 0, answers[i]) << "key " << i << " in a bitmap";
  }
}

TEST_P(foreign, answers_as_the_library_itself_does) {
  for_each_file([](const foreign_vector& v) {
    const auto f = opened(v);
    EXPECT_EQ(f.format(), v.format);
    check_answers(f, read_answers(v.path));
    const filter_info info = f.info();
    EXPECT_EQ(info.format, v.format);
    EXPECT_FALSE(info.kind.empty());
    EXPECT_EQ(info.origin.file_bytes, read_bytes(v.path).size());
  });
}

TEST_P(foreign, integers_in_a_batch_are_their_eight_bytes) {
  for_each_file([](const foreign_vector& v) {
    auto f = opened(v), g = opened(v);
    std::vector<std::uint64_t> integers;
    std::vector<std::string> keys;
    for (std::uint64_t i = 0; i < 300; ++i) {
      integers.push_back(i < 100 ? i : i * 0x9e37'79b9'7f4a'7c15);
      keys.push_back(as_bytes_of(integers.back()));
    }
    std::vector<bytes_view> views;
    for (const auto& key : keys) views.push_back(std::as_bytes(std::span(key)));
    std::array<bool, 300> of_integers{}, of_bytes{};
    f.may_contain_many(integers, of_integers);
    f.may_contain_many(views, of_bytes);
    EXPECT_EQ(of_integers, of_bytes);
    const auto put = f.add_many(std::span<const std::uint64_t>(integers).first(20));
    ASSERT_EQ(code_of(put), code_of(g.add_many(std::span<const bytes_view>(views).first(20))));
    if (!put) return;
    const std::size_t found = f.may_contain_many(integers, of_integers);
    EXPECT_EQ(f.may_contain_many(views, of_bytes), found);
    EXPECT_EQ(of_integers, of_bytes);
    const bool keeps_all = !v.entry.value("loses", false) && f.info().origin.accepts != key_form::int32;
    if (keeps_all) {
      EXPECT_TRUE(std::all_of(of_integers.begin(), of_integers.begin() + 20, [](bool yes) { return yes; }));
    }
    if (v.entry["writes"] == "no") return;
    const auto written = f.to_bytes(), same = g.to_bytes();
    ASSERT_TRUE(written && same);
    EXPECT_EQ(*written, *same);
  });
}

TEST_P(foreign, is_detected_as_what_it_is_or_named_among_the_candidates) {
  for_each_file([](const foreign_vector& v) {
    const byte_vector bytes = read_bytes(v.path);
    const auto& row = **find_format(v.format);
    const detection found = row.detect(source::of(bytes));
    constexpr const char* names[] = {"no", "possible", "fitting", "likely", "certain"};
    EXPECT_EQ(names[static_cast<std::size_t>(found)], v.entry["detected"].get<std::string>());
    open_options unnamed = v.options();
    unnamed.format.clear();
    const auto opened = any_filter::from_bytes(bytes, unnamed);
    if (found >= detection::likely || v.entry.contains("unnamed")) {
      ASSERT_TRUE(opened) << opened.error().detail;
      EXPECT_EQ(opened->format(), v.entry.value("unnamed", v.format));
      // A format that leaves its hash or its keys open is proven only if they are given, or if the file says them.
      const bool open =
          (row.hashes.size() > 1 && unnamed.hash.empty()) || (row.key_types.size() > 1 && unnamed.key_type.empty());
      const bool told = !open || opened->origin().variant == "file";
      EXPECT_EQ(opened->origin().recognised,
                found == detection::certain && told ? recognition::proven : recognition::guessed);
    } else {
      ASSERT_FALSE(opened) << "as " << opened->format();
      EXPECT_EQ(opened.error().code, errc::not_recognised);
      EXPECT_EQ(opened.error().detail.find(v.format) != std::string::npos, found != detection::no)
          << opened.error().detail;
    }
  });
}

TEST_P(foreign, is_written_back_as_its_entry_says) {
  for_each_file([](const foreign_vector& v) {
    const std::string writes = v.entry["writes"];
    const auto f = opened(v);
    const auto bytes = f.to_bytes();
    if (writes == "no") {
      EXPECT_EQ(code_of(bytes), errc::unsupported);
      return;
    }
    ASSERT_TRUE(bytes) << bytes.error().detail;
    if (writes == "same") {
      ASSERT_EQ(*bytes, read_bytes(v.path));
    } else {
      ASSERT_EQ(writes, "again");
    }
    const auto back = any_filter::from_bytes(*bytes, v.options());
    ASSERT_TRUE(back) << back.error().detail;
    check_answers(*back, read_answers(v.path));
  });
}

TEST_P(foreign, takes_more_keys_and_loses_none) {
  for_each_file([](const foreign_vector& v) {
    auto f = opened(v);
    if (!v.entry.value("adds", true)) {
      EXPECT_EQ(code_of(f.add(1'000'003)), errc::unsupported);
      return;
    }
    const auto before = read_answers(v.path);
    std::vector<std::string> ours;
    for (int i = 0; i < 20; ++i) ours.push_back("a key of ours " + std::to_string(i));
    if (f.info().origin.accepts != key_form::bytes) {
      for (std::size_t i = 0; i < ours.size(); ++i) ours[i] = as_bytes_of(1'000'003 * i);
    }
    std::size_t added = 0;
    for (; added < ours.size(); ++added) {
      const auto put = f.add(ours[added]);
      if (put) continue;
      ASSERT_EQ(put.error().code, errc::full) << put.error().detail;
      break;
    }
    ours.resize(added);
    const auto check = [&](const any_filter& now) {
      if (v.entry.value("loses", false)) return;
      for (const auto& key : before.present) ASSERT_TRUE(now.may_contain(key)) << key;
      for (const auto& key : ours) ASSERT_TRUE(now.may_contain(key)) << key;
    };
    check(f);
    if (v.entry["writes"] == "no") return;
    const temp_dir dir;
    const auto saved = f.save(dir / "more");
    ASSERT_TRUE(saved) << saved.error().detail;
    const auto back = any_filter::load(dir / "more", v.options());
    ASSERT_TRUE(back) << back.error().detail;
    check(*back);
    EXPECT_EQ(back->to_bytes().value(), f.to_bytes().value());
  });
}

TEST_P(foreign, the_same_keys_make_the_same_bytes) {
  for_each_file([](const foreign_vector& v) {
    const json& entry = v.entry;
    if (!entry.contains("make")) return;
    const json& how = entry["make"];
    make_options options{.kind = how.value("kind", ""),
                         .target = {.capacity = how.value("capacity", std::uint64_t{0}), .fpr = how.value("fpr", 0.01)},
                         .seed = how.value("seed", std::uint64_t{0}),
                         .format = v.format,
                         .variant = how.value("variant", ""),
                         .key_type = entry.value("keys", "")};
    if (how.contains("shape")) {
      for (const auto& [name, value] : how["shape"].items()) {
        options.shape.push_back(value.is_number_integer() ? named_field{name, value.get<std::uint64_t>()}
                                                          : named_field::real(name, value.get<double>()));
      }
    }
    const auto expected = read_answers(v.path);
    std::vector<bytes_view> views;
    for (const auto& key : expected.present) views.push_back(std::as_bytes(std::span(key)));
    for (const bool batch : {false, true}) {
      const auto add_all = [&](auto& to) {
        if (batch) {
          ASSERT_TRUE(to.add_many(views));
        } else {
          for (const bytes_view key : views) ASSERT_TRUE(to.add(key));
        }
      };
      if ((*find_format(v.format))->build != nullptr) {
        auto b = any_builder::make(options);
        ASSERT_TRUE(b) << b.error().detail;
        add_all(*b);
        EXPECT_EQ(std::move(*b).finish()->to_bytes().value(), read_bytes(v.path));
      } else {
        auto f = any_filter::make(options);
        ASSERT_TRUE(f) << f.error().detail;
        add_all(*f);
        EXPECT_EQ(f->to_bytes().value(), read_bytes(v.path));
      }
    }
  });
}

TEST_P(foreign, options_that_mean_nothing_to_it_are_refused_and_so_is_a_file_beyond_the_limit) {
  for_each_file([](const foreign_vector& v) {
    open_options options = v.options();
    options.hash = "no such hash";
    EXPECT_EQ(code_of(any_filter::load(v.path, options)), errc::invalid_argument);
    options = v.options();
    options.key_type = "no such keys";
    EXPECT_EQ(code_of(any_filter::load(v.path, options)), errc::invalid_argument);
    if (!(*find_format(v.format))->can.parts) {
      options = v.options();
      options.part = "1";
      EXPECT_EQ(code_of(any_filter::load(v.path, options)), errc::invalid_argument);
    }
    options = v.options();
    options.variant = "no such variant";
    EXPECT_EQ(code_of(any_filter::load(v.path, options)), errc::invalid_argument);
    options = v.options();
    options.max_bytes = read_bytes(v.path).size();
    EXPECT_TRUE(any_filter::load(v.path, options));
    --options.max_bytes;
    EXPECT_EQ(code_of(any_filter::load(v.path, options)), errc::too_large);
  });
}

TEST_P(foreign, every_cut_is_refused_or_opens_as_something_that_works) {
  for_each_file([](const foreign_vector& v) {
    const byte_vector bytes = read_bytes(v.path);
    const std::size_t step = std::max<std::size_t>(1, bytes.size() / 500);
    for (std::size_t size = 0; size < bytes.size(); size += size < 100 ? 1 : step) {
      const auto cut = any_filter::from_bytes(bytes_view(bytes).first(size), v.options());
      if (cut) (void)cut->may_contain("alice");
    }
  });
}

TEST(foreign_files, every_format_but_the_native_one_has_vectors) {
  for (const format_row* const row : formats()) {
    if (row->name == "native") continue;
    EXPECT_FALSE(foreign_vectors(std::string(row->name)).empty())
        << row->name << " has no file in tests/golden/; support/foreign_vectors.hpp says what belongs there";
  }
}

}  // namespace
}  // namespace seen::testing
