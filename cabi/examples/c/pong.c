// Pong for two machines, played by computers, in the terminal:
//
//	pong 0 0.0.0.0:7000 other:7000 [--net awful] [--frames 600] [--record FILE] [--draw] [--log]
//	pong 1 0.0.0.0:7000 other:7000
//
// The first number is the player; player 0 decides the length. It says at the end how the match went.

#include "pong.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void log_line(void *user, int level, const char *line) {
  static const char *const names[] = {"debug", "info", "warning", "error"};
  fprintf(user, "%s: %s\n", names[level], line);
}

static void draw(const pong *s) {
  int rows = PONG_HEIGHT / 256, columns = PONG_WIDTH / 256;
  printf("\033[H%*d : %d\033[K\n", columns / 2, s->score[0], s->score[1]);
  for (int y = 0; y < rows; y++) {
    for (int x = 0; x < columns; x++) {
      int left = x == 1 && y * 256 >= s->paddle[0] && y * 256 < s->paddle[0] + PONG_PADDLE;
      int right = x == columns - 2 && y * 256 >= s->paddle[1] && y * 256 < s->paddle[1] + PONG_PADDLE;
      int ball = x == s->ball.x / 256 && y == s->ball.y / 256;
      putchar(left || right ? '#' : ball ? 'o' : x == columns / 2 ? '.' : ' ');
    }
    puts("\033[K");
  }
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: %s PLAYER LISTEN OTHER [--net PROFILE] [--frames N] [--record FILE] [--draw] [--log]\n", argv[0]);
    return 2;
  }
  tb_game game = pong_game();
  tb_options options = {.size = sizeof options, .me = (uint32_t)atoi(argv[1]), .listen = argv[2], .seed = 7, .connect_ms = 120000, .drop_ms = 30000};
  const char *others[] = {argv[3]};
  options.others = others;
  options.others_len = 1;
  int drawing = 0;
  for (int i = 4; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (!strcmp(argv[i], "--draw")) drawing = 1;
    else if (!strcmp(argv[i], "--log")) options.log = log_line, options.log_user = stderr;
    else if (!strcmp(argv[i], "--net")) options.net = value, i++;
    else if (!strcmp(argv[i], "--record")) options.record = value, i++;
    else if (!strcmp(argv[i], "--frames")) options.frames = (uint32_t)strtoul(value, NULL, 10), i++;
    else {
      fprintf(stderr, "%s: there is no %s\n", argv[0], argv[i]);
      return 2;
    }
  }
  if (drawing) printf("\033[2J");

  tb_session *s;
  tb_result r = tb_p2p(&game, &options, &s);
  uint32_t pocks = 0; // that really happened
  for (uint32_t calls = 0; r == TB_OK; calls++) {
    int64_t wait;
    uint8_t keys = pong_bot(tb_state(s), (int)options.me, calls);
    if ((r = tb_set_input(s, options.me, &keys)) != TB_OK) break;
    r = tb_update(s, &wait);
    for (tb_event e = {.size = sizeof e}; tb_get_event(s, &e) == 1;) fprintf(stderr, "%s\n", e.text);
    for (tb_effect f = {.size = sizeof f}; tb_get_effect(s, &f) == 1;) {
      if (f.what == TB_EFFECT_STARTED && drawing) putchar('\a'); // the bell of the terminal
      if (f.what == TB_EFFECT_CONFIRMED) pocks++;
    }
    if (drawing && tb_state(s)) draw(tb_state(s));
    if (r == TB_OK) r = tb_wait(s, wait);
  }
  if (r < 0) {
    fprintf(stderr, "%s: %s\n", argv[0], tb_error());
    tb_close(s);
    return 1;
  }
  tb_stats stats = {.size = sizeof stats};
  tb_outcome outcome = {.size = sizeof outcome};
  tb_get_stats(s, &stats);
  tb_get_outcome(s, &outcome);
  const pong *end = tb_state(s);
  printf("frames %" PRIu32 " score %d:%d health %" PRIu32 " sum %016" PRIx64 " rollbacks %" PRIu64 " resimulated %" PRIu64 " pocks %" PRIu32 "\n",
         outcome.frames, end->score[0], end->score[1], outcome.health, pong_sum(end), stats.rollbacks, stats.resimulated, pocks);
  return tb_close(s) == TB_OK ? 0 : 1;
}
