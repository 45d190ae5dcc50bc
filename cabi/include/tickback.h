/* tickback.h - rollback netcode and deterministic simulation for games in C, and in whatever calls C.
 *
 * A game gives a block of memory (its state), a function that fills it (init) and one that advances it by a frame
 * (step). Nothing but the inputs of the players may influence a step: no clock, no random numbers but those from the
 * state, no global variables. The library saves, restores, compares, hashes and sends the block by itself.
 *
 *   tb_game game = {.size = sizeof game, .id = "pong", .input_size = 1, .state_size = sizeof(pong),
 *                   .init = start, .step = step, .fields = fields, .fields_len = 5};
 *   const char *others[] = {"192.168.1.7:7000"};
 *   tb_options options = {.size = sizeof options, .listen = "0.0.0.0:7000", .me = 0, .others = others, .others_len = 1};
 *   tb_session *s;
 *   tb_result r = tb_p2p(&game, &options, &s);
 *   while (r == TB_OK) {
 *     int64_t wait_ns;
 *     uint8_t keys = read_keyboard();
 *     tb_set_input(s, options.me, &keys);
 *     if ((r = tb_update(s, &wait_ns)) == TB_OK) {
 *       draw(tb_state(s));
 *       tb_wait(s, wait_ns);
 *     }
 *   }
 *   if (r < 0) fprintf(stderr, "%s\n", tb_error());
 *   tb_close(s);
 *
 * SIZES. Each struct that the caller fills begins with its size. A struct of an older header is shorter: what it does
 * not have counts as zero. One of a newer header is longer, and is accepted if what this library does not know is
 * zero. Structs that the library fills have the size that the caller gives, and only that much is written.
 *
 * RESULTS. A negative result is an error, and tb_error says in words what is wrong. No call ever ends the process for
 * a wrong argument: a NULL, a session that is closed or that there never was, a wrong size or thread are all errors.
 *
 * THREADS. A session is for one thread at a time, which may be another one at each call; two at once is TB_EBUSY. With
 * TB_PULL it is for the thread that opened it: another one is TB_ETHREAD. Different sessions are independent.
 *
 * CALLBACKS. init, begin, step, check, those of tb_own, send and receive are called on the thread that is in a call of
 * the library. They must return: no longjmp, and no exception may leave them. They must not call the library, but for
 * the functions in this header that are inline: any other is TB_EBUSY. Languages that cannot promise this use TB_PULL,
 * where the library calls nothing: see tb_requested.
 *
 * docs/c.md has the rest: building, signals, and what is not possible.
 */
#ifndef TICKBACK_H
#define TICKBACK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. It grows when something is added. What there is does not change. */
#define TB_VERSION 2

/* The most players of a match, and the most bytes of an input. */
#define TB_MAX_PLAYERS 16
#define TB_MAX_INPUT 64

/* The most effects of a frame, and the most bytes that an effect has with it. */
#define TB_MAX_EFFECTS 64
#define TB_MAX_PAYLOAD 32

/* A session: a number in the clothes of a pointer, never to be dereferenced. tb_close ends it. */
typedef struct tb_session tb_session;

typedef enum tb_result {
  TB_OK = 0,
  TB_OVER = 1,       /* the match is over: see tb_get_outcome */
  TB_REQUEST = 2,    /* TB_PULL: the session wants something done: see tb_requested */
  TB_EARG = -1,      /* a wrong argument: NULL, a size, a player that is not here */
  TB_EHANDLE = -2,   /* no such session: it is closed, or there never was one */
  TB_EBUSY = -3,     /* the session is in a call already, of another thread or of the callback that calls */
  TB_ETHREAD = -4,   /* TB_PULL: this is not the thread that opened the session */
  TB_EOPTIONS = -5,  /* options that do not fit together, or a game that is not complete */
  TB_ENET = -6,      /* an address is wrong, or a socket cannot be opened */
  TB_EENDED = -7,    /* the session has ended: the others are gone, or play another game */
  TB_EGAME = -8,     /* the game is wrong: a callback failed, or a sync test found a difference */
  TB_EFILE = -9,     /* a file cannot be opened, exists already, or is no recording */
  TB_EKIND = -10,    /* a session of this kind does not have that */
  TB_EMEMORY = -11,  /* no memory, or too many sessions (1024) */
  TB_EINTERNAL = -12, /* a defect in this library: please report what tb_error says */
  TB_EPHASE = -13    /* not possible now, or not on this machine: the host alone proposes and kicks. The session goes on */
} tb_result;

