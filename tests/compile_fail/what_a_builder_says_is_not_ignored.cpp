#include <seen/builder.hpp>
#include <seen/filters/ribbon.hpp>

#pragma GCC diagnostic error "-Wunused-result"

void use(seen::builder<seen::ribbon>& b) {
#ifdef MISTAKE
  b.add("alice");
#else
  (void)b.add("alice");
#endif
}
