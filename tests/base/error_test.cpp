// error: its codes and their names, errno and how it is kept, what constructors throw for it.
#include <seen/base/error.hpp>

#include <cerrno>
#include <cstring>
#include <gtest/gtest.h>
#include <new>
#include <set>
#include <stdexcept>
#include <string>

#include "support/error_code.hpp"

namespace seen::testing {
namespace {

constexpr errc all_codes[] = {errc::invalid_argument,
                              errc::too_large,
                              errc::no_memory,
                              errc::corrupt,
                              errc::not_recognised,
                              errc::newer_version,
                              errc::wrong_kind,
                              errc::wrong_hash,
                              errc::secret_required,
                              errc::unsealed,
                              errc::incompatible,
                              errc::unsupported,
                              errc::full,
                              errc::io,
                              errc::exists,
                              errc::busy,
                              errc::cancelled};

TEST(errc, codes_are_numbered_from_1_without_a_gap) {
  int number = 0;
  for (const errc code : all_codes) EXPECT_EQ(static_cast<int>(code), ++number) << name_of(code);
}

TEST(errc, every_code_has_a_name_of_its_own_in_lower_case) {
  std::set<std::string> names;
  for (const errc code : all_codes) {
    const std::string name = name_of(code);
    EXPECT_NE(name, "unknown");
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos) << name;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_STREQ(name_of(errc{}), "unknown");
  EXPECT_STREQ(name_of(static_cast<errc>(std::size(all_codes) + 1)), "unknown");
}

TEST(errc, names_are_what_programs_in_other_languages_compare_with) {
  EXPECT_STREQ(name_of(errc::not_recognised), "not_recognised");
  EXPECT_STREQ(name_of(errc::newer_version), "newer_version");
  EXPECT_STREQ(name_of(errc::secret_required), "secret_required");
  EXPECT_STREQ(name_of(errc::io), "io");
}

TEST(error, of_no_system_call_has_no_errno) {
  EXPECT_EQ((error{errc::corrupt, "a.seen: no"}.system), 0);
  EXPECT_EQ(error{}.system, 0);
}

TEST(error, of_a_system_call_names_where_which_and_why_and_keeps_errno) {
  const error e = system_error("visited.seen", "open", ENOENT);
  EXPECT_EQ(e.code, errc::io);
  EXPECT_EQ(e.detail, std::string("visited.seen: open: ") + std::strerror(ENOENT));
  EXPECT_EQ(e.system, ENOENT);
}

TEST(error, a_prefix_changes_nothing_but_the_text) {
  const error e = system_error("/spill", "write", ENOSPC);
  const error told = e.prefixed("spill directory: ");
  EXPECT_EQ(told.code, e.code);
  EXPECT_EQ(told.system, ENOSPC);
  EXPECT_EQ(told.detail, "spill directory: " + e.detail);
  EXPECT_EQ(e.prefixed(""), e);
}

TEST(error, two_are_equal_when_code_text_and_errno_are) {
  const error e{errc::io, "a: open", EACCES};
  EXPECT_EQ(e, (error{errc::io, "a: open", EACCES}));
  EXPECT_NE(e, (error{errc::io, "a: open", EPERM}));
  EXPECT_NE(e, (error{errc::io, "b: open", EACCES}));
  EXPECT_NE(e, (error{errc::busy, "a: open", EACCES}));
}

// What throw_error threw, by its most derived type, with its text.
std::string thrown_for(const error& e) {
  try {
    throw_error(e);
  } catch (const out_of_memory& thrown) {
    return std::string("out_of_memory ") + thrown.what();
  } catch (const std::length_error& thrown) {
    return std::string("length_error ") + thrown.what();
  } catch (const std::invalid_argument& thrown) {
    return std::string("invalid_argument ") + thrown.what();
  }
}

TEST(throw_error, throws_the_standard_exception_of_the_code_with_the_text) {
  EXPECT_EQ(thrown_for({errc::too_large, "beyond 2^40 bits"}), "length_error beyond 2^40 bits");
  EXPECT_EQ(thrown_for({errc::no_memory, "need 2 TiB"}), "out_of_memory need 2 TiB");
  EXPECT_EQ(thrown_for({errc::invalid_argument, "fpr is 2"}), "invalid_argument fpr is 2");
  EXPECT_EQ(thrown_for({errc::io, "a: open"}), "invalid_argument a: open");
  EXPECT_THROW(throw_error({errc::no_memory, ""}), std::bad_alloc);
}

}  // namespace
}  // namespace seen::testing
