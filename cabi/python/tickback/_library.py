"""The structs and functions of tickback.h, for ctypes."""

import ctypes
import ctypes.util
import os
import sys

OK, OVER, REQUEST = 0, 1, 2
EINTERNAL = -12
CLEAR_GAPS = 1
PULL, CONTINUE, LOCKSTEP, LOBBY = 1, 2, 4, 8
STEP, INIT, CHECK, SAVE, RESTORE, HASH, RELEASE, MARSHAL, UNMARSHAL, DESCRIBE = range(1, 11)
LIVE = 0xffffffff
CAN_RELEASE, CAN_MARSHAL, CAN_DESCRIBE = 1, 2, 4

_u8p, _u32, _u64, _text = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_char_p


class Field(ctypes.Structure):
    _fields_ = [("name", _text), ("offset", _u32), ("type", _u32), ("count", _u32)]


class Emission(ctypes.Structure):
    _fields_ = [("kind", _u32), ("key", _u32), ("payload", ctypes.c_uint8 * 32)]


class KindStruct(ctypes.Structure):
    _fields_ = [("name", _text), ("id", _u32), ("flags", _u32)]


class TickStruct(ctypes.Structure):
    _fields_ = [("size", _u32), ("frame", _u32), ("players", _u32), ("input_size", _u32), ("resimulating", _u32), ("finished", _u32),
                ("result", _u64), ("inputs", _u8p), ("status", _u8p), ("failed", _u32), ("failure", ctypes.c_char * 196),
                ("effects_len", _u32), ("effects_cap", _u32), ("effects", ctypes.POINTER(Emission)),
                ("orders", _u8p), ("orders_len", ctypes.POINTER(_u32)), ("max_orders", _u32), ("pad", _u32)]


class Match(ctypes.Structure):
    """What a match is made from: see tb_match in tickback.h."""

    _fields_ = [("size", _u32), ("frames", _u32), ("seed", _u64), ("content", _u64), ("_data", ctypes.c_void_p), ("data_len", _u32), ("pad", _u32)]

    @property
    def data(self):
        return ctypes.string_at(self._data, self.data_len) if self.data_len else b""


class Request(ctypes.Structure):
    _fields_ = [("size", _u32), ("want", _u32), ("state", ctypes.c_void_p), ("tick", ctypes.POINTER(TickStruct)), ("seed", _u64),
                ("answer", ctypes.c_int32), ("slot", _u32), ("hash", _u64), ("bytes", ctypes.c_void_p), ("len", _u64),
                ("match", ctypes.POINTER(Match))]


class Own(ctypes.Structure):
    _fields_ = [("size", _u32), ("flags", _u32), ("functions", ctypes.c_void_p * 7)]


class Game(ctypes.Structure):
    _fields_ = [("size", _u32), ("input_size", _u32), ("state_size", _u64), ("id", _text), ("user", ctypes.c_void_p),
                ("init", ctypes.c_void_p), ("step", ctypes.c_void_p), ("check", ctypes.c_void_p), ("fields", ctypes.POINTER(Field)),
                ("fields_len", _u32), ("flags", _u32), ("kinds", ctypes.POINTER(KindStruct)), ("kinds_len", _u32), ("pad", _u32), ("own", ctypes.POINTER(Own)), ("begin", ctypes.c_void_p)]


class Options(ctypes.Structure):
    _fields_ = [("size", _u32), ("flags", _u32), ("listen", _text), ("others", ctypes.POINTER(_text)), ("others_len", _u32), ("me", _u32),
                ("players", _u32), ("frames", _u32), ("seed", _u64), ("build", _text), ("tick_rate", _u32), ("window", _u32),
                ("delay", _u32), ("spectators", _u32), ("token", _text), ("record", _text), ("net", _text),
                ("transport", ctypes.c_void_p), ("log", ctypes.c_void_p), ("log_user", ctypes.c_void_p), ("client_id", _u64),
                ("connect_ms", _u32), ("drop_ms", _u32), ("delay_max", _u32), ("delay_rollback", _u32), ("max_orders", _u32),
                ("data_len", _u32), ("data", _text), ("content", _u64)]


class Event(ctypes.Structure):
    """What has happened: see tb_event in tickback.h."""

    _fields_ = [("size", _u32), ("what", _u32), ("players", _u32), ("frame", _u32), ("for_ns", _u64), ("text", ctypes.c_char * 240)]

    def __str__(self):
        return self.text.decode(errors="replace")


