/* seen in C: Bloom filters and their successors, of any kind, hash and file format. C99; C++ may include it too.
 *
 *     seen_make_options wanted = {.size = sizeof wanted, .kind = "bloom", .capacity = 1000000, .fpr = 0.01};
 *     seen_filter *visited = NULL;
 *     seen_error *error = NULL;
 *     if (seen_make(&wanted, &visited, &error) != SEEN_OK) { fputs(seen_error_message(error), stderr); ... }
 *     seen_add_text(visited, "alice", NULL);
 *     if (!seen_may_contain_text(visited, "bob")) puts("certainly new");
 *     seen_filter_free(visited);
 *
 * Conventions
 *
 *  1. Errors. A function that can fail returns a seen_status: SEEN_OK, which is 0, or the reason. Its last parameter may
 *     be NULL. Otherwise a failure stores a seen_error there, with a sentence for people, which the caller frees; success
 *     stores nothing. A failed call changes nothing, except that a handle it should have made is NULL.
 *     (A batch that finds a filter full is the exception: the keys before that one are in it, and the message counts
 *     them.) No C++ exception leaves the library; memory that runs out is SEEN_NO_MEMORY.
 *  2. Ownership. An object made through a pointer to a pointer belongs to the caller. Each type has its free function,
 *     which accepts NULL; bytes are freed by seen_free. A pointer to const that a function returns belongs to the object
 *     it was asked of, or to the library, and is not freed. Arguments stay the caller's and are not kept beyond the call,
 *     except for the bytes of seen_view.
 *  3. Threads. Any number of threads may ask one filter at once (every function that takes it as const), as long as none
 *     changes it; a function that changes it needs it alone. Different filters are independent. An
 *     error, an info or a builder belongs to one thread at a time. The library keeps no state of its own.
 *  4. Keys. A key is bytes: a pointer and a length. Length 0 is the empty key, a key like any other, and its pointer may be
 *     NULL. NULL with another length is a mistake: a change refuses it (SEEN_INVALID_ARGUMENT), a question answers "maybe".
 *     A text is its bytes without the zero at its end; in UTF-8 it is the same key in every language. An integer is its 64
 *     bits in two's complement as 8 bytes, the lowest first: seen_add_integer(f, (uint64_t)-1) and the eight bytes
 *     ff .. ff are one key.
 *  5. Strings given and got end with a zero. Names of kinds, formats and hashes are those of the `seen` command. A path is
 *     as the system takes it.
 *  6. Options. Every struct of options begins with `size`, which the caller sets to its sizeof; every other member may be
 *     left out (zero, NULL) and then has its default. A later release adds members at the end. A program made with an
 *     older header runs with a newer library; one that uses members the library does not know yet is refused, not ignored.
 *     Structs that the library makes begin with `size` too: members beyond it are not there. NULL means all defaults.
 *  7. Names and numbers in this header keep their meaning within libseen.so.0.
 *  8. Any other NULL where an object is expected is refused by functions that return a status, and is undefined otherwise.
 */
#ifndef SEEN_SEEN_H
#define SEEN_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SEEN_API __attribute__((visibility("default")))
#else
#define SEEN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- errors */

/* How a call ended: one of the constants below. */
typedef int32_t seen_status;

