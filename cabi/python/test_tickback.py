"""Tests of the module: python3 -m unittest, with TICKBACK_LIBRARY."""

import contextlib
import ctypes
import os
import socket
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../examples/python"))
import tickback
from pong import Objects, Pong, State, checksum
from tickback import _library


class Failure(Exception):
    pass


class TestModule(unittest.TestCase):
    def play(self, game, frames=100, **options):
        with tickback.synctest(game, players=2, frames=frames, seed=7, **options) as s:
            for f in range(10 * frames):
                if s.over:
                    break
                for p in range(2):
                    s.set_input(bytes([f // (9 + p) % 3]), player=p)
                s.advance()
            self.assertTrue(s.over)
            self.assertEqual((s.outcome.over, s.outcome.frames), (1, frames))
            self.assertEqual(s.stats.frame, frames)
            return s.state

    def test_a_match(self):
        end = self.play(Pong())
        self.assertEqual(checksum(end), checksum(self.play(Pong(), depth=3)))
        self.assertNotEqual(end.ball.x, 0)

    def test_structs_are_those_of_the_library(self):
        sizes = []

        class Looking(Pong):
            def step(self, s, t):
                super().step(s, t)
                sizes.append(t._tick.size)

        self.play(Looking(), frames=1)
        self.assertEqual(set(sizes), {ctypes.sizeof(_library.TickStruct)})
        for kind, size in [(_library.Field, 24), (_library.Request, 72), (_library.Own, 64), (_library.Match, 40), (_library.Game, 104), (_library.Effect, 64), (_library.Emission, 40), (_library.KindStruct, 16), (_library.Options, 168), (_library.Event, 264),
                           (_library.Stats, 112), (_library.Outcome, 32), (_library.TickStruct, 288)]:
            self.assertEqual(ctypes.sizeof(kind), size, kind)

    def test_an_exception_ends_the_session(self):
        class Failing(Pong):
            def step(self, s, t):
                super().step(s, t)
                if t.frame == 20:
                    raise Failure("the step")

        s = tickback.synctest(Failing(), players=2, frames=100)
        with self.assertRaisesRegex(Failure, "the step"):
            while True:
                s.advance()
        with self.assertRaises(tickback.Error) as failure:
            s.advance()
        self.assertEqual(failure.exception.code, -2)
        s.close()

    def test_an_exception_in_init(self):
        class Failing(Pong):
            def init(self, s, seed):
                raise Failure("the init")

        with self.assertRaisesRegex(Failure, "the init"):
            with tickback.synctest(Failing(), players=2, frames=100) as s:
                s.advance()

    def test_a_sync_test_names_the_field(self):
        class Hidden(Pong):
            count = 0

            def step(self, s, t):
                super().step(s, t)
                self.count += 1
                s.score[1] = self.count

        with self.assertRaisesRegex(tickback.Error, r"score\[1\]") as failure:
            self.play(Hidden())
        self.assertEqual(failure.exception.code, -8)

    def test_a_recording(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "match.tbr")
            end = self.play(Pong(), record=file)
            with tickback.replay(Pong(), file) as s:
                while not s.over:
                    s.advance()
                self.assertEqual((checksum(s.state), s.outcome.health), (checksum(end), tickback.HEALTHY))
                s.seek(50)
                self.assertNotEqual(checksum(s.state), checksum(end))
            with self.assertRaisesRegex(tickback.Error, "exists"):
                self.play(Pong(), record=file)

    def test_effects(self):
        class Loud(Pong):
            kinds = [*Pong.kinds, tickback.Kind(7, "engine", sustained=True), tickback.Kind(8, "end", only_confirmed=True)]

            def step(self, s, t):
                super().step(s, t)
                t.emit(7, 1, b"lost")
                t.emit(self.kinds[1], 1, bytes([t.frame // 50]) * 32)
                if t.frame == 60:
                    t.emit(8, 0)

        heard = []
        with tickback.synctest(Loud(), players=2, frames=100) as s:
            while not s.over:
                s.advance()
                heard += s.effects()
        told = [(e.what, e.kind, e.frame) for e in heard if e.kind != 1]
        self.assertIn((tickback.EFFECT_STARTED, 7, 0), told)
        self.assertEqual([e.payload for e in heard if e.what == tickback.EFFECT_UPDATED], [b"\1" * 32])
        self.assertEqual([t for t in told if t[1] == 8], [(tickback.EFFECT_STARTED, 8, 60), (tickback.EFFECT_CONFIRMED, 8, 60)])
        self.assertEqual({e.sustained for e in heard if e.kind == 7}, {1})

        class Wrong(Pong):
            def step(self, s, t):
                t.emit(self.what, 0, self.payload)

        for what, payload, error, text in [(1, bytes(33), ValueError, "33 bytes"), (9, b"", tickback.Error, "kind 9")]:
            game = Wrong()
            game.what, game.payload = what, payload
            with self.assertRaisesRegex(error, text):
                self.play(game)

    def play_objects(self, game, **options):
        with tickback.synctest(game, players=2, frames=100, seed=7, **options) as s:
            for f in range(1000):
                if s.over:
                    break
                for p in range(2):
                    s.set_input(bytes([f // (9 + p) % 3]), player=p)
                s.advance()
            self.assertIsNone(s.state)
        return game.save()

    def test_states_of_objects(self):
        end = self.play(Pong())
        self.assertEqual(bytes(self.play_objects(Objects())), bytes(end))

        class Least(Objects):
            marshal = unmarshal = describe = None

        self.assertEqual(bytes(self.play_objects(Least())), bytes(end))

        class Hidden(Objects):
            count = 0

            def step(self, t):
                super().step(t)
                self.count += 1
                self.s.score[1] = self.count

        with self.assertRaisesRegex(tickback.Error, r"score\[1\]") as failure:
            self.play_objects(Hidden())
        self.assertEqual(failure.exception.code, -8)

        class Forgetful(Objects):
            def restore(self, saved):
                if self.s is None or self.s.serving:
                    super().restore(saved)

        with self.assertRaisesRegex(tickback.Error, "ball.x"):
            self.play_objects(Forgetful())

        class Failing(Objects):
            saves = 0

            def save(self):
                self.saves += 1
                if self.saves > 30:
                    raise Failure("the save")
                return super().save()

        with self.assertRaisesRegex(Failure, "the save"):
            self.play_objects(Failing())
        with self.assertRaisesRegex(TypeError, "give both"):
            self.play_objects(type("Half", (Objects,), {"unmarshal": None})())
        with self.assertRaisesRegex(ValueError, "the hash of a state is -1"):
            self.play_objects(type("Negative", (Objects,), {"hash": lambda self, saved: -1})())

    def test_a_recording_of_objects(self):
        for kind in Objects, type("Least", (Objects,), {"marshal": None, "unmarshal": None}):
            with tempfile.TemporaryDirectory() as folder:
                file, game = os.path.join(folder, "match.tbr"), kind()
                end = self.play_objects(game, record=file)
                with tickback.replay(game, file) as s:
                    while not s.over:
                        s.advance()
                    self.assertEqual((bytes(game.save()), s.outcome.health), (bytes(end), tickback.HEALTHY))
                    s.seek(50)
                    self.assertNotEqual(bytes(game.save()), bytes(end))
                    s.seek(100)
                    self.assertEqual(bytes(game.save()), bytes(end))

    def test_ticks_and_states_are_not_kept(self):
        kept = []

        class Keeping(Pong):
            def step(self, s, t):
                super().step(s, t)
                kept.append(t)

        end = self.play(Keeping(), frames=3)
        with self.assertRaises(AttributeError):
            kept[0].frame
        self.assertEqual(end.serving, 42)  # a copy, which has outlived its session

    def test_a_pause(self):
        with tickback.synctest(Pong(), players=2, max_orders=4) as s:
            for _ in range(5):
                s.advance()
            s.pause()
            for _ in range(5):
                s.advance()
            at = s.stats.frame
            s.unpause()
            while s.stats.frame == at:
                s.advance()
            with self.assertRaisesRegex(tickback.Error, "must be 1 to 4"):
                s.set_orders(b"12345", player=0)
            for call in lambda: s.kick(1, "rude"), s.accept, lambda: s.refuse("no"):
                with self.assertRaises(tickback.Error) as failure:
                    call()
                self.assertEqual(failure.exception.code, -13)
            with self.assertRaisesRegex(tickback.Error, "token"):
                s.set_token("swordfish")

    def test_wrong_arguments(self):
        for error, make in [
            (TypeError, lambda: tickback.synctest(Pong(), players=2, speed=3)),
            (ValueError, lambda: tickback.synctest(Pong(), players=-1)),
            (tickback.Error, lambda: tickback.synctest(Pong(), players=17)),
            (tickback.Error, lambda: tickback.p2p(Pong(), me=0, listen="nowhere", others=["127.0.0.1:9"])),
        ]:
            with self.assertRaises(error):
                make()

        class Strange(Pong):
            class state(ctypes.Structure):
                _fields_ = [("p", ctypes.c_void_p)]

        with self.assertRaisesRegex(TypeError, "c_void_p"):
            tickback.synctest(Strange(), players=2)
        with tickback.synctest(Pong(), players=2, frames=1) as s:
            with self.assertRaisesRegex(ValueError, "1 bytes"):
                s.set_input(b"ab", player=0)
            with self.assertRaisesRegex(tickback.Error, "no player 2"):
                s.set_input(b"a", player=2)

    def test_a_lobby(self):
        class Asked(Pong):
            seen, given = None, b""

            def begin(self, s, match):
                self.seen = match.data, match.content, match.frames
                super().begin(s, match)

            def step(self, s, t):
                super().step(s, t)
                self.given += t.orders(1)

        ports = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
        for p in ports:
            p.bind(("127.0.0.1", 0))
        addresses = ["127.0.0.1:%d" % p.getsockname()[1] for p in ports]
        for p in ports:
            p.close()
        games = [Asked(), Asked()]
        with contextlib.ExitStack() as stack:
            host, other = [stack.enter_context(tickback.p2p(games[i], me=i, listen=addresses[i], others=[addresses[1 - i]], lobby=True,
                                                            max_orders=100, delay_max=5)) for i in range(2)]
            heard = []

            def until(condition):
                while not condition():
                    for s in host, other:
                        s.advance()
                        heard.extend((s is host, e.what, e.data) for e in s.events())
                    host.wait(0.001)

            with self.assertRaises(tickback.Error) as failure:
                host.proposal
            self.assertEqual(failure.exception.code, -13)
            until(lambda: {(True, 2, b""), (False, 2, b"")} <= set(heard))  # TB_OPEN
            other.send([0], b"hello")
            until(lambda: (True, 3, b"hello") in heard)
            for frames in 30, 40:
                host.propose(seed=4, frames=frames, content=6, data=b"stage two")
                proposed = heard.count((False, 4, b""))
                until(lambda: heard.count((False, 4, b"")) > proposed)
                self.assertEqual(other.proposal.data, b"stage two")
                other.accept()
                other.set_orders(b"forward")
                until(lambda: host.over and other.over)
                self.assertEqual(games[0].seen, (b"stage two", 6, frames))
                self.assertIn(b"forward", games[0].given)
            self.assertEqual(bytes(host.state), bytes(other.state))

    def test_a_desync_is_explained(self):
        class Wrong(Pong):
            def step(self, s, t):
                super().step(s, t)
                if t.frame == 100:
                    s.score[1] += 3

        ports = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
        for p in ports:
            p.bind(("127.0.0.1", 0))
        addresses = ["127.0.0.1:%d" % p.getsockname()[1] for p in ports]
        for p in ports:
            p.close()
        with contextlib.ExitStack() as stack:
            sessions = [stack.enter_context(tickback.p2p(game, me=i, listen=addresses[i], others=[addresses[1 - i]], seed=3))
                        for i, game in enumerate([Pong(), Wrong()])]
            while not all(s.desync_report for s in sessions):
                for s in sessions:
                    s.advance()
                    for event in s.events():
                        self.assertTrue(event.what and str(event))
                sessions[0].wait(0.001)
            for s in sessions:
                self.assertIn("state 101 is the first", s.desync_report)
                self.assertIn("score[1]: ", s.desync_report)
                self.assertEqual(s.stats.health, tickback.DESYNCED)

    def test_fields(self):
        class Inner(ctypes.Structure):
            _fields_ = [("a", ctypes.c_uint16), ("b", ctypes.c_bool)]

        class Outer(ctypes.Structure):
            _fields_ = [("x", ctypes.c_double), ("in", Inner * 2), ("grid", (ctypes.c_int8 * 3) * 2), ("f", ctypes.c_float), ("n", ctypes.c_int64)]

        table, _ = _library.fields_of(Outer)
        self.assertEqual([(f.name.decode(), f.offset, f.type, f.count) for f in table], [
            ("x", 0, 10, 1), ("in[0].a", 8, 3, 1), ("in[0].b", 10, 11, 1), ("in[1].a", 12, 3, 1), ("in[1].b", 14, 11, 1),
            ("grid[0]", 16, 2, 3), ("grid[1]", 19, 2, 3), ("f", 24, 9, 1), ("n", 32, 8, 1)])

    def test_tokens(self):
        self.assertNotEqual(tickback.token(), tickback.token())


if __name__ == "__main__":
    unittest.main()
