/* One filter from C: made, asked, combined, saved, opened, mapped, and what is refused. */
#include <errno.h>
#include <math.h>

#include "check.h"

static seen_filter* made(const char* kind, uint64_t capacity, double fpr) {
  seen_make_options wanted = {.size = sizeof wanted, .kind = kind, .capacity = capacity, .fpr = fpr};
  seen_filter* f = NULL;
  OK(seen_make(&wanted, &f, &error));
  if (f == NULL) exit(1);
  return f;
}

static void keys_are_bytes_texts_or_integers(void) {
  seen_filter* f = made("bloom", 1000, 1e-6);
  const unsigned char ones[8] = {255, 255, 255, 255, 255, 255, 255, 255};
  OK(seen_add_text(f, "alice", &error));
  OK(seen_add_integer(f, (uint64_t)-1, &error));
  OK(seen_add(f, "a\0b", 3, &error));
  CHECK(seen_may_contain(f, "alice", 5));
  CHECK(seen_may_contain_text(f, "alice"));
  CHECK(!seen_may_contain_text(f, "bob"));
  CHECK(seen_may_contain_integer(f, (uint64_t)-1));
  CHECK(seen_may_contain(f, ones, 8));
  CHECK(!seen_may_contain_integer(f, 1));
  CHECK(!seen_may_contain(f, "a", 1));
  seen_filter_free(f);
}

static void the_empty_key_is_a_key_and_NULL_is_not_one(void) {
  seen_filter* f = made("bloom", 1000, 1e-6);
  bool before = false;
  CHECK(!seen_may_contain(f, NULL, 0));
  CHECK(seen_may_contain(f, NULL, 1));
  CHECK(seen_may_contain_text(f, NULL));
  REFUSED(seen_add(f, NULL, 7, &error), SEEN_INVALID_ARGUMENT, "key: NULL in place of 7 bytes");
  REFUSED(seen_add_text(f, NULL, &error), SEEN_INVALID_ARGUMENT, "NULL");
  REFUSED(seen_test_and_add(f, NULL, 1, &before, &error), SEEN_INVALID_ARGUMENT, "NULL");
  CHECK(!seen_may_contain(f, "", 0));
  OK(seen_add(f, NULL, 0, &error));
  CHECK(seen_may_contain(f, "", 0));
  CHECK(seen_may_contain_text(f, ""));
  seen_filter_free(f);
}

static void keys_are_removed_and_counted_where_the_kind_can(void) {
  seen_filter* f = made("counting-bloom", 1000, 1e-6);
  bool said = true;
  uint64_t count = 0;
  OK(seen_test_and_add_text(f, "alice", &said, &error));
  CHECK(!said);
  OK(seen_test_and_add_text(f, "alice", &said, &error));
  CHECK(said);
  OK(seen_test_and_add_integer(f, 7, NULL, &error));
  OK(seen_count_text(f, "alice", &count, &error));
  CHECK(count == 2);
  OK(seen_count_integer(f, 7, &count, &error));
  CHECK(count == 1);
  OK(seen_remove_text(f, "bob", &said, &error));
  CHECK(!said);
  OK(seen_remove_text(f, "alice", &said, &error));
  CHECK(said);
  OK(seen_remove(f, "alice", 5, NULL, &error));
  CHECK(!seen_may_contain_text(f, "alice"));
  OK(seen_remove_integer(f, 7, &said, &error));
  CHECK(said);
  seen_filter_free(f);

  f = made("bloom", 10, 0.01);
  REFUSED(seen_remove_text(f, "alice", &said, &error), SEEN_UNSUPPORTED, "remove: a bloom filter cannot do that");
  REFUSED(seen_count(f, "alice", 5, &count, &error), SEEN_UNSUPPORTED, "count");
  REFUSED(seen_advance(f, 7, &error), SEEN_UNSUPPORTED, "advance");
  CHECK(seen_remove_text(f, "alice", NULL, NULL) == SEEN_UNSUPPORTED);
  seen_filter_free(f);
}