enum {
  SEEN_OK = 0,
  SEEN_INVALID_ARGUMENT = 1, /* an argument outside its range */
  SEEN_TOO_LARGE = 2,        /* a filter or file beyond a limit, which the message names */
  SEEN_NO_MEMORY = 3,        /* this machine does not have that much memory */
  SEEN_CORRUPT = 4,          /* bytes that no writer can have produced, or a checksum that does not match */
  SEEN_NOT_RECOGNISED = 5,   /* not of any known format; name one to force it */
  SEEN_NEWER_VERSION = 6,    /* written by a later release */
  SEEN_WRONG_KIND = 7,       /* a good file of another kind than the one asked for */
  SEEN_WRONG_HASH = 8,       /* another hash function, seed or secret */
  SEEN_SECRET_REQUIRED = 9,  /* a keyed file opened without its secret */
  SEEN_UNSEALED = 10,        /* a writable map was not closed; open the file with `recover` */
  SEEN_INCOMPATIBLE = 11,    /* two filters that cannot be combined */
  SEEN_UNSUPPORTED = 12,     /* this kind or format has no such operation, or the filter is mapped */
  SEEN_FULL = 13,            /* no room for another key */
  SEEN_IO = 14,              /* the operating system refused */
  SEEN_EXISTS = 15,          /* the file is there already */
  SEEN_BUSY = 16,            /* another process writes the file */
  SEEN_CANCELLED = 17,       /* a callback asked to stop */
  SEEN_UNEXPECTED = 255      /* a defect of the library */
};

/* Why a call failed. */
typedef struct seen_error seen_error;

/* The status again; SEEN_OK for NULL. */
SEEN_API seen_status seen_error_status(const seen_error* error);
/* A sentence that names both sides: "merge: probes differ: 7 here, 5 there"; "" for NULL. */
SEEN_API const char* seen_error_message(const seen_error* error);
/* errno of the system call that failed (ENOENT, EACCES); 0 if none did, and for NULL. */
SEEN_API int seen_error_errno(const seen_error* error);
/* Frees an error. NULL is allowed and does nothing. */
SEEN_API void seen_error_free(seen_error* error);
/* The name of a status: "ok", "corrupt", "newer_version". */
SEEN_API const char* seen_status_name(seen_status status);

/* --- making filters */

/* A filter of any kind. */
typedef struct seen_filter seen_filter;

/* Bytes in a secret of a keyed hash. */
enum { SEEN_SECRET_BYTES = 16 };

/* A field of a shape by its name: {.name = "bits", .integer = 9586}, {.name = "growth", .real = 2, .is_real = true}. */
typedef struct seen_field {
  const char* name;
  uint64_t integer;
  double real;
  bool is_real;
} seen_field;

/* Says which filter to make: a kind, and a capacity and rate or the kind's own shape. With both, the fields of the shape
 * are wishes that the plan keeps, if the kind can. */
typedef struct seen_make_options {
  size_t size;             /* sizeof(seen_make_options) */
  const char* kind;        /* "bloom", ... (seen_kind_at); the default is the first of them */
  uint64_t capacity;       /* keys, never bits; 0: the size is in `shape` */
  double fpr;              /* a probability; 0.01 where left out */
  const seen_field* shape; /* the kind's own numbers */
  size_t shape_count;
  bool foldable;        /* round the size up so that seen_shrink finds many sizes, where the kind folds */
  const char* hash;     /* "xxh3-64", ...; the default is "xxh3-fold", or the format's own */
  uint64_t seed;        /* of the hash */
  const void* secret;   /* SEEN_SECRET_BYTES bytes, for the keyed hashes */
  const char* format;   /* the default is native; a foreign format brings its own kind and hash */
  const char* variant;  /* of a foreign format: which layout of its files */
  const char* key_type; /* of a foreign format: what its keys are, "utf16", "int32" */
} seen_make_options;

/* How to open a file. */
typedef struct seen_open_options {
  size_t size;          /* sizeof(seen_open_options) */
  const void* secret;   /* SEEN_SECRET_BYTES bytes of a keyed filter; not needed where the file holds it */
  bool recover;         /* accept a file whose writable map was never closed */
  const char* format;   /* the default is to recognise it by its content */
  const char* hash;     /* of a foreign file that does not say it */
  const char* key_type; /* of a foreign file that does not say it */
  const char* part;     /* of a file that holds several filters: which one, by name or number */
  const char* variant;  /* of a foreign file that does not say it: how it is laid out */
  uint64_t max_bytes;   /* the most bytes a file may have or unfold to; 0: any number */
} seen_open_options;

