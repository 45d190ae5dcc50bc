// Pong for two: the rules. Whole numbers only, and nothing but the state and the inputs counts, so that it is the same on
// all machines.
#ifndef PONG_H
#define PONG_H

#include "tickback.h"

enum { PONG_WIDTH = 64 * 256, PONG_HEIGHT = 24 * 256, PONG_PADDLE = 5 * 256, PONG_SPEED = 160, PONG_GOALS = 7 };

// The bits of an input, which is one byte.
enum { PONG_UP = 1, PONG_DOWN = 2 };

// Positions are in 256ths of a character of the picture. The members that are there twice are those of the two players.
typedef struct pong {
  struct {
    int32_t x, y, dx, dy;
  } ball;
  int32_t paddle[2]; // the upper end of each
  int32_t score[2];
  uint32_t random;
  uint8_t serving; // frames until the ball moves
} pong;

static const tb_field pong_fields[] = {
    TB_FIELD(pong, ball.x, TB_I32),    TB_FIELD(pong, ball.y, TB_I32),      TB_FIELD(pong, ball.dx, TB_I32),
    TB_FIELD(pong, ball.dy, TB_I32),   TB_ARRAY(pong, paddle, TB_I32, 2),   TB_ARRAY(pong, score, TB_I32, 2),
    TB_FIELD(pong, random, TB_U32),    TB_FIELD(pong, serving, TB_U8),
};

// What a step emits to be heard: the ball hits the paddle of a player, who is the key. The payload is how far
// down that was, an int32_t.
enum { PONG_POCK = 1 };
static const tb_kind pong_kinds[] = {{"pock", PONG_POCK, 0}};

// The only random numbers that a step may use are those of a generator in the state.
static inline uint32_t pong_random(pong *s) {
  s->random ^= s->random << 13;
  s->random ^= s->random >> 17;
  s->random ^= s->random << 5;
  return s->random;
}

static inline void pong_serve(pong *s) {
  s->ball.x = PONG_WIDTH / 2;
  s->ball.y = PONG_HEIGHT / 2;
  s->ball.dx = pong_random(s) & 1 ? PONG_SPEED : -PONG_SPEED;
  s->ball.dy = (int32_t)(pong_random(s) % 201) - 100;
  s->serving = 45;
}

static inline int pong_init(void *user, void *state, uint64_t seed) {
  (void)user;
  pong *s = state;
  s->random = (uint32_t)(seed ^ seed >> 32) | 1;
  s->paddle[0] = s->paddle[1] = (PONG_HEIGHT - PONG_PADDLE) / 2;
  pong_serve(s);
  return 0;
}

static inline void pong_step(void *user, void *state, tb_tick *t) {
  (void)user;
  pong *s = state;
  for (uint32_t p = 0; p < 2; p++) {
    uint8_t keys = *(const uint8_t *)tb_input(t, p);
    if (keys & PONG_UP) s->paddle[p] -= 128;
    if (keys & PONG_DOWN) s->paddle[p] += 128;
    if (s->paddle[p] < 0) s->paddle[p] = 0;
    if (s->paddle[p] > PONG_HEIGHT - PONG_PADDLE) s->paddle[p] = PONG_HEIGHT - PONG_PADDLE;
  }
  if (s->serving) {
    s->serving--;
    return;
  }
  s->ball.x += s->ball.dx;
  s->ball.y += s->ball.dy;
  if (s->ball.y < 0 || s->ball.y >= PONG_HEIGHT) {
    s->ball.dy = -s->ball.dy;
    s->ball.y += 2 * s->ball.dy;
  }
  int side = s->ball.dx > 0;
  int32_t line = side ? PONG_WIDTH - 512 : 512;
  int32_t ahead = side ? s->ball.x - line : line - s->ball.x;
  int32_t hit = s->ball.y - s->paddle[side];
  if (ahead >= 0 && ahead < PONG_SPEED && hit >= 0 && hit < PONG_PADDLE) {
    s->ball.dx = -s->ball.dx;
    s->ball.dy += (hit - PONG_PADDLE / 2) / 8;
    tb_emit(t, PONG_POCK, (uint32_t)side, &s->ball.y, sizeof s->ball.y);
  }
  if (s->ball.x < 0 || s->ball.x >= PONG_WIDTH) {
    s->score[!side]++;
    if (s->score[!side] >= PONG_GOALS) tb_finish(t, (uint64_t)!side);
    pong_serve(s);
  }
}

// A state from another machine, or a file: the step must not fail with it.
static inline int pong_check(void *user, const void *state) {
  (void)user;
  const pong *s = state;
  if (!s->random) return 1; // the generator would make zeros for ever
  for (int p = 0; p < 2; p++) {
    if (s->paddle[p] < 0 || s->paddle[p] > PONG_HEIGHT - PONG_PADDLE) return 2;
    if (s->score[p] < 0 || s->score[p] > PONG_GOALS) return 3;
  }
  if (s->ball.dx != PONG_SPEED && s->ball.dx != -PONG_SPEED) return 4;
  if (s->ball.x < -PONG_SPEED || s->ball.x > PONG_WIDTH + PONG_SPEED) return 5;
  if (s->ball.dy < -(1 << 20) || s->ball.dy > 1 << 20 || s->ball.y < -(1 << 21) || s->ball.y > 1 << 21) return 6;
  return 0;
}

// The game as the library takes it. Padding behind serving is cleared, so that compilers may do with it what they like.
static inline tb_game pong_game(void) {
  tb_game game = {0};
  game.size = sizeof game;
  game.id = "tickback.example.pong";
  game.input_size = 1;
  game.state_size = sizeof(pong);
  game.init = pong_init;
  game.step = pong_step;
  game.check = pong_check;
  game.fields = pong_fields;
  game.fields_len = sizeof pong_fields / sizeof *pong_fields;
  game.flags = TB_CLEAR_GAPS;
  game.kinds = pong_kinds;
  game.kinds_len = sizeof pong_kinds / sizeof *pong_kinds;
  return game;
}

// What a computer player presses: it follows the ball, and is not always awake.
static inline uint8_t pong_bot(const pong *s, int player, uint32_t frame) {
  if (!s || (frame / 16 + (uint32_t)player * 3) % 5 == 0) return 0;
  int32_t middle = s->paddle[player] + PONG_PADDLE / 2;
  if (s->ball.y < middle - 256) return PONG_UP;
  if (s->ball.y > middle + 256) return PONG_DOWN;
  return 0;
}

// A checksum of a state, to compare what two machines have.
static inline uint64_t pong_sum(const pong *s) {
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < sizeof *s; i++) h = (h ^ ((const uint8_t *)s)[i]) * 1099511628211u;
  return h;
}

#endif