class Effect(ctypes.Structure):
    """What has become of an effect: see tb_effect in tickback.h. what is one of EFFECT_STARTED and so on; payload has 32 bytes."""

    _fields_ = [("size", _u32), ("what", _u32), ("kind", _u32), ("key", _u32), ("frame", _u32), ("from_", _u32), ("late", _u32),
                ("sustained", _u32), ("_payload", ctypes.c_uint8 * 32)]

    @property
    def payload(self):
        return bytes(self._payload)


class Stats(ctypes.Structure):
    """The statistics: see tb_stats in tickback.h."""

    _fields_ = [("size", _u32), ("frame", _u32), ("confirmed", _u32), ("agreed", _u32), ("rollbacks", _u64), ("resimulated", _u64),
                ("deepest", _u32), ("health", _u32), ("stalls", _u64), ("stalled_ns", _u64), ("period_ns", ctypes.c_int64),
                ("nominal_ns", ctypes.c_int64), ("rtt_ns", _u64), ("datagrams", _u64), ("bytes", _u64), ("members", _u32),
                ("waiting", _u32), ("delay", _u32), ("running", _u32)]


class Outcome(ctypes.Structure):
    """How a match has ended: see tb_outcome in tickback.h."""

    _fields_ = [("size", _u32), ("over", _u32), ("frames", _u32), ("finished", _u32), ("result", _u64), ("health", _u32), ("left", _u32)]


