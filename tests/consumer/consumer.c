/* A program of a stranger, in C: the one public header. */
#include <seen/seen.h>

#include <stdio.h>

int main(void) {
  const seen_make_options wanted = {.size = sizeof wanted, .kind = "bloom", .capacity = 100, .fpr = 0.01};
  seen_filter* f = NULL;
  if (seen_make(&wanted, &f, NULL) != SEEN_OK || seen_add_text(f, "alice", NULL) != SEEN_OK) return 1;
  const int works = seen_may_contain_text(f, "alice") && !seen_may_contain_text(f, "bob");
  printf("seen %s: %s\n", seen_version(), works ? "works" : "does not work");
  seen_filter_free(f);
  return works ? 0 : 1;
}
