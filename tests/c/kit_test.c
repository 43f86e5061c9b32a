/* kit_test KIT TABLE…: the conformance kit through the C interface. TABLE is cases, sizes, hashes, hostile or verdicts. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit_table.h"

static int failures = 0;

static void complain(const char* name, const char* why, seen_error* error) {
  if (++failures < 20) printf("%s: %s %s\n", name, why, seen_error_message(error));
  seen_error_free(error);
}

/* The answers of a filter as one number. */
static uint64_t answers_of(const seen_filter* f, const seen_keys* probes, size_t* yes) {
  const size_t length = (probes->count + 7) / 8;
  uint8_t* answers = calloc(length + 1, 1);
  uint64_t digest = 0;
  if (answers == NULL || seen_may_contain_bitmap(f, probes, answers, yes, NULL) != SEEN_OK ||
      seen_hash_key(NULL, answers, length, &digest, NULL) != SEEN_OK) {
    fail("answers", "cannot be had");
  }
  free(answers);
  return digest;
}

/* Whether health says what the column `health` has: "past-capacity,above-fpr". */
static bool is_as_healthy(const seen_filter* f, const char* findings) {
  seen_health* health = NULL;
  if (seen_health_of(f, &health, NULL) != SEEN_OK) return false;
  const bool same = health->saturated == (strstr(findings, "saturated") != NULL) &&
                    health->past_capacity == (strstr(findings, "past-capacity") != NULL) &&
                    health->above_fpr == (strstr(findings, "above-fpr") != NULL);
  seen_health_free(health);
  return same;
}

static void every_case_has_its_bytes_and_answers(const char* kit) {
  const table cases = read_table(kit, "cases.tsv");
  for (size_t row = 1; row < cases.rows; ++row) {
    const kit_case c = case_in(&cases, row);
    if (!c.is_known) {
      complain(cell(&cases, row, "name"), "is not known here", NULL);
      continue;
    }
    seen_error* error = NULL;
    seen_filter *f = NULL, *opened = NULL;
    void* written = NULL;
    size_t length = 0, yes = 0;
    const bytes expected = read_file(kit, cell(&cases, row, "file"));
    if (c.can_make) {
      if (make_case(&c, &f, &error) != SEEN_OK || seen_to_bytes(f, &c.save, &written, &length, &error) != SEEN_OK) {
        complain(c.name, "is not made:", error);
      } else if (length != expected.length || memcmp(written, expected.data, length) != 0) {
        complain(c.name, "has other bytes", NULL);
      }
      seen_free(written);
      seen_filter_free(f);
      error = NULL;
    }
    if ((c.can_map ? seen_view : seen_from_bytes)(expected.data, expected.length, &c.open, &opened, &error) !=
            SEEN_OK ||
        seen_verify(opened, &error) != SEEN_OK) {
      complain(c.name, "is not opened:", error);
    } else if (answers_of(opened, c.probes, &yes) != strtoull(cell(&cases, row, "answers"), NULL, 16) ||
               yes != number_in(&cases, row, "yes")) {
      complain(c.name, "answers otherwise", NULL);
    } else if (!is_as_healthy(opened, cell(&cases, row, "health"))) {
      complain(c.name, "is otherwise healthy", NULL);
    }
    seen_filter_free(opened);
    free(expected.data);
  }
}

static void every_target_has_its_size(const char* kit) {
  const table sizes = read_table(kit, "sizes.tsv");
  for (size_t row = 1; row < sizes.rows; ++row) {
    const seen_make_options wanted = {.size = sizeof wanted,
                                      .kind = cell(&sizes, row, "kind"),
                                      .capacity = number_in(&sizes, row, "capacity"),
                                      .fpr = real_in(&sizes, row, "fpr")};
    if (wanted.fpr == 0) continue; /* in C that is a rate left out, and means the usual one */
    seen_plan_info* plan = NULL;
    const seen_status status = seen_plan(&wanted, &plan, NULL);
    const bool planned = status == SEEN_OK;
    if (status == SEEN_TOO_LARGE && sizeof(size_t) < sizeof(uint64_t)) continue; /* for 32 bits; seen_kit knows which */
    char* shape = planned ? shape_text(plan->shape, plan->shape_count) : NULL;
    if (strcmp(planned ? shape : "", cell(&sizes, row, "fields")) != 0) {
      char where[128];
      snprintf(where, sizeof where, "sizes.tsv: line %zu: %s %" PRIu64, row + 1, wanted.kind, wanted.capacity);
      complain(where, planned ? shape : "refused", NULL);
    }
    free(shape);
    seen_plan_free(plan);
  }
}