/* The status of a player in a frame. Only whether it is TB_DISCONNECTED may influence the state. */
enum { TB_PREDICTED = 0, TB_CONFIRMED = 1, TB_DISCONNECTED = 2 };

/* An effect that a step emits: see tb_emit. The layout of this struct never changes. */
typedef struct tb_emission {
  uint32_t kind;
  uint32_t key;
  uint8_t payload[TB_MAX_PAYLOAD]; /* zero behind what was given */
} tb_emission;

/* What a step sees of its frame besides the state. It belongs to the library, and is valid during the step. */
typedef struct tb_tick {
  uint32_t size;         /* sizeof(tb_tick) in the library */
  uint32_t frame;        /* the number of this frame, from 0 on */
  uint32_t players;      /* how many players the match has, whether they are connected or not */
  uint32_t input_size;   /* that of the game */
  uint32_t resimulating; /* 1: this frame has run before. For sounds and logs: the state must not depend on it */
  uint32_t finished;     /* written by tb_finish */
  uint64_t result;       /* written by tb_finish */
  const uint8_t *inputs; /* players * input_size bytes: see tb_input */
  const uint8_t *status; /* players bytes: TB_PREDICTED, TB_CONFIRMED or TB_DISCONNECTED */
  uint32_t failed;       /* written by tb_fail */
  char failure[196];     /* written by tb_fail */
  uint32_t effects_len;  /* written by tb_emit */
  uint32_t effects_cap;  /* TB_MAX_EFFECTS, or 0 if the game has no kinds of effects */
  tb_emission *effects;  /* written by tb_emit */
  const uint8_t *orders; /* players * max_orders bytes: see tb_orders */
  const uint32_t *orders_len;
  uint32_t max_orders;   /* that of the options */
  uint32_t pad;
} tb_tick;

/* The input of a player, 0 to players - 1, in this frame. It comes from another machine: expect any bytes. */
static inline const void *tb_input(const tb_tick *t, uint32_t player) { return t->inputs + (size_t)player * t->input_size; }

/* The orders of a player in this frame, mostly none: NULL, and *len is 0. They come from another machine: expect any bytes. */
static inline const void *tb_orders(const tb_tick *t, uint32_t player, uint32_t *len) {
  *len = t->size < offsetof(tb_tick, pad) || !t->max_orders ? 0 : t->orders_len[player];
  return *len ? t->orders + (size_t)player * t->max_orders : NULL;
}

/* Says that the match is over after this frame, with a result that the game defines, such as the winner. */
static inline void tb_finish(tb_tick *t, uint64_t result) {
  t->finished = 1;
  t->result = result;
}

/* Says that the step cannot be done, and why. The session ends: the call that ran the frame returns TB_EGAME. */
static inline void tb_fail(tb_tick *t, const char *why) {
  size_t n = why ? strlen(why) : 0;
  if (n >= sizeof t->failure) n = sizeof t->failure - 1;
  if (n) memcpy(t->failure, why, n);
  t->failure[n] = 0;
  t->failed = 1;
}

/* Says that something is to be seen or heard in this frame, or is on if its kind is TB_SUSTAINED: a hit, a spark, an engine.
 * It is no part of the state. A frame may run several times, or turn out not to have happened, and each time it emits its
 * effects: tb_get_effect says what to do about them, so that each is played once. kind is the id of one of tb_game.kinds. The
 * key tells effects of a kind apart: the number of a player or of a projectile, and never a count of effects. payload, which
 * may be NULL, has at most TB_MAX_PAYLOAD bytes; the rest is zero. An effect with the same kind and key in this frame is
 * replaced. One above TB_MAX_EFFECTS is left out. A kind that there is not, or a longer payload, ends the session: TB_EGAME. */
static inline void tb_emit(tb_tick *t, uint32_t kind, uint32_t key, const void *payload, size_t len) {
  uint32_t i = 0;
  if (len > TB_MAX_PAYLOAD) {
    tb_fail(t, "the payload of an effect has more than 32 bytes");
    return;
  }
  if (t->size < offsetof(tb_tick, effects) + sizeof t->effects) {
    tb_fail(t, "an effect is emitted, and this library is older than effects");
    return;
  }
  while (i < t->effects_len && (t->effects[i].kind != kind || t->effects[i].key != key)) i++;
  if (i == t->effects_len) {
    if (i == t->effects_cap) {
      if (!i) tb_fail(t, "an effect is emitted, and the game has no kinds of effects: see tb_game.kinds");
      return;
    }
    t->effects_len++;
  }
  t->effects[i].kind = kind;
  t->effects[i].key = key;
  memset(t->effects[i].payload, 0, TB_MAX_PAYLOAD);
  if (payload && len) memcpy(t->effects[i].payload, payload, len);
}

