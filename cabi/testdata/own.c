// Games whose state is no block of memory: pong on the heap, stored in slots by the game itself. The argument is a folder for a
// recording.

#include "net.h"

// A world has a live state, and what is stored. bad says what it does wrong.
enum { GOOD, SAVE_FAILS, RESTORE_FAILS, RESTORE_FORGETS, SAVE_FORGETS, MARSHAL_FAILS, MARSHAL_GROWS, UNMARSHAL_REFUSES, HASH_VARIES, INIT_FAILS, HIDDEN };
typedef struct world {
  pong *live;
  pong *slots[TB_MAX_SLOTS];
  uint32_t saves, restores, releases, marshals, unmarshals, highest, count;
  int bad;
  uint32_t from; // it begins to be bad after so many saves
} world;

static tb_session *calling; // callbacks try to call the library about it

static void call(void) {
  if (!calling) return;
  REFUSED(tb_poll(calling), TB_EBUSY, "callback");
  REFUSED(tb_close(calling), TB_EBUSY, "callback");
  CHECK(tb_state(calling) == NULL);
}

static int is(const world *w, int bad) { return w->bad == bad && w->saves >= w->from; }

static int world_init(void *user, void *state, uint64_t seed) {
  world *w = user;
  CHECK(state == NULL);
  if (w->bad == INIT_FAILS) return 6;
  free(w->live);
  w->live = calloc(1, sizeof *w->live); // another one each time: nothing may keep its address
  return pong_init(NULL, w->live, seed);
}

static void world_step(void *user, void *state, tb_tick *t) {
  world *w = user;
  CHECK(state == NULL);
  pong_step(NULL, w->live, t);
  if (is(w, HIDDEN)) w->live->score[1] = (int32_t)++w->count;
}

static pong *stored(const world *w, uint32_t slot) {
  if (slot == TB_LIVE_STATE) return w->live;
  CHECK(slot < TB_MAX_SLOTS && w->slots[slot]);
  return w->slots[slot];
}

static int world_save(void *user, uint32_t slot) {
  world *w = user;
  CHECK(slot < TB_MAX_SLOTS);
  call();
  w->saves++;
  if (is(w, SAVE_FAILS)) return 7;
  if (slot > w->highest) w->highest = slot;
  if (!w->slots[slot]) w->slots[slot] = calloc(1, sizeof(pong));
  *w->slots[slot] = *w->live;
  if (is(w, SAVE_FORGETS)) w->slots[slot]->score[0] = 0, w->slots[slot]->ball.x = 5;
  return 0;
}

static int world_restore(void *user, uint32_t slot) {
  world *w = user;
  call();
  w->restores++;
  if (is(w, RESTORE_FAILS)) return -8;
  int32_t y = w->live->ball.y;
  *w->live = *stored(w, slot);
  if (is(w, RESTORE_FORGETS)) w->live->ball.y = y;
  return 0;
}

static uint64_t world_hash(void *user, uint32_t slot) {
  world *w = user;
  call();
  return pong_sum(stored(w, slot)) + (is(w, HASH_VARIES) ? w->count++ : 0);
}

static void world_release(void *user, uint32_t slot) {
  world *w = user;
  CHECK(slot < TB_MAX_SLOTS);
  call();
  w->releases++;
  free(w->slots[slot]);
  w->slots[slot] = NULL;
}

static size_t world_marshal(void *user, uint32_t slot, void *to, size_t cap) {
  world *w = user;
  w->marshals++;
  if (is(w, MARSHAL_FAILS)) return 0;
  if (is(w, MARSHAL_GROWS)) return cap + 1;
  if (cap >= sizeof(pong)) memcpy(to, stored(w, slot), sizeof(pong));
  return sizeof(pong);
}

static int world_unmarshal(void *user, const void *from, size_t len) {
  world *w = user;
  w->unmarshals++;
  if (len != sizeof(pong)) return 1;
  memcpy(w->live, from, len); // and finds out too late that it is wrong
  return is(w, UNMARSHAL_REFUSES) ? 2 : pong_check(NULL, w->live);
}

static size_t world_describe(void *user, uint32_t slot, char *to, size_t cap) {
  const pong *s = stored(user, slot);
  return (size_t)snprintf(to, cap, "ball.x: %d\nball.y: %d\nscore[0]: %d\nscore[1]: %d\nrandom: %u\n", s->ball.x, s->ball.y, s->score[0], s->score[1], s->random) + 1;
}

