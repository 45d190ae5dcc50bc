// What a frame of a sync test costs, with a state of 4 KiB: it goes back seven frames and runs eight. The argument is how many
// frames; it prints the nanoseconds of processor time of one, by callbacks and by pull.

#include <pthread.h>

#include "check.h"

typedef struct big {
  uint32_t words[1024];
} big;

static void big_step(void *user, void *state, tb_tick *t) {
  (void)user;
  big *s = state;
  uint32_t keys = *(const uint8_t *)tb_input(t, 0);
  for (uint32_t i = 0; i < 16; i++) s->words[(t->frame * 16 + i) % 1024] += keys + i;
}

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

int main(int argc, char **argv) {
  uint32_t frames = argc > 1 ? (uint32_t)atoi(argv[1]) : 20000;
  static const tb_field fields[] = {TB_ARRAY(big, words, TB_U32, 1024)};
  for (uint32_t pull = 0; pull < 2; pull++) {
    tb_game game = {.size = sizeof game, .id = "bench", .input_size = 1, .state_size = sizeof(big), .fields = fields, .fields_len = 1};
    if (!pull) game.step = big_step;
    tb_options options = {.size = sizeof options, .players = 2, .frames = frames, .flags = pull ? TB_PULL : 0};
    tb_session *s;
    tb_result r = tb_synctest(&game, &options, 7, &s);
    uint64_t requests = 0;
    int64_t begin = now();
    for (uint32_t f = 0;; f++) {
      for (; r == TB_REQUEST; requests++) {
        tb_request *q = tb_requested(s);
        if (q->want == TB_STEP) big_step(NULL, q->state, q->tick);
        r = tb_next(s, NULL);
      }
      if (r != TB_OK) break;
      uint8_t keys = (uint8_t)(f / 8);
      tb_set_input(s, 0, &keys);
      r = tb_advance(s, NULL);
    }
    int64_t end = now();
    CHECK(r == TB_OVER);
    printf("%s %lld ns per frame, %.1f requests\n", pull ? "pull" : "callbacks", (long long)((end - begin) / frames), (double)requests / frames);
    CHECK(tb_close(s) == TB_OK);
  }
  return 0;
}
