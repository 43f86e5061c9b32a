// Running a test with each set of instructions this machine has.
#pragma once

#include <seen/base/instructions.hpp>

#include <gtest/gtest.h>

namespace seen::testing {

/// Calls use() with every set that this machine and this build can take in turn, the plainest first, and leaves the best.
template <class Use>
void with_each_instruction_set(Use use) {
  for (const auto set : {instruction_set::plain, instruction_set::sse4, instruction_set::avx2, instruction_set::avx512,
                         instruction_set::neon}) {
    if (limit_instructions(set) != set) continue;
    SCOPED_TRACE(name_of(set));
    use();
  }
  limit_instructions(instruction_set::neon);  // the last of all: no limit
}

}  // namespace seen::testing