static const tb_own all_of_it = {.size = sizeof(tb_own), .save = world_save, .restore = world_restore, .hash = world_hash, .release = world_release,
                                 .marshal = world_marshal, .unmarshal = world_unmarshal, .describe = world_describe};
static const tb_own least = {.size = sizeof(tb_own), .save = world_save, .restore = world_restore, .hash = world_hash};

static tb_game game_of(world *w, const tb_own *own) {
  tb_game g = {.size = sizeof g, .id = "own pong", .input_size = 1, .state_size = sizeof(pong), .user = w, .init = world_init, .step = world_step,
               .kinds = pong_kinds, .kinds_len = 1, .own = own};
  return g;
}

// Nothing is left in the slots, and the live state is freed.
static void empty(world *w, int released) {
  for (int i = 0; i < TB_MAX_SLOTS; i++) {
    CHECK(!released || !w->slots[i]);
    free(w->slots[i]);
  }
  free(w->live);
  memset(w, 0, sizeof *w);
}

static tb_options alone(uint32_t frames) {
  tb_options o = {.size = sizeof o, .players = 2, .frames = frames, .seed = 7};
  return o;
}

// Plays alone, and returns the result.
static tb_result play_alone(tb_session *s, const world *w) {
  tb_result r;
  for (uint32_t f = 0;; f++) {
    for (uint32_t p = 0; p < 2; p++) {
      uint8_t keys = pong_bot(w->live, (int)p, f / 7);
      tb_set_input(s, p, &keys);
    }
    if ((r = tb_advance(s, NULL)) != TB_OK) return r;
  }
}

// The same pong as a block has the same end.
static uint64_t as_a_block(uint32_t frames) {
  tb_game game = pong_game();
  tb_options options = alone(frames);
  tb_session *s;
  CHECK(tb_synctest(&game, &options, 7, &s) == TB_OK);
  tb_result r;
  for (uint32_t f = 0;; f++) {
    for (uint32_t p = 0; p < 2; p++) {
      uint8_t keys = pong_bot(tb_state(s), (int)p, f / 7);
      tb_set_input(s, p, &keys);
    }
    if ((r = tb_advance(s, NULL)) != TB_OK) break;
  }
  CHECK(r == TB_OVER);
  uint64_t sum = pong_sum(tb_state(s));
  CHECK(tb_close(s) == TB_OK);
  return sum;
}

static void synctest(const char *file) {
  world w = {0};
  const tb_own *forms[] = {&all_of_it, &least};
  for (int i = 0; i < 2; i++) {
    tb_game game = game_of(&w, forms[i]);
    tb_options options = alone(300);
    char name[1100];
    snprintf(name, sizeof name, "%s.%d", file, i);
    options.record = name;
    tb_session *s;
    CHECK(tb_synctest(&game, &options, 7, &s) == TB_OK);
    CHECK(tb_state(s) == NULL);
    calling = s;
    CHECK(play_alone(s, &w) == TB_OVER);
    calling = NULL;
    tb_outcome o = {.size = sizeof o};
    CHECK(tb_get_outcome(s, &o) == TB_OK && o.frames == 300);
    uint64_t sum = pong_sum(w.live);
    CHECK(sum == as_a_block(300));
    CHECK(w.highest < 20);
    CHECK(tb_close(s) == TB_OK);
    CHECK(i || w.releases > 0);
    empty(&w, i == 0);

    // Its recording can be played, and moved.
    tb_options none = {.size = sizeof none};
    CHECK(tb_replay(&game, &none, name, &s) == TB_OK);
    tb_result r;
    while ((r = tb_advance(s, NULL)) == TB_OK) {}
    CHECK(r == TB_OVER && tb_get_outcome(s, &o) == TB_OK && o.frames == 300 && o.health == TB_HEALTHY && pong_sum(w.live) == sum);
    for (uint32_t f = 0; f <= 6000; f += 20) CHECK(tb_seek(s, f * 7 % 301) == TB_OK);
    CHECK(tb_seek(s, 0) == TB_OK && pong_sum(w.live) != sum);
    CHECK(tb_seek(s, 300) == TB_OK && pong_sum(w.live) == sum);
    CHECK(i || w.marshals > 0 || w.unmarshals > 0);
    CHECK(w.highest < 20); // however often it is moved
    CHECK(tb_close(s) == TB_OK);
    empty(&w, i == 0);
  }
}