static void digests_are_the_hash_of_keys(void) {
  seen_filter* f = made("bloom", 1000, 1e-6);
  seen_hash_options by_seed = {.size = sizeof by_seed, .hash = "xxh64", .seed = 7};
  uint64_t digest = 0, other = 0;
  bool answer = true;
  OK(seen_hash_key(NULL, "alice", 5, &digest, &error));
  OK(seen_hash_key(&by_seed, "alice", 5, &other, &error));
  CHECK(digest != other);
  OK(seen_may_contain_digest(f, digest, &answer, &error));
  CHECK(!answer);
  OK(seen_add_digest(f, digest, &error));
  CHECK(seen_may_contain_text(f, "alice"));
  OK(seen_may_contain_digest(f, digest, &answer, &error));
  CHECK(answer);
  by_seed.hash = "crc32";
  REFUSED(seen_hash_key(&by_seed, "alice", 5, &other, &error), SEEN_INVALID_ARGUMENT, "crc32");
  by_seed.hash = "siphash-2-4";
  by_seed.seed = 0;
  REFUSED(seen_hash_key(&by_seed, "alice", 5, &other, &error), SEEN_SECRET_REQUIRED, "secret");
  seen_filter_free(f);
}

static void two_filters_are_combined_or_the_reason_is_given(void) {
  seen_filter *a = made("bloom", 1000, 1e-6), *b = made("bloom", 1000, 1e-6), *c = made("bloom", 2000, 1e-6);
  OK(seen_add_text(a, "alice", &error));
  OK(seen_add_text(a, "bob", &error));
  OK(seen_add_text(b, "bob", &error));
  OK(seen_intersect(a, b, &error));
  CHECK(!seen_may_contain_text(a, "alice"));
  CHECK(seen_may_contain_text(a, "bob"));
  OK(seen_add_text(b, "carol", &error));
  OK(seen_merge(a, b, &error));
  CHECK(seen_may_contain_text(a, "carol"));
  REFUSED(seen_merge(a, c, &error), SEEN_INCOMPATIBLE, "here");
  REFUSED(seen_merge(a, NULL, &error), SEEN_INVALID_ARGUMENT, "NULL");
  REFUSED(seen_merge(NULL, a, &error), SEEN_INVALID_ARGUMENT, "NULL");
  OK(seen_clear(a, &error));
  CHECK(!seen_may_contain_text(a, "carol"));
  seen_filter_free(a);
  seen_filter_free(b);
  seen_filter_free(c);
}

static void a_filter_planned_too_large_is_shrunk(void) {
  seen_make_options wanted = {
      .size = sizeof wanted, .kind = "blocked-bloom", .capacity = 100000, .fpr = 0.01, .foldable = true};
  seen_filter* f = NULL;
  seen_info *before = NULL, *after = NULL;
  OK(seen_make(&wanted, &f, &error));
  for (uint64_t i = 0; i < 1000; ++i) OK(seen_add_integer(f, i, &error));
  OK(seen_info_of(f, &before, &error));
  OK(seen_shrink(f, 0.01, &error));
  OK(seen_info_of(f, &after, &error));
  CHECK(after->bytes * 20 < before->bytes);
  for (uint64_t i = 0; i < 1000; ++i) CHECK(seen_may_contain_integer(f, i));
  seen_info_free(before);
  seen_info_free(after);
  seen_filter_free(f);
}

