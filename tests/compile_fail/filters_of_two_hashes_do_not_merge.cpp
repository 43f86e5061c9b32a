#include <seen/filters/bloom.hpp>
#include <seen/hash/siphash.hpp>

using keyed = seen::filter<seen::bloom::engine_type, seen::siphash_1_3>;

seen::result<void> use(keyed& f, const keyed& same, const seen::bloom& other) {
#ifdef MISTAKE
  return f.merge(other);
#else
  (void)other;
  return f.merge(same);
#endif
}
