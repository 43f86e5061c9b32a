// A filter that forgets on request: sessions that open and close.
#include <seen/filters/counting_bloom.hpp>

#include <cstdio>

int main() {
  seen::counting_bloom open_sessions({.capacity = 100'000, .fpr = 0.01});
  open_sessions.add("session-17");
  open_sessions.add("session-18");
  open_sessions.remove("session-17");  // remove only what you added
  std::printf("17 %s, 18 %s\n", open_sessions.may_contain("session-17") ? "maybe" : "is closed",
              open_sessions.may_contain("session-18") ? "may be open" : "lost");
  return open_sessions.may_contain("session-18") ? 0 : 1;
}