/* How to write a file. */
typedef struct seen_save_options {
  size_t size;        /* sizeof(seen_save_options) */
  bool keep_existing; /* a file that is there already is an error, and not replaced */
  bool store_secret;  /* write a keyed filter's secret into the file: whoever reads it can forge keys */
  bool drop_secret;   /* leave it out, even where the file that is replaced holds it */
  size_t
      alignment; /* of the body: 64, or 4096 for whole pages; the default is that of the file that was opened, or 64 */
  const void* metadata; /* any bytes, at most 64 KiB; the default is what seen_metadata says */
  size_t metadata_length;
} seen_save_options;

/* An empty filter. Static kinds are built: seen_builder_make. */
SEEN_API seen_status seen_make(const seen_make_options* options, seen_filter** out, seen_error** error);
/* Reads a file of any format into memory, checking everything. */
SEEN_API seen_status seen_load(const char* path, const seen_open_options* options, seen_filter** out,
                               seen_error** error);
/* The same from bytes in memory. */
SEEN_API seen_status seen_from_bytes(const void* bytes, size_t length, const seen_open_options* options,
                                     seen_filter** out, seen_error** error);
/* A native file's own pages, read-only, in time independent of its size. Functions that would change the filter are
 * refused (SEEN_UNSUPPORTED). seen_verify checks the pages, which were not read. The file may be replaced meanwhile, but
 * truncating it is a bus error here. */
SEEN_API seen_status seen_map(const char* path, const seen_open_options* options, seen_filter** out,
                              seen_error** error);
/* The same over bytes aligned to 8, which the caller keeps until the filter is freed. */
SEEN_API seen_status seen_view(const void* bytes, size_t length, const seen_open_options* options, seen_filter** out,
                               seen_error** error);
/* The same filter in memory of its own; a copy of a mapped one can be changed. */
SEEN_API seen_status seen_copy(const seen_filter* filter, seen_filter** out, seen_error** error);
/* The same filter as one of another format, where its bits mean the same there; `variant` may be NULL. */
SEEN_API seen_status seen_convert(const seen_filter* filter, const char* format, const char* variant, seen_filter** out,
                                  seen_error** error);
/* Frees a filter. NULL is allowed and does nothing. */
SEEN_API void seen_filter_free(seen_filter* filter);

/* --- keys: bytes, texts, integers */

/* Adds a key. Cuckoo and quotient filters can be full (SEEN_FULL), static ones are never added to (SEEN_UNSUPPORTED). */
SEEN_API seen_status seen_add(seen_filter* filter, const void* key, size_t length, seen_error** error);
SEEN_API seen_status seen_add_text(seen_filter* filter, const char* key, seen_error** error);
SEEN_API seen_status seen_add_integer(seen_filter* filter, uint64_t key, seen_error** error);

/* False: certainly never added. True: maybe. Also true for bytes that are not a key, which are of the wrong length where the
 * keys of a foreign filter are numbers; functions that return a status refuse those (SEEN_INVALID_ARGUMENT). */
SEEN_API bool seen_may_contain(const seen_filter* filter, const void* key, size_t length);
SEEN_API bool seen_may_contain_text(const seen_filter* filter, const char* key);
SEEN_API bool seen_may_contain_integer(const seen_filter* filter, uint64_t key);

/* Adds a key; *before is the answer that seen_may_contain would have given. `before` may be NULL. */
SEEN_API seen_status seen_test_and_add(seen_filter* filter, const void* key, size_t length, bool* before,
                                       seen_error** error);
SEEN_API seen_status seen_test_and_add_text(seen_filter* filter, const char* key, bool* before, seen_error** error);
SEEN_API seen_status seen_test_and_add_integer(seen_filter* filter, uint64_t key, bool* before, seen_error** error);

/* Removes a key; *removed false: it was not there, and nothing changed. `removed` may be NULL. */
SEEN_API seen_status seen_remove(seen_filter* filter, const void* key, size_t length, bool* removed,
                                 seen_error** error);
