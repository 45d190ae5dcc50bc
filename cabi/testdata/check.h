// What the test programs share.
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pong.h"

#define CHECK(condition)                                                                         \
  do {                                                                                           \
    if (!(condition)) {                                                                          \
      fprintf(stderr, "%s:%d: not so: %s (%s)\n", __FILE__, __LINE__, #condition, tb_error());   \
      exit(1);                                                                                   \
    }                                                                                            \
  } while (0)

// A call that must fail, with words about the reason.
#define REFUSED(result, code, words)                                                             \
  do {                                                                                           \
    int got = (int)(result);                                                                     \
    if (got != (code) || !strstr(tb_error(), words)) {                                           \
      fprintf(stderr, "%s:%d: %s is %d (%s), not %d with \"%s\"\n", __FILE__, __LINE__, #result, \
              got, tb_error(), (code), words);                                                   \
      exit(1);                                                                                   \
    }                                                                                            \
  } while (0)

static inline void rest(void) {
  struct timespec millisecond = {0, 1000000};
  nanosleep(&millisecond, NULL);
}

#endif