static void a_file_is_saved_opened_mapped_and_inspected(void) {
  seen_filter *f = made("bloom", 1000, 0.01), *opened = NULL, *mapped = NULL, *copy = NULL;
  seen_info* info = NULL;
  size_t length = 0;
  const seen_save_options kept = {.size = sizeof kept, .keep_existing = true};
  for (uint64_t i = 0; i < 1000; ++i) OK(seen_add_integer(f, i, &error));
  OK(seen_set_metadata(f, "mine", 4, &error));
  OK(seen_save(f, "c_filter.seen", NULL, &error));
  REFUSED(seen_save(f, "c_filter.seen", &kept, &error), SEEN_EXISTS, "c_filter.seen");

  OK(seen_load("c_filter.seen", NULL, &opened, &error));
  CHECK(seen_may_contain_integer(opened, 7));
  CHECK(memcmp(seen_metadata(opened, &length), "mine", 4) == 0 && length == 4);
  CHECK(!seen_is_mapped(opened));
  OK(seen_map("c_filter.seen", NULL, &mapped, &error));
  CHECK(seen_is_mapped(mapped));
  OK(seen_verify(mapped, &error));
  CHECK(seen_may_contain_integer(mapped, 7));
  REFUSED(seen_add_integer(mapped, 7, &error), SEEN_UNSUPPORTED, "mapped read-only");
  OK(seen_copy(mapped, &copy, &error));
  seen_filter_free(mapped);
  OK(seen_add_text(copy, "alice", &error));
  CHECK(seen_may_contain_text(copy, "alice"));

  OK(seen_inspect("c_filter.seen", NULL, &info, &error));
  CHECK(strcmp(info->kind, "bloom") == 0 && strcmp(info->format, "native") == 0 &&
        strcmp(info->hash, "xxh3-fold") == 0);
  CHECK(info->size == sizeof *info && info->shape_count == 2);
  CHECK(strcmp(info->shape[0].name, "bits") == 0 && info->shape[0].integer == 9586 && !info->shape[0].is_real);
  CHECK(strcmp(info->shape[1].name, "probes") == 0 && info->shape[1].integer == 7);
  CHECK(info->capacity == 1000 && info->fpr == 0.01 && info->has_fill && info->fill > 0.4 && info->fill < 0.6);
  CHECK(info->verified && info->sealed && !info->mapped && !info->keyed && info->metadata_length == 4);
  CHECK(info->estimated_count > 950 && info->estimated_count < 1050 && !info->count_is_exact);
  CHECK(strcmp(info->key_form, "bytes") == 0 && strcmp(info->variant, "") == 0);
  CHECK(info->has_huge_page_bytes && info->huge_page_bytes == 0); /* too small to ask the system */
  seen_info_free(info);
  REFUSED(seen_load("c_absent.seen", NULL, &mapped, &error), SEEN_IO, "c_absent.seen");
  CHECK(mapped == NULL);
  remove("c_filter.seen");
  seen_filter_free(f);
  seen_filter_free(opened);
  seen_filter_free(copy);
}

struct pieces {
  char* at;
  size_t left;
};

static bool take(void* context, const void* piece, size_t length) {
  struct pieces* to = context;
  if (length > to->left) return false;
  memcpy(to->at, piece, length);
  to->at += length;
  to->left -= length;
  return true;
}

static void bytes_come_allocated_in_a_buffer_and_in_pieces(void) {
  seen_filter *f = made("cuckoo", 1000, 0.01), *again = NULL;
  void* bytes = NULL;
  size_t length = 0, needed = 0;
  OK(seen_add_text(f, "alice", &error));
  OK(seen_to_bytes(f, NULL, &bytes, &length, &error));
  REFUSED(seen_to_buffer(f, NULL, NULL, 0, &needed, &error), SEEN_TOO_LARGE, "room for 0");
  CHECK(needed == length);
  char* buffer = malloc(length);
  REFUSED(seen_to_buffer(f, NULL, buffer, length - 1, &needed, &error), SEEN_TOO_LARGE, "room for");
  OK(seen_to_buffer(f, NULL, buffer, length, &needed, &error));
  CHECK(needed == length && memcmp(buffer, bytes, length) == 0);
  memset(buffer, 0, length);
  struct pieces all = {buffer, length}, few = {buffer, 10};
  OK(seen_write(f, NULL, take, &all, &error));
  CHECK(all.left == 0 && memcmp(buffer, bytes, length) == 0);
  REFUSED(seen_write(f, NULL, take, &few, &error), SEEN_CANCELLED, "cancelled");
  REFUSED(seen_write(f, NULL, NULL, NULL, &error), SEEN_INVALID_ARGUMENT, "function");

  OK(seen_from_bytes(bytes, length, NULL, &again, &error));
  CHECK(seen_may_contain_text(again, "alice"));
  seen_filter_free(again);
  OK(seen_view(bytes, length, NULL, &again, &error));
  CHECK(seen_is_mapped(again) && seen_may_contain_text(again, "alice"));
  seen_filter_free(again);
  ((char*)bytes)[length - 1] ^= 1;
  REFUSED(seen_from_bytes(bytes, length, NULL, &again, &error), SEEN_CORRUPT, "bytes");
  CHECK(again == NULL);
  REFUSED(seen_from_bytes(bytes, 3, NULL, &again, &error), SEEN_NOT_RECOGNISED, "bytes");
  REFUSED(seen_from_bytes(NULL, 3, NULL, &again, &error), SEEN_INVALID_ARGUMENT, "NULL");
  REFUSED(seen_from_bytes(NULL, 0, NULL, &again, &error), SEEN_NOT_RECOGNISED, "bytes");
  seen_free(bytes);
  free(buffer);
  seen_filter_free(f);
}

