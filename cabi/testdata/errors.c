// Every way to use the library wrongly is an error with words, and nothing else happens.

#include <pthread.h>

#include "check.h"

// What machines with other compilers have compiled in: it must not move.
#define AT(type, member, offset) _Static_assert(offsetof(type, member) == (offset), #type "." #member)
#if UINTPTR_MAX == UINT64_MAX
AT(tb_tick, result, 24);
AT(tb_tick, inputs, 32);
AT(tb_tick, status, 40);
AT(tb_tick, failed, 48);
AT(tb_tick, failure, 52);
AT(tb_tick, effects_len, 248);
AT(tb_tick, effects, 256);
AT(tb_tick, orders, 264);
AT(tb_tick, max_orders, 280);
_Static_assert(sizeof(tb_tick) == 288, "tb_tick");
AT(tb_match, seed, 8);
AT(tb_match, data, 24);
AT(tb_match, data_len, 32);
_Static_assert(sizeof(tb_match) == 40, "tb_match");
AT(tb_own, save, 8);
AT(tb_own, describe, 56);
_Static_assert(sizeof(tb_own) == 64, "tb_own");
_Static_assert(sizeof(tb_emission) == 40 && sizeof(tb_kind) == 16, "tb_emission, tb_kind");
AT(tb_effect, payload, 32);
_Static_assert(sizeof(tb_effect) == 64, "tb_effect");
AT(tb_field, offset, 8);
AT(tb_field, type, 12);
AT(tb_field, count, 16);
_Static_assert(sizeof(tb_field) == 24, "tb_field");
AT(tb_game, state_size, 8);
AT(tb_game, id, 16);
AT(tb_game, init, 32);
AT(tb_game, fields, 56);
AT(tb_game, flags, 68);
AT(tb_game, kinds, 72);
AT(tb_game, kinds_len, 80);
AT(tb_game, own, 88);
AT(tb_game, begin, 96);
_Static_assert(sizeof(tb_game) == 104, "tb_game");
AT(tb_options, listen, 8);
AT(tb_options, others_len, 24);
AT(tb_options, frames, 36);
AT(tb_options, seed, 40);
AT(tb_options, tick_rate, 56);
AT(tb_options, token, 72);
AT(tb_options, transport, 96);
AT(tb_options, log, 104);
AT(tb_options, client_id, 120);
AT(tb_options, connect_ms, 128);
AT(tb_options, delay_max, 136);
AT(tb_options, max_orders, 144);
AT(tb_options, data, 152);
AT(tb_options, content, 160);
_Static_assert(sizeof(tb_options) == 168, "tb_options");
AT(tb_event, for_ns, 16);
AT(tb_event, text, 24);
_Static_assert(sizeof(tb_event) == 264, "tb_event");
AT(tb_stats, rollbacks, 16);
AT(tb_stats, deepest, 32);
AT(tb_stats, stalls, 40);
AT(tb_stats, period_ns, 56);
AT(tb_stats, members, 96);
_Static_assert(sizeof(tb_stats) == 112, "tb_stats");
AT(tb_outcome, result, 16);
_Static_assert(sizeof(tb_outcome) == 32, "tb_outcome");
AT(tb_request, state, 8);
AT(tb_request, seed, 24);
AT(tb_request, answer, 32);
AT(tb_request, slot, 36);
AT(tb_request, hash, 40);
AT(tb_request, bytes, 48);
AT(tb_request, match, 64);
_Static_assert(sizeof(tb_request) == 72, "tb_request");
_Static_assert(sizeof(tb_transport) == 32, "tb_transport");
#endif

static void emitting_step(void *user, void *state, tb_tick *t);

static tb_options alone(uint32_t frames) {
  tb_options o = {.size = sizeof o, .players = 2, .frames = frames, .seed = 7};
  return o;
}

static tb_session *open_test(const tb_game *game, tb_options o) {
  tb_session *s;
  CHECK(tb_synctest(game, &o, 7, &s) == TB_OK);
  return s;
}