SEEN_API seen_status seen_remove_text(seen_filter* filter, const char* key, bool* removed, seen_error** error);
SEEN_API seen_status seen_remove_integer(seen_filter* filter, uint64_t key, bool* removed, seen_error** error);

/* How often a key was added, at most. */
SEEN_API seen_status seen_count(const seen_filter* filter, const void* key, size_t length, uint64_t* count,
                                seen_error** error);
SEEN_API seen_status seen_count_text(const seen_filter* filter, const char* key, uint64_t* count, seen_error** error);
SEEN_API seen_status seen_count_integer(const seen_filter* filter, uint64_t key, uint64_t* count, seen_error** error);

/* By digest, for keys that are hashed already (seen_hash_key). */
SEEN_API seen_status seen_add_digest(seen_filter* filter, uint64_t digest, seen_error** error);
SEEN_API seen_status seen_may_contain_digest(const seen_filter* filter, uint64_t digest, bool* answer,
                                             seen_error** error);

/* --- batches */

/* One key among others. */
typedef struct seen_bytes {
  const void* data;
  size_t length;
} seen_bytes;

/* How the keys of a batch lie in memory. */
enum {
  SEEN_KEYS_VIEWS = 1,     /* data: const seen_bytes[count] */
  SEEN_KEYS_TEXTS = 2,     /* data: const char *[count] */
  SEEN_KEYS_INTEGERS = 3,  /* data: const uint64_t[count] */
  SEEN_KEYS_FIXED = 4,     /* data: count keys of `width` bytes, one after another */
  SEEN_KEYS_OFFSETS32 = 5, /* data: bytes; offsets: const int32_t[count + 1]; key i is [offsets[i], offsets[i + 1]), */
  SEEN_KEYS_OFFSETS64 = 6  /* or const int64_t[count + 1]: as Arrow's string arrays have it */
};

/* Many keys: {.size = sizeof keys, .layout = SEEN_KEYS_INTEGERS, .data = ids, .count = n}. */
typedef struct seen_keys {
  size_t size;         /* sizeof(seen_keys) */
  uint32_t layout;     /* SEEN_KEYS_... */
  const void* data;    /* as the layout says; NULL if there are no bytes */
  size_t count;        /* keys */
  const void* offsets; /* of SEEN_KEYS_OFFSETS32 and SEEN_KEYS_OFFSETS64 */
  size_t width;        /* of SEEN_KEYS_FIXED */
} seen_keys;

/* Adds keys on this thread (threads 1), on several, or on as many as there are processors (0). The filter that comes out is
 * the same. Takes 16 bytes per key meanwhile, except for integers. */
SEEN_API seen_status seen_add_many(seen_filter* filter, const seen_keys* keys, unsigned threads, seen_error** error);
/* The answer for every key, and in *found, which may be NULL, how many are true. If one is not a key, as above, nothing is
 * answered, and the error says which. */
SEEN_API seen_status seen_may_contain_many(const seen_filter* filter, const seen_keys* keys, bool* answers,
                                           size_t* found, seen_error** error);
/* The same as bits: key i's is bit i % 8 of bitmap[i / 8]. The bits after the last key's are zero. */
SEEN_API seen_status seen_may_contain_bitmap(const seen_filter* filter, const seen_keys* keys, uint8_t* bitmap,
                                             size_t* found, seen_error** error);
/* The indices of the keys that may be present, ascending; `indices` needs a place for every key. */
SEEN_API seen_status seen_select(const seen_filter* filter, const seen_keys* keys, uint64_t* indices, size_t* found,
                                 seen_error** error);

/* --- the whole filter */

