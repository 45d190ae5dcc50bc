// Whole matches in one process, over a network that is a queue in memory: a transport of one's own. The argument is a folder
// for recordings.

#include "net.h"

// A machine: what its session is made of, and what has happened there.
typedef struct machine {
  uint32_t number;
  tb_transport transport;
  tb_game game;
  tb_options options;
  tb_session *s;
  tb_result r;
  char error[4096];
  uint32_t calls, checks, reported, joined;
  uint32_t started, cancelled, confirmed; // effects, and a checksum of the confirmed ones
  uint64_t effects;
  uint32_t presses[TB_EFFECT_CONFIRMED + 1];
  // How its step is wrong, to see what comes of it: from this frame on, a goal counts thrice.
  uint32_t wrong_from;
  int check_answer;
} machine;

// Besides pong's own effect there is one for each player and frame in which a key is pressed: predictions are often wrong about it.
enum { PRESS = 2 };
static const tb_kind machine_kinds[] = {{"pock", PONG_POCK, 0}, {"press", PRESS, 0}};

static void machine_step(void *user, void *state, tb_tick *t) {
  machine *m = user;
  pong *s = state;
  pong_step(NULL, state, t);
  for (uint32_t p = 0; p < t->players; p++) {
    if (*(const uint8_t *)tb_input(t, p)) tb_emit(t, PRESS, p, NULL, 0);
  }
  if (m->wrong_from && t->frame == m->wrong_from) s->score[1] += 3;
}

static int machine_check(void *user, const void *state) {
  machine *m = user;
  m->checks++;
  return m->check_answer ? m->check_answer : pong_check(NULL, state);
}

static void prepare(machine *m, uint32_t number) {
  memset(m, 0, sizeof *m);
  m->number = number;
  m->transport.size = sizeof m->transport;
  m->transport.user = &m->number;
  m->transport.send = net_send;
  m->transport.receive = net_receive;
  m->game = pong_game();
  m->game.user = m;
  m->game.step = machine_step;
  m->game.check = machine_check;
  m->game.kinds = machine_kinds;
  m->game.kinds_len = 2;
  m->options.size = sizeof m->options;
  m->options.transport = &m->transport;
  m->options.me = number;
  m->options.others_len = 1;
  m->options.seed = 7;
  m->options.frames = 300;
  queues[number].len = 0;
}

// Gives each machine a turn: a frame, if it can run. Returns whether any is still at it.
static int turn(machine *all, int n) {
  int going = 0;
  for (int i = 0; i < n; i++) {
    machine *m = &all[i];
    if (m->r != TB_OK) {
      if (m->s) tb_poll(m->s); // so that the others hear of the end
      continue;
    }
    uint8_t keys = pong_bot(tb_state(m->s), m->options.me & 1, m->calls++ / 7);
    tb_set_input(m->s, m->options.me, &keys);
    int64_t period = 0;
    m->r = tb_advance(m->s, &period);
    if (m->r < 0) snprintf(m->error, sizeof m->error, "%s", tb_error());
    else CHECK(period > 0 || m->r == TB_OVER);
    for (tb_event e = {.size = sizeof e}; tb_get_event(m->s, &e) == 1;) {
      CHECK(e.what && *e.text);
      if (e.what == TB_REPORTED) m->reported++;
      if (e.what == TB_JOINED) m->joined++;
    }
    for (tb_effect e = {.size = sizeof e}; tb_get_effect(m->s, &e) == 1;) {
      if (e.kind == PRESS) {
        CHECK(!e.sustained && e.key < 3 && !e.payload[0] && e.what >= TB_EFFECT_STARTED && e.what <= TB_EFFECT_CONFIRMED);
        m->presses[e.what]++;
        continue;
      }
      int32_t y;
      memcpy(&y, e.payload, sizeof y);
      CHECK(e.kind == PONG_POCK && e.key < 2 && y >= 0 && y < PONG_HEIGHT && !e.sustained && !e.payload[4] && !e.payload[31]);
      CHECK(e.what == TB_EFFECT_MOVED ? e.from != e.frame : e.from == e.frame);
      if (e.what == TB_EFFECT_STARTED) m->started++;
      if (e.what == TB_EFFECT_CANCELLED) m->cancelled++;
      if (e.what == TB_EFFECT_CONFIRMED) {
        m->confirmed++;
        m->effects = m->effects * 31 + e.frame * 2 + e.key + (uint32_t)y;
      }
    }
    going |= m->r == TB_OK;
  }
  rest();
  return going;
}

static void play(machine *all, int n) {
  while (turn(all, n)) {}
}

static tb_outcome outcome_of(machine *m) {
  tb_outcome o = {.size = sizeof o};
  CHECK(tb_get_outcome(m->s, &o) == TB_OK);
  return o;
}

