/* Just enough of a test framework for C: what fails says where, and the program's status tells. */
#ifndef SEEN_TESTS_C_CHECK_H
#define SEEN_TESTS_C_CHECK_H

#include <seen/seen.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      printf("%s:%d: %s: not so: %s\n", __FILE__, __LINE__, __func__, #condition); \
      ++failures;                                                                  \
    }                                                                              \
  } while (0)

/* The call succeeds; its last argument is &error. */
#define OK(call)                                                                             \
  do {                                                                                       \
    seen_error* error = NULL;                                                                \
    const seen_status outcome = (call);                                                      \
    if (outcome != SEEN_OK || error != NULL) {                                               \
      printf("%s:%d: %s: %s: %s\n", __FILE__, __LINE__, __func__, seen_status_name(outcome), \
             seen_error_message(error));                                                     \
      ++failures;                                                                            \
    }                                                                                        \
    seen_error_free(error);                                                                  \
  } while (0)

/* The call, whose last argument is &error, fails with this status and a message that has this text in it. */
#define REFUSED(call, status, text)                                                              \
  do {                                                                                           \
    seen_error* error = NULL;                                                                    \
    const seen_status outcome = (call);                                                          \
    if (outcome != (status) || seen_error_status(error) != (status) ||                           \
        strstr(seen_error_message(error), (text)) == NULL) {                                     \
      printf("%s:%d: %s: %s: \"%s\"\n", __FILE__, __LINE__, __func__, seen_status_name(outcome), \
             seen_error_message(error));                                                         \
      ++failures;                                                                                \
    }                                                                                            \
    seen_error_free(error);                                                                      \
  } while (0)

#endif
