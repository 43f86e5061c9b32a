// Tests what cannot be made, grown, converted or written in another library's format, and must be said so: wishes.tsv
// has the parameters, one row each; here is what no row can say.
#include <seen/registry.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "support/error_code.hpp"
#include "support/foreign_vectors.hpp"
#include "support/lies.hpp"

namespace seen::testing {
namespace {

const std::filesystem::path tests = SEEN_TEST_DATA;

struct wish {
  std::size_t line = 0;
  std::string what, error, words;
  make_options options;
};

make_options options_in(const std::string& text) {
  make_options made;
  for (const std::string& each : pieces_of(text, " ")) {
    const std::size_t mark = each.find('=');
    const std::string name = each.substr(0, mark), value = each.substr(mark + 1);
    if (name == "capacity") {
      made.target.capacity = number_of(value);
    } else if (name == "fpr") {
      made.target.fpr = std::stod(value);
    } else if (name == "seed") {
      made.seed = number_of(value);
    } else if (name == "kind" || name == "variant") {
      (name == "kind" ? made.kind : made.variant) = value;
    } else {
      made.shape.push_back(value.find('.') == std::string::npos ? named_field{name, number_of(value)}
                                                                : named_field::real(name, std::stod(value)));
    }
  }
  return made;
}

std::vector<wish> wishes_of(const std::string& format) {
  std::vector<wish> wishes;
  std::ifstream in(tests / "formats/wishes.tsv");
  std::string text;
  for (std::size_t line = 1; std::getline(in, text); ++line) {
    const auto cells = pieces_of(text, "\t");
    if (cells.size() != 5 || cells[1] != format) continue;
    wishes.push_back({line, cells[0], cells[3], cells[4], options_in(cells[2])});
    wishes.back().options.format = format;
  }
  return wishes;
}

class wishes : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(of, wishes, ::testing::ValuesIn(foreign_formats()), format_in_name);

TEST_P(wishes, beyond_what_the_format_can_hold_are_refused_and_the_last_within_it_is_not) {
  const std::vector<wish> all = wishes_of(GetParam());
  EXPECT_EQ(all.empty(), (*find_format(GetParam()))->make == nullptr)
      << "tests/formats/wishes.tsv has rows of every format that can be made empty, and of no other";
  for (const wish& each : all) {
    SCOPED_TRACE("line " + std::to_string(each.line) + ": " + each.what);
    const auto made = any_filter::make(each.options);
    EXPECT_STREQ(made ? "none" : name_of(made.error().code), each.error.c_str()) << (made ? "" : made.error().detail);
    if (!made && each.error != "none") {
      EXPECT_NE(made.error().detail.find(each.words), std::string::npos)
          << "said: " << made.error().detail << "\nand not: " << each.words;
    }
  }
}

TEST_P(wishes, that_the_format_knows_nothing_of_are_refused) {
  const format_row& row = **find_format(GetParam());
  const auto code = [&](auto change) {
    make_options options{.target = {.capacity = 1000, .fpr = 0.01}, .format = GetParam()};
    change(options);
    return row.make == nullptr ? code_of(any_builder::make(options)) : code_of(any_filter::make(options));
  };
  EXPECT_EQ(code([](make_options&) {}), success);
  EXPECT_EQ(code([](make_options& o) { o.kind = "quotient"; }), errc::unsupported);
  EXPECT_EQ(code([](make_options& o) { o.secret = secret{}; }), errc::unsupported);
  EXPECT_EQ(code([](make_options& o) { o.hash = hash_id::lookup3; }), errc::invalid_argument);
  EXPECT_EQ(code([](make_options& o) { o.variant = "no-such-variant"; }), errc::invalid_argument);
  EXPECT_EQ(code([](make_options& o) { o.key_type = "no-such-keys"; }), errc::invalid_argument);
  EXPECT_EQ(code([](make_options& o) {
              o.shape = {{"no-such-field", 1}};
            }),
            GetParam() == "libbloom" ? errc::unsupported : errc::invalid_argument);
  const errc with_seed = code([](make_options& o) { o.seed = 1; });
  EXPECT_TRUE(row.can.seeds || with_seed == errc::unsupported) << with_seed;
}

// --- writing

// The disk may be full for one piece and not for the next: the file lacks that piece all the same.
TEST_P(wishes, to_write_are_not_granted_where_one_piece_was_refused) {
  const format_row& row = **find_format(GetParam());
  if (row.make == nullptr) return;
  for (const std::string_view variant : row.variants.empty() ? std::vector<std::string_view>{""}
                                                             : std::vector(row.variants.begin(), row.variants.end())) {
    make_options options{.target = {.capacity = 100'000, .fpr = 0.001}, .format = GetParam()};
    options.variant = variant;
    const auto f = any_filter::make(options);
    ASSERT_TRUE(f) << f.error().detail;
    std::size_t pieces = 0;
    ASSERT_TRUE(f->write_to([&](bytes_view) -> result<void> { return ++pieces, result<void>(); }));
    for (std::size_t bad = 0; bad < std::min<std::size_t>(pieces, 3); ++bad) {
      std::size_t piece = 0;
      const auto written = f->write_to([&](bytes_view) -> result<void> {
        return piece++ == bad ? result<void>(errc::io, "no room") : result<void>();
      });
      EXPECT_EQ(code_of(written), errc::io) << variant << ", piece " << bad << " of " << pieces;
    }
  }
}

// --- growing

// What adding says to a file of the kit that is full, or nearly, and lies about how it grows.
errc grown(const std::string& kit_case, const std::string& format, const std::string& edits) {
  const lie row{format, 0, "", "kit:" + kit_case, "", edits, "", ""};
  auto f = any_filter::from_bytes(told(base_of(row, tests), row), {.format = format}).value();
  result<void> put;
  for (int i = 0; put && i < 400; ++i) put = f.add("stranger " + std::to_string(i));
  return code_of(put);
}

TEST(growth_lies, of_redisbloom_are_refused_when_the_filter_is_to_grow) {
  const auto code = [](const std::string& edits) { return grown("redisbloom-chunks-text-137", "redisbloom", edits); };
  EXPECT_EQ(code("32:u32le=2"), success);
  EXPECT_EQ(code("32:u32le=32768"), success);
  EXPECT_EQ(code("32:u32le=32769"), errc::full);
  EXPECT_EQ(code("32:u32le=0"), errc::full);
  EXPECT_EQ(code("28:u32le=13"), errc::full) << "it does not scale";
  EXPECT_EQ(code("32:u32le=32768; 60:f64le=1e-70"), errc::full) << "the next link would have 188 MB";
}

TEST(growth_lies, of_valkey_bloom_are_refused_when_the_filter_is_to_grow) {
  const auto code = [](const std::string& edits) {
    return grown("valkey-bloom-scaling-text-137", "valkey-bloom", edits);
  };
  EXPECT_EQ(code("1:u32le=2"), success);
  EXPECT_EQ(code("1:u32le=0"), errc::full);
  EXPECT_EQ(code("1:u32le=2^32-1"), errc::full) << "of more keys than any filter has";
  EXPECT_EQ(code("1:u32le=2^20"), errc::full) << "the next link would have 172 MB";
  EXPECT_EQ(code("-8:u64le=0"), errc::full) << "no filter is for no keys";
}

TEST(growth_lies, of_pybloom_live_are_refused_when_the_filter_is_to_grow) {
  const auto code = [](const std::string& edits) {
    return grown("pybloom-live-scalable-text-137", "pybloom-live", edits);
  };
  EXPECT_EQ(code("0:u32le=4"), success);
  EXPECT_EQ(code("0:u32le=2^31-1"), errc::too_large);
  EXPECT_EQ(code("64:u64le=2^63; 72:u64le=2^63"), errc::too_large) << "twice the capacity is beyond all numbers";
}

TEST(growth_lies, of_boomfilters_are_refused_when_the_filter_is_to_grow) {
  const auto code = [](const std::string& edits) {
    return grown("boomfilters-scalable-text-137", "boomfilters", edits);
  };
  EXPECT_EQ(code(""), success);
  EXPECT_EQ(code("0:f64be=1e-200"), errc::too_large) << "a rate that takes more than 255 probes";
}

// --- converting

// A reader of a pack expects no more slots in use than keys: this one says a key less than it has slots in use.
TEST(fingerprint_lies, about_the_number_of_keys_make_no_pack) {
  const auto packed = [](const std::string& edits) {
    const lie row{"xor-singleheader", 0, "", "golden:xor-singleheader/binaryfuse8_serialize.bin", "", edits, "", ""};
    auto f = any_filter::from_bytes(told(base_of(row, tests), row), {.format = "xor-singleheader"}).value();
    return code_of(std::move(f).convert("xor-singleheader", "pack"));
  };
  EXPECT_EQ(packed(""), success);
  EXPECT_EQ(packed("8:u32le=99"), errc::unsupported);
  EXPECT_EQ(packed("8:u32le=1000"), errc::unsupported);
}

}  // namespace
}  // namespace seen::testing