// What such a game can do wrong is an error that says it.
static void wrong(void) {
  static const struct {
    int bad;
    uint32_t from;
    const char *words;
  } cases[] = {
      {SAVE_FAILS, 0, "the save of slot 0 returned 7"}, {SAVE_FAILS, 40, "returned 7"}, {RESTORE_FAILS, 0, "restore of slot 0 returned -8"},
      {RESTORE_FAILS, 40, "returned -8"}, {SAVE_FORGETS, 0, "Restore does not bring back"}, {SAVE_FORGETS, 40, "has changed since"},
      {HASH_VARIES, 0, "different each time"}, {MARSHAL_FAILS, 0, "marshal of a state failed: it returned 0"},
      {MARSHAL_GROWS, 0, "more bytes each time"}, {UNMARSHAL_REFUSES, 0, "unmarshal returned 2"}, {INIT_FAILS, 0, "init of the game returned 6"},
      {HIDDEN, 40, "score[1]"}, {RESTORE_FORGETS, 60, "ball.y"},
  };
  world w = {0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    w.bad = cases[i].bad;
    w.from = cases[i].from;
    tb_game game = game_of(&w, &all_of_it);
    tb_options options = alone(200);
    tb_session *s;
    tb_result r = tb_synctest(&game, &options, 7, &s);
    if (r == TB_OK) r = play_alone(s, &w);
    if (r != TB_EGAME && !(r == TB_EOPTIONS && !cases[i].from)) {
      fprintf(stderr, "case %zu: %d, %s\n", i, r, tb_error());
      exit(1);
    }
    REFUSED(r, r, cases[i].words);
    tb_close(s);
    empty(&w, 1);
  }
  // Without a description only the hashes are named.
  w.bad = HIDDEN;
  w.from = 40;
  tb_game game = game_of(&w, &least);
  tb_options options = alone(200);
  tb_session *s;
  CHECK(tb_synctest(&game, &options, 7, &s) == TB_OK);
  REFUSED(play_alone(s, &w), TB_EGAME, "(hash)");
  CHECK(tb_close(s) == TB_OK);
  empty(&w, 0);
}

// Structs that are not complete, or do not fit together.
static void structs(void) {
  world w = {0};
  tb_own own;
  tb_game game;
  tb_options options;
  tb_session *s;
#define WRONG(code, words, ...)                                            \
  do {                                                                     \
    own = all_of_it, game = game_of(&w, &own), options = alone(10);        \
    __VA_ARGS__;                                                           \
    REFUSED(tb_synctest(&game, &options, 7, &s), code, words);             \
    CHECK(s == NULL);                                                      \
  } while (0)
  WRONG(TB_EARG, "own form", own.size = 0);
  WRONG(TB_EOPTIONS, "needs init", own.save = NULL);
  WRONG(TB_EOPTIONS, "needs init", own.restore = NULL);
  WRONG(TB_EOPTIONS, "needs init", own.hash = NULL);
  WRONG(TB_EOPTIONS, "needs init", game.init = NULL);
  WRONG(TB_EOPTIONS, "one of marshal", own.marshal = NULL);
  WRONG(TB_EOPTIONS, "one of marshal", own.unmarshal = NULL);
  WRONG(TB_EOPTIONS, "flags of own", own.flags = TB_CAN_RELEASE);
  WRONG(TB_EOPTIONS, "no fields", game.check = pong_check);
  WRONG(TB_EOPTIONS, "no fields", game.flags = TB_CLEAR_GAPS);
  WRONG(TB_EOPTIONS, "no fields", game.fields = pong_fields, game.fields_len = 1);
  WRONG(TB_EOPTIONS, "NULL", options.flags = TB_PULL, game.step = NULL, game.init = NULL);
  WRONG(TB_EOPTIONS, "flags of own", options.flags = TB_PULL, game.step = NULL, game.init = NULL, memset(&own, 0, sizeof own), own.size = sizeof own, own.flags = 8);
  // An older one, without what is not required.
  own = all_of_it;
  own.size = offsetof(tb_own, release);
  game = game_of(&w, &own);
  options = alone(10);
  CHECK(tb_synctest(&game, &options, 7, &s) == TB_OK && tb_close(s) == TB_OK && !w.releases && !w.marshals);
  empty(&w, 0);
  uint32_t me = 0;
  tb_transport transport = {.size = sizeof transport, .user = &me, .send = net_send, .receive = net_receive};
  own = all_of_it;
  options.transport = &transport;
  options.others_len = 1;
  REFUSED(tb_serve(&game, &options, &s), TB_EOPTIONS, "block of memory");
  REFUSED(tb_connect(&game, &options, &s), TB_EOPTIONS, "block of memory");
}