static void structs(void) {
  tb_game game = pong_game();
  tb_options options = alone(10);
  tb_session *s = (tb_session *)&game;
  REFUSED(tb_synctest(&game, &options, 7, NULL), TB_EARG, "out is NULL");
  REFUSED(tb_synctest(NULL, &options, 7, &s), TB_EARG, "the game is NULL");
  CHECK(s == NULL);
  REFUSED(tb_synctest(&game, NULL, 7, &s), TB_EARG, "the options is NULL");
  REFUSED(tb_synctest(&game, &options, 0, &s), TB_EOPTIONS, "0");
  REFUSED(tb_synctest(&game, &options, 1000, &s), TB_EOPTIONS, "1000");
  game.size = 0;
  REFUSED(tb_synctest(&game, &options, 7, &s), TB_EARG, "set it to sizeof");
  game.size = 0xcccccccc;
  REFUSED(tb_synctest(&game, &options, 7, &s), TB_EARG, "set it to sizeof");

  // A struct of an older header: all behind its end is zero, whatever there is.
  game = pong_game();
  struct {
    uint8_t bytes[offsetof(tb_options, delay)];
    uint8_t behind[sizeof(tb_options)];
  } older;
  memset(&older, 0xff, sizeof older);
  options.size = sizeof older.bytes;
  memcpy(older.bytes, &options, sizeof older.bytes);
  CHECK(tb_synctest(&game, (tb_options *)&older, 7, &s) == TB_OK);
  CHECK(tb_close(s) == TB_OK);

  // A game of the first header, without kinds of effects: an emitted one would have none.
  tb_game first = pong_game();
  first.size = offsetof(tb_game, kinds);
  memset(&first.kinds, 0xff, sizeof first - first.size);
  tb_options plain = alone(300);
  int what = 3;
  first.step = emitting_step;
  first.user = &what;
  CHECK(tb_synctest(&first, &plain, 7, &s) == TB_OK);
  REFUSED(tb_advance(s, NULL), TB_EGAME, "no kinds of effects");
  CHECK(tb_close(s) == TB_OK);

  // One of a newer header: what is not known must be zero.
  struct {
    tb_options options;
    uint64_t more;
  } newer = {alone(10), 0};
  newer.options.size = sizeof newer;
  CHECK(tb_synctest(&game, &newer.options, 7, &s) == TB_OK);
  CHECK(tb_close(s) == TB_OK);
  newer.more = 1;
  REFUSED(tb_synctest(&game, &newer.options, 7, &s), TB_EARG, "newer tickback.h");

  // Structs that the library fills are never written behind their size.
  s = open_test(&game, alone(10));
  struct {
    tb_stats stats;
    uint64_t behind;
  } out = {{.size = 24}, 5};
  memset(&out.stats.resimulated, 0xaa, sizeof out.stats.resimulated);
  CHECK(tb_advance(s, NULL) == TB_OK);
  CHECK(tb_get_stats(s, &out.stats) == TB_OK);
  CHECK(out.stats.frame == 1 && out.stats.size == 24 && out.stats.resimulated == 0xaaaaaaaaaaaaaaaa);
  out.stats.size = sizeof out;
  CHECK(tb_get_stats(s, &out.stats) == TB_OK && out.behind == 0 && out.stats.size == sizeof out);
  out.stats.size = 3;
  REFUSED(tb_get_stats(s, &out.stats), TB_EARG, "the size of the stats is 3");
  REFUSED(tb_get_stats(s, NULL), TB_EARG, "the stats is NULL");
  REFUSED(tb_get_event(s, NULL), TB_EARG, "the event is NULL");
  REFUSED(tb_get_effect(s, NULL), TB_EARG, "the effect is NULL");
  tb_effect effect = {.size = 7};
  REFUSED(tb_get_effect(s, &effect), TB_EARG, "the size of the effect is 7");
  REFUSED(tb_get_outcome(s, NULL), TB_EARG, "the outcome is NULL");
  CHECK(tb_close(s) == TB_OK);
}