static void keyed_filters_need_their_secret(void) {
  unsigned char key[SEEN_SECRET_BYTES], other[SEEN_SECRET_BYTES];
  OK(seen_random_secret(key, &error));
  OK(seen_random_secret(other, &error));
  seen_make_options wanted = {
      .size = sizeof wanted, .capacity = 100, .fpr = 1e-6, .hash = "siphash-1-3", .secret = key};
  seen_open_options with = {.size = sizeof with, .secret = key};
  const seen_save_options stored = {.size = sizeof stored, .store_secret = true};
  const seen_save_options dropped = {.size = sizeof dropped, .drop_secret = true};
  const seen_save_options both = {.size = sizeof both, .store_secret = true, .drop_secret = true};
  seen_filter *f = NULL, *again = NULL;
  void* bytes = NULL;
  size_t length = 0;
  OK(seen_make(&wanted, &f, &error));
  OK(seen_add_text(f, "alice", &error));
  OK(seen_to_bytes(f, NULL, &bytes, &length, &error));
  REFUSED(seen_from_bytes(bytes, length, NULL, &again, &error), SEEN_SECRET_REQUIRED, "secret");
  with.secret = other;
  REFUSED(seen_from_bytes(bytes, length, &with, &again, &error), SEEN_WRONG_HASH, "");
  with.secret = key;
  OK(seen_from_bytes(bytes, length, &with, &again, &error));
  CHECK(seen_may_contain_text(again, "alice"));
  seen_filter_free(again);
  seen_free(bytes);
  OK(seen_to_bytes(f, &stored, &bytes, &length, &error));
  OK(seen_from_bytes(bytes, length, NULL, &again, &error));
  CHECK(seen_may_contain_text(again, "alice"));
  seen_free(bytes);
  seen_filter_free(f);
  OK(seen_to_bytes(again, NULL, &bytes, &length, &error));
  REFUSED(seen_from_bytes(bytes, length, NULL, &f, &error), SEEN_SECRET_REQUIRED, "secret");
  seen_free(bytes);
  REFUSED(seen_to_bytes(again, &both, &bytes, &length, &error), SEEN_INVALID_ARGUMENT, "dropped");
  OK(seen_to_bytes(again, &dropped, &bytes, &length, &error));
  REFUSED(seen_from_bytes(bytes, length, NULL, &f, &error), SEEN_SECRET_REQUIRED, "secret");
  seen_free(bytes);
  seen_filter_free(again);
}

/* A member that a later release adds lies beyond `size`, and never in bytes that were there before. */
static void options_have_no_padding_at_the_end(void) {
#define ENDS_WITH(type, last) (offsetof(type, last) + sizeof(((type*)0)->last) == sizeof(type))
  CHECK(ENDS_WITH(seen_make_options, key_type));
  CHECK(ENDS_WITH(seen_open_options, max_bytes));
  CHECK(ENDS_WITH(seen_save_options, metadata_length));
  CHECK(ENDS_WITH(seen_build_options, context));
  CHECK(ENDS_WITH(seen_hash_options, secret));
  CHECK(ENDS_WITH(seen_keys, width));
}

static void a_rate_that_is_left_out_is_the_usual_one(void) {
  const seen_make_options wanted = {.size = sizeof wanted, .capacity = 1000};
  seen_filter* f = NULL;
  seen_info* info = NULL;
  OK(seen_make(&wanted, &f, &error));
  OK(seen_info_of(f, &info, &error));
  CHECK(info != NULL && info->fpr == 0.01);
  seen_info_free(info);
  seen_filter_free(f);
}

