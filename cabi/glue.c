//go:build cgo

// The C half of the library: it looks at every argument, handle and thread before Go is entered. Go has no type for
// const, and ends the process when a coroutine is resumed by another thread, so neither can be left to it.

#include "glue.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "_cgo_export.h"

#if defined(__GNUC__) && !defined(_WIN32)
#define TB_API __attribute__((visibility("default")))
#elif defined(_WIN32)
#define TB_API __declspec(dllexport)
#else
#define TB_API
#endif

// What is kept for each thread. Only the pointer is thread-local: Go makes the thread-local memory of the library a part of
// what the system sets aside when a program starts, of which a library that is loaded later gets a few bytes.
typedef struct per_thread {
  char error[TB_ERROR_SIZE]; // what tb_error returns
  int callbacks;             // of this thread that are running
  uint64_t number;           // of the thread: numbers of the system are used again after a thread has ended
} per_thread;

static _Thread_local per_thread *mine;
static per_thread shared_by_all; // if there is no memory
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_key(void) { pthread_key_create(&key, free); }

static per_thread *here(void) {
  static atomic_uint_fast64_t last;
  if (mine) return mine;
  pthread_once(&once, make_key);
  per_thread *made = calloc(1, sizeof *made);
  if (!made) return &shared_by_all;
  made->number = atomic_fetch_add(&last, 1) + 1;
  pthread_setspecific(key, made); // to be freed when the thread ends
  return mine = made;
}