static void every_portable_filter_has_its_documents_size(const char* kit) {
  const table sizes = read_table(kit, "portable_sizes.tsv");
  for (size_t row = 1; row < sizes.rows; ++row) {
    const seen_make_options wanted = {.size = sizeof wanted,
                                      .format = "portable",
                                      .capacity = number_in(&sizes, row, "capacity"),
                                      .fpr = real_in(&sizes, row, "fpr")};
    if (wanted.fpr == 0 || wanted.capacity == 0) continue; /* in C that is left out */
    const uint64_t bits = number_in(&sizes, row, "bits");
    if (bits > (uint64_t)1 << 22) continue; /* hundreds of megabytes */
    seen_filter* made = NULL;
    seen_info* info = NULL;
    if (seen_make(&wanted, &made, NULL) == SEEN_OK) seen_info_of(made, &info, NULL);
    if ((info == NULL ? 0 : info->shape[0].integer) != bits ||
        (info != NULL && info->shape[1].integer != number_in(&sizes, row, "probes"))) {
      complain("portable_sizes.tsv", cell(&sizes, row, "bits"), NULL);
    }
    seen_info_free(info);
    seen_filter_free(made);
  }
}

static void every_key_has_its_digest(const char* kit) {
  const table hashes = read_table(kit, "hashes.tsv");
  for (size_t row = 1; row < hashes.rows; ++row) {
    const bytes secret = from_hex(cell(&hashes, row, "secret")), key = from_hex(cell(&hashes, row, "key"));
    const seen_hash_options how = {.size = sizeof how,
                                   .hash = cell(&hashes, row, "hash"),
                                   .seed = number_in(&hashes, row, "seed"),
                                   .secret = secret.length != 0 ? secret.data : NULL};
    uint64_t digest = 0;
    seen_error* error = NULL;
    if (seen_hash_key(&how, key.data, key.length, &digest, &error) != SEEN_OK ||
        digest != strtoull(cell(&hashes, row, "digest"), NULL, 16)) {
      complain(how.hash, cell(&hashes, row, "key"), error);
    }
    free(secret.data);
    free(key.data);
  }
}

/* "16:ff,cut:90,append:00", in order. */
static void edit(bytes* file, const char* edits) {
  while (*edits != '\0') {
    const size_t length = strcspn(edits, ",");
    const char* const value = strchr(edits, ':') + 1;
    char digits[4096];
    snprintf(digits, sizeof digits, "%.*s", (int)(edits + length - value), value);
    if (strncmp(edits, "cut:", 4) == 0) {
      const size_t n = (size_t)strtoull(value, NULL, 10);
      file->length = n < file->length ? n : file->length;
    } else {
      const bool appends = strncmp(edits, "append:", 7) == 0;
      const bytes put = from_hex(digits);
      const size_t at = appends ? file->length : (size_t)strtoull(edits, NULL, 10);
      if (at + put.length > file->length) {
        file->data = realloc(file->data, at + put.length);
        if (file->data == NULL) fail("edits", "out of memory");
        file->length = at + put.length;
      }
      memcpy(file->data + at, put.data, put.length);
      free(put.data);
    }
    edits += length + (edits[length] == ',');
  }
}

static size_t row_of_file(const table* cases, const char* file) {
  for (size_t row = 1; row < cases->rows; ++row) {
    if (strcmp(cell(cases, row, "file"), file) == 0) return row;
  }
  fail(file, "is the file of no case");
  return 0;
}