// Each line makes one thing wrong in a game and options that are right otherwise.
static void games(void) {
  const tb_game good = pong_game();
  const tb_options fine = alone(10);
  tb_game game;
  tb_options options;
  tb_session *s;
#define WRONG(code, words, ...)                              \
  do {                                                       \
    game = good, options = fine;                             \
    __VA_ARGS__;                                             \
    REFUSED(tb_synctest(&game, &options, 7, &s), code, words); \
    CHECK(s == NULL);                                        \
  } while (0)
  WRONG(TB_EOPTIONS, "id", game.id = NULL);
  WRONG(TB_EOPTIONS, "id", game.id = "");
  WRONG(TB_EOPTIONS, "1 to 64 bytes", game.id = "0123456789012345678901234567890123456789012345678901234567890123456789");
  WRONG(TB_EOPTIONS, "input_size is 0", game.input_size = 0);
  WRONG(TB_EOPTIONS, "input_size is 65", game.input_size = 65);
  WRONG(TB_EOPTIONS, "state_size is 0", game.state_size = 0);
  WRONG(TB_EOPTIONS, "state_size is", game.state_size = (uint64_t)1 << 40);
  WRONG(TB_EOPTIONS, "no step", game.step = NULL);
  WRONG(TB_EOPTIONS, "TB_PULL", options.flags = TB_PULL);
  WRONG(TB_EOPTIONS, "flags of the game", game.flags = 8);
  WRONG(TB_EOPTIONS, "flags of the options", options.flags = 64);
  WRONG(TB_EOPTIONS, "fields is NULL", game.fields = NULL);
  WRONG(TB_EOPTIONS, "more than 65536", game.fields_len = 65537);
  WRONG(TB_EOPTIONS, "more than 24", options.build = "a build whose name is too long");
  WRONG(TB_EOPTIONS, "token", options.token = "swordfish");
  WRONG(TB_EOPTIONS, "Players", options.players = 17);
  WRONG(TB_EOPTIONS, "TickRate", options.tick_rate = 1000000);
  WRONG(TB_EOPTIONS, "drop_ms", options.drop_ms = 100);
  WRONG(TB_EOPTIONS, "max_orders", options.max_orders = 4097);
  WRONG(TB_EOPTIONS, "data_len is 65537", options.data_len = 65537);
  WRONG(TB_EOPTIONS, "data is NULL", options.data_len = 1);
  WRONG(TB_EFILE, "record", options.record = "/nowhere/at/all.tbr");
  tb_field f[2] = {TB_FIELD(pong, ball.x, TB_I32), TB_FIELD(pong, ball.y, TB_I32)};
#define FIELDS game.fields = f, game.fields_len = 2
  WRONG(TB_EOPTIONS, "overlap", f[1].offset = 2, FIELDS);
  WRONG(TB_EOPTIONS, "ends at byte", f[1].offset = sizeof(pong), FIELDS);
  WRONG(TB_EOPTIONS, "ends at byte", f[1].offset = 4, f[1].count = 0xffffffff, FIELDS);
  WRONG(TB_EOPTIONS, "type 12", f[1].count = 1, f[1].type = 12, FIELDS);
  WRONG(TB_EOPTIONS, "two fields", f[1].type = TB_I32, f[1].name = "ball.x", FIELDS);
  WRONG(TB_EOPTIONS, "no name", f[1].name = NULL, FIELDS);
  WRONG(TB_EOPTIONS, "only letters", f[1].name = "ball: y", FIELDS);

  tb_kind k[2] = {{"hit", 1, 0}, {"engine", 2, TB_SUSTAINED}};
#define KINDS game.kinds = k, game.kinds_len = 2
  WRONG(TB_EOPTIONS, "kinds is NULL", game.kinds = NULL);
  WRONG(TB_EOPTIONS, "more than 256", game.kinds_len = 257);
  WRONG(TB_EOPTIONS, "same id", k[1].id = 1, KINDS);
  WRONG(TB_EOPTIONS, "id 256", k[1].id = 256, KINDS);
  WRONG(TB_EOPTIONS, "flags of the kind", k[1].id = 2, k[1].flags = 4, KINDS);
  WRONG(TB_EOPTIONS, "1 to 64 bytes", k[1].flags = 0, k[1].name = "", KINDS);
  WRONG(TB_EOPTIONS, "no name", k[1].name = NULL, KINDS);

  options = fine;
  options.listen = "127.0.0.1:0";
  REFUSED(tb_p2p(&good, &options, &s), TB_EOPTIONS, "others_len is 0");
  const char *others[] = {"127.0.0.1:9", NULL};
  options.others = others;
  options.others_len = 1;
  options.me = 2;
  REFUSED(tb_p2p(&good, &options, &s), TB_EOPTIONS, "me is 2");
  options.others_len = 2;
  REFUSED(tb_p2p(&good, &options, &s), TB_EOPTIONS, "others[1] is no address");
  options.others_len = 1;
  options.me = 0;
  options.net = "dreadful";
  REFUSED(tb_p2p(&good, &options, &s), TB_EOPTIONS, "awful");
  options.net = NULL;
  options.listen = "this is no address";
  REFUSED(tb_p2p(&good, &options, &s), TB_ENET, "address");
  others[0] = "127.0.0.1";
  options.listen = "127.0.0.1:0";
  REFUSED(tb_p2p(&good, &options, &s), TB_ENET, "127.0.0.1");
  REFUSED(tb_replay(&good, &fine, NULL, &s), TB_EARG, "the file is NULL");
  REFUSED(tb_replay(&good, &fine, "/nowhere/at/all.tbr", &s), TB_EFILE, "nowhere");
  REFUSED(tb_replay(&good, &fine, "/dev/null", &s), TB_EFILE, "/dev/null");
  char token[64];
  REFUSED(tb_token(NULL, 64), TB_EARG, "64");
  REFUSED(tb_token(token, 10), TB_EARG, "64");
  CHECK(tb_token(token, sizeof token) == TB_OK && strlen(token) > 30);
}

