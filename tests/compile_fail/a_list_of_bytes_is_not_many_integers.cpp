// says: many keys are a range of text, bytes or integers; bytes side by side are one key: add
#include <seen/filters/bloom.hpp>

#include <cstdint>
#include <deque>

void use(seen::bloom& f) {
#ifdef MISTAKE
  const std::deque<std::uint8_t> keys{7, 8};
#else
  const std::deque<std::uint16_t> keys{7, 8};
#endif
  f.add_many(keys);
}
