#include <seen/filters/portable_bloom.hpp>

seen::result<void> use(const seen::portable_bloom& f) {
#ifdef MISTAKE
  return seen::save(f, "x.seen");
#else
  return seen::portable::write(f, [](seen::bytes_view) -> seen::result<void> { return {}; });
#endif
}
