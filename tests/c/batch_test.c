/* Batches from C: every layout of keys means the same keys; and static filters, which are built from batches. */
#include "check.h"

enum { COUNT = 3000, WIDTH = 8 };

/* The same keys, key-0 … with the digits padded to one width, in every layout that holds bytes. */
struct layouts {
  char bytes[COUNT * WIDTH + 1];
  char texts_[COUNT][WIDTH + 1];
  const char* texts[COUNT];
  seen_bytes views[COUNT];
  int32_t offsets32[COUNT + 1];
  int64_t offsets64[COUNT + 1];
  seen_keys all[5];
};

static struct layouts* laid_out(unsigned first) {
  struct layouts* l = malloc(sizeof *l);
  if (l == NULL) exit(1);
  for (unsigned i = 0; i < COUNT; ++i) {
    snprintf(l->texts_[i], sizeof l->texts_[i], "key-%04u", (first + i) % 10000);
    memcpy(l->bytes + i * WIDTH, l->texts_[i], WIDTH);
    l->texts[i] = l->texts_[i];
    l->views[i].data = l->texts_[i];
    l->views[i].length = WIDTH;
    l->offsets32[i] = (int32_t)(i * WIDTH);
    l->offsets64[i] = (int64_t)(i * WIDTH);
  }
  l->offsets32[COUNT] = COUNT * WIDTH;
  l->offsets64[COUNT] = COUNT * WIDTH;
  const seen_keys all[5] = {
      {.size = sizeof all[0], .layout = SEEN_KEYS_VIEWS, .data = l->views, .count = COUNT},
      {.size = sizeof all[0], .layout = SEEN_KEYS_TEXTS, .data = l->texts, .count = COUNT},
      {.size = sizeof all[0], .layout = SEEN_KEYS_FIXED, .data = l->bytes, .count = COUNT, .width = WIDTH},
      {.size = sizeof all[0], .layout = SEEN_KEYS_OFFSETS32, .data = l->bytes, .count = COUNT, .offsets = l->offsets32},
      {.size = sizeof all[0], .layout = SEEN_KEYS_OFFSETS64, .data = l->bytes, .count = COUNT, .offsets = l->offsets64},
  };
  memcpy(l->all, all, sizeof all);
  return l;
}

static seen_filter* made(const char* kind) {
  seen_make_options wanted = {.size = sizeof wanted, .kind = kind, .capacity = COUNT, .fpr = 0.01};
  seen_filter* f = NULL;
  OK(seen_make(&wanted, &f, &error));
  if (f == NULL) exit(1);
  return f;
}

static void same_bytes(const seen_filter* a, const seen_filter* b) {
  void *here = NULL, *there = NULL;
  size_t here_length = 0, there_length = 0;
  OK(seen_to_bytes(a, NULL, &here, &here_length, &error));
  OK(seen_to_bytes(b, NULL, &there, &there_length, &error));
  CHECK(here_length == there_length && memcmp(here, there, here_length) == 0);
  seen_free(here);
  seen_free(there);
}

static void every_layout_adds_the_same_keys(void) {
  struct layouts* l = laid_out(0);
  seen_filter* one_by_one = made("blocked-bloom");
  for (int i = 0; i < COUNT; ++i) OK(seen_add_text(one_by_one, l->texts[i], &error));
  for (int layout = 0; layout < 5; ++layout) {
    for (unsigned threads = 0; threads < 3; ++threads) {
      seen_filter* f = made("blocked-bloom");
      OK(seen_add_many(f, &l->all[layout], threads, &error));
      same_bytes(f, one_by_one);
      seen_filter_free(f);
    }
  }
  seen_filter_free(one_by_one);
  free(l);
}

static void check_answers(const seen_filter* f, const seen_keys* keys, const bool* expected) {
  static bool answers[COUNT];
  static uint8_t bitmap[COUNT / 8 + 2];
  static uint64_t indices[COUNT];
  size_t hits = 0, found = 0;
  for (size_t i = 0; i < keys->count; ++i) hits += expected[i];
  OK(seen_may_contain_many(f, keys, answers, &found, &error));
  CHECK(found == hits && memcmp(answers, expected, keys->count) == 0);
  memset(bitmap, 0xff, sizeof bitmap);
  OK(seen_may_contain_bitmap(f, keys, bitmap, &found, &error));
  CHECK(found == hits);
  for (size_t i = 0; i < keys->count; ++i) CHECK((bitmap[i / 8] >> (i % 8) & 1) == expected[i]);
  for (size_t i = keys->count; i % 8 != 0; ++i) CHECK((bitmap[i / 8] >> (i % 8) & 1) == 0);
  CHECK(bitmap[(keys->count + 7) / 8] == 0xff);
  OK(seen_select(f, keys, indices, &found, &error));
  CHECK(found == hits);
  for (size_t i = 0, at = 0; i < keys->count; ++i) {
    if (expected[i]) CHECK(indices[at++] == i);
  }
}

