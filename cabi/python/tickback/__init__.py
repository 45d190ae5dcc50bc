"""Rollback netcode for games in Python: the C library of Tickback, by ctypes.

A game is a class with a state (a ctypes.Structure, which is saved, compared, hashed and sent by the library) and a step:

    import ctypes, tickback

    class State(ctypes.Structure):
        _fields_ = [("x", ctypes.c_int32 * 2)]

    class Race(tickback.Game):
        id, input_size, state = "race", 1, State

        def step(self, state, tick):
            for player in range(tick.players):
                state.x[player] += tick.input(player)[0]
            if max(state.x) >= 1000:
                tick.finish(0 if state.x[0] >= 1000 else 1)

    with tickback.p2p(Race(), me=0, listen="0.0.0.0:7000", others=["192.168.1.7:7000"]) as s:
        while not s.over:
            s.set_input(bytes([key_pressed()]))
            wait = s.update()
            draw(s.state)
            s.wait(wait)

Nothing but the state and the inputs may influence a step: no clock, no random numbers but those from the state, no other
variables, and no float that is not in the state. An exception in a method of the game ends the session and is raised by the
call that ran it, as in any other program: the library never calls Python, but asks for what is to be done (TB_PULL in
tickback.h). A session is for the thread that opened it.

The library is looked for at the path in TICKBACK_LIBRARY, beside this file, and where the system looks for libraries.
"""

import ctypes
import os

from . import _library
from ._library import Error, lib

__all__ = ["Effect", "Error", "Event", "Game", "Kind", "Match", "Outcome", "OwnGame", "Session", "Stats", "Tick", "connect", "join", "p2p", "replay", "serve", "spectate",
           "synctest", "token"]

PREDICTED, CONFIRMED, DISCONNECTED = 0, 1, 2
UNVERIFIED, HEALTHY, DESYNCED = 0, 1, 2
EFFECT_STARTED, EFFECT_MOVED, EFFECT_UPDATED, EFFECT_ENDED, EFFECT_CANCELLED, EFFECT_CONFIRMED = 1, 2, 3, 4, 5, 6
Effect, Event, Match, Stats, Outcome = _library.Effect, _library.Event, _library.Match, _library.Stats, _library.Outcome


class Kind:
    """A kind of effect that a step emits: see Tick.emit. id is 0 to 255; the name is for logs. A sustained one is on for as long as
    every frame emits it. One that is only_confirmed is reported when it is certain, and never taken back."""

    def __init__(self, id, name, *, sustained=False, only_confirmed=False):
        self.id, self.name, self.sustained, self.only_confirmed = id, name, sustained, only_confirmed


class Game:
    """A game: set id, input_size (bytes of an input, 1 to 64) and state (a ctypes.Structure), and write step. kinds are the
    kinds of effects that the step emits."""

    id = ""
    input_size = 1
    state = None
    kinds = ()

    def init(self, state, seed):
        """Fills state 0, which is all zero, from the seed of the match and nothing else."""

    def begin(self, state, match):
        """Is called instead of init, with all that the host has proposed: seed, frames, content and data. It calls init."""
        self.init(state, match.seed)

    def step(self, state, tick):
        """Advances the state by one frame, in place. It must not keep the state or the tick."""
        raise NotImplementedError

    def check(self, state):
        """Says whether step can work with a state that comes from another machine or a file: True if it can."""
        return True


class OwnGame:
    """A game whose state is any objects of Python, and no ctypes.Structure. It has one live state, which init makes and step
    advances, and which is drawn. What save returns is kept by the library's module; it must share nothing with the live state
    that step changes, and neither may what restore makes of it, since a saved state can be restored several times. Two
    sessions need two games. Such a game is not for serve and connect."""

    id = ""
    input_size = 1
    kinds = ()
    size = 1024  # about how many bytes a saved state takes

    def init(self, seed):
        """Makes the live state state 0 of a match, from the seed and nothing else, whatever it was before."""
        raise NotImplementedError

    def begin(self, match):
        """Is called instead of init, with all that the host has proposed: seed, frames, content and data. It calls init."""
        self.init(match.seed)

    def step(self, tick):
        """Advances the live state by one frame."""
        raise NotImplementedError

    def save(self):
        """Returns a copy of the live state."""
        raise NotImplementedError

    def restore(self, saved):
        """Makes a state that save has returned the live one."""
        raise NotImplementedError

    def hash(self, saved):
        """Returns a number from 0 to 2**64 - 1 that is made of all of a saved state, and is the same on all machines. (hash()
        and id() of Python are not.)"""
        raise NotImplementedError

    marshal = None  # marshal(saved) may return a saved state as bytes, the same on all machines: for who comes late
    unmarshal = None  # unmarshal(data) returns the saved state, or raises ValueError: data may come from anybody
    describe = None  # describe(saved) may return lines of "name: value", for a sync test that finds a difference