static void a_filter_past_its_capacity_is_not_healthy(void) {
  seen_filter* f = made("bloom", 1000, 0.01);
  seen_health *before = NULL, *after = NULL;
  seen_info* info = NULL;
  for (uint64_t key = 0; key < 1000; ++key) seen_add_integer(f, key, NULL);
  OK(seen_health_of(f, &before, &error));
  for (uint64_t key = 1000; key < 2000; ++key) seen_add_integer(f, key, NULL);
  OK(seen_health_of(f, &after, &error));
  OK(seen_info_of(f, &info, &error));
  CHECK(before->size == sizeof(seen_health) && !before->saturated && !before->past_capacity && !before->above_fpr);
  CHECK(before->estimated_count <= before->most_keys && before->estimated_fpr <= 2 * before->most_fpr);
  CHECK(after->past_capacity && after->above_fpr && after->estimated_count > after->most_keys);
  CHECK(info->health->past_capacity && info->health->estimated_fpr == after->estimated_fpr);
  CHECK(info->health->fill == info->fill && info->estimated_count == after->estimated_count);
  seen_info_free(info);
  seen_health_free(after);
  seen_health_free(before);
  seen_filter_free(f);
  REFUSED(seen_health_of(NULL, &after, &error), SEEN_INVALID_ARGUMENT, "NULL");
  CHECK(after == NULL);
}

static void parameters_are_given_by_name(void) {
  const seen_field shape[] = {{.name = "bits", .integer = 4096}, {.name = "probes", .integer = 5}};
  const seen_field unnamed[] = {{.integer = 5}};
  const seen_field growth[] = {{.name = "growth", .real = 3, .is_real = true}};
  seen_make_options wanted = {.size = sizeof wanted, .kind = "bloom", .shape = shape, .shape_count = 2};
  seen_filter* f = NULL;
  seen_info* info = NULL;
  OK(seen_make(&wanted, &f, &error));
  seen_filter_free(f);
  wanted.shape_count = 1;
  REFUSED(seen_make(&wanted, &f, &error), SEEN_INVALID_ARGUMENT, "bloom needs probes too");
  wanted.shape = unnamed;
  REFUSED(seen_make(&wanted, &f, &error), SEEN_INVALID_ARGUMENT, "has no name");
  wanted.shape = NULL;
  REFUSED(seen_make(&wanted, &f, &error), SEEN_INVALID_ARGUMENT, "NULL");
  seen_make_options growing = {.size = sizeof growing,
                               .kind = "scalable-bloom",
                               .capacity = 100,
                               .fpr = 0.01,
                               .shape = growth,
                               .shape_count = 1};
  OK(seen_make(&growing, &f, &error));
  OK(seen_info_of(f, &info, &error));
  bool found = false;
  for (size_t i = 0; i < info->shape_count; ++i) {
    if (strcmp(info->shape[i].name, "growth") == 0) found = info->shape[i].is_real && info->shape[i].real == 3;
  }
  CHECK(found);
  seen_info_free(info);
  seen_filter_free(f);
  wanted.kind = "blom";
  wanted.shape_count = 0;
  REFUSED(seen_make(&wanted, &f, &error), SEEN_INVALID_ARGUMENT, "no kind blom; there are");
  REFUSED(seen_make(NULL, &f, &error), SEEN_INVALID_ARGUMENT, "capacity");
}

/* A later header's options. */
struct later_make_options {
  seen_make_options now;
  uint64_t later;
};

static void options_of_another_version_are_taken_as_far_as_both_know_them(void) {
  struct later_make_options later;
  seen_filter* f = NULL;
  memset(&later, 0, sizeof later);
  later.now.capacity = 100;
  later.now.fpr = 0.01;
  REFUSED(seen_make(&later.now, &f, &error), SEEN_INVALID_ARGUMENT, "its size is 0");
  later.now.size = (size_t)-1;
  REFUSED(seen_make(&later.now, &f, &error), SEEN_INVALID_ARGUMENT, "its size is");
  later.now.size = sizeof later;
  OK(seen_make(&later.now, &f, &error));
  seen_filter_free(f);
  later.later = 1;
  REFUSED(seen_make(&later.now, &f, &error), SEEN_INVALID_ARGUMENT, "does not know yet");
  later.now.hash = "none such";
  later.now.size = offsetof(seen_make_options, hash); /* an older header, without `hash` and what follows */
  OK(seen_make(&later.now, &f, &error));
  seen_filter_free(f);
}

