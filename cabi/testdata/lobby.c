// What machines do besides playing: they meet in a lobby, talk, propose matches with data, give orders, pause, and kick. The arguments
// are a folder for a recording, and two addresses here.

#include "net.h"

typedef struct state {
  uint64_t seed, content;
  uint32_t sum, orders; // of all bytes of orders
  uint8_t data[8];      // the first of the match's
  uint32_t data_len;
} state;

static const tb_field fields[] = {
    TB_FIELD(state, seed, TB_U64),     TB_FIELD(state, content, TB_U64),   TB_FIELD(state, sum, TB_U32),
    TB_FIELD(state, orders, TB_U32),   TB_ARRAY(state, data, TB_U8, 8),    TB_FIELD(state, data_len, TB_U32),
};

static int begin(void *user, void *block, const tb_match *m) {
  (void)user;
  state *s = block;
  CHECK(m->size == sizeof *m && !m->data == !m->data_len);
  s->seed = m->seed;
  s->content = m->content;
  s->data_len = m->data_len;
  for (uint32_t i = 0; i < 8 && i < m->data_len; i++) s->data[i] = ((const uint8_t *)m->data)[i];
  if (m->data_len) CHECK(((const uint8_t *)m->data)[m->data_len - 1] == (uint8_t)(m->data_len - 1));
  return 0;
}

static void step(void *user, void *block, tb_tick *t) {
  (void)user;
  state *s = block;
  for (uint32_t p = 0; p < t->players; p++) {
    uint32_t len;
    const uint8_t *orders = tb_orders(t, p, &len);
    CHECK(!orders == !len && len <= t->max_orders);
    s->sum = s->sum * 31 + *(const uint8_t *)tb_input(t, p) + p;
    for (uint32_t i = 0; i < len; i++) s->orders = s->orders * 7 + orders[i] + p;
  }
}

static int init_never(void *user, void *block, uint64_t seed) {
  (void)user, (void)block, (void)seed;
  CHECK(!"begin is called instead");
  return 0;
}

typedef struct machine {
  uint32_t number;
  tb_transport transport;
  tb_game game;
  tb_options options;
  tb_session *s;
  tb_result r;
  char error[4096];
  uint32_t calls, what[40], paused_at, said;
  char message[100];
  size_t message_len;
} machine;

static void prepare(machine *m, uint32_t number, uint32_t flags) {
  memset(m, 0, sizeof *m);
  m->number = number;
  m->transport = (tb_transport){.size = sizeof m->transport, .user = &m->number, .send = net_send, .receive = net_receive};
  m->game = (tb_game){.size = sizeof m->game, .id = "lobby", .input_size = 1, .state_size = sizeof(state), .init = init_never, .begin = begin, .step = step,
                      .fields = fields, .fields_len = sizeof fields / sizeof *fields};
  m->options = (tb_options){.size = sizeof m->options, .transport = &m->transport, .me = number, .others_len = 1, .flags = flags, .max_orders = 300};
  queues[number].len = 0;
}

static void events(machine *m) {
  for (tb_event e = {.size = sizeof e}; tb_get_event(m->s, &e) == 1;) {
    CHECK(e.what < 40);
    m->what[e.what]++;
    size_t n = tb_get_message(m->s, NULL, 0);
    CHECK(!n == (e.what != TB_MESSAGE));
    if (n) {
      m->message_len = tb_get_message(m->s, m->message, sizeof m->message);
      CHECK(m->message_len == n);
      m->said = e.players;
    }
    if (e.what == TB_PAUSED) m->paused_at = e.frame;
  }
}

// Does what a program that pulls has to do.
static void answer(machine *m) {
  while (m->r == TB_REQUEST) {
    tb_request *q = tb_requested(m->s);
    if (q->want == TB_INIT) q->answer = begin(NULL, q->state, q->match);
    else CHECK(q->want == TB_STEP || q->want == TB_CHECK);
    if (q->want == TB_STEP) step(NULL, q->state, q->tick);
    m->r = tb_next(m->s, NULL);
  }
}

