// How many threads a call may take.
#pragma once

namespace seen::inline v1 {

/// Asks a call to work on several threads: `f.add_many(keys, seen::parallel{.threads = 8})`. The filter that comes out
/// is the same, byte for byte, for any number of them. (A cuckoo filter that ran full on the way holds the same keys, perhaps
/// in other slots.)
struct parallel {
  unsigned threads = 0;  ///< 0: as many as there are processors
};

}  // namespace seen::inline v1
