// What goes on between the library and its process: signals, threads, loading. The argument says what to try.

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "check.h"

static tb_session *open_test(tb_game *game, uint32_t frames) {
  tb_options options = {.size = sizeof options, .players = 2, .frames = frames};
  tb_session *s;
  CHECK(tb_synctest(game, &options, 7, &s) == TB_OK);
  return s;
}

static volatile sig_atomic_t alarms, interrupts;
static void on_alarm(int number) { (void)number, alarms++; }
static void on_interrupt(int number) { (void)number, interrupts++; }

static void quick_alarms(void) {
  struct itimerval every = {{0, 500}, {0, 500}};
  CHECK(setitimer(ITIMER_REAL, &every, NULL) == 0);
}

// Handlers of the program for its own signals work while the library does.
static void handlers(void) {
  CHECK(signal(SIGALRM, on_alarm) != SIG_ERR && signal(SIGINT, on_interrupt) != SIG_ERR);
  quick_alarms();
  tb_game game = pong_game();
  uint64_t sum = 0;
  for (int round = 0; alarms < 50; round++) {
    tb_session *s = open_test(&game, 100);
    tb_result r;
    while ((r = tb_advance(s, NULL)) == TB_OK) {}
    CHECK(r == TB_OVER);
    CHECK(round == 0 || pong_sum(tb_state(s)) == sum);
    sum = pong_sum(tb_state(s));
    CHECK(tb_close(s) == TB_OK);
    raise(SIGINT);
  }
  CHECK(interrupts > 0);
}

// A step that jumps away has left the library in the middle: nothing is possible any more in this thread, and nothing breaks.
static jmp_buf away;
static void jumping_step(void *user, void *state, tb_tick *t) {
  pong_step(user, state, t);
  if (t->frame == 5) longjmp(away, 1);
}

static void jump(void) {
  tb_game game = pong_game();
  game.step = jumping_step;
  tb_session *volatile s = open_test(&game, 100);
  if (!setjmp(away)) {
    while (tb_advance(s, NULL) == TB_OK) {}
    CHECK(!"the step jumped");
  }
  REFUSED(tb_advance(s, NULL), TB_EBUSY, "longjmp");
  REFUSED(tb_close(s), TB_EBUSY, "longjmp");
}

// A pointer that leads nowhere ends the process as it would without the library.
static int *volatile nowhere;

static void crash(void) {
  tb_game game = pong_game();
  tb_session *s = open_test(&game, 100);
  CHECK(tb_advance(s, NULL) == TB_OK);
  *nowhere = 1;
}

static void crashing_step(void *user, void *state, tb_tick *t) {
  pong_step(user, state, t);
  *nowhere = 1;
}

static void crash_in_step(void) {
  tb_game game = pong_game();
  game.step = crashing_step;
  tb_advance(open_test(&game, 100), NULL);
}

// The library stays where it is when it is closed, so that it can be opened again.
static void reload(const char *path) {
  for (int i = 0; i < 3; i++) {
    void *library = dlopen(path, RTLD_NOW);
    CHECK(library);
    CHECK(dlsym(library, "tb_advance"));
    CHECK(dlclose(library) == 0);
  }
  tb_game game = pong_game();
  tb_session *s = open_test(&game, 10);
  CHECK(tb_advance(s, NULL) == TB_OK && tb_close(s) == TB_OK);
}

// Many threads, each with a session of its own, and all of them with one that is for one at a time.
static tb_session *common;

static void *work(void *error) {
  tb_game game = pong_game();
  for (int i = 0; i < 20; i++) {
    tb_session *s = open_test(&game, 60);
    tb_result r;
    while ((r = tb_advance(s, NULL)) == TB_OK) {
      tb_result other = tb_advance(common, NULL);
      CHECK(other == TB_OK || other == TB_EBUSY || other == TB_OVER);
    }
    CHECK(r == TB_OVER);
    CHECK(tb_close(s) == TB_OK);
  }
  return error;
}

static void many(void) {
  tb_game game = pong_game();
  common = open_test(&game, 0);
  pthread_t threads[8];
  for (int i = 0; i < 8; i++) CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
  for (int i = 0; i < 8; i++) CHECK(pthread_join(threads[i], NULL) == 0);
  CHECK(tb_close(common) == TB_OK);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  if (!strcmp(argv[1], "handlers")) handlers();
  else if (!strcmp(argv[1], "jump")) jump();
  else if (!strcmp(argv[1], "crash")) crash();
  else if (!strcmp(argv[1], "crash in step")) crash_in_step();
  else if (!strcmp(argv[1], "reload")) reload(argv[2]);
  else if (!strcmp(argv[1], "many")) many();
  else return 2;
  puts("ok");
  return 0;
}
