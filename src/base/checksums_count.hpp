// Whether readers refuse bytes that do not match their checksum: always, but for the fuzzer, whose inputs would hardly ever
// get past one. Whoever writes a hostile file computes its checksums too.
#pragma once

namespace seen::inline v1 {

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // the name that fuzzers agreed on
inline constexpr bool checksums_count = false;
#else
inline constexpr bool checksums_count = true;
#endif

}  // namespace seen::inline v1