static void handles(void) {
  tb_game game = pong_game();
  tb_session *s = open_test(&game, alone(10));
  CHECK(tb_advance(s, NULL) == TB_OK);
  CHECK(tb_state(s) != NULL);
  CHECK(tb_close(s) == TB_OK);
  CHECK(tb_close(NULL) == TB_OK);
  tb_session *strange[] = {NULL, s, (tb_session *)&game, (tb_session *)(uintptr_t)1, (tb_session *)(uintptr_t)-1, (tb_session *)((uintptr_t)s + 2)};
  for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
    tb_session *x = strange[i];
    tb_stats stats = {.size = sizeof stats};
    tb_outcome outcome = {.size = sizeof outcome};
    tb_event event = {.size = sizeof event};
    uint8_t input = 0;
    char text[8] = "before";
    REFUSED(tb_update(x, NULL), TB_EHANDLE, "session");
    REFUSED(tb_advance(x, NULL), TB_EHANDLE, "session");
    REFUSED(tb_poll(x), TB_EHANDLE, "session");
    REFUSED(tb_wait(x, 1), TB_EHANDLE, "session");
    REFUSED(tb_next(x, NULL), TB_EHANDLE, "session");
    REFUSED(tb_seek(x, 0), TB_EHANDLE, "session");
    REFUSED(tb_set_delay(x, 0), TB_EHANDLE, "session");
    REFUSED(tb_set_input(x, 0, &input), TB_EHANDLE, "session");
    REFUSED(tb_get_stats(x, &stats), TB_EHANDLE, "session");
    REFUSED(tb_get_outcome(x, &outcome), TB_EHANDLE, "session");
    REFUSED(tb_get_event(x, &event), TB_EHANDLE, "session");
    REFUSED(tb_player(x), TB_EHANDLE, "session");
    tb_effect effect = {.size = sizeof effect};
    tb_match match = {.size = sizeof match};
    REFUSED(tb_get_effect(x, &effect), TB_EHANDLE, "session");
    REFUSED(tb_set_orders(x, 0, &input, 1), TB_EHANDLE, "session");
    REFUSED(tb_pause(x), TB_EHANDLE, "session");
    REFUSED(tb_unpause(x), TB_EHANDLE, "session");
    REFUSED(tb_kick(x, 0, NULL), TB_EHANDLE, "session");
    REFUSED(tb_set_token(x, "token"), TB_EHANDLE, "session");
    REFUSED(tb_send(x, 1, "hello", 5), TB_EHANDLE, "session");
    REFUSED(tb_propose(x, &match), TB_EHANDLE, "session");
    REFUSED(tb_accept(x), TB_EHANDLE, "session");
    REFUSED(tb_refuse(x, NULL), TB_EHANDLE, "session");
    REFUSED(tb_get_proposal(x, &match), TB_EHANDLE, "session");
    CHECK(tb_get_message(x, text, sizeof text) == 0);
    CHECK(tb_state(x) == NULL && tb_requested(x) == NULL);
    CHECK(tb_desync_report(x, text, sizeof text) == 0 && *text == 0);
    if (x) REFUSED(tb_close(x), TB_EHANDLE, "session");
  }
  // The entry of the closed session is used again, and its old handle is still known as closed.
  tb_session *again = open_test(&game, alone(10));
  CHECK(again != s);
  REFUSED(tb_poll(s), TB_EHANDLE, "closed");
  CHECK(tb_close(again) == TB_OK);

  // More sessions than there can be.
  tb_session *all[1024];
  for (int i = 0; i < 1024; i++) all[i] = open_test(&game, alone(1));
  tb_options options = alone(1);
  REFUSED(tb_synctest(&game, &options, 7, &s), TB_EMEMORY, "1024");
  for (int i = 0; i < 1024; i++) CHECK(tb_close(all[i]) == TB_OK);
}

