// says: many keys are a range of text, bytes or integers; bytes side by side are one key: add
#include <seen/filters/bloom.hpp>

#include <cstdint>
#include <vector>

void use(seen::bloom& f, const std::vector<std::uint8_t>& bytes) {
#ifdef MISTAKE
  f.add_many(bytes);
#else
  f.add(bytes);
#endif
}
