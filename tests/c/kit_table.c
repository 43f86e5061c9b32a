#include "kit_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char* what, const char* why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static void* memory(size_t length) {
  void* all = calloc(length == 0 ? 1 : length, 1);
  if (all == NULL) fail("kit", "out of memory");
  return all;
}

/* Holds on to what cells, keys and cases point to until the program ends. */
static void* keep(void* data) {
  static struct kept {
    struct kept* next;
    void* data;
  }* all = NULL;
  struct kept* fresh = memory(sizeof *fresh);
  fresh->next = all;
  fresh->data = data;
  all = fresh;
  return data;
}

/* --- files */

char* joined(const char* folder, const char* name) {
  const size_t length = strlen(folder) + strlen(name) + 2;
  char* path = memory(length);
  snprintf(path, length, "%s/%s", folder, name);
  return path;
}

bytes read_file(const char* folder, const char* name) {
  char* path = joined(folder, name);
  FILE* in = fopen(path, "rb");
  if (in == NULL || fseek(in, 0, SEEK_END) != 0) fail(path, "cannot be read");
  const long length = ftell(in);
  rewind(in);
  if (length < 0) fail(path, "cannot be read");
  bytes all = {memory((size_t)length + 1), (size_t)length};
  if (fread(all.data, 1, all.length, in) != all.length) fail(path, "cannot be read");
  fclose(in);
  free(path);
  return all;
}

void write_file(const char* folder, const char* name, const void* data, size_t length) {
  char* path = joined(folder, name);
  FILE* out = fopen(path, "wb");
  if (out == NULL || fwrite(data, 1, length, out) != length || fclose(out) != 0) fail(path, "cannot be written");
  free(path);
}

static unsigned digit(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
  fail("kit", "no hexadecimal digit");
  return 0;
}

bytes from_hex(const char* digits) {
  bytes all = {memory(strlen(digits) / 2), strlen(digits) / 2};
  for (size_t i = 0; i < all.length; ++i) {
    all.data[i] = (unsigned char)(digit(digits[2 * i]) << 4 | digit(digits[2 * i + 1]));
  }
  return all;
}

/* --- tables */

static size_t count(const char* text, const char* end, char what) {
  size_t n = 0;
  for (; text < end; ++text) n += *text == what;
  return n;
}

table read_table(const char* folder, const char* name) {
  const bytes text = read_file(folder, name);
  char* at = keep(text.data);
  char* const end = at + text.length;
  char* const first_line = memchr(at, '\n', text.length);
  if (first_line == NULL || end[-1] != '\n') fail(name, "has no lines");
  table t = {NULL, count(at, first_line, '\t') + 1, count(at, end, '\n')};
  t.cells = keep(memory(t.columns * t.rows * sizeof *t.cells));
  for (size_t i = 0; i < t.columns * t.rows; ++i) {
    const char last = (i + 1) % t.columns == 0 ? '\n' : '\t';
    t.cells[i] = at;
    at += strcspn(at, "\t\n");
    if (*at != last) fail(name, "has a row with too few or too many cells");
    *at++ = '\0';
  }
  return t;
}

const char* cell(const table* t, size_t row, const char* column) {
  for (size_t j = 0; j < t->columns; ++j) {
    if (strcmp(t->cells[j], column) == 0) return t->cells[row * t->columns + j];
  }
  fail(column, "is not a column");
  return "";
}

uint64_t number_in(const table* t, size_t row, const char* column) {
  return strtoull(cell(t, row, column), NULL, 10);
}

double real_in(const table* t, size_t row, const char* column) {
  return strtod(cell(t, row, column), NULL);
}

/* --- keys: integers as such, texts with 32-bit offsets, bytes with 64-bit ones, so that every way in is tried */

static const uint64_t golden = 0x9e3779b97f4a7c15;

static seen_keys integer_keys(uint64_t from, size_t n) {
  uint64_t* all = keep(memory(n * sizeof *all));
  for (size_t i = 0; i < n; ++i) all[i] = (from + i) * golden;
  const seen_keys keys = {.size = sizeof keys, .layout = SEEN_KEYS_INTEGERS, .data = all, .count = n};
  return keys;
}