class Error(Exception):
    """An error of the library. code is one of tb_result in tickback.h."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def _load():
    name = {"win32": "tickback.dll", "darwin": "libtickback.1.dylib"}.get(sys.platform, "libtickback.so.1")
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    path = os.environ.get("TICKBACK_LIBRARY") or (beside if os.path.exists(beside) else ctypes.util.find_library("tickback") or name)
    try:
        loaded = ctypes.CDLL(path)
    except OSError as e:
        raise ImportError(f"the library of Tickback cannot be loaded: {e}. Build it with make in cabi, and put {name} beside "
                          f"{os.path.dirname(beside)}/__init__.py, or its path into TICKBACK_LIBRARY") from None
    session, result = ctypes.c_void_p, ctypes.c_int
    opening = [ctypes.POINTER(Game), ctypes.POINTER(Options)]
    ns = ctypes.POINTER(ctypes.c_int64)
    for function, returns, *arguments in [
        ("tb_p2p", result, *opening, ctypes.POINTER(session)),
        ("tb_synctest", result, *opening, _u32, ctypes.POINTER(session)),
        ("tb_join", result, *opening, ctypes.POINTER(session)),
        ("tb_spectate", result, *opening, ctypes.POINTER(session)),
        ("tb_serve", result, *opening, ctypes.POINTER(session)),
        ("tb_connect", result, *opening, ctypes.POINTER(session)),
        ("tb_replay", result, *opening, _text, ctypes.POINTER(session)),
        ("tb_close", result, session),
        ("tb_set_input", result, session, _u32, _text),
        ("tb_update", result, session, ns),
        ("tb_advance", result, session, ns),
        ("tb_next", result, session, ns),
        ("tb_poll", result, session),
        ("tb_wait", result, session, ctypes.c_int64),
        ("tb_seek", result, session, _u32),
        ("tb_set_delay", result, session, _u32),
        ("tb_state", ctypes.c_void_p, session),
        ("tb_player", result, session),
        ("tb_get_event", result, session, ctypes.POINTER(Event)),
        ("tb_set_orders", result, session, _u32, _text, _u32),
        ("tb_pause", result, session),
        ("tb_unpause", result, session),
        ("tb_kick", result, session, _u32, _text),
        ("tb_set_token", result, session, _text),
        ("tb_send", result, session, _u32, _text, _u32),
        ("tb_get_message", ctypes.c_size_t, session, ctypes.c_void_p, ctypes.c_size_t),
        ("tb_propose", result, session, ctypes.POINTER(Match)),
        ("tb_accept", result, session),
        ("tb_refuse", result, session, _text),
        ("tb_get_proposal", result, session, ctypes.POINTER(Match)),
        ("tb_get_effect", result, session, ctypes.POINTER(Effect)),
        ("tb_get_stats", result, session, ctypes.POINTER(Stats)),
        ("tb_get_outcome", result, session, ctypes.POINTER(Outcome)),
        ("tb_desync_report", ctypes.c_size_t, session, _text, ctypes.c_size_t),
        ("tb_token", result, _text, ctypes.c_size_t),
        ("tb_error", _text),
        ("tb_version", _u32),
        ("tb_requested", ctypes.POINTER(Request), session),
    ]:
        f = getattr(loaded, function)
        f.restype, f.argtypes = returns, arguments
    return loaded


lib = _load()


def must(result):
    """Returns a result that is no error."""
    if result < 0:
        raise Error(result, lib.tb_error().decode(errors="replace"))
    return result


def options(*, others=(), go_on=False, lockstep=False, lobby=False, data=b"", **named):
    """Makes the options of C. Their memory lives as long as they do."""
    o = Options(size=ctypes.sizeof(Options), flags=PULL | (CONTINUE if go_on else 0) | (LOCKSTEP if lockstep else 0) | (LOBBY if lobby else 0))
    o.data, o.data_len = data, len(data)
    others = [str(a).encode() for a in others]
    o.others, o.others_len = (_text * max(len(others), 1))(*others), len(others)
    possible = {"listen", "me", "players", "frames", "seed", "build", "tick_rate", "window", "delay", "spectators", "token", "record", "net",
                "client_id", "connect_ms", "drop_ms", "delay_max", "delay_rollback", "max_orders", "content"}
    for name, value in named.items():
        if name not in possible:
            raise TypeError(f"there is no option {name}: there are {', '.join(sorted(possible))}, data, go_on, lockstep and lobby")
        if isinstance(value, (str, os.PathLike)):
            value = os.fsencode(value)
        elif isinstance(value, int) and not 0 <= value < 1 << 8 * getattr(Options, name).size:
            raise ValueError(f"the option {name} is {value}, which is out of range")
        setattr(o, name, value)
    return o


_signed = {1: 2, 2: 4, 4: 6, 8: 8}
_unsigned = {1: 1, 2: 3, 4: 5, 8: 7}


def _type_of(kind):
    """The type of a field in C, or 0 for one that is made of others."""
    if not issubclass(kind, ctypes._SimpleCData):
        return 0
    if kind is ctypes.c_bool:
        return 11
    if kind in (ctypes.c_float, ctypes.c_double):
        return 9 if kind is ctypes.c_float else 10
    if kind._type_ in "bhilq":
        return _signed[ctypes.sizeof(kind)]
    if kind._type_ in "BHILQ":
        return _unsigned[ctypes.sizeof(kind)]
    if kind is ctypes.c_char:
        return 1
    raise TypeError(f"a state has no {kind.__name__}: only numbers of fixed size, bools, arrays and structures of them")


def _walk(kind, name, offset, found):
    simple = _type_of(kind) if not issubclass(kind, (ctypes.Structure, ctypes.Array)) else 0
    if simple:
        found.append((name, offset, simple, 1))
    elif issubclass(kind, ctypes.Array):
        element = kind._type_
        if not issubclass(element, (ctypes.Structure, ctypes.Array)) and kind._length_:
            found.append((name, offset, _type_of(element), kind._length_))
            return
        for i in range(kind._length_):
            _walk(element, f"{name}[{i}]", offset + i * ctypes.sizeof(element), found)
    elif issubclass(kind, ctypes.Structure):
        for base in reversed(kind.__mro__):
            for field in base.__dict__.get("_fields_", ()):
                if len(field) > 2:
                    raise TypeError(f"a state has no bit fields, such as {field[0]}")
                _walk(field[1], f"{name}.{field[0]}" if name else field[0], offset + getattr(base, field[0]).offset, found)
    else:
        raise TypeError(f"a state has no {kind.__name__}: only numbers of fixed size, bools, arrays and structures of them")


def kinds_of(kinds):
    """Returns the table of kinds of effects."""
    return (KindStruct * len(kinds))(*[(k.name.encode(), k.id, (1 if k.sustained else 0) | (2 if k.only_confirmed else 0)) for k in kinds])


def fields_of(state):
    """Returns the table of fields of a ctypes.Structure, and what keeps it alive."""
    if not (isinstance(state, type) and issubclass(state, ctypes.Structure)):
        raise TypeError("the state of a game must be a class derived from ctypes.Structure")
    found = []
    _walk(state, "", 0, found)
    names = [name.encode() for name, *_ in found]
    return (Field * len(found))(*[(n, *rest) for n, (_, *rest) in zip(names, found)]), names