static tb_result fail(tb_result r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static tb_result fail(tb_result r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(here()->error, TB_ERROR_SIZE, format, args);
  va_end(args);
  return r;
}

TB_API const char *tb_error(void) { return here()->error; }
TB_API uint32_t tb_version(void) { return TB_VERSION; }

// The table of sessions. A handle is odd, which no pointer to a struct is, and has the number of the entry and the
// generation of its session, so that those of closed sessions are known.
typedef struct entry {
  atomic_uint busy;       // 1: in a call
  atomic_uint generation; // odd: there is a session
  bool pull;
  uint64_t thread; // that opened it
  tb_shared *shared;
} entry;

static entry table[TB_MAX_SESSIONS];

// Generations go around after so many sessions in one entry.
enum { GENERATION_MASK = (1 << 20) - 1 };

static tb_session *handle_of(unsigned slot, unsigned generation) {
  return (tb_session *)(((uintptr_t)(generation & GENERATION_MASK) << 11) | (uintptr_t)slot << 1 | 1);
}

static entry *entry_of(const tb_session *s) {
  uintptr_t h = (uintptr_t)s;
  entry *e = &table[(h >> 1) & (TB_MAX_SESSIONS - 1)];
  unsigned generation = atomic_load(&e->generation);
  if (!(h & 1) || !(generation & 1) || (h >> 11) != (generation & GENERATION_MASK)) return NULL;
  return e;
}

static int slot_of(const entry *e) { return (int)(e - table); }

static tb_result in_callback(void) {
  return fail(TB_EBUSY, "a callback of the game calls the library, or an earlier one has never returned: callbacks must return, without longjmp, and only the inline functions of tickback.h may be called in them");
}

// Lets this call into a session, or says why not. leave lets go of it.
static tb_result enter(const tb_session *s, entry **out) {
  entry *e = entry_of(s);
  if (!e) return fail(TB_EHANDLE, s ? "there is no such session: it is closed, or the pointer is no tb_session" : "the session is NULL");
  if (here()->callbacks) return in_callback();
  unsigned free_now = 0;
  if (!atomic_compare_exchange_strong(&e->busy, &free_now, 1)) {
    return fail(TB_EBUSY, "the session is in a call of another thread: it is for one thread at a time");
  }
  if (entry_of(s) != e) { // closed meanwhile
    atomic_store(&e->busy, 0);
    return fail(TB_EHANDLE, "there is no such session: another thread has just closed it");
  }
  if (e->pull && e->thread != here()->number) {
    atomic_store(&e->busy, 0);
    return fail(TB_ETHREAD, "a session with TB_PULL is for the thread that opened it, and this is another one");
  }
  *out = e;
  return TB_OK;
}

static void leave(entry *e) { atomic_store(&e->busy, 0); }

// enter, for calls that are not possible while a request is pending.
static tb_result enter_idle(const tb_session *s, entry **out) {
  tb_result r = enter(s, out);
  if (r == TB_OK && (*out)->shared->request.want) {
    leave(*out);
    return fail(TB_EBUSY, "a request is pending: do what tb_requested says, and call tb_next");
  }
  return r;
}

// Gives the lines that wait to the log, if there are some. The session is free meanwhile, so that the function may use it,
// and even close it. What tb_error returns is that of the call that ends here.
static void deliver(const tb_session *s, bool lines) {
  if (!lines) return;
  char error[TB_ERROR_SIZE], line[1024];
  memcpy(error, here()->error, sizeof error);
  entry *e;
  while (enter(s, &e) == TB_OK) {
    void (*log)(void *, int, const char *) = e->shared->options.log;
    void *user = e->shared->options.log_user;
    int level = tbgo_line(slot_of(e), line, sizeof line);
    leave(e);
    if (level < 0) break;
    log(user, level, line);
  }
  memcpy(here()->error, error, sizeof error);
}

// The largest struct that anybody gives: a size above it was not set.
enum { MOST = 4096 };

static bool sized(uint32_t size) { return size >= 2 * sizeof(uint32_t) && size <= MOST; }

// Copies a struct of the caller, which may be older or newer than ours.
static tb_result take(void *to, size_t ours, const void *from, const char *name) {
  if (!from) return fail(TB_EARG, "the %s is NULL", name);
  uint32_t theirs;
  memcpy(&theirs, from, sizeof theirs);
  if (!sized(theirs)) return fail(TB_EARG, "the size of the %s is %u: set it to sizeof", name, theirs);
  memset(to, 0, ours);
  memcpy(to, from, theirs < ours ? theirs : ours);
  memcpy(to, &theirs, sizeof theirs);
  for (size_t i = ours; i < theirs; i++) {
    if (((const uint8_t *)from)[i]) {
      return fail(TB_EARG, "the %s is of a newer tickback.h, and has something that this library does not know (byte %zu): leave it zero, or use a newer library", name, i);
    }
  }
  return TB_OK;
}

// Copies a struct to the caller, as far as it has room.
static tb_result give(void *to, const void *from, size_t ours) {
  uint32_t theirs;
  memcpy(&theirs, to, sizeof theirs);
  memset(to, 0, theirs);
  memcpy(to, from, theirs < ours ? theirs : ours);
  memcpy(to, &theirs, sizeof theirs);
  return TB_OK;
}

static tb_result room(const void *to, const char *name) {
  if (!to) return fail(TB_EARG, "the %s is NULL", name);
  uint32_t theirs;
  memcpy(&theirs, to, sizeof theirs);
  if (!sized(theirs)) return fail(TB_EARG, "the size of the %s is %u: set it to sizeof", name, theirs);
  return TB_OK;
}

void *tb_glue_block(size_t size, void **base) {
  enum { ALIGNMENT = 64 };
  *base = calloc(1, size + ALIGNMENT);
  return *base ? (void *)(((uintptr_t)*base + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT) : NULL;
}

void tb_glue_step(uintptr_t address, uintptr_t state) {
  tb_shared *shared = (tb_shared *)address;
  per_thread *t = here();
  t->callbacks++;
  shared->game.step(shared->game.user, (void *)state, &shared->tick);
  t->callbacks--;
}

int tb_glue_init(tb_shared *shared, void *state, uint64_t seed) {
  if (!shared->game.init && !shared->game.begin) return 0;
  here()->callbacks++;
  int r = shared->game.begin ? shared->game.begin(shared->game.user, state, &shared->match) : shared->game.init(shared->game.user, state, seed);
  here()->callbacks--;
  return r;
}

int tb_glue_check(tb_shared *shared, const void *state) {
  if (!shared->game.check) return 0;
  here()->callbacks++;
  int r = shared->game.check(shared->game.user, state);
  here()->callbacks--;
  return r;
}

uint64_t tb_glue_own(tb_shared *shared, uint32_t want, uint32_t slot, void *bytes, size_t len) {
  const tb_own *own = &shared->own;
  void *user = shared->game.user;
  uint64_t r = 0;
  per_thread *t = here();
  t->callbacks++;
  switch (want) {
  case TB_SAVE: r = (uint32_t)own->save(user, slot); break;
  case TB_RESTORE: r = (uint32_t)own->restore(user, slot); break;
  case TB_HASH: r = own->hash(user, slot); break;
  case TB_RELEASE: own->release(user, slot); break;
  case TB_MARSHAL: r = own->marshal(user, slot, bytes, len); break;
  case TB_UNMARSHAL: r = (uint32_t)own->unmarshal(user, bytes, len); break;
  case TB_DESCRIBE: r = own->describe(user, slot, bytes, len); break;
  default: break;
  }
  t->callbacks--;
  return r;
}

int tb_glue_send(tb_shared *shared, uint32_t to, const void *datagram, size_t len) {
  here()->callbacks++;
  int r = shared->transport.send(shared->transport.user, to, datagram, len);
  here()->callbacks--;
  return r;
}

size_t tb_glue_receive(tb_shared *shared, uint32_t *from, void *to, size_t cap) {
  here()->callbacks++;
  size_t n = shared->transport.receive(shared->transport.user, from, to, cap);
  here()->callbacks--;
  return n;
}

static void discard(tb_shared *shared) {
  free(shared->orders);
  free(shared);
}

// Checks what can be checked without Go.
static tb_result complete(const tb_shared *shared) {
  const tb_game *g = &shared->game;
  const tb_options *o = &shared->options;
  if (!g->id || !*g->id || strlen(g->id) > 64) return fail(TB_EOPTIONS, "the id of the game must have 1 to 64 bytes");
  if (g->input_size < 1 || g->input_size > TB_MAX_INPUT) return fail(TB_EOPTIONS, "input_size is %u, must be 1 to %d", g->input_size, TB_MAX_INPUT);
  if (g->state_size < 1 || g->state_size > 1 << 30) return fail(TB_EOPTIONS, "state_size is %llu, must be 1 to %d", (unsigned long long)g->state_size, 1 << 30);
  if (g->fields_len > 65536) return fail(TB_EOPTIONS, "fields_len is %u, more than 65536", g->fields_len);
  if (g->fields_len && !g->fields) return fail(TB_EOPTIONS, "fields_len is %u, and fields is NULL", g->fields_len);
  if (g->kinds_len > 256) return fail(TB_EOPTIONS, "kinds_len is %u, more than 256", g->kinds_len);
  if (g->kinds_len && !g->kinds) return fail(TB_EOPTIONS, "kinds_len is %u, and kinds is NULL", g->kinds_len);
  if (g->flags & ~TB_CLEAR_GAPS) return fail(TB_EOPTIONS, "flags of the game are %#x, and only TB_CLEAR_GAPS is known", g->flags);
  if (o->flags & ~(TB_PULL | TB_CONTINUE | TB_LOCKSTEP | TB_LOBBY)) return fail(TB_EOPTIONS, "flags of the options are %#x, with one that is not known", o->flags);
  if (!(o->flags & TB_PULL) && !g->step) return fail(TB_EOPTIONS, "the game has no step, and TB_PULL is not set");
  if ((o->flags & TB_PULL) && (g->step || g->init || g->check || g->begin)) return fail(TB_EOPTIONS, "with TB_PULL nothing is called: leave init, begin, step and check NULL");
  if (o->max_orders > 4096) return fail(TB_EOPTIONS, "max_orders is %u, more than 4096", o->max_orders);
  if (o->data_len > 65536) return fail(TB_EOPTIONS, "data_len is %u, more than 65536", o->data_len);
  if (o->data_len && !o->data) return fail(TB_EOPTIONS, "data_len is %u, and data is NULL", o->data_len);
  if (o->others_len && !o->others && !o->transport) return fail(TB_EOPTIONS, "others_len is %u, and others is NULL", o->others_len);
  if (o->others_len > 64) return fail(TB_EOPTIONS, "others_len is %u, more than 64", o->others_len);
  if (o->transport && (!shared->transport.send || !shared->transport.receive)) return fail(TB_EOPTIONS, "the transport needs send and receive");
  if (o->transport && o->net) return fail(TB_EOPTIONS, "net is for UDP: a transport of one's own makes its own losses");
  if (o->transport && (o->flags & TB_PULL)) return fail(TB_EOPTIONS, "with TB_PULL nothing is called, so that a transport of one's own is not possible");
  return TB_OK;
}

// The same for a state that is no block.
static tb_result complete_own(const tb_shared *shared) {
  const tb_game *g = &shared->game;
  const tb_own *o = &shared->own;
  bool any = o->save || o->restore || o->hash || o->release || o->marshal || o->unmarshal || o->describe;
  if (g->fields_len || g->flags || g->check) return fail(TB_EOPTIONS, "a game with its own form of state has no fields, flags and check: its unmarshal refuses states");
  if (shared->options.flags & TB_PULL) {
    if (any) return fail(TB_EOPTIONS, "with TB_PULL nothing is called: leave the functions of own NULL");
    if (o->flags & ~(TB_CAN_RELEASE | TB_CAN_MARSHAL | TB_CAN_DESCRIBE)) return fail(TB_EOPTIONS, "flags of own are %#x, with one that is not known", o->flags);
    return TB_OK;
  }
  if ((!g->init && !g->begin) || !o->save || !o->restore || !o->hash) return fail(TB_EOPTIONS, "a game with its own form of state needs init (or begin), save, restore and hash");
  if (!o->marshal != !o->unmarshal) return fail(TB_EOPTIONS, "own has one of marshal and unmarshal: give both, or none");
  if (o->flags) return fail(TB_EOPTIONS, "flags of own are %#x: they are for TB_PULL, and the functions say what there is", o->flags);
  return TB_OK;
}

static tb_result open_session(uint32_t kind, const tb_game *game, const tb_options *options, uint32_t depth, const char *file, tb_session **out) {
  if (!out) return fail(TB_EARG, "out is NULL");
  *out = NULL;
  if (here()->callbacks) return in_callback();
  tb_shared *shared = calloc(1, sizeof *shared);
  if (!shared) return fail(TB_EMEMORY, "no memory");
  tb_result r = take(&shared->game, sizeof shared->game, game, "game");
  if (r == TB_OK) r = take(&shared->options, sizeof shared->options, options, "options");
  if (r == TB_OK && shared->options.transport) r = take(&shared->transport, sizeof shared->transport, shared->options.transport, "transport");
  if (r == TB_OK && shared->game.own) r = take(&shared->own, sizeof shared->own, shared->game.own, "own form of the game");
  if (r == TB_OK) r = complete(shared);
  if (r == TB_OK && shared->game.own) r = complete_own(shared);
  if (r != TB_OK) {
    free(shared);
    return r;
  }
  if (shared->options.max_orders && !(shared->orders = calloc(TB_MAX_PLAYERS, shared->options.max_orders))) {
    free(shared);
    return fail(TB_EMEMORY, "no memory");
  }
  shared->kind = kind;
  shared->input_size = shared->game.input_size;
  shared->request.size = sizeof shared->request;
  shared->tick.size = sizeof shared->tick;
  shared->tick.inputs = shared->inputs;
  shared->tick.status = shared->status;
  shared->tick.input_size = shared->input_size;
  shared->tick.orders = shared->orders;
  shared->tick.orders_len = shared->orders_len;
  shared->tick.max_orders = shared->options.max_orders;
  shared->match.size = sizeof shared->match;
  shared->tick.effects = shared->effects;
  shared->tick.effects_cap = shared->game.kinds_len ? TB_MAX_EFFECTS : 0;
  entry *e = NULL;
  for (unsigned i = 0; i < TB_MAX_SESSIONS && !e; i++) {
    unsigned free_now = 0;
    if (atomic_load(&table[i].generation) & 1) continue;
    if (!atomic_compare_exchange_strong(&table[i].busy, &free_now, 1)) continue;
    if (atomic_load(&table[i].generation) & 1) leave(&table[i]); // another thread has just taken it
    else e = &table[i];
  }
  if (!e) {
    discard(shared);
    return fail(TB_EMEMORY, "there are %d sessions already", TB_MAX_SESSIONS);
  }
  e->shared = shared;
  e->pull = shared->options.flags & TB_PULL;
  e->thread = here()->number;
  r = tbgo_open(slot_of(e), shared, depth, (char *)file, here()->error);
  if (r < 0) {
    tbgo_close(slot_of(e));
    tbgo_forget(slot_of(e));
    discard(shared);
    e->shared = NULL;
    leave(e);
    return r;
  }
  unsigned generation = atomic_fetch_add(&e->generation, 1) + 1;
  *out = handle_of((unsigned)slot_of(e), generation);
  bool lines = shared->logs;
  leave(e);
  deliver(*out, lines);
  return r;
}

TB_API tb_result tb_p2p(const tb_game *game, const tb_options *options, tb_session **out) {
  return open_session(TB_KIND_P2P, game, options, 0, NULL, out);
}

TB_API tb_result tb_synctest(const tb_game *game, const tb_options *options, uint32_t depth, tb_session **out) {
  return open_session(TB_KIND_SYNCTEST, game, options, depth, NULL, out);
}

TB_API tb_result tb_join(const tb_game *game, const tb_options *options, tb_session **out) {
  return open_session(TB_KIND_JOIN, game, options, 0, NULL, out);
}

TB_API tb_result tb_spectate(const tb_game *game, const tb_options *options, tb_session **out) {
  return open_session(TB_KIND_SPECTATE, game, options, 0, NULL, out);
}

TB_API tb_result tb_serve(const tb_game *game, const tb_options *options, tb_session **out) {
  return open_session(TB_KIND_SERVE, game, options, 0, NULL, out);
}

TB_API tb_result tb_connect(const tb_game *game, const tb_options *options, tb_session **out) {
  return open_session(TB_KIND_CONNECT, game, options, 0, NULL, out);
}

TB_API tb_result tb_replay(const tb_game *game, const tb_options *options, const char *file, tb_session **out) {
  if (out) *out = NULL;
  if (!file) return fail(TB_EARG, "the file is NULL");
  return open_session(TB_KIND_REPLAY, game, options, 0, file, out);
}

TB_API tb_result tb_close(tb_session *s) {
  if (!s) return TB_OK;
  entry *e;
  tb_result r = enter(s, &e);
  if (r != TB_OK) return r;
  tbgo_close(slot_of(e));
  for (tb_shared *shared = e->shared; shared->options.log;) {
    char line[1024];
    int level = tbgo_line(slot_of(e), line, sizeof line);
    if (level < 0) break;
    shared->options.log(shared->options.log_user, level, line);
  }
  tbgo_forget(slot_of(e));
  discard(e->shared);
  e->shared = NULL;
  atomic_fetch_add(&e->generation, 1);
  leave(e);
  return TB_OK;
}

static tb_result tell(tb_session *s, int what, int64_t argument, const void *bytes, size_t len, int64_t *ns) {
  entry *e;
  tb_result r = enter_idle(s, &e);
  if (r != TB_OK) return r;
  int64_t given = 0;
  r = tbgo_drive(slot_of(e), what, argument, (void *)bytes, len, &given, here()->error);
  bool lines = e->shared->logs;
  leave(e);
  if (ns) *ns = given;
  deliver(s, lines);
  return r;
}

static tb_result drive(tb_session *s, int what, int64_t argument, int64_t *ns) { return tell(s, what, argument, NULL, 0, ns); }

// The same with a text, which may be NULL.
static tb_result tell_text(tb_session *s, int what, int64_t argument, const char *text) {
  size_t len = text ? strlen(text) : 0;
  if (len > 1000) return fail(TB_EARG, "the text has %zu bytes, more than 1000", len);
  return tell(s, what, argument, text, len, NULL);
}

TB_API tb_result tb_pause(tb_session *s) { return drive(s, TB_DO_PAUSE, 0, NULL); }
TB_API tb_result tb_unpause(tb_session *s) { return drive(s, TB_DO_UNPAUSE, 0, NULL); }
TB_API tb_result tb_accept(tb_session *s) { return drive(s, TB_DO_ACCEPT, 0, NULL); }
TB_API tb_result tb_refuse(tb_session *s, const char *why) { return tell_text(s, TB_DO_REFUSE, 0, why); }
TB_API tb_result tb_kick(tb_session *s, uint32_t player, const char *why) { return tell_text(s, TB_DO_KICK, player, why); }
TB_API tb_result tb_set_token(tb_session *s, const char *token) {
  return token ? tell_text(s, TB_DO_TOKEN, 0, token) : fail(TB_EARG, "the token is NULL");
}

TB_API tb_result tb_send(tb_session *s, uint32_t players, const void *message, uint32_t len) {
  if (!message || len < 1 || len > 65536) return fail(TB_EARG, message ? "the message has %u bytes, must be 1 to 65536" : "the message is NULL", len);
  return tell(s, TB_DO_SEND, players, message, len, NULL);
}

TB_API tb_result tb_propose(tb_session *s, const tb_match *match) {
  tb_match ours;
  tb_result r = take(&ours, sizeof ours, match, "match");
  if (r != TB_OK) return r;
  if (ours.data_len > 65536 || (ours.data_len && !ours.data)) return fail(TB_EARG, "data_len of the match is %u: at most 65536, and data is there", ours.data_len);
  return tell(s, TB_DO_PROPOSE, 0, &ours, sizeof ours, NULL);
}

TB_API tb_result tb_get_proposal(tb_session *s, tb_match *match) {
  tb_result r = room(match, "match");
  if (r != TB_OK) return r;
  entry *e;
  if ((r = enter_idle(s, &e)) != TB_OK) return r;
  tb_match ours;
  memset(&ours, 0, sizeof ours);
  r = tbgo_proposal(slot_of(e), &ours, here()->error);
  leave(e);
  return r == TB_OK ? give(match, &ours, sizeof ours) : r;
}

TB_API size_t tb_get_message(tb_session *s, void *to, size_t cap) {
  entry *e;
  if (enter_idle(s, &e) != TB_OK) return 0;
  size_t n = tbgo_message(slot_of(e), to, to ? cap : 0);
  leave(e);
  return n;
}

TB_API tb_result tb_set_orders(tb_session *s, uint32_t player, const void *orders, uint32_t len) {
  entry *e;
  tb_result r = enter_idle(s, &e);
  if (r != TB_OK) return r;
  if (!orders) r = fail(TB_EARG, "the orders are NULL");
  else if (len < 1 || len > e->shared->options.max_orders) r = fail(TB_EARG, "orders of %u bytes: must be 1 to %u, max_orders of the options", len, e->shared->options.max_orders);
  else r = tbgo_orders(slot_of(e), player, (void *)orders, len, here()->error);
  leave(e);
  return r;
}

TB_API tb_result tb_update(tb_session *s, int64_t *wait_ns) { return drive(s, TB_DO_UPDATE, 0, wait_ns); }
TB_API tb_result tb_advance(tb_session *s, int64_t *period_ns) { return drive(s, TB_DO_ADVANCE, 0, period_ns); }
TB_API tb_result tb_poll(tb_session *s) { return drive(s, TB_DO_POLL, 0, NULL); }
TB_API tb_result tb_wait(tb_session *s, int64_t ns) { return drive(s, TB_DO_WAIT, ns, NULL); }
TB_API tb_result tb_seek(tb_session *s, uint32_t frame) { return drive(s, TB_DO_SEEK, frame, NULL); }
TB_API tb_result tb_set_delay(tb_session *s, uint32_t frames) { return drive(s, TB_DO_DELAY, frames, NULL); }

TB_API tb_result tb_next(tb_session *s, int64_t *ns) {
  entry *e;
  tb_result r = enter(s, &e);
  if (r != TB_OK) return r;
  if (!e->shared->request.want) {
    leave(e);
    return fail(TB_EARG, "no request is pending: tb_next goes on with a call that returned TB_REQUEST");
  }
  int64_t given = 0;
  r = tbgo_drive(slot_of(e), TB_DO_NEXT, 0, NULL, 0, &given, here()->error);
  bool lines = e->shared->logs;
  leave(e);
  if (ns) *ns = given;
  deliver(s, lines);
  return r;
}

TB_API tb_request *tb_requested(tb_session *s) {
  entry *e;
  if (enter(s, &e) != TB_OK) return NULL;
  tb_request *q = e->shared->request.want ? &e->shared->request : NULL;
  leave(e);
  return q;
}

TB_API tb_result tb_set_input(tb_session *s, uint32_t player, const void *input) {
  entry *e;
  tb_result r = enter_idle(s, &e);
  if (r != TB_OK) return r;
  r = input ? tbgo_input(slot_of(e), player, (void *)input, here()->error) : fail(TB_EARG, "the input is NULL");
  leave(e);
  return r;
}

TB_API const void *tb_state(tb_session *s) {
  entry *e;
  if (enter_idle(s, &e) != TB_OK) return NULL;
  const void *state = tbgo_state(slot_of(e));
  leave(e);
  return state;
}

TB_API int tb_get_event(tb_session *s, tb_event *event) {
  tb_result r = room(event, "event");
  if (r != TB_OK) return r;
  entry *e;
  if ((r = enter_idle(s, &e)) != TB_OK) return r;
  tb_event ours;
  memset(&ours, 0, sizeof ours);
  int found = tbgo_event(slot_of(e), &ours);
  leave(e);
  give(event, &ours, sizeof ours);
  return found;
}

TB_API int tb_get_effect(tb_session *s, tb_effect *effect) {
  tb_result r = room(effect, "effect");
  if (r != TB_OK) return r;
  entry *e;
  if ((r = enter_idle(s, &e)) != TB_OK) return r;
  tb_effect ours;
  memset(&ours, 0, sizeof ours);
  int found = tbgo_effect(slot_of(e), &ours);
  leave(e);
  give(effect, &ours, sizeof ours);
  return found;
}

TB_API tb_result tb_get_stats(tb_session *s, tb_stats *stats) {
  tb_result r = room(stats, "stats");
  if (r != TB_OK) return r;
  entry *e;
  if ((r = enter_idle(s, &e)) != TB_OK) return r;
  tb_stats ours;
  memset(&ours, 0, sizeof ours);
  tbgo_stats(slot_of(e), &ours);
  leave(e);
  return give(stats, &ours, sizeof ours);
}

TB_API tb_result tb_get_outcome(tb_session *s, tb_outcome *outcome) {
  tb_result r = room(outcome, "outcome");
  if (r != TB_OK) return r;
  entry *e;
  if ((r = enter_idle(s, &e)) != TB_OK) return r;
  tb_outcome ours;
  memset(&ours, 0, sizeof ours);
  tbgo_outcome(slot_of(e), &ours);
  leave(e);
  return give(outcome, &ours, sizeof ours);
}

TB_API size_t tb_desync_report(tb_session *s, char *to, size_t cap) {
  if (to && cap) *to = 0;
  entry *e;
  if (enter_idle(s, &e) != TB_OK) return 0;
  size_t n = tbgo_report(slot_of(e), to, to ? cap : 0);
  leave(e);
  return n;
}

TB_API int tb_player(tb_session *s) {
  entry *e;
  tb_result r = enter_idle(s, &e);
  if (r != TB_OK) return r;
  int player = tbgo_player(slot_of(e), here()->error);
  leave(e);
  return player;
}

TB_API tb_result tb_token(char *to, size_t cap) {
  if (!to || cap < 64) return fail(TB_EARG, "a token needs 64 bytes of room");
  if (here()->callbacks) return in_callback();
  tbgo_token(to, cap);
  return TB_OK;
}