// Matches. The third machine comes late: as a player, or to watch.
typedef struct machine {
  uint32_t number;
  tb_transport transport;
  world w;
  tb_game game;
  tb_options options;
  tb_session *s;
  tb_result r;
  char error[4096];
  uint32_t calls;
} machine;

static void prepare(machine *m, uint32_t number, const tb_own *own) {
  memset(m, 0, sizeof *m);
  m->number = number;
  m->transport = (tb_transport){.size = sizeof m->transport, .user = &m->number, .send = net_send, .receive = net_receive};
  m->game = game_of(&m->w, own);
  m->options = (tb_options){.size = sizeof m->options, .transport = &m->transport, .me = number, .others_len = 1, .seed = 7, .frames = 400};
  queues[number].len = 0;
}

static int turn(machine *all, int n) {
  int going = 0;
  for (int i = 0; i < n; i++) {
    machine *m = &all[i];
    if (m->r != TB_OK) {
      if (m->s) tb_poll(m->s);
      continue;
    }
    uint8_t keys = pong_bot(m->w.live, m->options.me & 1, m->calls++ / 7);
    tb_set_input(m->s, m->options.me, &keys);
    m->r = tb_advance(m->s, NULL);
    if (m->r < 0) snprintf(m->error, sizeof m->error, "%s", tb_error());
    going |= m->r == TB_OK;
  }
  rest();
  return going;
}

static void *close_one(void *s) {
  CHECK(tb_close(s) == TB_OK);
  return NULL;
}

static void close_all(machine *all, int n) {
  pthread_t threads[3];
  for (int i = 0; i < n; i++) CHECK(pthread_create(&threads[i], NULL, close_one, all[i].s) == 0);
  for (int i = 0; i < n; i++) CHECK(pthread_join(threads[i], NULL) == 0);
  for (int i = 0; i < n; i++) empty(&all[i].w, all[i].game.own == &all_of_it);
}

static uint32_t agreed(const machine *m) {
  tb_stats stats = {.size = sizeof stats};
  CHECK(tb_get_stats(m->s, &stats) == TB_OK);
  return stats.agreed;
}

static void match(const tb_own *own, int joins, int refuses) {
  static machine all[3];
  char token[64];
  CHECK(tb_token(token, sizeof token) == TB_OK);
  dropping = 9;
  for (uint32_t i = 0; i < 3; i++) {
    prepare(&all[i], i, own);
    tb_options *o = &all[i].options;
    if (joins) o->flags = TB_CONTINUE, o->token = token, o->players = 3;
    else o->spectators = i < 2;
    if (i == 2) {
      while (agreed(&all[0]) < 200) turn(all, 2);
      o->others_len = joins ? 2 : 1;
      if (refuses) all[i].w.bad = UNMARSHAL_REFUSES, all[i].w.from = 3; // behind what is tried at first
    }
    all[i].r = i < 2 ? tb_p2p(&all[i].game, o, &all[i].s) : joins ? tb_join(&all[i].game, o, &all[i].s) : tb_spectate(&all[i].game, o, &all[i].s);
    CHECK(all[i].r == TB_OK);
  }
  while (turn(all, 3)) {}
  for (int i = 0; i < 3; i++) {
    if (i == 2 && refuses) {
      CHECK(all[i].r < 0 && strstr(all[i].error, "unmarshal returned 2"));
      continue;
    }
    if (all[i].r != TB_OVER) {
      fprintf(stderr, "machine %d ends with %d: %s\n", i, all[i].r, all[i].error);
      exit(1);
    }
    tb_outcome o = {.size = sizeof o};
    CHECK(tb_get_outcome(all[i].s, &o) == TB_OK && o.frames == 400 && o.health == TB_HEALTHY);
    CHECK(pong_sum(all[i].w.live) == pong_sum(all[0].w.live));
  }
  tb_stats stats = {.size = sizeof stats};
  CHECK(tb_get_stats(all[0].s, &stats) == TB_OK && stats.rollbacks > 0 && all[0].w.restores >= stats.rollbacks);
  CHECK(refuses || !all[2].game.own->marshal || all[2].w.unmarshals > 1); // once to try it, and once for the state that it was sent
  CHECK(all[0].w.highest < 40);
  close_all(all, 3);
}