/* The types of fields. */
typedef enum tb_type {
  TB_U8 = 1, TB_I8 = 2, TB_U16 = 3, TB_I16 = 4, TB_U32 = 5, TB_I32 = 6, TB_U64 = 7, TB_I64 = 8, TB_F32 = 9, TB_F64 = 10,
  TB_BOOL = 11 /* one byte, 0 or 1 */
} tb_type;

/* A field of the state, so that reports name it: TB_FIELD(pong, ball.x, TB_I32), or TB_ARRAY for several in a row. For
 * fields of structs in arrays, give each element fields of its own. The layout of this struct never changes. */
typedef struct tb_field {
  const char *name; /* 1 to 127 bytes of letters, digits and ._[]- */
  uint32_t offset;  /* from the beginning of the state, in bytes */
  uint32_t type;    /* tb_type */
  uint32_t count;   /* how many in a row: 1 and more; 0 means 1 */
} tb_field;
#define TB_FIELD(state, path, type) \
  { #path, (uint32_t)offsetof(state, path), (type), 1 }
#define TB_ARRAY(state, path, type, count) \
  { #path, (uint32_t)offsetof(state, path), (type), (count) }

/* tb_game.flags: bytes that no field names are set to zero after each init and step. For states whose padding may
 * have anything in it; then the fields must name all that matters. Otherwise padding counts as state: assign members
 * one by one, and the library, which has zeroed all of it at first, will find it zero again. */
#define TB_CLEAR_GAPS 1u

/* tb_kind.flags. TB_SUSTAINED: such an effect is on for as long as every frame emits it. TB_ONLY_CONFIRMED: it is reported only
 * when it is certain, later by the latency of the network, and never taken back: for what must not be wrong. */
#define TB_SUSTAINED 1u
#define TB_ONLY_CONFIRMED 2u

/* A kind of effect. The layout of this struct never changes. */
typedef struct tb_kind {
  const char *name; /* for logs: 1 to 64 bytes */
  uint32_t id;      /* 0 to 255, what tb_emit names it by; two kinds have different ones */
  uint32_t flags;   /* TB_SUSTAINED, TB_ONLY_CONFIRMED */
} tb_kind;

/* What a match is made from: what the host proposes, and the same for all. */
typedef struct tb_match {
  uint32_t size;     /* sizeof(tb_match) */
  uint32_t frames;   /* its length; 0: no limit */
  uint64_t seed;
  uint64_t content;  /* a digest of what the game needs besides its build, such as a level; what it means is up to the game */
  const void *data;  /* what else the game wants to know: the stage, the characters */
  uint32_t data_len; /* at most 65536 */
  uint32_t pad;
} tb_match;

/* A game whose state is no block of memory: a Lua VM, the heap of an engine. It has one live state, which init makes and step
 * advances (both get NULL as their state), and stores copies of it in slots, which are numbers from 0 on: the lowest that are
 * free, and never TB_MAX_SLOTS or more. Where a slot is named, TB_LIVE_STATE may stand for the live state. A session with such a game
 * has no tb_state, explains no desync, and is not for tb_serve and tb_connect; two sessions need two live states. When it is
 * opened, all of this is tried with state 0. */
#define TB_MAX_SLOTS 256
#define TB_LIVE_STATE 0xffffffffu

/* tb_own.flags, with TB_PULL: the requests that the program answers besides those that it must. Otherwise 0. */
#define TB_CAN_RELEASE 1u
#define TB_CAN_MARSHAL 2u /* TB_MARSHAL and TB_UNMARSHAL */
#define TB_CAN_DESCRIBE 4u

typedef struct tb_own {
  uint32_t size;  /* sizeof(tb_own) */
  uint32_t flags; /* TB_CAN_RELEASE, TB_CAN_MARSHAL, TB_CAN_DESCRIBE, with TB_PULL alone */
  /* Stores the live state in a slot, whatever that has, and brings it back, which may happen several times. Both are required,
   * and return 0, or any other number if they fail, which ends the session: TB_EGAME. */
  int (*save)(void *user, uint32_t slot);
  int (*restore)(void *user, uint32_t slot);
  /* A hash of all that makes up the state in a slot, or the live one: the same on all machines. Required. */
  uint64_t (*hash)(void *user, uint32_t slot);
  /* Says that a slot is not needed until it is saved again. tb_close releases those that are left. May be NULL. */
  void (*release)(void *user, uint32_t slot);
  /* Writes a state as bytes, the same on all machines, if cap is enough; returns how many there are, 1 to 1 GiB, or 0 if it
   * fails. If that is more than cap it is called again. NULL: who comes late plays the match again from frame 0, and so does
   * tb_seek to an early frame. unmarshal is given if marshal is. */
  size_t (*marshal)(void *user, uint32_t slot, void *to, size_t cap);
  /* Turns the live state into that of such bytes, which come from another machine or a file: trust nothing in them. Returns 0,
   * or any other number to refuse them; then the state is restored to what it was before, in case it has begun to change. */
  int (*unmarshal)(void *user, const void *from, size_t len);
  /* Writes the state in a slot as text, as marshal does: lines of "name: value", which tell what differs when a sync test
   * finds something. NULL: it only tells that the hashes differ. */
  size_t (*describe)(void *user, uint32_t slot, char *to, size_t cap);
} tb_own;

typedef struct tb_game {
  uint32_t size;       /* sizeof(tb_game) */
  uint32_t input_size; /* bytes of an input, 1 to TB_MAX_INPUT */
  uint64_t state_size; /* bytes of the state, 1 to 1 GiB. It must be the same on all machines. With own: about what a stored
                          state takes, which need not be the same */
  const char *id;      /* the name of the game, 1 to 64 bytes. Machines with different ones do not play together */
  void *user;          /* given to all callbacks, and not touched */
  /* Fills state 0 of a match, from the seed of the match and nothing else. The block is zero. Returns 0, or any other
   * number if it fails. NULL: state 0 is all zero. It may be called more than once. */
  int (*init)(void *user, void *state, uint64_t seed);
  /* Advances the state by one frame, in place. Required, but with TB_PULL. There can be several blocks: one to play
   * with, and others beside it to explain a desync. */
  void (*step)(void *user, void *state, tb_tick *tick);
  /* Says whether a state is one that step can work with: 0 if it is. It is asked about each state that comes from another
   * machine, or from a file, before step sees it. Without it, step must be safe with any bytes in its state.
   * Recommended for all but tb_p2p and tb_synctest, where no state comes from elsewhere. */
  int (*check)(void *user, const void *state);
  const tb_field *fields; /* names for reports; NULL: bytes are named by their numbers. Fields must not overlap */
  uint32_t fields_len;    /* at most 65536 */
  uint32_t flags;         /* TB_CLEAR_GAPS, or 0 */
  const tb_kind *kinds;   /* the kinds of effects that the step emits; NULL: it emits none */
  uint32_t kinds_len;     /* at most 256 */
  uint32_t pad;
  const tb_own *own;      /* the state is no block of memory: see tb_own. Then init or begin is required, and check and fields are
                             not used. NULL: it is one */
  /* If it is not NULL, it is called instead of init, with all that the host has proposed: whoever comes late, watches or plays a
   * recording gets that, too. Any other result than 0 ends the session. With TB_PULL it is tb_request.match. */
  int (*begin)(void *user, void *state, const tb_match *match);
} tb_game;

/* A transport of one's own: Steam, a relay, pipes. Machines have numbers; all machines of a match must mean the same
 * one by a number. tb_p2p uses the number of the player there; tb_connect, tb_spectate and tb_join ask the numbers 0 to
 * others_len - 1. Both functions are called on the thread that is in a call of the session, also during tb_close. */
typedef struct tb_transport {
  uint32_t size; /* sizeof(tb_transport) */
  uint32_t pad;
  void *user;
  /* Sends a datagram of at most 1200 bytes, and never waits. It may get lost. Returns 0, or any other number. */
  int (*send)(void *user, uint32_t to, const void *datagram, size_t len);
  /* Copies the next datagram that has arrived, and says from whom. Returns its length, or 0 if there is none. */
  size_t (*receive)(void *user, uint32_t *from, void *to, size_t cap);
} tb_transport;

/* tb_options.flags */
#define TB_PULL 1u     /* no callbacks: see tb_requested */
#define TB_CONTINUE 2u /* when a player leaves, the others go on; the same for all. tb_join needs it */
#define TB_LOCKSTEP 4u /* nothing is predicted: a frame waits for all inputs */
#define TB_LOBBY 8u    /* tb_p2p, tb_join: no match begins by itself: see tb_propose; the same for all */

/* The levels of log lines. */
enum { TB_DEBUG = 0, TB_INFO = 1, TB_WARNING = 2, TB_ERROR = 3 };

/* Options of all sessions. Those that a session has no use for are ignored, unless it says otherwise. */
typedef struct tb_options {
  uint32_t size;             /* sizeof(tb_options) */
  uint32_t flags;            /* TB_PULL, TB_CONTINUE, TB_LOCKSTEP */
  const char *listen;        /* where to receive: "0.0.0.0:7000", ":0" for any port. NULL: any port */
  const char *const *others; /* addresses: of the other players, in their order; of hosts; or of one server */
  uint32_t others_len;
  uint32_t me;               /* the player here: 0 to players - 1. Player 0 is the host, whose seed and frames count */
  uint32_t players;          /* how many there are, 1 to 16: needed by tb_synctest, tb_join, tb_serve and tb_connect. With
                                tb_p2p 0 means those that others name; more are empty places for tb_join */
  uint32_t frames;           /* the length of a match; 0: no limit */
  uint64_t seed;             /* the seed of a match */
  const char *build;         /* at most 24 bytes: machines with different builds do not play together */
  uint32_t tick_rate;        /* frames in a second, the same for all; 0: 60, and 20 of a server */
  uint32_t window;           /* the most frames that run on predictions; 0: those in 133 ms, 8 at 60 a second */
  uint32_t delay;            /* the input delay in frames: more of it, fewer rollbacks */
  uint32_t spectators;       /* how many may watch here; 0: nobody */
  const char *token;         /* a secret made by tb_token, needed to join, to play at a server, and to watch; NULL: none */
  const char *record;        /* the file of a recording to be written, which must not exist; NULL: none */
  const char *net;           /* worsens what is sent: "lan", "wifi", "mobile", "intercontinental", "awful"; NULL: does not */
  const tb_transport *transport; /* instead of UDP: then listen, net and the texts in others are not used */
  /* Gets a line for each event, without its newline; see docs/observability.md. It is called just before the call in which
   * it happened returns, and may call the library. */
  void (*log)(void *user, int level, const char *line);
  void *log_user;
  uint64_t client_id;        /* tb_connect: who this is, to get the same place back; 0: a random number */
  uint32_t connect_ms;       /* how long to wait for the others to appear, in milliseconds; 0: 15 s */
  uint32_t drop_ms;          /* how long a machine may be silent before it counts as lost; 0: 5 s, 2 s for a spectator's host */
  uint32_t delay_max;        /* tb_p2p, tb_join: the session chooses the input delay, delay to delay_max (at most 60) frames, from the path
                                to the others, and changes it while they play; 0: it is delay, and changed by tb_set_delay */
  uint32_t delay_rollback;   /* with delay_max: how many frames of rollback are acceptable instead of delay */
  uint32_t max_orders;       /* the most bytes of tb_set_orders, at most 4096, the same for all, for who watches and for replays; 0: none */
  uint32_t data_len;         /* of data: at most 65536 */
  const void *data;          /* of the match, as in tb_match: the host's and the server's count */
  uint64_t content;          /* the same */
} tb_options;

/* Opens a session. Each writes the session to *out, or NULL if there is none; close it in any case but that. What the
 * structs point to is copied, but for user and transport->user. With TB_PULL they return TB_REQUEST while they want
 * something done, and *out is the session by then. */

/* A match between machines, each of which has one player and knows the addresses of all others. */
tb_result tb_p2p(const tb_game *game, const tb_options *options, tb_session **out);

/* A match on this machine alone, for options->players players, in which each frame goes back depth (1 to 60) frames, and
 * runs them again. A step that gives another result ends it with TB_EGAME, and tb_error names the fields. Effects of the last depth
 * frames are never confirmed. */
tb_result tb_synctest(const tb_game *game, const tb_options *options, uint32_t depth, tb_session **out);

/* Joins a running match with TB_CONTINUE and a token, as player options->me, who is new or comes back. others are the
 * addresses of some machines of the match. */
tb_result tb_join(const tb_game *game, const tb_options *options, tb_session **out);

/* Watches a match. others are the addresses of machines that accept spectators. */
tb_result tb_spectate(const tb_game *game, const tb_options *options, tb_session **out);

/* Owns a match for clients, who come and go. It waits for nobody, and plays for nobody. */
tb_result tb_serve(const tb_game *game, const tb_options *options, tb_session **out);

/* Plays at a server, others[0], as the player that the server says: see tb_player. */
tb_result tb_connect(const tb_game *game, const tb_options *options, tb_session **out);

/* Plays the recording in a file. tb_update keeps the pace of the match; tb_advance plays a frame at once. Recorded hashes
 * are compared on the way: health in tb_outcome says whether all of them agreed. */
tb_result tb_replay(const tb_game *game, const tb_options *options, const char *file, tb_session **out);

/* Ends a session, tells the others, which takes a round trip and at most 2 s, and frees all that it has. With a request
 * pending, that is given up. NULL is nothing, and TB_OK. */
tb_result tb_close(tb_session *s);

/* What a player here does from the next frame on, until the next call: input_size bytes. At first all are zero. A client
 * of tb_connect has one player, so that the number does not matter. */
tb_result tb_set_input(tb_session *s, uint32_t player, const void *input);

/* Orders of a player here: bytes that go with the input of a frame, for what is rare and large. Step gets them by tb_orders.
 * They are copied, wait for the next frame, and are never lost: those of another call go with the frame after that. At most 16
 * wait, and more are TB_EMEMORY. len is 1 to tb_options.max_orders. For whom tb_set_input is. */
tb_result tb_set_orders(tb_session *s, uint32_t player, const void *orders, uint32_t len);

/* Runs the frames that are due, usually none or one. *wait_ns, unless it is NULL, becomes how long nothing is due. */
tb_result tb_update(tb_session *s, int64_t *wait_ns);

/* Runs one frame, if it can run: for an engine that keeps the time. *period_ns, unless it is NULL, becomes the time
 * until the next call, a few percent more or less than nominal, to keep pace with the others. */
tb_result tb_advance(tb_session *s, int64_t *period_ns);

/* Keeps the network alive without running frames, while the game loads: ten times a second at least. */
tb_result tb_poll(tb_session *s);

/* Waits for that time at most, until a datagram arrives that a frame may wait for. Frames run in tb_update alone. */
tb_result tb_wait(tb_session *s, int64_t ns);

/* The newest state, to be drawn: state_size bytes, valid until the next call of this session that runs frames, or closes
 * it. Do not change it. NULL on an error, and if there is none yet. */
const void *tb_state(tb_session *s);

/* What has happened. docs/sessions.md explains the events. */
typedef enum tb_what {
  TB_CONNECTED = 1, TB_OPEN = 2, TB_MESSAGE = 3, TB_PROPOSED = 4, TB_ACCEPTED = 5, TB_REFUSED = 6, TB_STARTED = 7,
  TB_WAITING = 8, TB_RESUMED = 9, TB_SLOWED = 10, TB_SILENT = 11, TB_HEARD = 12, TB_MOVED = 13, TB_RESTARTED = 14,
  TB_LEFT = 15, TB_LOST = 16, TB_REVOKED = 17, TB_DROPPED = 18, TB_JOINED = 19, TB_PAUSED = 20, TB_UNPAUSED = 21,
  TB_FROZEN = 22, TB_QUORATE = 23, TB_DESYNC = 24, TB_REPORTED = 25, TB_LIVE = 26, TB_SPECTATOR_JOINED = 27,
  TB_SPECTATOR_LEFT = 28, TB_WARNED = 29, TB_RECORDED = 30, TB_ENDED = 31, TB_CLOSED = 32
} tb_what;

typedef struct tb_event {
  uint32_t size;    /* sizeof(tb_event), set by the caller */
  uint32_t what;    /* tb_what; 0: one that this header does not have */
  uint32_t players; /* whom it is about: bit p stands for player p */
  uint32_t frame;
  uint64_t for_ns;  /* how long */
  char text[240];   /* the whole event in words, for people, cut off if it is longer; ends with 0 */
} tb_event;

/* Takes the oldest event: 1, or 0 if there is none, or an error. At most 256 wait. */
int tb_get_event(tb_session *s, tb_event *event);

/* What has become of an effect: what to do about it. */
typedef enum tb_effect_what {
  TB_EFFECT_STARTED = 1,   /* play it: late says how many frames ago it should have begun */
  TB_EFFECT_MOVED = 2,     /* it is played already, and belongs to another frame than from: do not play it again */
  TB_EFFECT_UPDATED = 3,   /* it has another payload */
  TB_EFFECT_ENDED = 4,     /* TB_SUSTAINED: it is over */
  TB_EFFECT_CANCELLED = 5, /* it never happened: fade it out */
  TB_EFFECT_CONFIRMED = 6  /* it is certain, and will not be taken back */
} tb_effect_what;

/* A change of an effect. It is known by kind, key and from until now, and by kind, key and frame from now on. */
typedef struct tb_effect {
  uint32_t size; /* sizeof(tb_effect), set by the caller */
  uint32_t what; /* tb_effect_what */
  uint32_t kind; /* as it was emitted */
  uint32_t key;
  uint32_t frame;     /* where it happens, or begins; TB_EFFECT_ENDED: the first frame without it */
  uint32_t from;      /* what was said before: TB_EFFECT_MOVED: where it happened; TB_EFFECT_ENDED: where it began; else frame */
  uint32_t late;      /* TB_EFFECT_STARTED: how many frames have run since */
  uint32_t sustained; /* 1: its kind is TB_SUSTAINED */
  uint8_t payload[TB_MAX_PAYLOAD]; /* TB_EFFECT_ENDED and TB_EFFECT_CANCELLED: the last one */
} tb_effect;

/* Takes the oldest change of an effect: 1, or 0 if there is none, or an error. Ask in each turn of the loop. If nobody asks, the
 * newest 4096 wait. docs/engine.md has the rules by which an effect is moved or cancelled. */
int tb_get_effect(tb_session *s, tb_effect *effect);

/* health: whether all machines had the same states, as far as they have compared them. */
enum { TB_UNVERIFIED = 0, TB_HEALTHY = 1, TB_DESYNCED = 2 };

typedef struct tb_stats {
  uint32_t size;        /* sizeof(tb_stats), set by the caller */
  uint32_t frame;       /* frames that have run */
  uint32_t confirmed;   /* frames whose inputs are all here */
  uint32_t agreed;      /* frames that all machines have: they never change */
  uint64_t rollbacks;   /* how often the session went back */
  uint64_t resimulated; /* frames that ran again */
  uint32_t deepest;     /* frames of the deepest rollback */
  uint32_t health;      /* TB_UNVERIFIED, TB_HEALTHY or TB_DESYNCED */
  uint64_t stalls;      /* how often frames waited for others, and for how long in all */
  uint64_t stalled_ns;
  int64_t period_ns;    /* the tick period, now, and by the options: longer is ahead of the others, shorter behind */
  int64_t nominal_ns;
  uint64_t rtt_ns;      /* the longest round trip to another player; 0: not known */
  uint64_t datagrams;   /* sent, with their bytes */
  uint64_t bytes;
  uint32_t members;     /* players in the match now: bit p stands for player p */
  uint32_t waiting;     /* players that the next frame waits for */
  uint32_t delay;       /* the input delay here, now, in frames */
  uint32_t running;     /* 1: a match is running */
} tb_stats;
tb_result tb_get_stats(tb_session *s, tb_stats *stats);

typedef struct tb_outcome {
  uint32_t size;     /* sizeof(tb_outcome), set by the caller */
  uint32_t over;     /* 1: a match has ended, and the rest is about it */
  uint32_t frames;   /* how many frames it had */
  uint32_t finished; /* 1: the game has ended it, by tb_finish, with this result */
  uint64_t result;
  uint32_t health;   /* as in tb_stats */
  uint32_t left;     /* players that were gone at the end: bit p stands for player p */
} tb_outcome;
tb_result tb_get_outcome(tb_session *s, tb_outcome *outcome);

/* The report on a desync in words: which state is the first that differs, in which fields, with the values of all
 * machines. It is there from the event TB_REPORTED on. It is written like snprintf writes, with a 0 at the end, and its
 * length is returned: 0 if there is none, and on an error. */
size_t tb_desync_report(tb_session *s, char *to, size_t cap);

/* The player here, or an error; TB_EKIND if there is none (yet). */
int tb_player(tb_session *s);

/* Changes the input delay, 0 to 60 frames, from now on. No input is lost or doubled. For tb_p2p and tb_join. */
tb_result tb_set_delay(tb_session *s, uint32_t frames);

/* Asks for a pause of the match, which begins at the same frame on all machines (TB_PAUSED), and ends it again (TB_UNPAUSED), which
 * every machine may, and which happens by itself after a minute. Each machine may pause a match eight times. TB_EPHASE: no match
 * is played. A replay stops at once. Not for servers, clients and spectators. */
tb_result tb_pause(tb_session *s);
tb_result tb_unpause(tb_session *s);

/* Removes a player, who is told why (NULL: nothing). Only the host with TB_CONTINUE and a server may, while a match is played. The
 * token of the match, which that player knows, is not valid any more: set another one, and tell it to the others. */
tb_result tb_kick(tb_session *s, uint32_t player, const char *why);

/* Sets the token with which others may come from now on. */
tb_result tb_set_token(tb_session *s, const char *token);

/* Sends a message of 1 to 65536 bytes to the machines of other players (bit p stands for player p), in the lobby and while a match is
 * played. Messages arrive whole and in order, as events TB_MESSAGE. For tb_p2p and tb_join. */
tb_result tb_send(tb_session *s, uint32_t players, const void *message, uint32_t len);

/* Copies the message that the last event taken was about, as far as there is room, and returns its length: 0 if that was another
 * event, and on an error. */
size_t tb_get_message(tb_session *s, void *to, size_t cap);

/* LOBBY. With TB_LOBBY the machines meet first (TB_OPEN when all are there), and send each other messages. Then the host proposes a
 * match, once or again and again; the others hear of it (TB_PROPOSED), read it with tb_get_proposal, load what it needs, and
 * accept or refuse it. When all have accepted, it begins. While it is over and no other one is proposed, calls return TB_OVER; that
 * somebody has left is an error after the first. Without TB_LOBBY the host proposes seed, frames, content and data of the options,
 * and all accept. The error is TB_EPHASE for who is not the host, and where there is nothing to propose, accept or refuse. */
tb_result tb_propose(tb_session *s, const tb_match *match);
tb_result tb_accept(tb_session *s);
tb_result tb_refuse(tb_session *s, const char *why);

/* The match that is proposed or played. data is valid until the next call of this session. TB_EPHASE if there is none. */
tb_result tb_get_proposal(tb_session *s, tb_match *match);

/* Shows the state before that frame of a recording. For tb_replay. */
tb_result tb_seek(tb_session *s, uint32_t frame);

/* Writes a new token as text, with a 0 at the end: at least 64 bytes of room are needed. */
tb_result tb_token(char *to, size_t cap);

/* What was wrong in the last call of this thread that failed: text in UTF-8, valid until the next call of this thread.
 * Never NULL. */
const char *tb_error(void);

/* The version of the library: TB_VERSION of its header. */
uint32_t tb_version(void);

/* PULL. With TB_PULL the library calls no function of the game. Instead calls return TB_REQUEST: do what tb_requested
 * says, and call tb_next, until that returns something else. So errors, exceptions, coroutines and longjmp of a scripting
 * language never cross the library:
 *
 *   tb_result r = tb_advance(s, &ns);
 *   while (r == TB_REQUEST) {
 *     tb_request *q = tb_requested(s);
 *     if (q->want == TB_STEP) step(q->state, q->tick);
 *     if (q->want == TB_INIT) q->answer = init(q->state, q->seed);
 *     if (q->want == TB_CHECK) q->answer = check(q->state);
 *     r = tb_next(s, &ns);
 *   }
 *
 * While a request is pending, only tb_requested, tb_next and tb_close are possible. The requests from TB_SAVE on are those of a
 * game with tb_own: what it would call there. tb_close makes no request: what is stored in slots is not needed any more. */
typedef enum tb_want {
  TB_STEP = 1, TB_INIT = 2, TB_CHECK = 3, TB_SAVE = 4, TB_RESTORE = 5, TB_HASH = 6, TB_RELEASE = 7, TB_MARSHAL = 8, TB_UNMARSHAL = 9,
  TB_DESCRIBE = 10
} tb_want;
typedef struct tb_request {
  uint32_t size;  /* sizeof(tb_request) in the library */
  uint32_t want;  /* tb_want; 0: nothing is pending */
  void *state;    /* the block to work on; NULL with tb_own */
  tb_tick *tick;  /* TB_STEP: the tick */
  uint64_t seed;  /* TB_INIT: the seed */
  int32_t answer; /* all but TB_STEP, TB_HASH: write what the callback would return, 0 for success. It is 0 before */
  uint32_t slot;  /* from TB_SAVE on: the slot, or TB_LIVE_STATE */
  uint64_t hash;  /* TB_HASH: write the hash */
  void *bytes;    /* TB_UNMARSHAL: the bytes. TB_MARSHAL, TB_DESCRIBE: write where yours are, until tb_next returns */
  uint64_t len;   /* TB_UNMARSHAL: how many there are. TB_MARSHAL, TB_DESCRIBE: write that, 1 to 1 GiB */
  const tb_match *match; /* TB_INIT: what the host has proposed */
} tb_request;

/* What is to be done, or NULL if nothing is pending, or on an error. */
tb_request *tb_requested(tb_session *s);

/* Goes on with the call that returned TB_REQUEST, and returns its result, or TB_REQUEST again. *ns, unless it is NULL,
 * becomes what that call would have given. */
tb_result tb_next(tb_session *s, int64_t *ns);

#ifdef __cplusplus
}
#endif
#endif