static uint64_t sum_of(machine *m) {
  const pong *state = tb_state(m->s);
  CHECK(state != NULL);
  return pong_sum(state);
}

static void *close_one(void *s) {
  CHECK(tb_close(s) == TB_OK);
  return NULL;
}

// Closing waits for the others, so all do it at once.
static void close_all(machine *all, int n) {
  pthread_t threads[MACHINES];
  for (int i = 0; i < n; i++) CHECK(pthread_create(&threads[i], NULL, close_one, all[i].s) == 0);
  for (int i = 0; i < n; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

static void same_ends(machine *all, int n) {
  for (int i = 0; i < n; i++) {
    machine *m = &all[i];
    if (m->r != TB_OVER) {
      fprintf(stderr, "machine %d ends with %d: %s\n", i, m->r, m->error);
      exit(1);
    }
    tb_outcome o = outcome_of(m);
    CHECK(o.over && o.frames == 300 && !o.finished && o.health == TB_HEALTHY);
    CHECK(sum_of(m) == sum_of(all));
    CHECK(m->started - m->cancelled == m->confirmed);
    const uint32_t *presses = m->presses;
    CHECK(presses[TB_EFFECT_CONFIRMED] > 0 && presses[TB_EFFECT_STARTED] - presses[TB_EFFECT_CANCELLED] == presses[TB_EFFECT_CONFIRMED]);
    CHECK(m->options.me > 1 || m->effects == all->effects); // newcomers have not heard all of them
  }
}

// Two machines play, and one of them records; the recording ends in the same state.
static void match(const char *file) {
  static machine all[2];
  dropping = 9;
  for (uint32_t i = 0; i < 2; i++) {
    prepare(&all[i], i);
    if (i == 0) all[i].options.record = file;
    all[i].r = tb_p2p(&all[i].game, &all[i].options, &all[i].s);
    CHECK(all[i].r == TB_OK && tb_player(all[i].s) == (int)i);
  }
  uint8_t keys = 0;
  REFUSED(tb_set_input(all[0].s, 1, &keys), TB_EARG, "only player 0 is here");
  while (turn(all, 2)) {
    tb_stats stats = {.size = sizeof stats};
    CHECK(tb_get_stats(all[0].s, &stats) == TB_OK);
    CHECK(stats.agreed <= stats.confirmed);
    if (stats.frame == 100) CHECK(tb_set_delay(all[0].s, 3) == TB_OK);
    if (stats.frame > 200 && stats.frame < 290 && stats.running) CHECK(stats.delay == 3 && stats.members == 3 && stats.nominal_ns == 16666666);
  }
  REFUSED(tb_set_delay(all[0].s, 1000), TB_EARG, "1000");
  tb_stats stats = {.size = sizeof stats};
  CHECK(tb_get_stats(all[0].s, &stats) == TB_OK);
  CHECK(all[0].confirmed > 0 && all[0].presses[TB_EFFECT_CANCELLED] + all[1].presses[TB_EFFECT_CANCELLED] > 0);
  CHECK(stats.rollbacks > 0 && stats.resimulated >= stats.rollbacks && stats.deepest > 0 && stats.datagrams > 0);
  same_ends(all, 2);
  uint64_t sum = sum_of(&all[0]);
  REFUSED(tb_seek(all[0].s, 3), TB_EKIND, "replay");
  close_all(all, 2);

  // It is never replaced.
  tb_session *s;
  REFUSED(tb_p2p(&all[0].game, &all[0].options, &s), TB_EFILE, "exists");

  tb_game game = pong_game();
  tb_options options = {.size = sizeof options};
  CHECK(tb_replay(&game, &options, file, &s) == TB_OK);
  tb_result r;
  while ((r = tb_advance(s, NULL)) == TB_OK) {}
  tb_outcome o = {.size = sizeof o};
  CHECK(r == TB_OVER && tb_get_outcome(s, &o) == TB_OK && o.frames == 300 && o.health == TB_HEALTHY);
  uint32_t confirmed = 0;
  for (tb_effect e = {.size = sizeof e}; tb_get_effect(s, &e) == 1;) confirmed += e.what == TB_EFFECT_CONFIRMED;
  CHECK(confirmed == all[0].confirmed);
  CHECK(pong_sum(tb_state(s)) == sum);
  CHECK(tb_seek(s, 0) == TB_OK && pong_sum(tb_state(s)) != sum);
  CHECK(tb_seek(s, 300) == TB_OK && pong_sum(tb_state(s)) == sum);
  REFUSED(tb_seek(s, 301), TB_EARG, "301");
  CHECK(tb_close(s) == TB_OK);

  // Another game, and a step that computes something else.
  game.id = "another game";
  REFUSED(tb_replay(&game, &options, file, &s), TB_EFILE, "another game");
  static machine wrong;
  prepare(&wrong, 0);
  wrong.wrong_from = 100;
  CHECK(tb_replay(&wrong.game, &options, file, &s) == TB_OK);
  while ((r = tb_advance(s, NULL)) == TB_OK) {}
  CHECK(r == TB_OVER && tb_get_outcome(s, &o) == TB_OK && o.health == TB_DESYNCED);
  CHECK(tb_close(s) == TB_OK);
}

static void failing_step(void *user, void *state, tb_tick *t) {
  pong_step(user, state, t);
  if (t->frame == 150) tb_fail(t, "the disc is full");
}

// A step that fails ends a replay, too.
static void failure(const char *file) {
  tb_game game = pong_game();
  game.step = failing_step;
  tb_options options = {.size = sizeof options};
  tb_session *s;
  CHECK(tb_replay(&game, &options, file, &s) == TB_OK);
  tb_result r;
  while ((r = tb_advance(s, NULL)) == TB_OK) {}
  REFUSED(r, TB_EGAME, "the disc is full");
  CHECK(tb_close(s) == TB_OK);
}

// Bytes of a recording are changed, or missing: it plays as far as it goes, or is refused.
static void damage(const char *file, const char *to) {
  static uint8_t bytes[1 << 16];
  FILE *f = fopen(file, "rb");
  CHECK(f);
  size_t len = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  CHECK(len > 100 && len < sizeof bytes);
  tb_game game = pong_game();
  tb_options options = {.size = sizeof options};
  int opened = 0;
  for (size_t at = 0; at < len; at += 7) {
    uint8_t was = bytes[at];
    bytes[at] ^= 1 << at % 8;
    CHECK((f = fopen(to, "wb")) && fwrite(bytes, 1, at % 3 ? len : at, f) == (at % 3 ? len : at) && !fclose(f));
    bytes[at] = was;
    tb_session *s;
    tb_result r = tb_replay(&game, &options, to, &s);
    if (r != TB_OK) {
      CHECK(r == TB_EFILE && s == NULL && *tb_error());
      continue;
    }
    opened++;
    for (int calls = 0; calls < 400 && (r = tb_advance(s, NULL)) == TB_OK; calls++) {}
    CHECK(tb_close(s) == TB_OK);
  }
  CHECK(opened > 0);
}

// The step of one machine does something else from frame 100 on: both get a report that names the field.
static void desync(void) {
  static machine all[2];
  dropping = 0;
  for (uint32_t i = 0; i < 2; i++) {
    prepare(&all[i], i);
    all[i].options.frames = 0;
    all[i].options.seed = 8;
    if (i == 1) all[i].wrong_from = 100;
    all[i].r = tb_p2p(&all[i].game, &all[i].options, &all[i].s);
    CHECK(all[i].r == TB_OK);
  }
  CHECK(tb_desync_report(all[0].s, NULL, 0) == 0);
  while (!all[0].reported || !all[1].reported) {
    turn(all, 2);
    for (int i = 0; i < 2; i++) CHECK(all[i].r == TB_OK || all[i].r == TB_OVER);
  }
  for (int i = 0; i < 2; i++) {
    char text[1000], shorter[10];
    size_t n = tb_desync_report(all[i].s, text, sizeof text);
    CHECK(n > 10 && n < sizeof text && n == strlen(text));
    if (!strstr(text, "state 101 is the first") || !strstr(text, "score[1]: ")) {
      fprintf(stderr, "the report is %s\n", text);
      exit(1);
    }
    CHECK(tb_desync_report(all[i].s, shorter, sizeof shorter) == n && strlen(shorter) == 9 && !strncmp(text, shorter, 9));
    tb_stats stats = {.size = sizeof stats};
    CHECK(tb_get_stats(all[i].s, &stats) == TB_OK && stats.health == TB_DESYNCED);
  }
  close_all(all, 2);
}

// Machines whose states have other layouts, or other inputs, do not play together.
static void mismatch(void) {
  for (int what = 0; what < 4; what++) {
    static machine all[2];
    for (uint32_t i = 0; i < 2; i++) {
      prepare(&all[i], i);
      if (i == 1) {
        if (what == 0) all[i].game.fields_len--;
        if (what == 1) all[i].game.input_size = 2;
        if (what == 2) all[i].game.state_size += 4;
        if (what == 3) all[i].options.build = "2";
      }
      all[i].r = tb_p2p(&all[i].game, &all[i].options, &all[i].s);
      CHECK(all[i].r == TB_OK);
    }
    play(all, 2);
    for (int i = 0; i < 2; i++) CHECK(all[i].r == TB_EENDED && strstr(all[i].error, "build"));
    close_all(all, 2);
  }
}

// One more machine watches, and the states that it is sent are looked at by the game.
static void spectate(void) {
  static machine all[3];
  for (uint32_t i = 0; i < 3; i++) {
    prepare(&all[i], i);
    if (i < 2) {
      all[i].options.spectators = 1;
      all[i].r = tb_p2p(&all[i].game, &all[i].options, &all[i].s);
      CHECK(all[i].r == TB_OK);
      continue;
    }
    for (tb_stats stats = {.size = sizeof stats}; stats.agreed < 200;) { // when so much is over that a state is sent, and not all frames
      turn(all, 2);
      CHECK(tb_get_stats(all[0].s, &stats) == TB_OK);
    }
    all[i].options.frames = 0;
    all[i].r = tb_spectate(&all[i].game, &all[i].options, &all[i].s);
    CHECK(all[i].r == TB_OK);
    uint8_t keys = 0;
    REFUSED(tb_set_input(all[i].s, 0, &keys), TB_EKIND, "nobody plays here");
    REFUSED(tb_player(all[i].s), TB_EKIND, "no player");
  }
  play(all, 3);
  CHECK(all[0].r == TB_OVER && all[2].r == TB_OVER);
  CHECK(outcome_of(&all[2]).frames == 300 && sum_of(&all[2]) == sum_of(&all[0]) && sum_of(&all[1]) == sum_of(&all[0]));
  CHECK(all[2].checks > 0);
  close_all(all, 3);
}

// A third player comes into a match that is being played.
static void join(void) {
  static machine all[3];
  char token[64];
  CHECK(tb_token(token, sizeof token) == TB_OK);
  for (uint32_t i = 0; i < 3; i++) {
    prepare(&all[i], i);
    all[i].options.flags = TB_CONTINUE;
    all[i].options.token = token;
    all[i].options.players = 3;
    if (i < 2) all[i].r = tb_p2p(&all[i].game, &all[i].options, &all[i].s);
    else {
      for (tb_stats stats = {.size = sizeof stats}; stats.frame < 200;) {
        turn(all, 2);
        CHECK(tb_get_stats(all[0].s, &stats) == TB_OK);
      }
      all[i].options.others_len = 2;
      all[i].r = tb_join(&all[i].game, &all[i].options, &all[i].s);
    }
    CHECK(all[i].r == TB_OK);
  }
  play(all, 3);
  same_ends(all, 3);
  CHECK(all[0].joined && all[2].checks > 0 && outcome_of(&all[0]).left == 0);
  close_all(all, 3);
}

// Two clients play at a server.
static void serve(void) {
  static machine all[3];
  for (uint32_t i = 0; i < 3; i++) {
    prepare(&all[i], i);
    all[i].options.players = 2;
    all[i].options.tick_rate = 60;
    all[i].r = i == 0 ? tb_serve(&all[i].game, &all[i].options, &all[i].s) : tb_connect(&all[i].game, &all[i].options, &all[i].s);
    CHECK(all[i].r == TB_OK);
  }
  play(all, 3);
  CHECK(all[0].r == TB_OVER && outcome_of(&all[0]).frames == 300);
  int players = 0;
  for (int i = 1; i < 3; i++) {
    if (all[i].r != TB_OVER) {
      fprintf(stderr, "client %d ends with %d: %s\n", i, all[i].r, all[i].error);
      exit(1);
    }
    CHECK(sum_of(&all[i]) == sum_of(&all[0]));
    players |= 1 << tb_player(all[i].s);
  }
  CHECK(players == 3);
  close_all(all, 3);
}

// A game refuses the state that it is sent.
static void refusal(void) {
  static machine all[3];
  for (uint32_t i = 0; i < 2; i++) {
    prepare(&all[i], i);
    all[i].options.spectators = 1;
    all[i].options.frames = 0;
    all[i].r = tb_p2p(&all[i].game, &all[i].options, &all[i].s);
    CHECK(all[i].r == TB_OK);
  }
  for (tb_stats stats = {.size = sizeof stats}; stats.frame < 200;) {
    turn(all, 2);
    CHECK(tb_get_stats(all[0].s, &stats) == TB_OK);
  }
  prepare(&all[2], 2);
  all[2].check_answer = 9;
  all[2].r = tb_spectate(&all[2].game, &all[2].options, &all[2].s);
  CHECK(all[2].r == TB_OK);
  while (all[2].r == TB_OK) turn(all, 3);
  CHECK(all[2].r == TB_EENDED && all[2].checks > 0 && strstr(all[2].error, "refuses the state"));
  close_all(all, 3);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  char file[1000], damaged[1000];
  snprintf(file, sizeof file, "%s/match.tbr", argv[1]);
  snprintf(damaged, sizeof damaged, "%s/damaged.tbr", argv[1]);
  match(file);
  failure(file);
  damage(file, damaged);
  desync();
  mismatch();
  spectate();
  join();
  serve();
  refusal();
  puts("ok");
  return 0;
}
