// says: this kind cannot remove: cuckoo, quotient and counting kinds can
#include <seen/filters/bloom.hpp>

void use(seen::bloom& f) {
  f.add("alice");
#ifdef MISTAKE
  f.remove("alice");
#endif
}