static seen_keys text_keys(uint64_t from, size_t n) {
  enum { LONGEST = 24 };
  char* all = keep(memory(n * LONGEST + 1));
  int32_t* offsets = keep(memory((n + 1) * sizeof *offsets));
  for (size_t i = 0; i < n; ++i) {
    offsets[i + 1] = offsets[i] + snprintf(all + offsets[i], LONGEST, "key-%" PRIu64, from + i);
  }
  const seen_keys keys = {
      .size = sizeof keys, .layout = SEEN_KEYS_OFFSETS32, .data = all, .count = n, .offsets = offsets};
  return keys;
}

static seen_keys byte_keys(uint64_t from, size_t n) {
  int64_t* offsets = keep(memory((n + 1) * sizeof *offsets));
  for (size_t i = 0; i < n; ++i) offsets[i + 1] = offsets[i] + (int64_t)((from + i) % 301);
  unsigned char* all = keep(memory((size_t)offsets[n]));
  for (size_t i = 0; i < n; ++i) {
    for (uint64_t j = 0; j < (from + i) % 301; ++j) {
      all[(uint64_t)offsets[i] + j] = (unsigned char)(((from + i) * 1024 + j + 1) * golden >> 56);
    }
  }
  const seen_keys keys = {
      .size = sizeof keys, .layout = SEEN_KEYS_OFFSETS64, .data = all, .count = n, .offsets = offsets};
  return keys;
}

typedef struct key_set {
  struct key_set* next;
  char* name;
  seen_keys keys;
} key_set;

const seen_keys* keys_of(const char* name) {
  static key_set* made = NULL;
  for (const key_set* each = made; each != NULL; each = each->next) {
    if (strcmp(each->name, name) == 0) return &each->keys;
  }
  char* rest = NULL;
  const char* const colon = strchr(name, ':');
  if (colon == NULL) fail(name, "is not a set of keys");
  const uint64_t from = strtoull(colon + 1, &rest, 10);
  if (*rest != ':') fail(name, "is not a set of keys");
  const size_t n = (size_t)strtoull(rest + 1, NULL, 10);
  key_set* fresh = memory(sizeof *fresh);
  fresh->next = made;
  fresh->name = memory(strlen(name) + 1);
  strcpy(fresh->name, name);
  if (strncmp(name, "text:", 5) == 0) {
    fresh->keys = text_keys(from, n);
  } else if (strncmp(name, "integers:", 9) == 0) {
    fresh->keys = integer_keys(from, n);
  } else if (strncmp(name, "bytes:", 6) == 0) {
    fresh->keys = byte_keys(from, n);
  } else {
    fail(name, "is not a set of keys");
  }
  made = fresh;
  return &fresh->keys;
}

/* --- cases */

static const seen_kind* kind_named(const char* name) {
  const seen_kind* kind = NULL;
  for (size_t i = 0; (kind = seen_kind_at(i)) != NULL && strcmp(kind->name, name) != 0; ++i) continue;
  return kind;
}

static const seen_format* format_named(const char* name) {
  const seen_format* format = NULL;
  for (size_t i = 0; (format = seen_format_at(i)) != NULL && strcmp(format->name, name) != 0; ++i) continue;
  return format;
}

static bool is_hash(const char* name) {
  const char* hash = NULL;
  for (size_t i = 0; (hash = seen_hash_at(i)) != NULL && strcmp(hash, name) != 0; ++i) continue;
  return hash != NULL;
}

static bool is_real(const seen_kind* kind, const char* name) {
  for (size_t i = 0; kind != NULL && kind->field_names[i] != NULL; ++i) {
    if (strcmp(kind->field_names[i], name) == 0) return kind->field_is_real[i];
  }
  return false;
}