static void every_layout_is_answered_as_single_keys_are(void) {
  static bool expected[COUNT];
  struct layouts *l = laid_out(0), *asked = laid_out(COUNT / 2);
  seen_filter* f = made("cuckoo");
  OK(seen_add_many(f, &l->all[0], 1, &error));
  for (int i = 0; i < COUNT; ++i) expected[i] = seen_may_contain_text(f, asked->texts[i]);
  for (int layout = 0; layout < 5; ++layout) check_answers(f, &asked->all[layout], expected);
  for (size_t count = 0; count < 70; ++count) {
    seen_keys few = asked->all[4];
    few.count = count;
    check_answers(f, &few, expected);
  }
  seen_filter_free(f);
  free(l);
  free(asked);
}

static void integers_are_answered_as_single_ones_are(void) {
  static uint64_t keys[COUNT];
  static bool expected[COUNT];
  seen_filter* f = made("bloom");
  for (uint64_t i = 0; i < COUNT; ++i) keys[i] = i * 0x9e3779b97f4a7c15;
  const seen_keys half = {.size = sizeof half, .layout = SEEN_KEYS_INTEGERS, .data = keys, .count = COUNT / 2};
  seen_keys all = half;
  all.count = COUNT;
  OK(seen_add_many(f, &half, 1, &error));
  for (int i = 0; i < COUNT; ++i) expected[i] = seen_may_contain_integer(f, keys[i]);
  CHECK(expected[0] && expected[COUNT / 2 - 1]);
  check_answers(f, &all, expected);
  seen_filter_free(f);
}

static void batches_that_make_no_sense_are_refused(void) {
  const int32_t backwards[] = {0, 5, 3}, negative[] = {-1, 3, 5}, fine[] = {0, 0, 0}, some[] = {0, 0, 5};
  const int64_t huge[] = {0, 5, 3}, more[] = {3, 3, 5};
  const char* texts[] = {"a", NULL};
  const seen_bytes views[] = {{"a", 1}, {NULL, 1}};
  bool answers[2];
  seen_filter *f = made("bloom"), *untouched = made("bloom");
  seen_keys keys = {.size = sizeof keys, .count = 2, .data = "abcdef"};
  REFUSED(seen_add_many(f, &keys, 1, &error), SEEN_INVALID_ARGUMENT, "no layout 0");
  keys.layout = SEEN_KEYS_OFFSETS32;
  REFUSED(seen_add_many(f, &keys, 1, &error), SEEN_INVALID_ARGUMENT, "needs offsets");
  keys.offsets = backwards;
  REFUSED(seen_add_many(f, &keys, 1, &error), SEEN_INVALID_ARGUMENT, "key 1 begins at 5 and ends at 3");
  keys.offsets = negative;
  REFUSED(seen_may_contain_many(f, &keys, answers, NULL, &error), SEEN_INVALID_ARGUMENT, "offset 0 is -1");
  keys.offsets = huge;
  keys.layout = SEEN_KEYS_OFFSETS64;
  REFUSED(seen_add_many(f, &keys, 1, &error), SEEN_INVALID_ARGUMENT, "key 1");
  keys.layout = SEEN_KEYS_TEXTS;
  keys.data = texts;
  REFUSED(seen_add_many(f, &keys, 1, &error), SEEN_INVALID_ARGUMENT, "key 1 is NULL");
  keys.layout = SEEN_KEYS_VIEWS;
  keys.data = views;
  REFUSED(seen_add_many(f, &keys, 1, &error), SEEN_INVALID_ARGUMENT, "key 1 is NULL");
  keys.data = NULL;
  REFUSED(seen_add_many(f, &keys, 1, &error), SEEN_INVALID_ARGUMENT, "NULL in place of 2 keys");
  REFUSED(seen_add_many(f, NULL, 1, &error), SEEN_INVALID_ARGUMENT, "NULL");
  keys.data = views;
  keys.count = 1;
  REFUSED(seen_may_contain_many(f, &keys, NULL, NULL, &error), SEEN_INVALID_ARGUMENT, "answers");
  keys.layout = SEEN_KEYS_OFFSETS32;
  keys.data = NULL;
  keys.count = 2;
  keys.offsets = some;
  REFUSED(seen_add_many(f, &keys, 1, &error), SEEN_INVALID_ARGUMENT, "NULL in place of 2 keys");
  keys.layout = SEEN_KEYS_OFFSETS64;
  keys.offsets = more;
  REFUSED(seen_may_contain_many(f, &keys, answers, NULL, &error), SEEN_INVALID_ARGUMENT, "NULL in place of 2 keys");
  same_bytes(f, untouched);
  keys.layout = SEEN_KEYS_OFFSETS32;
  keys.offsets = fine;
  OK(seen_add_many(f, &keys, 1, &error));
  CHECK(seen_may_contain(f, NULL, 0));
  keys.count = 0;
  keys.offsets = NULL;
  OK(seen_may_contain_many(f, &keys, NULL, NULL, &error));
  seen_filter_free(f);
  seen_filter_free(untouched);
}