// By pull: requests are what the callbacks are, and have the same end.
static void pull(void) {
  world w = {0};
  tb_own own = {.size = sizeof own};
  char bytes[sizeof(pong)], text[500];
  for (own.flags = 0; own.flags < 8; own.flags++) {
    uint32_t asked[16] = {0};
    tb_game game = game_of(NULL, &own);
    game.init = NULL, game.step = NULL;
    tb_options options = alone(100);
    options.flags = TB_PULL;
    tb_session *s;
    tb_result r = tb_synctest(&game, &options, 7, &s);
    for (uint32_t f = 0;; f++) {
      while (r == TB_REQUEST) {
        tb_request *q = tb_requested(s);
        CHECK(q && q->state == NULL && q->answer == 0 && q->want < 16);
        asked[q->want]++;
        switch (q->want) {
        case TB_INIT: q->answer = world_init(&w, NULL, q->seed); break;
        case TB_STEP: world_step(&w, NULL, q->tick); break;
        case TB_SAVE: q->answer = world_save(&w, q->slot); break;
        case TB_RESTORE: q->answer = world_restore(&w, q->slot); break;
        case TB_HASH: q->hash = world_hash(&w, q->slot); break;
        case TB_RELEASE: world_release(&w, q->slot); break;
        case TB_MARSHAL:
          q->len = world_marshal(&w, q->slot, bytes, sizeof bytes);
          q->bytes = bytes;
          break;
        case TB_UNMARSHAL: q->answer = world_unmarshal(&w, q->bytes, (size_t)q->len); break;
        case TB_DESCRIBE:
          q->len = world_describe(&w, q->slot, text, sizeof text);
          q->bytes = text;
          break;
        default: CHECK(!"a request that there is not");
        }
        r = tb_next(s, NULL);
      }
      if (r != TB_OK) break;
      for (uint32_t p = 0; p < 2; p++) {
        uint8_t keys = pong_bot(w.live, (int)p, f / 7);
        tb_set_input(s, p, &keys);
      }
      r = tb_advance(s, NULL);
    }
    CHECK(r == TB_OVER && pong_sum(w.live) == as_a_block(100));
    CHECK(!asked[TB_RELEASE] == !(own.flags & TB_CAN_RELEASE) && !asked[TB_MARSHAL] == !(own.flags & TB_CAN_MARSHAL));
    CHECK(tb_close(s) == TB_OK);
    empty(&w, 0);
  }
  // Bytes that are none.
  own.flags = TB_CAN_MARSHAL;
  for (int what = 0; what < 3; what++) {
    tb_game game = game_of(NULL, &own);
    game.init = NULL, game.step = NULL;
    tb_options options = alone(100);
    options.flags = TB_PULL;
    tb_session *s;
    tb_result r = tb_synctest(&game, &options, 7, &s);
    while (r == TB_REQUEST) {
      tb_request *q = tb_requested(s);
      if (q->want == TB_MARSHAL) {
        q->bytes = what == 0 ? NULL : bytes;
        q->len = what == 0 ? 10 : what == 1 ? 0 : UINT64_MAX;
      }
      r = tb_next(s, NULL);
    }
    REFUSED(r, TB_EGAME, "marshal of a state failed");
    tb_close(s);
  }
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  char file[1000];
  snprintf(file, sizeof file, "%s/own.tbr", argv[1]);
  structs();
  synctest(file);
  wrong();
  pull();
  match(&all_of_it, 0, 0);
  match(&all_of_it, 1, 0);
  match(&least, 0, 0);
  match(&least, 1, 0);
  match(&all_of_it, 0, 1);
  puts("ok");
  return 0;
}