static void files_of_other_formats_are_made_opened_and_converted(void) {
  seen_make_options wanted = {.size = sizeof wanted, .capacity = 100, .fpr = 1e-6, .format = "parquet"};
  seen_filter *f = NULL, *native = NULL;
  OK(seen_make(&wanted, &f, &error));
  CHECK(strcmp(seen_filter_format(f), "parquet") == 0);
  OK(seen_add_text(f, "alice", &error));
  OK(seen_convert(f, "native", NULL, &native, &error));
  CHECK(strcmp(seen_filter_format(native), "native") == 0 && strcmp(seen_filter_kind(native), "split-block") == 0);
  CHECK(seen_may_contain_text(native, "alice") && !seen_may_contain_text(native, "bob"));
  CHECK(seen_may_contain_text(f, "alice"));
  seen_filter_free(native);
  REFUSED(seen_convert(f, "guava", NULL, &native, &error), SEEN_UNSUPPORTED, "convert");
  CHECK(native == NULL && seen_may_contain_text(f, "alice"));
  seen_filter_free(f);
}

static void what_there_is_is_listed(void) {
  size_t kinds = 0, formats = 0, hashes = 0;
  bool has_ribbon = false, has_guava = false;
  for (const seen_kind* k; (k = seen_kind_at(kinds)) != NULL; ++kinds) {
    CHECK(k->size == sizeof *k && strlen(k->summary) > 0 && k->field_names[0] != NULL);
    if (strcmp(k->name, "ribbon") == 0) has_ribbon = k->is_static;
    if (strcmp(k->name, "scalable-bloom") == 0) {
      for (size_t i = 0; k->field_names[i] != NULL; ++i) {
        if (strcmp(k->field_names[i], "growth") == 0) CHECK(k->field_is_real[i]);
      }
    }
  }
  for (const seen_format* m; (m = seen_format_at(formats)) != NULL; ++formats) {
    CHECK(m->can_map == (formats == 0));
    if (strcmp(m->name, "guava") == 0) has_guava = m->can_make && m->key_types[0] != NULL;
  }
  while (seen_hash_at(hashes) != NULL) ++hashes;
  CHECK(kinds >= 15 && has_ribbon);
  CHECK(formats > 20 && has_guava);
  CHECK(strcmp(seen_format_at(0)->name, "native") == 0);
  CHECK(hashes >= 8 && strcmp(seen_hash_at(0), "xxh3-fold") == 0);
  CHECK(strcmp(seen_version(), "0.1.0") == 0);
}

static void a_plan_is_what_a_filter_would_be(void) {
  seen_make_options wanted = {.size = sizeof wanted, .kind = "bloom", .capacity = 1000, .fpr = 0.01};
  seen_plan_info* plan = NULL;
  OK(seen_plan(&wanted, &plan, &error));
  CHECK(plan->size == sizeof *plan && plan->shape[0].integer == 9586 && plan->shape[1].integer == 7);
  CHECK(plan->can_add && plan->can_merge && !plan->can_remove && !plan->can_grow);
  CHECK(plan->expected_fpr > 0.009 && plan->expected_fpr < 0.011);
  seen_plan_free(plan);
  wanted.fpr = 2;
  REFUSED(seen_plan(&wanted, &plan, &error), SEEN_INVALID_ARGUMENT, "fpr");
  CHECK(plan == NULL);
  wanted.capacity = 0;
  REFUSED(seen_plan(&wanted, &plan, &error), SEEN_INVALID_ARGUMENT, "capacity");
}

static void numbers_are_told_singly(void) {
  seen_filter* f = made("quotient", 1000, 0.01);
  double keys = 0, fill = 0, fpr = 0;
  for (uint64_t i = 0; i < 500; ++i) OK(seen_add_integer(f, i, &error));
  OK(seen_estimated_count(f, &keys, &error));
  OK(seen_fill(f, &fill, &error));
  OK(seen_estimated_fpr(f, &fpr, &error));
  CHECK(keys > 490 && keys <= 500 && fill > 0.1 && fill < 0.95 && fpr > 0 && fpr < 0.01);
  seen_filter_free(f);
}

