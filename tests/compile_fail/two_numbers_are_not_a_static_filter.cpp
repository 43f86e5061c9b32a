// says: a static filter is built from all its keys: build(keys, {.fpr = 0.01})
#include <seen/filters/ribbon.hpp>

#include <vector>

void use(const std::vector<int>& keys) {
#ifdef MISTAKE
  seen::ribbon f(1000, 0.01);
  (void)keys;
#else
  (void)seen::ribbon::build(keys, {.fpr = 0.01});
#endif
}
