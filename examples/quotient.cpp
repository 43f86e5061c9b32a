// A quotient filter: counts, removes, merges, and doubles without the keys.
#include <seen/filters/quotient.hpp>
#include <seen/io.hpp>

#include <cstdio>

int main() {
  seen::quotient sessions({.capacity = 1000, .fpr = 0.001});
  if (!sessions.add("alice")) std::puts("full");  // false: no room, and nothing changed
  if (!sessions.add("alice")) std::puts("full");
  sessions.remove("alice");
  std::printf("alice: %d\n", static_cast<int>(sessions.count("alice")));  // 1

  for (int user = 0; user < 5000; ++user) {
    if (sessions.add(user)) continue;
    if (auto doubled = sessions.engine().expand(); !doubled) return 1;  // twice the slots, no key needed
    if (!sessions.add(user)) return 1;
  }

  seen::quotient elsewhere(sessions.shape());
  if (!elsewhere.add("bob")) return 1;
  if (auto merged = sessions.merge(elsewhere); !merged) std::puts(merged.error().detail.c_str());
  std::printf("%d keys\n", static_cast<int>(sessions.engine().size()));

  std::uint64_t before = 0;
  for (const std::uint64_t fingerprint : sessions.engine().fingerprints()) {  // ascending
    if (fingerprint < before) return 1;
    before = fingerprint;
  }
  return sessions.may_contain("alice") && sessions.may_contain("bob") ? 0 : 1;
}
