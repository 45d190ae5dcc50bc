// What the C half and the Go half of the library say to each other.
#ifndef TICKBACK_GLUE_H
#define TICKBACK_GLUE_H

#include "include/tickback.h"

enum { TB_MAX_SESSIONS = 1024, TB_ERROR_SIZE = 4096 };

// The kinds of sessions.
enum { TB_KIND_P2P = 1, TB_KIND_SYNCTEST, TB_KIND_JOIN, TB_KIND_SPECTATE, TB_KIND_SERVE, TB_KIND_CONNECT, TB_KIND_REPLAY };

// What a call of tbgo_drive does.
enum { TB_DO_UPDATE = 1, TB_DO_ADVANCE, TB_DO_POLL, TB_DO_WAIT, TB_DO_SEEK, TB_DO_DELAY, TB_DO_NEXT, TB_DO_PAUSE, TB_DO_UNPAUSE, TB_DO_KICK, TB_DO_TOKEN,
       TB_DO_SEND, TB_DO_PROPOSE, TB_DO_ACCEPT, TB_DO_REFUSE };

// Memory of a session in which neither half needs the other: it stays where it is until the session is closed.
typedef struct tb_shared {
  tb_game game;
  tb_own own;
  tb_options options;
  tb_transport transport;
  tb_request request;
  tb_tick tick;
  uint8_t inputs[TB_MAX_PLAYERS * TB_MAX_INPUT];
  uint8_t status[TB_MAX_PLAYERS];
  tb_emission effects[TB_MAX_EFFECTS];
  uint8_t *orders; // room for those of all players, or NULL
  uint32_t orders_len[TB_MAX_PLAYERS];
  tb_match match; // from which state 0 is made
  uint32_t logs;       // lines wait to be taken
  uint32_t input_size; // the game's
  uint32_t kind;
} tb_shared;

// Callbacks of the game, as Go calls them: while one runs, its thread cannot call the library. The step gets addresses as
// numbers, since Go looks at each pointer that it gives to C, which takes longer than the call.
void tb_glue_step(uintptr_t shared, uintptr_t state);
int tb_glue_init(tb_shared *shared, void *state, uint64_t seed);
int tb_glue_check(tb_shared *shared, const void *state);
uint64_t tb_glue_own(tb_shared *shared, uint32_t want, uint32_t slot, void *bytes, size_t len);
int tb_glue_send(tb_shared *shared, uint32_t to, const void *datagram, size_t len);
size_t tb_glue_receive(tb_shared *shared, uint32_t *from, void *to, size_t cap);

// A block of zeros that is aligned for everything, or NULL. *base is what free gets.
void *tb_glue_block(size_t size, void **base);

#endif
