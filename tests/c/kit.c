/* The driver of the conformance kit in C.
 *
 *     kit write KIT OUT      makes the filter of every case of KIT/cases.tsv and saves it as OUT/<name>
 *     kit read KIT IN OUT    opens IN/<name>, every second one through a memory map, and writes the answers as OUT/<name>
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit_table.h"

static void must(seen_status status, const char* name, seen_error* const* error) {
  if (status != SEEN_OK) fail(name, seen_error_message(*error));
}

static void write_case(const kit_case* c, const char* folder) {
  seen_filter* f = NULL;
  seen_error* error = NULL;
  char* path = joined(folder, c->name);
  must(make_case(c, &f, &error), c->name, &error);
  must(seen_save(f, path, &c->save, &error), c->name, &error);
  seen_filter_free(f);
  free(path);
}

static void read_case(const kit_case* c, const char* path, bool mapped, const char* folder) {
  seen_filter* f = NULL;
  seen_error* error = NULL;
  const size_t length = (c->probes->count + 7) / 8;
  uint8_t* answers = calloc(length + 1, 1);
  if (answers == NULL) fail(c->name, "out of memory");
  must(mapped && c->can_map ? seen_map(path, &c->open, &f, &error) : seen_load(path, &c->open, &f, &error), c->name,
       &error);
  must(seen_may_contain_bitmap(f, c->probes, answers, NULL, &error), c->name, &error);
  write_file(folder, c->name, answers, length);
  free(answers);
  seen_filter_free(f);
}

static bool exists(const char* path) {
  FILE* file = fopen(path, "rb");
  if (file != NULL) fclose(file);
  return file != NULL;
}

int main(int count, char** words) {
  const bool writes = count == 4 && strcmp(words[1], "write") == 0;
  if (!writes && !(count == 5 && strcmp(words[1], "read") == 0))
    fail("usage", "kit write KIT OUT | kit read KIT IN OUT");
  const table cases = read_table(words[2], "cases.tsv");
  for (size_t row = 1; row < cases.rows; ++row) {
    const kit_case c = case_in(&cases, row);
    if (!c.is_known) continue;
    if (writes) {
      if (!c.can_make) continue;
      write_case(&c, words[3]);
    } else {
      char* path = joined(words[3], c.name);
      const bool is_there = exists(path);
      if (is_there) read_case(&c, path, (row + 1) % 2 == 0, words[4]);
      free(path);
      if (!is_there) continue;
    }
    puts(c.name);
  }
  return 0;
}