static void kinds(void) {
  tb_game game = pong_game();
  tb_session *s = open_test(&game, alone(10));
  uint8_t input = 0;
  REFUSED(tb_set_input(s, 2, &input), TB_EARG, "no player 2");
  REFUSED(tb_set_input(s, 0, NULL), TB_EARG, "the input is NULL");
  REFUSED(tb_seek(s, 0), TB_EKIND, "replay");
  REFUSED(tb_set_delay(s, 0), TB_EKIND, "tb_p2p");
  REFUSED(tb_player(s), TB_EKIND, "no player");
  REFUSED(tb_next(s, NULL), TB_EARG, "no request");
  CHECK(tb_requested(s) == NULL);
  CHECK(tb_desync_report(s, NULL, 0) == 0);
  tb_match match = {.size = sizeof match};
  static char text[2000];
  memset(text, 'x', sizeof text - 1);
  REFUSED(tb_set_orders(s, 0, &input, 1), TB_EARG, "max_orders");
  REFUSED(tb_set_orders(s, 0, NULL, 1), TB_EARG, "NULL");
  REFUSED(tb_kick(s, 0, NULL), TB_EPHASE, "");
  REFUSED(tb_kick(s, 0, text), TB_EARG, "more than 1000");
  REFUSED(tb_kick(s, 0xffffffff, NULL), TB_EARG, "no such player");
  REFUSED(tb_set_token(s, NULL), TB_EARG, "NULL");
  REFUSED(tb_set_token(s, "swordfish"), TB_EARG, "token");
  REFUSED(tb_send(s, 1, NULL, 5), TB_EARG, "NULL");
  REFUSED(tb_send(s, 1, text, 0), TB_EARG, "0 bytes");
  REFUSED(tb_send(s, 1, text, 65537), TB_EARG, "65537");
  REFUSED(tb_send(s, 0, text, 1), TB_EARG, "set of some");
  REFUSED(tb_send(s, 0x10000, text, 1), TB_EARG, "set of some");
  REFUSED(tb_propose(s, NULL), TB_EARG, "NULL");
  match.data_len = 5;
  REFUSED(tb_propose(s, &match), TB_EARG, "data_len");
  match.data_len = 0;
  REFUSED(tb_propose(s, &match), TB_EPHASE, "");
  REFUSED(tb_accept(s), TB_EPHASE, "");
  REFUSED(tb_refuse(s, "no"), TB_EPHASE, "");
  REFUSED(tb_get_proposal(s, NULL), TB_EARG, "NULL");
  match.size = 1;
  REFUSED(tb_get_proposal(s, &match), TB_EARG, "size");
  CHECK(tb_advance(s, NULL) == TB_OK); // none of that has done anything
  CHECK(tb_close(s) == TB_OK);
}