/* Takes all keys out. */
SEEN_API seen_status seen_clear(seen_filter* filter, seen_error** error);
/* Tells a kind that forgets what time it is. */
SEEN_API seen_status seen_advance(seen_filter* filter, uint64_t now, seen_error** error);
/* All keys of both. Refused unless kind, shape and hash are the same. */
SEEN_API seen_status seen_merge(seen_filter* filter, const seen_filter* other, seen_error** error);
/* At least the keys that both hold. */
SEEN_API seen_status seen_intersect(seen_filter* filter, const seen_filter* other, seen_error** error);
/* Folds to the smallest size whose rate is at most `fpr`. */
SEEN_API seen_status seen_shrink(seen_filter* filter, double fpr, seen_error** error);

/* The names of its kind and of the format that seen_save writes. */
SEEN_API const char* seen_filter_kind(const seen_filter* filter);
SEEN_API const char* seen_filter_format(const seen_filter* filter);
/* True of a filter from seen_map or seen_view. */
SEEN_API bool seen_is_mapped(const seen_filter* filter);
/* Checks every page of a mapped filter. A filter that was opened otherwise has been checked already. */
SEEN_API seen_status seen_verify(const seen_filter* filter, seen_error** error);

/* The user's own bytes that came with the file and go with the next save; valid until they are set. */
SEEN_API const void* seen_metadata(const seen_filter* filter, size_t* length);
/* Sets them; a file takes 65,536. */
SEEN_API seen_status seen_set_metadata(seen_filter* filter, const void* bytes, size_t length, seen_error** error);

/* --- files */

/* Replaces the file atomically, in the filter's own format; it is on the device when the call returns. */
SEEN_API seen_status seen_save(const seen_filter* filter, const char* path, const seen_save_options* options,
                               seen_error** error);
/* The bytes of that file; seen_free frees them. */
SEEN_API seen_status seen_to_bytes(const seen_filter* filter, const seen_save_options* options, void** bytes,
                                   size_t* length, seen_error** error);
/* The same into memory of the caller. *length is the number of bytes there are, also where `room` is less (SEEN_TOO_LARGE). */
SEEN_API seen_status seen_to_buffer(const seen_filter* filter, const seen_save_options* options, void* buffer,
                                    size_t room, size_t* length, seen_error** error);
/* The same piece by piece to a function, which returns false to stop (SEEN_CANCELLED). */
SEEN_API seen_status seen_write(const seen_filter* filter, const seen_save_options* options,
                                bool (*sink)(void* context, const void* piece, size_t length), void* context,
                                seen_error** error);
/* Frees bytes that the library made. NULL is allowed and does nothing. */
SEEN_API void seen_free(void* bytes);

/* --- what a filter is */

/* Whether a filter is still what was asked for: three findings, and the numbers that say so. A filter at its capacity never
 * alarms by chance. Kinds that grow or forget are never past it, static ones never alarm, and a filter of which only the
 * shape is known can be saturated only. */
typedef struct seen_health {
  size_t size;            /* how much of this struct the library knows */
  bool saturated;         /* fuller than any plan makes it */
  bool past_capacity;     /* estimated_count > most_keys */
  bool above_fpr;         /* estimated_fpr > most_fpr, and not by luck */
  double fill;            /* share of its bits, counters or slots in use */
  double estimated_count; /* keys it holds */
  double most_keys;       /* the most that one at its capacity may seem to hold; infinite where it has none */
  double estimated_fpr;   /* at its present fill */
  double most_fpr;        /* what was asked; 1 where nothing was */
} seen_health;