static void a_filter_that_gets_full_says_how_many_keys_it_took(void) {
  struct layouts* l = laid_out(0);
  seen_make_options small = {.size = sizeof small, .kind = "cuckoo", .capacity = 10, .fpr = 0.01};
  seen_filter* f = NULL;
  OK(seen_make(&small, &f, &error));
  REFUSED(seen_add_many(f, &l->all[0], 1, &error), SEEN_FULL, "of 3000 keys");
  CHECK(seen_may_contain_text(f, l->texts[0]));
  seen_filter_free(f);
  free(l);
}

/* --- static filters */

static void a_static_filter_is_built_from_its_keys(void) {
  struct layouts* l = laid_out(0);
  const char* kinds[] = {"xor", "binary-fuse", "ribbon"};
  for (int kind = 0; kind < 3; ++kind) {
    seen_make_options wanted = {.size = sizeof wanted, .kind = kinds[kind], .fpr = 1e-4};
    const seen_build_options how = {.size = sizeof how, .threads = 2};
    seen_builder *one = NULL, *many = NULL;
    seen_filter *f = NULL, *g = NULL;
    const uint64_t integer = 42;
    const seen_keys integers = {.size = sizeof integers, .layout = SEEN_KEYS_INTEGERS, .data = &integer, .count = 1};
    OK(seen_builder_make(&wanted, NULL, &one, &error));
    OK(seen_builder_make(&wanted, &how, &many, &error));
    for (int i = 0; i < COUNT; ++i) OK(seen_builder_add_text(one, l->texts[i], &error));
    OK(seen_builder_add_integer(one, 42, &error));
    OK(seen_builder_add(one, NULL, 0, &error));
    OK(seen_builder_add_many(many, &l->all[3], &error));
    OK(seen_builder_add_many(many, &integers, &error));
    OK(seen_builder_add_text(many, "", &error));
    CHECK(seen_builder_size(one) == COUNT + 2 && seen_builder_size(many) == COUNT + 2);
    OK(seen_builder_finish(one, &f, &error));
    OK(seen_builder_finish(many, &g, &error));
    same_bytes(f, g);
    CHECK(seen_may_contain_text(f, "key-0000") && seen_may_contain_integer(f, 42) && seen_may_contain(f, NULL, 0));
    CHECK(!seen_may_contain_text(f, "never added"));
    REFUSED(seen_add_text(f, "one more", &error), SEEN_UNSUPPORTED, "add");
    seen_filter_free(f);
    REFUSED(seen_builder_add_text(one, "late", &error), SEEN_INVALID_ARGUMENT, "finished");
    REFUSED(seen_builder_finish(one, &f, &error), SEEN_INVALID_ARGUMENT, "finished");
    CHECK(f == NULL && seen_builder_size(one) == 0);
    seen_filter_free(g);
    seen_builder_free(one);
    seen_builder_free(many);
  }
  free(l);
}

static bool stop(void* context, const seen_build_progress* now) {
  *(uint64_t*)context = now->total;
  return false;
}

static bool go_on(void* context, const seen_build_progress* now) {
  if (now->stage == SEEN_BUILD_SOLVING && now->done == now->total) ++*(int*)context;
  return now->size == sizeof *now;
}

static void a_build_tells_how_far_it_is_and_can_be_cancelled(void) {
  struct layouts* l = laid_out(0);
  seen_make_options wanted = {.size = sizeof wanted, .kind = "ribbon"};
  uint64_t total = 0;
  int finished = 0;
  seen_build_options how = {.size = sizeof how, .threads = 1, .progress = stop, .context = &total};
  seen_builder* b = NULL;
  seen_filter* f = NULL;
  OK(seen_builder_make(&wanted, &how, &b, &error));
  OK(seen_builder_add_many(b, &l->all[0], &error));
  REFUSED(seen_builder_finish(b, &f, &error), SEEN_CANCELLED, "");
  CHECK(total == COUNT && f == NULL);
  seen_builder_free(b);
  how.progress = go_on;
  how.context = &finished;
  OK(seen_builder_make(&wanted, &how, &b, &error));
  OK(seen_builder_add_many(b, &l->all[0], &error));
  OK(seen_builder_finish(b, &f, &error));
  CHECK(finished > 0);
  seen_filter_free(f);
  seen_builder_free(b);
  wanted.kind = "bloom";
  REFUSED(seen_builder_make(&wanted, NULL, &b, &error), SEEN_UNSUPPORTED, "not built at once");
  CHECK(b == NULL);
  free(l);
}

