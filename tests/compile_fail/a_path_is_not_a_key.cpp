// says: a key is text, bytes or an integer; of an enum, a path or your own type say what identifies it: seen_key
#include <seen/filters/bloom.hpp>

#include <filesystem>

bool use(const seen::bloom& f, const std::filesystem::path& path) {
#ifdef MISTAKE
  return f.may_contain(path);
#else
  return f.may_contain(path.native());
#endif
}