class Tick:
    """What a step sees of its frame besides the state. It is valid during the step."""

    __slots__ = ("_tick",)

    def __init__(self, tick):
        self._tick = tick

    @property
    def frame(self):
        """The number of the frame, from 0 on."""
        return self._tick.frame

    @property
    def players(self):
        """How many players the match has, whether they are connected or not."""
        return self._tick.players

    @property
    def resimulating(self):
        """Whether the frame has run before: for sounds and logs. The state must not depend on it."""
        return bool(self._tick.resimulating)

    def input(self, player):
        """The input of a player, as bytes. It comes from another machine: expect any bytes."""
        self._exists(player)
        return ctypes.string_at(self._tick.inputs + player * self._tick.input_size, self._tick.input_size)

    def orders(self, player):
        """The orders of a player in this frame, mostly none, as bytes. They come from another machine: expect any bytes."""
        self._exists(player)
        t = self._tick
        if not t.max_orders or not t.orders_len[player]:
            return b""
        return ctypes.string_at(t.orders + player * t.max_orders, t.orders_len[player])

    def status(self, player):
        """PREDICTED, CONFIRMED or DISCONNECTED. Only whether it is DISCONNECTED may influence the state."""
        self._exists(player)
        return ctypes.string_at(self._tick.status + player, 1)[0]

    def finish(self, result=0):
        """Says that the match is over after this frame, with a result: a number from 0 to 2**64 - 1."""
        self._tick.result = result
        self._tick.finished = 1

    def emit(self, kind, key, payload=b""):
        """Says that something is to be seen or heard in this frame: see tb_emit in tickback.h. kind is a Kind of the game, or its
        id; key tells effects of a kind apart, such as the number of a player; payload has at most 32 bytes."""
        t, kind, payload = self._tick, getattr(kind, "id", kind), bytes(payload)
        if len(payload) > 32:
            raise ValueError(f"the payload of an effect has {len(payload)} bytes, more than 32")
        if not t.effects_cap:
            raise ValueError("the game has no kinds of effects: list them in kinds")
        at = next((i for i in range(t.effects_len) if t.effects[i].kind == kind and t.effects[i].key == key), t.effects_len)
        if at == t.effects_len:
            if at == t.effects_cap:
                return  # as documented: more than a frame can have
            t.effects_len += 1
        e = t.effects[at]
        e.kind, e.key = kind, key
        ctypes.memmove(e.payload, payload.ljust(32, b"\0"), 32)

    def _exists(self, player):
        if not 0 <= player < self._tick.players:
            raise IndexError(f"there is no player {player} of {self._tick.players}")