static void a_filter_of_another_library_is_built_from_its_keys(void) {
  seen_make_options wanted = {.size = sizeof wanted, .format = "xorfilter-go", .kind = "xor"};
  seen_open_options as = {.size = sizeof as, .format = "xorfilter-go"};
  seen_builder* b = NULL;
  seen_filter *f = NULL, *again = NULL;
  void* bytes = NULL;
  size_t length = 0;
  OK(seen_builder_make(&wanted, NULL, &b, &error));
  for (uint64_t id = 0; id < COUNT; ++id) OK(seen_builder_add_integer(b, id, &error));
  REFUSED(seen_builder_add_text(b, "alice", &error), SEEN_INVALID_ARGUMENT, "integers of 8 bytes");
  OK(seen_builder_finish(b, &f, &error));
  OK(seen_to_bytes(f, NULL, &bytes, &length, &error));
  OK(seen_from_bytes(bytes, length, &as, &again, &error));
  CHECK(strcmp(seen_filter_format(again), "xorfilter-go") == 0);
  for (uint64_t id = 0; id < COUNT; ++id) CHECK(seen_may_contain_integer(again, id));
  seen_free(bytes);
  seen_filter_free(again);
  seen_filter_free(f);
  seen_builder_free(b);
}

static void what_is_no_number_is_refused_where_keys_are_numbers(void) {
  seen_make_options wanted = {
      .size = sizeof wanted, .format = "guava", .key_type = "long", .capacity = 100, .fpr = 0.01};
  seen_filter* f = NULL;
  OK(seen_make(&wanted, &f, &error));
  const char eight[8] = {3}, none[9] = {3};
  bool answers[4] = {true, false, true, false}, flag = false;
  uint8_t bitmap = 0xab;
  uint64_t indices[4] = {77, 77, 77, 77}, count = 0;
  size_t found = 99;
  for (size_t length = 0; length <= sizeof none; ++length) {
    if (length == 8) continue;
    const seen_bytes views[4] = {{eight, 8}, {eight, 8}, {none, length}, {eight, 8}};
    const seen_keys keys = {.size = sizeof keys, .layout = SEEN_KEYS_VIEWS, .data = views, .count = 4};
    CHECK(seen_may_contain(f, none, length));
    REFUSED(seen_may_contain_many(f, &keys, answers, &found, &error), SEEN_INVALID_ARGUMENT,
            "ask: key 2 of these has ");
    REFUSED(seen_may_contain_bitmap(f, &keys, &bitmap, &found, &error), SEEN_INVALID_ARGUMENT, "key 2 of these has ");
    REFUSED(seen_select(f, &keys, indices, &found, &error), SEEN_INVALID_ARGUMENT, "whole number of 64 bits (8 bytes)");
    REFUSED(seen_add_many(f, &keys, 1, &error), SEEN_INVALID_ARGUMENT, "add: key 2 of these has ");
    REFUSED(seen_add(f, none, length, &error), SEEN_INVALID_ARGUMENT, "add: the key has ");
    REFUSED(seen_test_and_add(f, none, length, &flag, &error), SEEN_INVALID_ARGUMENT, "add: the key has ");
    REFUSED(seen_remove(f, none, length, &flag, &error), SEEN_INVALID_ARGUMENT, "remove: the key has ");
    REFUSED(seen_count(f, none, length, &count, &error), SEEN_INVALID_ARGUMENT, "count: the key has ");
  }
  CHECK(answers[0] && !answers[1] && answers[2] && !answers[3] && bitmap == 0xab && indices[0] == 77 && found == 99);
  CHECK(!seen_may_contain(f, eight, 8) && !seen_may_contain_integer(f, 3));
  seen_filter_free(f);
}

int main(void) {
  every_layout_adds_the_same_keys();
  every_layout_is_answered_as_single_keys_are();
  integers_are_answered_as_single_ones_are();
  batches_that_make_no_sense_are_refused();
  a_filter_that_gets_full_says_how_many_keys_it_took();
  a_static_filter_is_built_from_its_keys();
  a_build_tells_how_far_it_is_and_can_be_cancelled();
  a_filter_of_another_library_is_built_from_its_keys();
  what_is_no_number_is_refused_where_keys_are_numbers();
  return failures != 0;
}