// Callbacks that fail, or call the library.
static int failing_init(void *user, void *state, uint64_t seed) {
  (void)user, (void)state, (void)seed;
  return 3;
}

static void failing_step(void *user, void *state, tb_tick *t) {
  pong_step(user, state, t);
  if (t->frame == 5) tb_fail(t, "the wheel came off");
}

static void calling_step(void *user, void *state, tb_tick *t) {
  pong_step(user, state, t);
  tb_session *s = *(tb_session **)user, *other;
  if (!s) return;
  tb_game game = pong_game();
  tb_options options = alone(1);
  char token[64];
  REFUSED(tb_advance(s, NULL), TB_EBUSY, "callback");
  REFUSED(tb_close(s), TB_EBUSY, "callback");
  REFUSED(tb_pause(s), TB_EBUSY, "callback");
  REFUSED(tb_set_orders(s, 0, token, 1), TB_EBUSY, "callback");
  REFUSED(tb_synctest(&game, &options, 7, &other), TB_EBUSY, "callback");
  REFUSED(tb_token(token, sizeof token), TB_EBUSY, "callback");
  CHECK(tb_state(s) == NULL);
}

// A step that counts in a variable that is not in its state: that is what a sync test is for.
static void hidden_step(void *user, void *state, tb_tick *t) {
  pong_step(user, state, t);
  ((pong *)state)->score[1] = (int32_t)++*(uint32_t *)user;
}

static void callbacks(void) {
  tb_game game = pong_game();
  tb_options options = alone(10);
  tb_session *s;
  game.init = failing_init;
  tb_result r = tb_synctest(&game, &options, 7, &s);
  if (r == TB_OK) r = tb_advance(s, NULL);
  REFUSED(r, TB_EGAME, "init of the game returned 3");
  tb_close(s);

  game = pong_game();
  game.step = failing_step;
  s = open_test(&game, alone(10));
  while ((r = tb_advance(s, NULL)) == TB_OK) {}
  REFUSED(r, TB_EGAME, "frame 5 failed: the wheel came off");
  REFUSED(tb_update(s, NULL), TB_EGAME, "the wheel came off");
  CHECK(tb_close(s) == TB_OK);

  tb_session *user = NULL;
  game.step = calling_step;
  game.user = &user;
  s = user = open_test(&game, alone(10));
  while ((r = tb_advance(s, NULL)) == TB_OK) {}
  CHECK(r == TB_OVER);
  CHECK(tb_close(s) == TB_OK);

  uint32_t count = 0;
  game.step = hidden_step;
  game.user = &count;
  s = open_test(&game, alone(60));
  while ((r = tb_advance(s, NULL)) == TB_OK) {}
  REFUSED(r, TB_EGAME, "score[1]");
  CHECK(tb_close(s) == TB_OK);
}

// Effects that are too many, too long, or of no kind.
static uint32_t emissions;

static void emitting_step(void *user, void *state, tb_tick *t) {
  (void)state;
  char payload[40];
  memset(payload, (int)t->frame, sizeof payload);
  switch (*(const int *)user) {
  case 1:
    for (uint32_t i = 0; i < 2 * emissions; i++) tb_emit(t, 1, i % emissions, payload, i < emissions ? 8 : TB_MAX_PAYLOAD);
    if (emissions <= TB_MAX_EFFECTS) CHECK(t->effects_len == emissions);
    break;
  case 2: tb_emit(t, 1, 0, payload, TB_MAX_PAYLOAD + 1); break;
  case 3: tb_emit(t, 9, 0, NULL, 0); break;
  case 4: tb_emit(t, 4000000000u, 0, NULL, 8); break;
  case 5: t->effects_len = 0xffffffff; break; // what a program may do that does not know what it does
  default: tb_emit(t, 2, 0, &t->frame, t->frame > 4 && t->frame < 8 ? 4 : 0);
  }
}