/* "bits=9586,growth=2": real where the kind says so. */
static void parse_shape(const char* text, const seen_kind* kind, seen_make_options* into) {
  if (*text == '\0') return;
  char* at = keep(memory(strlen(text) + 1));
  strcpy(at, text);
  seen_field* shape = keep(memory((count(text, text + strlen(text), ',') + 1) * sizeof *shape));
  into->shape = shape;
  while (at != NULL) {
    seen_field* field = &shape[into->shape_count++];
    char* const comma = strchr(at, ',');
    char* const equals = strchr(at, '=');
    if (comma != NULL) *comma = '\0';
    if (equals == NULL) fail(text, "is not a shape");
    *equals = '\0';
    field->name = at;
    field->is_real = is_real(kind, at);
    if (field->is_real) {
      field->real = strtod(equals + 1, NULL);
    } else {
      field->integer = strtoull(equals + 1, NULL, 10);
    }
    at = comma == NULL ? NULL : comma + 1;
  }
}

kit_case case_in(const table* t, size_t row) {
  kit_case c = {.name = cell(t, row, "name")};
  const char* const format_name = cell(t, row, "format");
  const char* const hash = cell(t, row, "hash");
  const char* const variant = cell(t, row, "variant");
  const seen_format* const format = format_named(format_name);
  const bool is_native = strcmp(format_name, "native") == 0;
  c.kind = is_native ? kind_named(cell(t, row, "kind")) : NULL;
  c.is_known = format != NULL && (!is_native || (c.kind != NULL && is_hash(hash)));
  if (!c.is_known) return c;
  c.can_make = format->can_make;
  c.can_map = format->can_map;

  const bytes secret = from_hex(cell(t, row, "secret"));
  const bytes metadata = from_hex(cell(t, row, "metadata"));
  keep(secret.data);
  keep(metadata.data);
  if (secret.length != 0 && secret.length != SEEN_SECRET_BYTES) fail(c.name, "has a secret of another length");
  const seen_make_options make = {.size = sizeof make,
                                  .kind = is_native ? c.kind->name : NULL,
                                  .capacity = number_in(t, row, "capacity"),
                                  .fpr = real_in(t, row, "fpr"),
                                  .hash = *hash != '\0' ? hash : NULL,
                                  .seed = number_in(t, row, "seed"),
                                  .secret = secret.length != 0 ? secret.data : NULL,
                                  .format = format->name,
                                  .variant = is_native ? NULL : variant};
  c.make = make;
  parse_shape(cell(t, row, "fields"), c.kind, &c.make);
  const seen_open_options open = {.size = sizeof open,
                                  .secret = make.secret,
                                  .format = format->name,
                                  .hash = is_native ? NULL : hash,
                                  /* its files do not tell which of its encodings they are */
                                  .variant = strcmp(format->name, "cassandra") == 0 ? variant : NULL};
  c.open = open;
  const seen_save_options save = {.size = sizeof save,
                                  .store_secret = *cell(t, row, "store_secret") != '\0',
                                  .alignment = number_in(t, row, "alignment"),
                                  .metadata = metadata.data,
                                  .metadata_length = metadata.length};
  c.save = save;
  c.keys = keys_of(cell(t, row, "keys"));
  c.probes = keys_of(cell(t, row, "probes"));
  return c;
}

seen_status make_case(const kit_case* c, seen_filter** out, seen_error** error) {
  if (c->kind != NULL && c->kind->is_static) {
    seen_builder* builder = NULL;
    seen_status status = seen_builder_make(&c->make, NULL, &builder, error);
    if (status == SEEN_OK) status = seen_builder_add_many(builder, c->keys, error);
    if (status == SEEN_OK) status = seen_builder_finish(builder, out, error);
    seen_builder_free(builder);
    return status;
  }
  seen_status status = seen_make(&c->make, out, error);
  if (status == SEEN_OK) status = seen_add_many(*out, c->keys, 1, error);
  return status;
}

char* shape_text(const seen_field* shape, size_t n) {
  enum { LONGEST = 64 };
  char* text = memory(n * LONGEST + 1);
  char* at = text;
  for (size_t i = 0; i < n; ++i) {
    at += snprintf(at, LONGEST, "%s%s=", i == 0 ? "" : ",", shape[i].name);
    at += shape[i].is_real ? snprintf(at, 32, "%.17g", shape[i].real) : snprintf(at, 32, "%" PRIu64, shape[i].integer);
  }
  return text;
}