static void every_hostile_file_is_refused(const char* kit) {
  const table cases = read_table(kit, "cases.tsv"), hostile = read_table(kit, "hostile.tsv");
  for (size_t row = 1; row < hostile.rows; ++row) {
    const char* const base = cell(&hostile, row, "base");
    const kit_case c = case_in(&cases, row_of_file(&cases, base));
    if (!c.is_known) continue;
    bytes file = read_file(kit, base);
    edit(&file, cell(&hostile, row, "edits"));
    seen_filter* f = NULL;
    if (seen_from_bytes(file.data, file.length, &c.open, &f, NULL) == SEEN_OK || f != NULL) {
      complain(base, cell(&hostile, row, "why"), NULL);
    }
    seen_filter_free(f);
    f = NULL;
    if (c.can_map && seen_view(file.data, file.length, &c.open, &f, NULL) == SEEN_OK) {
      bool answers[200];
      seen_keys few = *c.probes;
      if (few.count > 200) few.count = 200;
      (void)seen_may_contain_many(f, &few, answers, NULL, NULL); /* any answer, but safely */
      if (seen_verify(f, NULL) == SEEN_OK) complain("mapped", cell(&hostile, row, "why"), NULL);
    }
    seen_filter_free(f);
    free(file.data);
  }
}

/* What one way to open makes of a lying file: its verdict, and with it of verify and of the answers, where it opens. */
static void expect_verdicts(const table* lies, size_t row,
                            seen_status (*open)(const void*, size_t, const seen_open_options*, seen_filter**,
                                                seen_error**),
                            const bytes* file, const seen_open_options* how, const char* column) {
  const char* const base = cell(lies, row, "base");
  seen_filter* f = NULL;
  const char* const opened = seen_status_name(open(file->data, file->length, how, &f, NULL));
  if (strcmp(opened, cell(lies, row, column)) != 0) complain(base, cell(lies, row, "edits"), NULL);
  if (f == NULL) return;
  size_t yes = 0;
  const uint64_t answers = answers_of(f, keys_of(cell(lies, row, "probes")), &yes);
  const char* const expected = cell(lies, row, "answers");
  if (*expected != '\0' && answers != strtoull(expected, NULL, 16)) complain(base, "answers otherwise", NULL);
  const char* const verified = seen_status_name(seen_verify(f, NULL));
  /* A loaded filter has been verified. */
  if (strcmp(verified, open == seen_view ? cell(lies, row, "verify") : "ok") != 0) complain(base, verified, NULL);
  seen_filter_free(f);
}

static void every_lying_file_has_its_verdicts(const char* kit) {
  const table cases = read_table(kit, "cases.tsv"), lies = read_table(kit, "verdicts.tsv");
  for (size_t row = 1; row < lies.rows; ++row) {
    const char* const base = cell(&lies, row, "base");
    kit_case c = case_in(&cases, row_of_file(&cases, base));
    c.open.recover = *cell(&lies, row, "recover") != '\0';
    bytes file = read_file(kit, base);
    edit(&file, cell(&lies, row, "edits"));
    expect_verdicts(&lies, row, seen_from_bytes, &file, &c.open, "load");
    expect_verdicts(&lies, row, seen_view, &file, &c.open, "map");
    free(file.data);
  }
}

int main(int count, char** words) {
  for (int i = 2; i < count; ++i) {
    if (strcmp(words[i], "cases") == 0) every_case_has_its_bytes_and_answers(words[1]);
    if (strcmp(words[i], "sizes") == 0) {
      every_target_has_its_size(words[1]);
      every_portable_filter_has_its_documents_size(words[1]);
    }
    if (strcmp(words[i], "hashes") == 0) every_key_has_its_digest(words[1]);
    if (strcmp(words[i], "hostile") == 0) every_hostile_file_is_refused(words[1]);
    if (strcmp(words[i], "verdicts") == 0) every_lying_file_has_its_verdicts(words[1]);
  }
  if (failures != 0) printf("%d failures\n", failures);
  return failures != 0;
}