static void effects(void) {
  static const tb_kind kinds[] = {{"hit", 1, 0}, {"engine", 2, TB_SUSTAINED}};
  tb_game game = pong_game();
  int what = 1;
  game.user = &what;
  game.step = emitting_step;
  game.kinds = kinds;
  game.kinds_len = 2;
  tb_result r;
  // As many as a frame has, and more: those are left out. The second emission of a frame counts.
  for (emissions = 1; emissions < 3 * TB_MAX_EFFECTS; emissions += 63) {
    tb_session *s = open_test(&game, alone(20));
    uint32_t started = 0, seen = 0;
    while (r = tb_advance(s, NULL), r == TB_OK || !seen++) {
      for (tb_effect e = {.size = sizeof e}; tb_get_effect(s, &e) == 1;) {
        started += e.what == TB_EFFECT_STARTED;
        CHECK(e.payload[0] == (uint8_t)e.frame && e.payload[31] == (uint8_t)e.frame);
      }
    }
    CHECK(r == TB_OVER && started == 20 * (emissions < TB_MAX_EFFECTS ? emissions : TB_MAX_EFFECTS));
    CHECK(tb_close(s) == TB_OK);
  }
  const char *const words[] = {[2] = "more than 32 bytes", [3] = "kind 9", [4] = "kind 4000000000"};
  for (what = 2; what < 5; what++) {
    tb_session *s = open_test(&game, alone(20));
    REFUSED(tb_advance(s, NULL), TB_EGAME, words[what]);
    CHECK(tb_close(s) == TB_OK);
  }
  // An engine that is on all the time, whose payload changes.
  what = 0;
  tb_session *s = open_test(&game, alone(20));
  uint32_t by_what[8] = {0}, behind = 5;
  while ((r = tb_advance(s, NULL)) == TB_OK) {
    struct {
      tb_effect effect;
      uint32_t behind;
    } e = {{.size = 24}, behind};
    while (tb_get_effect(s, &e.effect) == 1) {
      CHECK(e.effect.kind == 2 && e.effect.late == 0 && e.effect.sustained == 0 && e.behind == behind); // 24 bytes are given
      by_what[e.effect.what & 7]++;
    }
  }
  CHECK(by_what[TB_EFFECT_STARTED] == 1 && by_what[TB_EFFECT_UPDATED] == 4 && by_what[TB_EFFECT_CONFIRMED] == 1);
  CHECK(tb_close(s) == TB_OK);
  what = 5;
  s = open_test(&game, alone(20));
  r = tb_advance(s, NULL);
  CHECK(r == TB_OK || r == TB_EGAME);
  CHECK(tb_close(s) == TB_OK);
}

// Threads: another one may use a session, but not while it is used, and not at all with TB_PULL.
typedef struct job {
  tb_session *s;
  void *(*work)(void *);
  tb_result result;
  char error[256];
} job;

static void *advance(void *p) {
  job *j = p;
  j->result = tb_advance(j->s, NULL);
  snprintf(j->error, sizeof j->error, "%s", tb_error());
  return NULL;
}

static void *next(void *p) {
  job *j = p;
  j->result = tb_next(j->s, NULL);
  return NULL;
}

static void *close_it(void *p) {
  job *j = p;
  j->result = tb_close(j->s);
  return NULL;
}

static tb_result elsewhere(job *j) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, j->work, j) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  return j->result;
}

static job *meanwhile;

static void waiting_step(void *user, void *state, tb_tick *t) {
  pong_step(user, state, t);
  if (meanwhile && t->frame == 3) CHECK(elsewhere(meanwhile) == TB_EBUSY);
}