static void an_error_has_the_errno_of_the_call_that_failed(void) {
  seen_filter *f = made("bloom", 1000, 0.01), *opened = NULL;
  seen_save_options as_new = {.size = sizeof as_new, .keep_existing = true};
  seen_error* error = NULL;
  CHECK(seen_load("c_absent.seen", NULL, &opened, &error) == SEEN_IO && seen_error_errno(error) == ENOENT);
  seen_error_free(error);
  CHECK(seen_load(".", NULL, &opened, &error) == SEEN_IO && seen_error_errno(error) == EISDIR);
  seen_error_free(error);
  CHECK(seen_save(f, "/dev/null/f.seen", NULL, &error) == SEEN_IO && seen_error_errno(error) == ENOTDIR);
  seen_error_free(error);
  OK(seen_save(f, "c_there.seen", NULL, &error));
  error = NULL;
  CHECK(seen_save(f, "c_there.seen", &as_new, &error) == SEEN_EXISTS && seen_error_errno(error) == EEXIST);
  seen_error_free(error);
  remove("c_there.seen");
  error = NULL;
  CHECK(seen_shrink(f, 2, &error) == SEEN_INVALID_ARGUMENT && seen_error_errno(error) == 0);
  seen_error_free(error);
  CHECK(seen_error_errno(NULL) == 0);
  seen_filter_free(f);
}

static void every_status_has_a_name_of_its_own(void) {
  for (seen_status one = SEEN_OK; one <= SEEN_CANCELLED; ++one) {
    CHECK(strcmp(seen_status_name(one), "unknown") != 0);
    for (seen_status other = SEEN_OK; other < one; ++other) {
      CHECK(strcmp(seen_status_name(one), seen_status_name(other)) != 0);
    }
  }
  CHECK(strcmp(seen_status_name(SEEN_CANCELLED + 1), "unknown") == 0);
  CHECK(strcmp(seen_status_name(SEEN_UNEXPECTED), "unexpected") == 0);
}

static void errors_may_be_ignored_and_NULL_is_freed(void) {
  seen_filter* f = NULL;
  CHECK(seen_make(NULL, &f, NULL) == SEEN_INVALID_ARGUMENT);
  CHECK(seen_make(NULL, NULL, NULL) == SEEN_INVALID_ARGUMENT);
  CHECK(seen_clear(NULL, NULL) == SEEN_INVALID_ARGUMENT);
  CHECK(seen_error_status(NULL) == SEEN_OK && strcmp(seen_error_message(NULL), "") == 0);
  CHECK(strcmp(seen_status_name(SEEN_OK), "ok") == 0 &&
        strcmp(seen_status_name(SEEN_NEWER_VERSION), "newer_version") == 0);
  CHECK(strcmp(seen_status_name(-1), "unknown") == 0 && strcmp(seen_status_name(100), "unknown") == 0);
  seen_error_free(NULL);
  seen_filter_free(NULL);
  seen_builder_free(NULL);
  seen_info_free(NULL);
  seen_health_free(NULL);
  seen_plan_free(NULL);
  seen_free(NULL);
}

static void a_filter_beyond_memory_is_refused(void) {
  seen_make_options wanted = {.size = sizeof wanted, .kind = "bloom", .capacity = 1000000000000000000u, .fpr = 0.01};
  seen_filter* f = NULL;
  REFUSED(seen_make(&wanted, &f, &error), SEEN_TOO_LARGE, "");
  CHECK(f == NULL);
}

/* ---- what a slip would not show */

/* The buffer is an allocation of its own, so that the sanitizer sees a byte too many. */
static void a_buffer_that_is_too_small_is_not_written_beyond(void) {
  seen_filter* f = made("bloom", 100, 0.01);
  size_t needed = 0;
  REFUSED(seen_to_buffer(f, NULL, NULL, 0, &needed, &error), SEEN_TOO_LARGE, "room for 0");
  CHECK(needed > 200);
  for (size_t less = 0; less <= 130; ++less) {
    const size_t room = needed - less;
    void* buffer = malloc(room);
    size_t length = 0;
    if (less == 0) {
      OK(seen_to_buffer(f, NULL, buffer, room, &length, &error));
    } else {
      REFUSED(seen_to_buffer(f, NULL, buffer, room, &length, &error), SEEN_TOO_LARGE, "to_buffer: there are");
    }
    CHECK(length == needed);
    free(buffer);
  }
  seen_filter_free(f);
}

static void metadata_has_a_limit_and_stays_as_it_was_beyond_it(void) {
  seen_filter* f = made("bloom", 100, 0.01);
  char* much = calloc(65537, 1);
  size_t length = 0;
  OK(seen_set_metadata(f, "kept", 4, &error));
  REFUSED(seen_set_metadata(f, much, 65537, &error), SEEN_TOO_LARGE, "metadata: 65537 bytes; at most 65536");
  CHECK(memcmp(seen_metadata(f, &length), "kept", 4) == 0 && length == 4);
  OK(seen_set_metadata(f, much, 65536, &error));
  CHECK(seen_metadata(f, &length) != NULL && length == 65536);
  free(much);
  seen_filter_free(f);
}

