// says: numbers have names here: ({.capacity = 1'000'000, .fpr = 0.01})
#include <seen/filters/bloom.hpp>

seen::bloom use() {
#ifdef MISTAKE
  return seen::bloom({1'000'000, 0.01});
#else
  return seen::bloom({.capacity = 1'000'000, .fpr = 0.01});
#endif
}