class Session:
    """A running match, a spectator, a server, a client or a replay. Use it in a with statement, or close it."""

    def __init__(self, game, open_, options):
        self.over = False  # the match is over: see outcome
        self._game = game
        self._handle = ctypes.c_void_p()
        self._ns = ctypes.c_int64()
        kinds = _library.kinds_of(game.kinds)
        description = _library.Game(size=ctypes.sizeof(_library.Game), input_size=game.input_size, id=game.id.encode(), kinds=kinds, kinds_len=len(kinds))
        self._own = isinstance(game, OwnGame)
        if self._own:
            if (game.marshal is None) != (game.unmarshal is None):
                raise TypeError("a game with one of marshal and unmarshal: give both, or none")
            self._saved, self._bytes = {}, None
            flags = _library.CAN_RELEASE | (_library.CAN_MARSHAL if game.marshal else 0) | (_library.CAN_DESCRIBE if game.describe else 0)
            table = _library.Own(size=ctypes.sizeof(_library.Own), flags=flags)
            description.own, description.state_size = ctypes.pointer(table), game.size
        else:
            table, self._fields = _library.fields_of(game.state)
            description.state_size, description.flags = ctypes.sizeof(game.state), _library.CLEAR_GAPS
            description.fields, description.fields_len = table, len(table)
        self._alive = (table, description, options, kinds)
        try:
            self._run(open_(ctypes.byref(description), ctypes.byref(options), ctypes.byref(self._handle)))
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the session and tells the others, which takes two seconds at most. A second call does nothing."""
        if self._handle:
            handle, self._handle = self._handle, ctypes.c_void_p()
            _library.must(lib.tb_close(handle))

    def set_input(self, data, player=None):
        """Sets what the player here does from the next frame on: input_size bytes. player is for synctest."""
        if len(data) != self._game.input_size:
            raise ValueError(f"an input has {self._game.input_size} bytes, and this one {len(data)}")
        _library.must(lib.tb_set_input(self._handle, self._alive[2].me if player is None else player, bytes(data)))

    def update(self):
        """Runs the frames that are due, and returns for how many seconds nothing will be."""
        return self._run(lib.tb_update(self._handle, ctypes.byref(self._ns)))

    def advance(self):
        """Runs one frame, if it can run, and returns the seconds until the next one: for an engine that keeps the time."""
        return self._run(lib.tb_advance(self._handle, ctypes.byref(self._ns)))

    def poll(self):
        """Keeps the network alive without running frames."""
        self._run(lib.tb_poll(self._handle))

    def wait(self, seconds):
        """Waits for that time at most, until a datagram arrives that a frame may wait for. Other threads run meanwhile."""
        self._run(lib.tb_wait(self._handle, int(seconds * 1e9)))

    def seek(self, frame):
        """Shows the state before that frame of a recording."""
        self._run(lib.tb_seek(self._handle, frame))

    def set_orders(self, data, player=None):
        """Gives orders, which go with the next frame that has none: at most max_orders of the options. player is for synctest."""
        data = bytes(data)
        _library.must(lib.tb_set_orders(self._handle, self._alive[2].me if player is None else player, data, len(data)))

    def pause(self):
        """Asks for a pause of the match, on all machines at the same frame; or stops a replay."""
        self._tell(lib.tb_pause(self._handle))

    def unpause(self):
        self._tell(lib.tb_unpause(self._handle))

    def kick(self, player, why=""):
        """Removes a player, who is told why: for the host with go_on, and for a server."""
        self._tell(lib.tb_kick(self._handle, player, why.encode()))

    def set_token(self, token):
        """Sets the token with which others may come from now on."""
        self._tell(lib.tb_set_token(self._handle, token.encode()))

    def send(self, players, data):
        """Sends a message to the machines of some players, whose numbers are given. It arrives as the data of an event."""
        data = bytes(data)
        self._tell(lib.tb_send(self._handle, sum({1 << p for p in players}), data, len(data)))

    def propose(self, *, seed=0, frames=0, content=0, data=b""):
        """Proposes a match, in a lobby, as the host."""
        kept = ctypes.create_string_buffer(bytes(data), max(len(data), 1))
        self._tell(lib.tb_propose(self._handle, ctypes.byref(Match(ctypes.sizeof(Match), frames, seed, content, ctypes.addressof(kept), len(data), 0))))

    def accept(self):
        """Accepts the match that the host proposes."""
        self._tell(lib.tb_accept(self._handle))

    def refuse(self, why=""):
        self._tell(lib.tb_refuse(self._handle, why.encode()))

    @property
    def proposal(self):
        """The Match that is proposed or played. Its data must be read before the next call. An Error if there is none."""
        return self._fill(lib.tb_get_proposal, Match)

    def set_delay(self, frames):
        """Changes the input delay, 0 to 60 frames, from now on."""
        self._run(lib.tb_set_delay(self._handle, frames))

    @property
    def state(self):
        """A copy of the newest state, to be drawn, or None. (An OwnGame has its state itself.)"""
        at = lib.tb_state(self._handle)
        return self._game.state.from_buffer_copy(ctypes.string_at(at, ctypes.sizeof(self._game.state))) if at else None

    @property
    def player(self):
        """The player here."""
        return _library.must(lib.tb_player(self._handle))

    @property
    def stats(self):
        """The statistics: see tb_stats in tickback.h."""
        return self._fill(lib.tb_get_stats, Stats)

    @property
    def outcome(self):
        """How the match has ended: see tb_outcome in tickback.h."""
        return self._fill(lib.tb_get_outcome, Outcome)

    @property
    def desync_report(self):
        """The report on a desync, or an empty text."""
        size = lib.tb_desync_report(self._handle, None, 0)
        text = ctypes.create_string_buffer(size + 1)
        lib.tb_desync_report(self._handle, text, size + 1)
        return text.value.decode(errors="replace")

    def events(self):
        """Yields the events since the last call: see tb_event in tickback.h. str() of one is text for people."""
        while True:
            event = Event(size=ctypes.sizeof(Event))
            if _library.must(lib.tb_get_event(self._handle, ctypes.byref(event))) == 0:
                return
            size = lib.tb_get_message(self._handle, None, 0)
            message = ctypes.create_string_buffer(size)
            lib.tb_get_message(self._handle, message, size)
            event.data = message.raw  # of TB_MESSAGE
            yield event

    def effects(self):
        """Yields what has become of effects since the last call: what to play, and to take back."""
        while True:
            effect = Effect(size=ctypes.sizeof(Effect))
            if _library.must(lib.tb_get_effect(self._handle, ctypes.byref(effect))) == 0:
                return
            yield effect

    def _fill(self, get, kind):
        filled = kind(size=ctypes.sizeof(kind))
        _library.must(get(self._handle, ctypes.byref(filled)))
        return filled

    def _answer(self, request):
        """Does what is asked of an OwnGame."""
        game, want, slot = self._game, request.want, request.slot
        if want == _library.SAVE:
            self._saved[slot] = game.save()
        elif want == _library.RESTORE:
            game.restore(self._saved[slot])
        elif want == _library.RELEASE:
            self._saved.pop(slot, None)
        elif want == _library.UNMARSHAL:
            try:
                game.restore(game.unmarshal(ctypes.string_at(request.bytes, request.len)))
            except ValueError:
                request.answer = 1
        elif want in (_library.HASH, _library.MARSHAL, _library.DESCRIBE):
            saved = game.save() if slot == _library.LIVE else self._saved[slot]
            if want == _library.HASH:
                h = game.hash(saved)
                if not 0 <= h < 1 << 64:
                    raise ValueError(f"the hash of a state is {h}, must be 0 to 2**64 - 1")
                request.hash = h
                return
            self._bytes = game.marshal(saved) if want == _library.MARSHAL else game.describe(saved).encode()
            request.bytes = ctypes.cast(ctypes.c_char_p(self._bytes), ctypes.c_void_p)  # which lives until the next one
            request.len = len(self._bytes)
        else:
            raise Error(_library.EINTERNAL, f"this module is older than the library: it does not know request {want}")

    def _run(self, result):
        """Does what the session asks for until the call has a result."""
        while result == _library.REQUEST:
            request = lib.tb_requested(self._handle).contents
            state = () if self._own else (self._game.state.from_address(request.state),)
            try:
                if request.want == _library.STEP:
                    tick = Tick(request.tick.contents)
                    self._game.step(*state, tick)
                    tick._tick = None  # its memory is that of the session
                elif request.want == _library.INIT:
                    self._game.begin(*state, request.match.contents)
                elif self._own:
                    self._answer(request)
                elif request.want == _library.CHECK:
                    request.answer = 0 if self._game.check(*state) else 1
                else:
                    raise Error(_library.EINTERNAL, f"this module is older than the library: it does not know request {request.want}")
            except BaseException:
                self.close()  # no frame can follow one that has not run to its end
                raise
            result = lib.tb_next(self._handle, ctypes.byref(self._ns))
        over = _library.must(result) == _library.OVER
        self.over = over if self._alive[2].flags & _library.LOBBY else over or self.over
        return self._ns.value / 1e9

    def _tell(self, result):
        """Runs a call that does not say whether the match is over."""
        over = self.over
        self._run(result)
        self.over = over


def p2p(game, *, me, listen, others, **options):
    """Opens a match between machines with one player each. others are the addresses of the other players, in their order. Further
    options, also of the other functions, are those of tb_options: seed, frames, build, tick_rate, window, delay, spectators,
    token, record, net, players, and the flags go_on and lockstep."""
    return Session(game, lib.tb_p2p, _library.options(me=me, listen=listen, others=others, **options))


def synctest(game, *, players, depth=7, **options):
    """Opens a match on this machine, in which each frame goes back depth frames and runs them again. A step that gives another
    result is an Error that names the fields."""
    return Session(game, lambda g, o, s: lib.tb_synctest(g, o, depth, s), _library.options(players=players, **options))


def join(game, *, me, players, hosts, token, listen=None, **options):
    """Joins a running match of p2p with go_on and a token."""
    return Session(game, lib.tb_join, _library.options(me=me, players=players, others=hosts, token=token, listen=listen, go_on=True, **options))


def spectate(game, *, hosts, listen=None, **options):
    """Watches a match at machines that accept spectators."""
    return Session(game, lib.tb_spectate, _library.options(others=hosts, listen=listen, **options))


def serve(game, *, players, listen, **options):
    """Owns a match for clients."""
    return Session(game, lib.tb_serve, _library.options(players=players, listen=listen, **options))


def connect(game, *, players, server, listen=None, **options):
    """Plays at a server."""
    return Session(game, lib.tb_connect, _library.options(players=players, others=[server], listen=listen, **options))


def replay(game, file, **options):
    """Plays a recording."""
    return Session(game, lambda g, o, s: lib.tb_replay(g, o, os.fsencode(file), s), _library.options(**options))


def token():
    """Makes a token: a secret with which machines may join, play at a server, or watch."""
    text = ctypes.create_string_buffer(64)
    _library.must(lib.tb_token(text, 64))
    return text.value.decode()