/* Everything there is to say about a filter. */
typedef struct seen_info {
  size_t size; /* how much of this struct the library knows */
  const char* kind;
  const char* format;
  const char* variant;     /* which layout of the format's files; "" if there is one */
  const seen_field* shape; /* the kind's own numbers */
  size_t shape_count;
  const char* hash;
  uint64_t seed;
  bool keyed;
  uint64_t capacity; /* what was asked for; 0 where unknown */
  double fpr;
  uint64_t bytes;         /* memory of the bits */
  double estimated_count; /* keys it holds */
  bool count_is_exact;
  bool has_fill;
  double fill; /* of its bits or slots, from 0 to 1 */
  bool saturated;
  double estimated_fpr;   /* at its present fill */
  double fpr_at_capacity; /* by the model; 0 where the capacity is unknown */
  uint64_t file_bytes;    /* 0 unless it came from a file */
  bool verified;          /* checked against checksums when it was opened */
  bool sealed;
  bool mapped;
  size_t alignment;     /* of the body in the file */
  bool secret_stored;   /* in the file */
  const char* key_form; /* of a foreign filter: "bytes", "integer", "int64", "int32", "real" */
  const void* metadata;
  size_t metadata_length;
  const char*
      recognised; /* how its format is known: "named", "proven" by its content, or "guessed": it is not changed */
  const seen_health* health; /* whether it is still what was asked for */
  bool has_huge_page_bytes;  /* false where the system does not say */
  uint64_t huge_page_bytes;  /* how much of the memory lies in huge pages at the moment */
} seen_info;

/* Describes a filter. */
SEEN_API seen_status seen_info_of(const seen_filter* filter, seen_info** out, seen_error** error);
/* Describes the filter in a file, without its secret. */
SEEN_API seen_status seen_inspect(const char* path, const seen_open_options* options, seen_info** out,
                                  seen_error** error);
/* Frees it, with all it points to. */
SEEN_API void seen_info_free(seen_info* info);

/* Whether a filter is still what was asked for; what monitoring asks now and then. It reads all bits. */
SEEN_API seen_status seen_health_of(const seen_filter* filter, seen_health** out, seen_error** error);
/* Frees it. NULL is allowed and does nothing. */
SEEN_API void seen_health_free(seen_health* health);

/* Single answers of seen_info_of. seen_fill is refused where the kind has nothing that fills up. */
SEEN_API seen_status seen_estimated_count(const seen_filter* filter, double* keys, seen_error** error);
SEEN_API seen_status seen_fill(const seen_filter* filter, double* fill, seen_error** error);
SEEN_API seen_status seen_estimated_fpr(const seen_filter* filter, double* fpr, seen_error** error);

/* Describes a filter before it is made. */
typedef struct seen_plan_info {
  size_t size; /* how much of this struct the library knows */
  const char* kind;
  const seen_field* shape;
  size_t shape_count;
  uint64_t bytes;
  double bits_per_key;
  double expected_fpr;  /* at the capacity */
  uint32_t cache_lines; /* a lookup of a present key touches */
  uint64_t build_bytes; /* memory while it is built */
  bool can_add;
  bool can_remove;
  bool can_merge;
  bool can_intersect;
  bool can_grow;   /* takes any number of keys at its rate */
  bool can_shrink; /* may be planned too large and folded */
  bool can_forget; /* keys leave by themselves */
} seen_plan_info;

/* Plans a native filter: a kind, a capacity and a rate, and wishes; the other options play no part. */
SEEN_API seen_status seen_plan(const seen_make_options* options, seen_plan_info** out, seen_error** error);
/* Frees it, with all it points to. */
SEEN_API void seen_plan_free(seen_plan_info* plan);

/* --- static filters */

/* A static filter in the making: keys first, then the filter. */
typedef struct seen_builder seen_builder;

/* The stages of a build. */
enum {
  SEEN_BUILD_SORTING = 0, /* digests are put in order */
  SEEN_BUILD_SOLVING = 1  /* shards are made */
};

/* How far a build is. */
typedef struct seen_build_progress {
  size_t size;
  uint32_t stage; /* SEEN_BUILD_... */
  uint64_t done;  /* keys of this stage */
  uint64_t total;
  uint64_t resumed; /* of those done, keys of shards that an earlier build had finished */
} seen_build_progress;

