// Every check that a reader of another library's files makes, asked for by a file that breaks this one rule. Fuzzing asks
// that a file is refused or works; it cannot see that a refusal got lost. The rows are in lies/<format>.tsv, and
// support/lies.hpp says how to read them.
//
// While a file is opened the address space may grow by 256 MiB only: a lie that announces gigabytes is refused for what it
// says, not for want of memory, so nothing was asked for on its word.
#include "support/lies.hpp"

#include <seen/registry.hpp>

#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <vector>

#include "support/error_code.hpp"
#include "support/foreign_vectors.hpp"

namespace seen::testing {
namespace {

const std::filesystem::path tests = SEEN_TEST_DATA;

std::uint64_t address_space() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t pages = 0;
  in >> pages;
  return pages * 4096;
}

// No more address space than there is now, and a little.
class little_memory {
 public:
  little_memory() {
    ::getrlimit(RLIMIT_AS, &before_);
    rlimit less = before_;
    less.rlim_cur =
        static_cast<rlim_t>(std::min<std::uint64_t>(before_.rlim_max, address_space() + (std::uint64_t{256} << 20)));
    ::setrlimit(RLIMIT_AS, &less);
  }
  little_memory(const little_memory&) = delete;
  little_memory& operator=(const little_memory&) = delete;
  ~little_memory() { ::setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

result<any_filter> opened(const byte_vector& bytes, const open_options& options) {
  const little_memory while_it_is_opened;
  return any_filter::from_bytes(bytes, options);
}

void check_error(const error& found, const lie& row) {
  EXPECT_EQ(name_of(found.code), row.error) << found.detail;
  // A machine of 32 bits may stop at a number that it cannot address, before it compares it with others.
  const bool is_unaddressable = sizeof(std::size_t) < sizeof(std::uint64_t) &&
                                found.detail.find("more than this machine can address") != std::string::npos;
  EXPECT_TRUE(is_unaddressable || found.detail.find(row.words) != std::string::npos)
      << "said: " << found.detail << "\nand not: " << row.words;
}

void check_answer(const any_filter& f, const std::string& words) {
  if (words.empty()) return;
  const std::size_t space = words.find(' ');
  EXPECT_EQ(f.may_contain(words.substr(space + 1)), words.substr(0, space) == "finds") << words;
}

class lies : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(of, lies, ::testing::ValuesIn(foreign_formats()), format_in_name);

TEST_P(lies, case_13_of_one_field_are_refused_by_what_they_say_and_the_last_right_value_is_not) {
  for (const lie& row : lies_in(tests / "formats/lies" / (GetParam() + ".tsv"))) {
    SCOPED_TRACE("line " + std::to_string(row.line) + ": " + row.what);
    const byte_vector base = base_of(row, tests), bytes = told(base, row);
    EXPECT_TRUE(row.edits.empty() || bytes != base);
    const auto f = opened(bytes, row.options());
    if (row.error == "none") {
      ASSERT_TRUE(f) << f.error().detail;
      check_answer(*f, row.words);
    } else if (f) {
      ADD_FAILURE() << "it was opened";
    } else {
      ASSERT_FALSE(row.words.empty()) << "what is said of it? " << f.error().detail;
      check_error(f.error(), row);
    }
  }
}

// A row that starts from a sound file proves nothing where that file is refused too.
TEST_P(lies, start_from_files_that_open) {
  std::string last;
  for (const lie& row : lies_in(tests / "formats/lies" / (GetParam() + ".tsv"))) {
    if (row.base + row.with == last || row.edits.empty() || row.with.find("max-bytes") != std::string::npos) continue;
    last = row.base + row.with;
    const auto f = any_filter::from_bytes(base_of(row, tests), row.options());
    EXPECT_TRUE(f) << "line " << row.line << ": " << row.what << ": " << f.error().detail;
  }
}

// An option that a format has no use for would change nothing, or what the answers mean.
TEST_P(lies, about_how_to_open_a_file_are_refused_too) {
  const lie sound = lies_in(tests / "formats/lies" / (GetParam() + ".tsv"))[0];
  const byte_vector bytes = base_of(sound, tests);
  const auto code = [&](auto change) {
    open_options options = sound.options();
    change(options);
    return code_of(any_filter::from_bytes(bytes, options));
  };
  EXPECT_EQ(code([](open_options&) {}), success);
  EXPECT_EQ(code([](open_options& o) { o.hash = "no-such-hash"; }), errc::invalid_argument);
  EXPECT_EQ(code([](open_options& o) { o.key_type = "no-such-keys"; }), errc::invalid_argument);
  EXPECT_EQ(code([](open_options& o) { o.part = "no-such-part"; }), errc::invalid_argument);
  EXPECT_EQ(code([](open_options& o) { o.variant = "no-such-variant"; }), errc::invalid_argument);
}

}  // namespace
}  // namespace seen::testing