// Gives each machine a turn, and returns whether any is still at it.
static int turn(machine *all, int n) {
  int going = 0;
  for (int i = 0; i < n; i++) {
    machine *m = &all[i];
    if (!m->s) continue;
    uint8_t keys = (uint8_t)(m->calls++ / 5 + m->number);
    if (m->r >= 0 && m->calls > 3) tb_set_input(m->s, m->number, &keys);
    if (m->r >= 0) m->r = tb_advance(m->s, NULL);
    else tb_poll(m->s);
    answer(m);
    if (m->r < 0 && !*m->error) snprintf(m->error, sizeof m->error, "%s", tb_error());
    events(m);
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
}

static const state *state_of(machine *m) {
  const state *s = tb_state(m->s);
  CHECK(s);
  return s;
}

static tb_stats stats_of(machine *m) {
  tb_stats stats = {.size = sizeof stats};
  CHECK(tb_get_stats(m->s, &stats) == TB_OK);
  return stats;
}

static uint8_t data[70000];

// Two machines meet, talk, refuse, play, and play again.
static void lobby(const char *file) {
  static machine all[2];
  dropping = 11;
  for (uint32_t i = 0; i < 2; i++) {
    prepare(&all[i], i, TB_LOBBY);
    if (i == 0) all[i].options.record = file;
    all[i].r = tb_p2p(&all[i].game, &all[i].options, &all[i].s);
    CHECK(all[i].r == TB_OK);
  }
  tb_match match = {.size = sizeof match, .frames = 200, .seed = 99, .content = 7, .data = data, .data_len = 50};
  tb_match read = {.size = sizeof read};
  REFUSED(tb_get_proposal(all[0].s, &read), TB_EPHASE, "no match");
  REFUSED(tb_propose(all[0].s, &match), TB_EPHASE, ""); // the other is not here yet
  while (!all[0].what[TB_OPEN] || !all[1].what[TB_OPEN]) CHECK(turn(all, 2));
  REFUSED(tb_propose(all[1].s, &match), TB_EPHASE, "host");
  REFUSED(tb_accept(all[1].s), TB_EPHASE, "");
  REFUSED(tb_pause(all[1].s), TB_EPHASE, "");
  CHECK(tb_send(all[1].s, 1, "is anybody there?", 17) == TB_OK);
  while (!all[0].message_len) CHECK(turn(all, 2));
  CHECK(all[0].message_len == 17 && !memcmp(all[0].message, "is anybody there?", 17) && all[0].said == 2);
  char little[4] = "1234";
  CHECK(tb_send(all[0].s, 2, data, 65536) == TB_OK);
  while (!all[1].message_len) CHECK(turn(all, 2));
  CHECK(all[1].message_len == 65536 && !memcmp(all[1].message, data, sizeof all[1].message));
  CHECK(tb_get_message(all[1].s, little, 0) == 0 || tb_get_message(all[1].s, little, 2) != 2);
  CHECK(!memcmp(little, "1234", 4) || little[2] == '3'); // no more than there is room for

  CHECK(tb_propose(all[0].s, &match) == TB_OK);
  REFUSED(tb_propose(all[0].s, &match), TB_EPHASE, "");
  while (!all[1].what[TB_PROPOSED]) CHECK(turn(all, 2));
  CHECK(tb_refuse(all[1].s, "I do not like it") == TB_OK);
  REFUSED(tb_accept(all[1].s), TB_EPHASE, "");
  while (!all[0].what[TB_REFUSED]) turn(all, 2);
  for (int i = 0; i < 30; i++) turn(all, 2);
  for (int i = 0; i < 2; i++) {
    match.seed += (uint64_t)i;
    match.data_len = i ? 65536 : 50;
    uint32_t proposed = all[1].what[TB_PROPOSED];
    while (tb_propose(all[0].s, &match) != TB_OK) turn(all, 2);
    while (all[1].what[TB_PROPOSED] == proposed) turn(all, 2);
    CHECK(tb_get_proposal(all[1].s, &read) == TB_OK);
    CHECK(read.seed == match.seed && read.frames == 200 && read.content == 7 && read.data_len == match.data_len && !memcmp(read.data, data, read.data_len));
    CHECK(tb_accept(all[1].s) == TB_OK);
    while (all[0].r != TB_OVER || all[1].r != TB_OVER) {
      turn(all, 2);
      CHECK(all[0].r >= 0 && all[1].r >= 0);
    }
    const state *a = state_of(&all[0]), *b = state_of(&all[1]);
    CHECK(!memcmp(a, b, sizeof *a) && a->seed == match.seed && a->content == 7 && a->data_len == match.data_len && a->data[5] == 5);
    tb_outcome o = {.size = sizeof o};
    CHECK(tb_get_outcome(all[1].s, &o) == TB_OK && o.frames == 200 && o.health == TB_HEALTHY);
    for (int j = 0; j < 20; j++) turn(all, 2);
    CHECK(all[0].r == TB_OVER && all[1].r == TB_OVER);
  }
  CHECK(all[0].what[TB_ENDED] == 2);
  uint32_t sum = state_of(&all[0])->sum;
  // Who is left behind hears of it, though the last match is over.
  CHECK(tb_close(all[0].s) == TB_OK);
  all[0].s = NULL;
  while (all[1].r >= 0) turn(all, 2);
  CHECK(all[1].r == TB_EENDED && strstr(all[1].error, "player 0"));
  CHECK(tb_close(all[1].s) == TB_OK);

  // A recording of the first match has its data, too, and can be stopped.
  tb_session *s;
  tb_options options = {.size = sizeof options};
  CHECK(tb_replay(&all[0].game, &options, file, &s) == TB_OK);
  CHECK(tb_get_proposal(s, &read) == TB_OK && read.data_len == 50 && read.seed == 99);
  CHECK(tb_pause(s) == TB_OK && tb_unpause(s) == TB_OK);
  REFUSED(tb_kick(s, 0, NULL), TB_EKIND, "between machines");
  REFUSED(tb_send(s, 1, "hello", 5), TB_EKIND, "between machines");
  tb_result r;
  while ((r = tb_advance(s, NULL)) == TB_OK) {}
  tb_outcome o = {.size = sizeof o};
  CHECK(r == TB_OVER && tb_get_outcome(s, &o) == TB_OK && o.health == TB_HEALTHY && o.frames == 200);
  CHECK(((const state *)tb_state(s))->data_len == 50 && ((const state *)tb_state(s))->sum != sum + 1);
  CHECK(tb_close(s) == TB_OK);
}

// The same by pull: accepting asks for state 0.
static void pulled(const char *const addresses[2]) {
  static machine all[2];
  dropping = 0;
  for (uint32_t i = 0; i < 2; i++) {
    prepare(&all[i], i, TB_LOBBY);
    // A transport of one's own calls functions, so that these meet over UDP.
    all[i].options.transport = NULL;
    all[i].options.flags |= TB_PULL;
    all[i].game.init = NULL, all[i].game.begin = NULL, all[i].game.step = NULL;
  }
  for (uint32_t i = 0; i < 2; i++) {
    all[i].options.listen = addresses[i];
    all[i].options.others = &addresses[1 - i];
    all[i].r = tb_p2p(&all[i].game, &all[i].options, &all[i].s);
    answer(&all[i]);
    CHECK(all[i].r == TB_OK);
  }
  while (!all[0].what[TB_OPEN] || !all[1].what[TB_OPEN]) CHECK(turn(all, 2));
  tb_match match = {.size = sizeof match, .frames = 60, .seed = 5, .data = data, .data_len = 9};
  all[0].r = tb_propose(all[0].s, &match);
  CHECK(all[0].r == TB_REQUEST && tb_requested(all[0].s)->want == TB_INIT && tb_requested(all[0].s)->match->data_len == 9);
  answer(&all[0]);
  CHECK(all[0].r == TB_OK);
  while (!all[1].what[TB_PROPOSED]) CHECK(turn(all, 2));
  all[1].r = tb_accept(all[1].s);
  CHECK(all[1].r == TB_REQUEST);
  answer(&all[1]);
  CHECK(all[1].r == TB_OK);
  while (turn(all, 2)) {}
  CHECK(all[0].r == TB_OVER && all[1].r == TB_OVER && !memcmp(state_of(&all[0]), state_of(&all[1]), sizeof(state)) && state_of(&all[0])->data_len == 9);
  for (int i = 0; i < 2; i++) CHECK(tb_close(all[i].s) == TB_OK); // on this thread, which has opened them
}

// Orders arrive in the order in which they were given, in frames that are the same for all. Without a lobby the data is the host's.
static void orders(void) {
  static machine all[2];
  dropping = 7;
  for (uint32_t i = 0; i < 2; i++) {
    prepare(&all[i], i, 0);
    all[i].options.frames = 200;
    all[i].options.seed = 3;
    all[i].options.data = data;
    all[i].options.data_len = i ? 3 : 20; // those of the host count
    all[i].options.delay_max = 6;
    all[i].options.delay_rollback = 2;
    all[i].r = tb_p2p(&all[i].game, &all[i].options, &all[i].s);
    CHECK(all[i].r == TB_OK);
    REFUSED(tb_set_delay(all[i].s, 2), TB_EARG, "chooses the delay");
    REFUSED(tb_set_orders(all[i].s, 1 - i, "x", 1), TB_EARG, "only player");
    REFUSED(tb_set_orders(all[i].s, i, data, 301), TB_EARG, "must be 1 to 300");
    REFUSED(tb_set_orders(all[i].s, i, data, 0), TB_EARG, "must be 1 to 300");
    for (uint32_t n = 1; n <= 16; n++) CHECK(tb_set_orders(all[i].s, i, data + n + i, n == 16 ? 300 : n) == TB_OK);
    REFUSED(tb_set_orders(all[i].s, i, "x", 1), TB_EMEMORY, "16 orders");
  }
  uint32_t most = 0;
  while (turn(all, 2)) {
    tb_stats stats = stats_of(&all[0]);
    if (stats.delay > most) most = stats.delay;
  }
  CHECK(all[0].r == TB_OVER && all[1].r == TB_OVER && most <= 6);
  const state *a = state_of(&all[0]), *b = state_of(&all[1]);
  CHECK(!memcmp(a, b, sizeof *a) && a->orders && a->data_len == 20);
  close_all(all, 2);

  // Alone: a frame has the orders of one call, and the next has those of the next.
  tb_options options = {.size = sizeof options, .players = 2, .frames = 5, .max_orders = 4};
  tb_session *s;
  CHECK(tb_synctest(&all[0].game, &options, 7, &s) == TB_OK);
  CHECK(tb_set_orders(s, 0, "\1\2", 2) == TB_OK && tb_set_orders(s, 0, "\3", 1) == TB_OK && tb_set_orders(s, 1, "\4", 1) == TB_OK);
  static const uint32_t sums[] = {(1 * 7 + 2) * 7 + 5, 0, 0};
  CHECK(tb_advance(s, NULL) == TB_OK && ((const state *)tb_state(s))->orders == sums[0]);
  CHECK(tb_advance(s, NULL) == TB_OK && ((const state *)tb_state(s))->orders == sums[0] * 7 + 3);
  CHECK(tb_advance(s, NULL) == TB_OK && ((const state *)tb_state(s))->orders == sums[0] * 7 + 3);
  CHECK(tb_close(s) == TB_OK);
}

// Three play, one asks for a pause, and the host kicks one.
static void pause_and_kick(void) {
  static machine all[3];
  char token[64], other[64];
  CHECK(tb_token(token, sizeof token) == TB_OK && tb_token(other, sizeof other) == TB_OK);
  dropping = 13;
  for (uint32_t i = 0; i < 3; i++) {
    prepare(&all[i], i, TB_CONTINUE);
    all[i].options.others_len = 2;
    all[i].options.frames = 400;
    all[i].options.token = token;
    all[i].r = tb_p2p(&all[i].game, &all[i].options, &all[i].s);
    CHECK(all[i].r == TB_OK);
  }
  while (stats_of(&all[0]).agreed < 60) CHECK(turn(all, 3));
  REFUSED(tb_kick(all[1].s, 2, "no"), TB_EPHASE, "");
  CHECK(tb_pause(all[1].s) == TB_OK);
  while (!all[0].what[TB_PAUSED] || !all[1].what[TB_PAUSED] || !all[2].what[TB_PAUSED]) CHECK(turn(all, 3));
  CHECK(all[0].paused_at == all[1].paused_at && all[2].paused_at == all[1].paused_at);
  for (int i = 0; i < 50; i++) turn(all, 3);
  CHECK(stats_of(&all[0]).frame == all[0].paused_at);
  CHECK(tb_unpause(all[2].s) == TB_OK);
  while (!all[0].what[TB_UNPAUSED] || !all[1].what[TB_UNPAUSED]) CHECK(turn(all, 3));
  CHECK(tb_kick(all[0].s, 2, "rude") == TB_OK);
  while (all[2].r >= 0) turn(all, 3);
  CHECK(all[2].r == TB_EENDED && strstr(all[2].error, "rude"));
  while (!all[1].what[TB_REVOKED]) CHECK(turn(all, 3));
  CHECK(tb_set_token(all[0].s, other) == TB_OK && tb_set_token(all[1].s, other) == TB_OK);
  while (all[0].r == TB_OK || all[1].r == TB_OK) turn(all, 2);
  CHECK(all[0].r == TB_OVER && all[1].r == TB_OVER && !memcmp(state_of(&all[0]), state_of(&all[1]), sizeof(state)));
  tb_outcome o = {.size = sizeof o};
  CHECK(tb_get_outcome(all[0].s, &o) == TB_OK && o.frames == 400 && o.left == 4);
  close_all(all, 3);
}

// A server can kick as well, and has no pauses.
static void served(void) {
  static machine all[2];
  dropping = 0;
  for (uint32_t i = 0; i < 2; i++) {
    prepare(&all[i], i, 0);
    all[i].options.players = 2;
    all[i].options.tick_rate = 60;
    all[i].r = i == 0 ? tb_serve(&all[i].game, &all[i].options, &all[i].s) : tb_connect(&all[i].game, &all[i].options, &all[i].s);
    CHECK(all[i].r == TB_OK);
    REFUSED(tb_pause(all[i].s), TB_EKIND, "between machines");
  }
  while (tb_player(all[1].s) < 0) CHECK(turn(all, 2));
  uint32_t player = (uint32_t)tb_player(all[1].s);
  CHECK(tb_set_orders(all[1].s, 0, "\5", 1) == TB_OK);
  while (!state_of(&all[0])->orders) CHECK(turn(all, 2));
  REFUSED(tb_kick(all[0].s, 1 - player, "you"), TB_EPHASE, "");
  REFUSED(tb_kick(all[0].s, 16, "you"), TB_EKIND, "");
  CHECK(tb_kick(all[0].s, player, "rude") == TB_OK);
  while (all[1].r >= 0) turn(all, 2);
  CHECK(all[1].r == TB_EENDED && strstr(all[1].error, "rude"));
  close_all(all, 2);
}

int main(int argc, char **argv) {
  CHECK(argc == 4);
  char file[1000];
  snprintf(file, sizeof file, "%s/lobby.tbr", argv[1]);
  for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)i;
  lobby(file);
  pulled((const char *const *)argv + 2);
  orders();
  pause_and_kick();
  served();
  puts("ok");
  return 0;
}