/* How to build. The same keys give the same filter whatever is said here. */
typedef struct seen_build_options {
  size_t size;                 /* sizeof(seen_build_options) */
  unsigned threads;            /* 1: this thread alone; 0: as many as there are processors */
  uint64_t memory;             /* bytes the build may take beside the filter; 0: all it needs */
  const char* spill_directory; /* where digests beyond `memory` wait; the default is the system's temporary directory */
  const char* checkpoint;      /* a file that keeps finished shards; a later build of the same keys takes them up */
  bool (*progress)(void* context, const seen_build_progress* progress); /* called now and then; false: SEEN_CANCELLED */
  void* context;                                                        /* for `progress` */
} seen_build_options;

/* A builder without keys, of a static kind or of a format whose filters are built so (xorfilter-go, xor-singleheader). Of the make options all but
 * the capacity count, fpr being 0.01 where left out: keys are counted as they come. */
SEEN_API seen_status seen_builder_make(const seen_make_options* options, const seen_build_options* how,
                                       seen_builder** out, seen_error** error);
/* Keeps the digest of a key, or of many. */
SEEN_API seen_status seen_builder_add(seen_builder* builder, const void* key, size_t length, seen_error** error);
SEEN_API seen_status seen_builder_add_text(seen_builder* builder, const char* key, seen_error** error);
SEEN_API seen_status seen_builder_add_integer(seen_builder* builder, uint64_t key, seen_error** error);
SEEN_API seen_status seen_builder_add_many(seen_builder* builder, const seen_keys* keys, seen_error** error);
/* How many keys were added, equal ones too. */
SEEN_API uint64_t seen_builder_size(const seen_builder* builder);
/* The filter of the keys. Afterwards, also where it failed, the builder can only be freed. */
SEEN_API seen_status seen_builder_finish(seen_builder* builder, seen_filter** out, seen_error** error);
/* Frees a builder. NULL is allowed and does nothing. */
SEEN_API void seen_builder_free(seen_builder* builder);

/* --- hashes, secrets, and what there is */

/* Which hash function. */
typedef struct seen_hash_options {
  size_t size;        /* sizeof(seen_hash_options) */
  const char* hash;   /* the default is "xxh3-fold" */
  uint64_t seed;      /* of the functions that take one */
  const void* secret; /* SEEN_SECRET_BYTES bytes, for the keyed ones */
} seen_hash_options;

/* The digest of a key, as filters of that hash compute it. */
SEEN_API seen_status seen_hash_key(const seen_hash_options* options, const void* key, size_t length, uint64_t* digest,
                                   seen_error** error);
/* A fresh secret from the operating system: SEEN_SECRET_BYTES bytes. */
SEEN_API seen_status seen_random_secret(void* secret, seen_error** error);

/* A kind of filter. */
typedef struct seen_kind {
  size_t size; /* how much of this struct the library knows */
  const char* name;
  const char* summary;
  bool is_static;                 /* built by a seen_builder */
  const char* const* field_names; /* ends with NULL */
  const bool* field_is_real;      /* as many */
} seen_kind;

/* A file format. Lists end with NULL and begin with the usual one. */
typedef struct seen_format {
  size_t size; /* how much of this struct the library knows */
  const char* name;
  const char* summary;
  bool can_make;
  bool can_map;
  bool can_add;    /* to what was read */
  bool can_verify; /* it has checksums, or the like */
  bool can_seed;   /* its hash takes a seed */
  bool has_parts;  /* a file may hold several filters, of which `part` names one */
  const char* const* variants;
  const char* const* hashes;
  const char* const* key_types;
  bool has_layouts; /* a file may leave open how it is laid out: `variant` of seen_open_options names it */
} seen_format;

/* The kinds, formats and hashes there are, by number from 0, the default first; NULL after the last. */
SEEN_API const seen_kind* seen_kind_at(size_t index);
SEEN_API const seen_format* seen_format_at(size_t index);
SEEN_API const char* seen_hash_at(size_t index);

/* The version of the library: "0.1.0". */
SEEN_API const char* seen_version(void);

#ifdef __cplusplus
}
#endif

#endif
