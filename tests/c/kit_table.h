/* The tables of the conformance kit (tests/kit/README.md) for programs in C: cells by column, bytes from hexadecimal digits,
 * sets of keys as batches, and a case as options. Whatever is wrong with a table ends the program. */
#ifndef SEEN_TESTS_C_KIT_TABLE_H
#define SEEN_TESTS_C_KIT_TABLE_H

#include <seen/seen.h>

/* Prints why, and ends the program with status 1. */
void fail(const char* what, const char* why);

/* Bytes that the program owns. */
typedef struct bytes {
  unsigned char* data;
  size_t length;
} bytes;

bytes read_file(const char* folder, const char* name);
void write_file(const char* folder, const char* name, const void* data, size_t length);
bytes from_hex(const char* digits);
/* folder/name, in memory of its own. */
char* joined(const char* folder, const char* name);

/* A table: rows[i * columns + j], row 0 being the header. */
typedef struct table {
  char** cells;
  size_t columns;
  size_t rows;
} table;

table read_table(const char* folder, const char* name);
/* The cell of a row in a column, by the column's name; "" where it is empty. */
const char* cell(const table* t, size_t row, const char* column);
uint64_t number_in(const table* t, size_t row, const char* column);
double real_in(const table* t, size_t row, const char* column);

/* "text:0:1000" as a batch; every set is made once. */
const seen_keys* keys_of(const char* set);

/* A row of cases.tsv, as the functions of seen.h want it. */
typedef struct kit_case {
  const char* name;
  const seen_kind* kind; /* NULL for other formats */
  bool is_known;         /* format, kind and hash are known here */
  bool can_make;
  bool can_map;
  seen_make_options make;
  seen_open_options open;
  seen_save_options save;
  const seen_keys* keys;
  const seen_keys* probes;
} kit_case;

kit_case case_in(const table* t, size_t row);
/* The filter of a case, made from its keys. */
seen_status make_case(const kit_case* c, seen_filter** out, seen_error** error);
/* "bits=9586,probes=7", in memory of its own. */
char* shape_text(const seen_field* shape, size_t count);

#endif
