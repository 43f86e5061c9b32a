// says: a key is text, bytes or an integer; of an enum, a path or your own type say what identifies it: seen_key
#include <seen/any_filter.hpp>

namespace garden {

enum class colour { red };
#ifndef MISTAKE
int seen_key(colour c) noexcept {
  return static_cast<int>(c);
}
#endif

seen::result<void> use(seen::any_filter& f) {
  return f.add(colour::red);
}

}  // namespace garden
