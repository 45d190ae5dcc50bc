// Sessions are opened and closed many times, and the process does not grow.

#include <unistd.h>

#include "check.h"

// The memory of the process, in pages.
static long pages(void) {
  FILE *f = fopen("/proc/self/statm", "r");
  long all, resident;
  CHECK(f && fscanf(f, "%ld %ld", &all, &resident) == 2);
  fclose(f);
  return resident;
}

static void play(uint32_t flags) {
  tb_game game = pong_game();
  game.state_size = 1 << 16; // what is forgotten would be seen
  tb_options options = {.size = sizeof options, .players = 2, .frames = 20, .flags = flags};
  if (flags) game.step = NULL, game.init = NULL, game.check = NULL;
  tb_session *s;
  tb_result r = tb_synctest(&game, &options, 7, &s);
  for (int calls = 0; calls < 100 && r >= TB_OK; calls++) {
    while (r == TB_REQUEST) {
      tb_request *q = tb_requested(s);
      if (q->want == TB_STEP) pong_step(NULL, q->state, q->tick);
      if (q->want == TB_INIT) q->answer = pong_init(NULL, q->state, q->seed);
      if (calls == 15 && flags) break; // closed with a request pending
      r = tb_next(s, NULL);
    }
    if (r != TB_OK) break;
    r = tb_advance(s, NULL);
  }
  CHECK(flags ? r == TB_REQUEST : r == TB_OVER);
  CHECK(tb_close(s) == TB_OK);
}

int main(void) {
  for (int i = 0; i < 300; i++) play(i % 2 ? TB_PULL : 0);
  long before = pages();
  for (int i = 0; i < 1500; i++) play(i % 2 ? TB_PULL : 0);
  long grown = (pages() - before) * sysconf(_SC_PAGESIZE);
  CHECK(grown < 16 << 20); // one state for each session would be 98 MB
  puts("ok");
  return 0;
}
