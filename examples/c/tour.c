/* The C interface in six short scenes; docs/c.md tells the rest. */
#include <seen/seen.h>

#include <stdio.h>
#include <stdlib.h>

/* Every call that can fail returns a status; the error says what went wrong. */
static void must(seen_status status, seen_error** error) {
  if (status == SEEN_OK) return;
  fprintf(stderr, "%s: %s\n", seen_status_name(status), seen_error_message(*error));
  seen_error_free(*error);
  exit(1);
}

/* 1. Options are named, and begin with their size; members left out have their usual values. */
static void basic(void) {
  seen_make_options wanted = {.size = sizeof wanted, .kind = "bloom", .capacity = 1000000, .fpr = 0.01};
  seen_filter* visited = NULL;
  seen_error* error = NULL;
  must(seen_make(&wanted, &visited, &error), &error);
  must(seen_add_text(visited, "alice", &error), &error);
  must(seen_add_integer(visited, 42, &error), &error);
  if (!seen_may_contain_text(visited, "bob")) puts("certainly new");
  must(seen_save(visited, "c-visited.seen", NULL, &error), &error);
  seen_filter_free(visited);
}

/* 2. A file is opened (all of it read and checked) or mapped (ready at once, at any size, never changed). */
static void files(void) {
  seen_filter* loaded = NULL;
  seen_filter* mapped = NULL;
  seen_error* error = NULL;
  must(seen_load("c-visited.seen", NULL, &loaded, &error), &error);
  must(seen_map("c-visited.seen", NULL, &mapped, &error), &error);
  if (seen_may_contain_text(mapped, "alice")) puts("maybe");
  if (seen_add_text(mapped, "carol", &error) != SEEN_OK) {
    puts(seen_error_message(error));  // "add: the filter is mapped read-only; a copy of it can be changed"
    seen_error_free(error);
    error = NULL;
  }
  must(seen_verify(mapped, &error), &error);  // reads the pages and compares their checksums
  seen_filter_free(mapped);
  seen_filter_free(loaded);
}

/* 3. Many keys at once, as they lie in memory: here a string column with offsets, as Arrow has it. */
static void batches(void) {
  const char names[] = "alicebobcarol";
  const int32_t offsets[] = {0, 5, 8, 13};
  const seen_keys column = {
      .size = sizeof column, .layout = SEEN_KEYS_OFFSETS32, .data = names, .offsets = offsets, .count = 3};
  seen_filter* visited = NULL;
  seen_error* error = NULL;
  uint8_t bitmap[1];
  size_t found = 0;
  must(seen_load("c-visited.seen", NULL, &visited, &error), &error);
  must(seen_may_contain_bitmap(visited, &column, bitmap, &found, &error), &error);
  printf("%zu of 3 may be present, the first %s\n", found, bitmap[0] & 1 ? "too" : "not");
  must(seen_add_many(visited, &column, 1, &error), &error);  // on one thread
  seen_filter_free(visited);
}

/* 4. Static kinds are built from all their keys; a function may watch the build, and stop it. */
static bool tell(void* context, const seen_build_progress* now) {
  (void)context;
  return now->done <= now->total;
}

static void built_at_once(void) {
  seen_make_options wanted = {.size = sizeof wanted, .kind = "binary-fuse", .fpr = 1.0 / 256};
  seen_build_options how = {.size = sizeof how, .threads = 2, .progress = tell};
  seen_builder* builder = NULL;
  seen_filter* fixed = NULL;
  seen_error* error = NULL;
  must(seen_builder_make(&wanted, &how, &builder, &error), &error);
  for (uint64_t id = 0; id < 1000; ++id) must(seen_builder_add_integer(builder, id, &error), &error);
  must(seen_builder_finish(builder, &fixed, &error), &error);
  seen_builder_free(builder);
  printf("%s holds 7: %s\n", seen_filter_kind(fixed), seen_may_contain_integer(fixed, 7) ? "maybe" : "no");
  seen_filter_free(fixed);
}

/* 5. Files of other libraries: the format is recognised by its content, or named. */
static void other_formats(void) {
  seen_make_options wanted = {.size = sizeof wanted, .capacity = 1000, .fpr = 0.01, .format = "parquet"};
  seen_filter* column = NULL;
  seen_filter* native = NULL;
  seen_error* error = NULL;
  must(seen_make(&wanted, &column, &error), &error);
  must(seen_add_text(column, "alice", &error), &error);
  must(seen_convert(column, "native", NULL, &native, &error), &error);
  printf("a %s filter, from %s\n", seen_filter_kind(native), seen_filter_format(column));
  seen_filter_free(column);
  seen_filter_free(native);
}

/* 6. What a filter is. */
static void about(void) {
  seen_info* info = NULL;
  seen_error* error = NULL;
  must(seen_inspect("c-visited.seen", NULL, &info, &error), &error);
  printf("%s, %s, about %.0f keys, rate now %.2g\n", info->kind, info->hash, info->estimated_count,
         info->estimated_fpr);
  for (size_t i = 0; i < info->shape_count; ++i) {
    printf("  %s %llu\n", info->shape[i].name, (unsigned long long)info->shape[i].integer);
  }
  seen_info_free(info);
}

int main(void) {
  basic();
  files();
  batches();
  built_at_once();
  other_formats();
  about();
  return remove("c-visited.seen");
}