static void threads(void) {
  tb_game game = pong_game();
  tb_session *s = open_test(&game, alone(10));
  job j = {.s = s, .work = advance};
  CHECK(elsewhere(&j) == TB_OK);
  CHECK(tb_advance(s, NULL) == TB_OK);
  CHECK(tb_close(s) == TB_OK);
  CHECK(elsewhere(&j) == TB_EHANDLE && strstr(j.error, "closed")); // errors are those of a thread

  game.step = waiting_step;
  s = open_test(&game, alone(10));
  j.s = s;
  meanwhile = &j;
  tb_result r;
  while ((r = tb_advance(s, NULL)) == TB_OK) {}
  CHECK(r == TB_OVER && strstr(j.error, "another thread"));
  CHECK(tb_close(s) == TB_OK);

  game = pong_game();
  game.init = NULL, game.step = NULL, game.check = NULL;
  tb_options options = alone(10);
  options.flags = TB_PULL;
  r = tb_synctest(&game, &options, 7, &s);
  CHECK(s != NULL);
  uint32_t steps = 0;
  for (j.s = s;;) {
    while (r == TB_REQUEST) {
      tb_request *q = tb_requested(s);
      CHECK(q != NULL && q->state != NULL && q->answer == 0);
      j.work = next;
      CHECK(elsewhere(&j) == TB_ETHREAD);
      j.work = close_it;
      CHECK(elsewhere(&j) == TB_ETHREAD);
      REFUSED(tb_advance(s, NULL), TB_EBUSY, "a request is pending");
      REFUSED(tb_poll(s), TB_EBUSY, "a request is pending");
      REFUSED(tb_accept(s), TB_EBUSY, "a request is pending");
      REFUSED(tb_get_effect(s, &(tb_effect){.size = sizeof(tb_effect)}), TB_EBUSY, "a request is pending");
      CHECK(tb_state(s) == NULL);
      if (q->want == TB_STEP) pong_step(NULL, q->state, q->tick), steps++;
      else if (q->want == TB_INIT) q->answer = pong_init(NULL, q->state, q->seed);
      else CHECK(q->want == TB_CHECK);
      r = tb_next(s, NULL);
    }
    if (r != TB_OK) break;
    j.work = advance;
    CHECK(elsewhere(&j) == TB_ETHREAD && strstr(j.error, "TB_PULL"));
    r = tb_advance(s, NULL);
  }
  CHECK(r == TB_OVER && steps > 10);
  uint64_t pulled = pong_sum(tb_state(s));
  CHECK(tb_close(s) == TB_OK);

  // The same with callbacks has the same end.
  game = pong_game();
  s = open_test(&game, alone(10));
  while ((r = tb_advance(s, NULL)) == TB_OK) {}
  CHECK(pong_sum(tb_state(s)) == pulled);
  CHECK(tb_close(s) == TB_OK);

  // Closing gives a pending request up; so does a step that failed.
  game.init = NULL, game.step = NULL, game.check = NULL;
  for (int fail = 0; fail < 2; fail++) {
    r = tb_synctest(&game, &options, 7, &s);
    while (r != TB_REQUEST || tb_requested(s)->want != TB_STEP) r = r == TB_REQUEST ? tb_next(s, NULL) : tb_advance(s, NULL);
    if (fail) {
      tb_fail(tb_requested(s)->tick, "a script stopped");
      REFUSED(tb_next(s, NULL), TB_EGAME, "a script stopped");
      REFUSED(tb_advance(s, NULL), TB_EGAME, "a script stopped");
    }
    CHECK(tb_close(s) == TB_OK);
    REFUSED(tb_next(s, NULL), TB_EHANDLE, "closed");
  }
}

// Lines of the log may call the library, and close the session they are about.
static tb_session *logged;
static int lines;

static void closing_log(void *user, int level, const char *line) {
  CHECK(user == &lines && level >= TB_DEBUG && level <= TB_ERROR && !strchr(line, '\n'));
  lines++;
  tb_stats stats = {.size = sizeof stats};
  if (logged && strstr(line, "ended") == line) {
    CHECK(tb_get_stats(logged, &stats) == TB_OK && stats.frame == 10);
    CHECK(tb_close(logged) == TB_OK);
    logged = NULL;
  }
}

static void logs(void) {
  tb_game game = pong_game();
  tb_options options = alone(10);
  options.log = closing_log;
  options.log_user = &lines;
  logged = open_test(&game, options);
  tb_session *s = logged;
  tb_result r;
  while ((r = tb_advance(s, NULL)) == TB_OK) {}
  CHECK(r == TB_OVER && lines > 1 && !logged);
  REFUSED(tb_poll(s), TB_EHANDLE, "closed");
}

int main(void) {
  CHECK(tb_version() == TB_VERSION);
  CHECK(tb_error() != NULL && !*tb_error());
  structs();
  games();
  handles();
  kinds();
  callbacks();
  effects();
  threads();
  logs();
  puts("ok");
  return 0;
}
