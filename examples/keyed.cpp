// Keys chosen by strangers: a keyed hash takes away their power to fill the filter or to find its false positives.
#include <seen/seen.hpp>

#include <cstdio>

int main() {
  const seen::secret secret = seen::secret::random().value();
  using keyed_bloom = seen::filter<seen::bloom::engine_type, seen::siphash_1_3>;
  keyed_bloom logins({.capacity = 100'000, .fpr = 0.001}, seen::siphash_1_3(secret));
  logins.add("mallory");
  if (auto saved = seen::save(logins, "logins.seen"); !saved) return 1;  // the secret stays out of the file

  const auto without = seen::load<keyed_bloom>("logins.seen");
  std::printf("%s\n", without.error().detail.c_str());
  const auto with = seen::load<keyed_bloom>("logins.seen", {.secret = secret});
  return with && with->may_contain("mallory") ? 0 : 1;
}
