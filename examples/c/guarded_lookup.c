/* A store of users behind a filter: the store is asked only about names that may be in it. docs/c.md quotes it; the READMEs of
   the Python, Go and Rust packages tell the same story, and come to the same numbers. */
#include <seen/seen.h>

#include <stdio.h>
#include <stdlib.h>

static void must(seen_status status, seen_error** error) {
  if (status == SEEN_OK) return;
  fprintf(stderr, "%s: %s\n", seen_status_name(status), seen_error_message(*error));
  seen_error_free(*error);
  exit(1);
}

/* The store: exact, and slow. It stands for a table on a disk, or a service far away. */
enum { users = 1000, questions = 10000 };
static int lookups = 0;

static bool look_up(const char* name) {
  ++lookups;
  return atoi(name + sizeof "user-" - 1) < users;
}

/* The guard: a "no" of the filter is certain, and a "maybe" is settled by the store. */
static bool find_user(const seen_filter* known, const char* name) {
  if (!seen_may_contain_text(known, name)) return false;  // the store is not asked
  return look_up(name);
}

int main(void) {
  seen_make_options wanted = {.size = sizeof wanted, .kind = "blocked-bloom", .capacity = users, .fpr = 0.01};
  seen_filter* known = NULL;
  seen_error* error = NULL;
  char name[32];
  int found = 0;
  must(seen_make(&wanted, &known, &error), &error);
  for (int i = 0; i < users; ++i) {
    snprintf(name, sizeof name, "user-%d", i);
    must(seen_add_text(known, name, &error), &error);
  }
  for (int i = 0; i < questions; ++i) {
    snprintf(name, sizeof name, "user-%d", i);
    found += find_user(known, name);
  }
  printf("%d questions, %d lookups, %d users found\n", questions, lookups, found);
  seen_filter_free(known);
  return found == users && lookups == 1076 ? 0 : 1;
}