static void bytes_that_do_not_come_are_NULL(void) {
  seen_filter* f = made("bloom", 100, 0.01);
  seen_save_options odd = {.size = sizeof odd, .alignment = 7};
  char anything = 0;
  void* bytes = &anything;
  size_t length = 0;
  REFUSED(seen_to_bytes(f, &odd, &bytes, &length, &error), SEEN_INVALID_ARGUMENT, "alignment is 7");
  CHECK(bytes == NULL);
  bytes = &anything;
  REFUSED(seen_to_bytes(NULL, NULL, &bytes, &length, &error), SEEN_INVALID_ARGUMENT, "NULL");
  CHECK(bytes == NULL);
  seen_filter_free(f);
}

static void a_builder_is_finished_once(void) {
  seen_make_options wanted = {.size = sizeof wanted, .kind = "xor", .fpr = 0.01};
  seen_builder* builder = NULL;
  seen_filter* f = NULL;
  OK(seen_builder_make(&wanted, NULL, &builder, &error));
  OK(seen_builder_add_text(builder, "alice", &error));
  OK(seen_builder_finish(builder, &f, &error));
  CHECK(seen_may_contain_text(f, "alice"));
  seen_filter_free(f);
  REFUSED(seen_builder_finish(builder, &f, &error), SEEN_INVALID_ARGUMENT, "finish: the builder is finished");
  CHECK(f == NULL);
  REFUSED(seen_builder_add_text(builder, "bob", &error), SEEN_INVALID_ARGUMENT, "finished");
  CHECK(seen_builder_size(builder) == 0);
  seen_builder_free(builder);
}

/* A shape that is given does not excuse a number that is not a rate. */
static void a_senseless_rate_is_refused_whatever_the_shape(void) {
  const seen_field shape[] = {{.name = "slice-bits", .integer = 640}, {.name = "probes", .integer = 3}};
  const double senseless[] = {-1, 1, 5, HUGE_VAL, -HUGE_VAL, NAN};
  for (size_t i = 0; i < sizeof senseless / sizeof *senseless; ++i) {
    seen_make_options wanted = {.size = sizeof wanted, .kind = "windowed-bloom", .capacity = 100, .fpr = senseless[i]};
    seen_filter* f = NULL;
    wanted.shape = shape;
    wanted.shape_count = 2;
    REFUSED(seen_make(&wanted, &f, &error), SEEN_INVALID_ARGUMENT, "is not a probability");
    CHECK(f == NULL);
  }
}

int main(void) {
  keys_are_bytes_texts_or_integers();
  the_empty_key_is_a_key_and_NULL_is_not_one();
  keys_are_removed_and_counted_where_the_kind_can();
  digests_are_the_hash_of_keys();
  two_filters_are_combined_or_the_reason_is_given();
  a_filter_planned_too_large_is_shrunk();
  a_file_is_saved_opened_mapped_and_inspected();
  bytes_come_allocated_in_a_buffer_and_in_pieces();
  keyed_filters_need_their_secret();
  options_have_no_padding_at_the_end();
  a_rate_that_is_left_out_is_the_usual_one();
  a_filter_past_its_capacity_is_not_healthy();
  parameters_are_given_by_name();
  options_of_another_version_are_taken_as_far_as_both_know_them();
  files_of_other_formats_are_made_opened_and_converted();
  what_there_is_is_listed();
  a_plan_is_what_a_filter_would_be();
  numbers_are_told_singly();
  an_error_has_the_errno_of_the_call_that_failed();
  every_status_has_a_name_of_its_own();
  errors_may_be_ignored_and_NULL_is_freed();
  a_filter_beyond_memory_is_refused();
  a_buffer_that_is_too_small_is_not_written_beyond();
  metadata_has_a_limit_and_stays_as_it_was_beyond_it();
  bytes_that_do_not_come_are_NULL();
  a_builder_is_finished_once();
  a_senseless_rate_is_refused_whatever_the_shape();
  return failures != 0;
}
