#include <seen/filters/bloom.hpp>

#include <string>
#include <vector>

void use(seen::bloom& f, const std::vector<std::string>& keys) {
#ifdef MISTAKE
  f.add(keys);
#else
  f.add_many(keys);
#endif
}
