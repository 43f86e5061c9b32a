// says: a key is text, bytes or an integer; of an enum, a path or your own type say what identifies it: seen_key
#include <seen/filters/bloom.hpp>

void use(seen::bloom& f, bool yes) {
#ifdef MISTAKE
  f.add(yes);
#else
  f.add(yes ? 1 : 0);
#endif
}
