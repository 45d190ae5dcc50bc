"""Pong for two machines, played by computers: the same game as examples/c, bit for bit, so that one player can have this
program, and the other that one.

    python3 pong.py 0 0.0.0.0:7000 other:7000 [--net awful] [--frames 600] [--record FILE] [--objects]
    python3 pong.py 1 0.0.0.0:7000 other:7000
"""

import argparse
import ctypes
import os
import sys
import types

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import tickback

WIDTH, HEIGHT, PADDLE, SPEED, GOALS = 64 * 256, 24 * 256, 5 * 256, 160, 7
UP, DOWN = 1, 2
POCK = tickback.Kind(1, "pock")  # the ball hits a paddle


class Ball(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int32), ("y", ctypes.c_int32), ("dx", ctypes.c_int32), ("dy", ctypes.c_int32)]


class State(ctypes.Structure):
    _fields_ = [("ball", Ball), ("paddle", ctypes.c_int32 * 2), ("score", ctypes.c_int32 * 2), ("random", ctypes.c_uint32),
                ("serving", ctypes.c_uint8)]


def random(s):
    """The next number of the generator in the state: the only random numbers that a step may use."""
    r = s.random
    r ^= r << 13 & 0xffffffff
    r ^= r >> 17
    r ^= r << 5 & 0xffffffff
    s.random = r
    return r


def serve(s):
    s.ball.x, s.ball.y = WIDTH // 2, HEIGHT // 2
    s.ball.dx = SPEED if random(s) & 1 else -SPEED
    s.ball.dy = random(s) % 201 - 100
    s.serving = 45


class Pong(tickback.Game):
    id, input_size, state, kinds = "tickback.example.pong", 1, State, [POCK]

    def init(self, s, seed):
        s.random = (seed ^ seed >> 32) & 0xffffffff | 1
        s.paddle[0] = s.paddle[1] = (HEIGHT - PADDLE) // 2
        serve(s)

    def step(self, s, t):
        for p in range(2):
            keys = t.input(p)[0]
            move = (128 if keys & DOWN else 0) - (128 if keys & UP else 0)
            s.paddle[p] = min(max(s.paddle[p] + move, 0), HEIGHT - PADDLE)
        if s.serving:
            s.serving -= 1
            return
        b = s.ball
        b.x += b.dx
        b.y += b.dy
        if not 0 <= b.y < HEIGHT:
            b.dy = -b.dy
            b.y += 2 * b.dy
        side = int(b.dx > 0)
        ahead = b.x - (WIDTH - 512) if side else 512 - b.x
        hit = b.y - s.paddle[side]
        if 0 <= ahead < SPEED and 0 <= hit < PADDLE:
            b.dx = -b.dx
            away = hit - PADDLE // 2
            b.dy += away // 8 if away >= 0 else -(-away // 8)  # as C divides
            t.emit(POCK, side, ctypes.c_int32(b.y))
        if not 0 <= b.x < WIDTH:
            s.score[1 - side] += 1
            if s.score[1 - side] >= GOALS:
                t.finish(1 - side)
            serve(s)

    def check(self, s):
        return (s.random != 0 and all(0 <= p <= HEIGHT - PADDLE for p in s.paddle) and all(0 <= p <= GOALS for p in s.score)
                and s.ball.dx in (SPEED, -SPEED) and -SPEED <= s.ball.x <= WIDTH + SPEED and abs(s.ball.dy) <= 1 << 20
                and abs(s.ball.y) <= 1 << 21)


class Objects(tickback.OwnGame):
    """The same pong with objects of Python as its state, which it saves itself. As bytes they are what State has."""

    id, kinds = "tickback.example.pong.objects", [POCK]
    size = ctypes.sizeof(State)
    s = None

    def init(self, seed):
        self.restore(State())
        Pong.init(self, self.s, seed)

    def step(self, t):
        Pong.step(self, self.s, t)

    def save(self):
        s, b = self.s, self.s.ball
        return State(Ball(b.x, b.y, b.dx, b.dy), tuple(s.paddle), tuple(s.score), s.random, s.serving)

    def restore(self, saved):
        ball = types.SimpleNamespace(x=saved.ball.x, y=saved.ball.y, dx=saved.ball.dx, dy=saved.ball.dy)
        self.s = types.SimpleNamespace(ball=ball, paddle=list(saved.paddle), score=list(saved.score), random=saved.random, serving=saved.serving)

    def hash(self, saved):
        return checksum(saved)

    def marshal(self, saved):
        return bytes(saved)

    def unmarshal(self, data):
        if len(data) != ctypes.sizeof(State):
            raise ValueError("it has another length")
        saved = State.from_buffer_copy(data)
        if not Pong.check(self, saved) or bytes(saved)[-3:] != bytes(3):
            raise ValueError("it is no state of pong")
        return saved

    def describe(self, saved):
        return f"ball.x: {saved.ball.x}\nball.y: {saved.ball.y}\nscore[0]: {saved.score[0]}\nscore[1]: {saved.score[1]}\n"


def bot(s, player, calls):
    """What a computer player presses: it follows the ball, and is not always awake."""
    if s is None or (calls // 16 + player * 3) % 5 == 0:
        return 0
    middle = s.paddle[player] + PADDLE // 2
    return UP if s.ball.y < middle - 256 else DOWN if s.ball.y > middle + 256 else 0


def checksum(s):
    h = 14695981039346656037
    for byte in bytes(s):
        h = (h ^ byte) * 1099511628211 & 0xffffffffffffffff
    return h


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("player", type=int)
    parser.add_argument("listen")
    parser.add_argument("other")
    parser.add_argument("--net")
    parser.add_argument("--frames", type=int, default=0)
    parser.add_argument("--record")
    parser.add_argument("--objects", action="store_true", help="with objects of Python as the state")
    args = parser.parse_args()
    game = Objects() if args.objects else Pong()
    with tickback.p2p(game, me=args.player, listen=args.listen, others=[args.other], net=args.net, frames=args.frames,
                      record=args.record, seed=7, connect_ms=120_000, drop_ms=30_000) as s:
        calls = pocks = 0
        while not s.over:
            s.set_input(bytes([bot(game.s if args.objects else s.state, args.player, calls)]))
            wait = s.update()
            for event in s.events():
                print(event, file=sys.stderr)
            for effect in s.effects():
                if effect.what == tickback.EFFECT_STARTED:
                    print("pock", file=sys.stderr)
                pocks += effect.what == tickback.EFFECT_CONFIRMED
            if not s.over:
                s.wait(wait)
            calls += 1
        end, stats, outcome = game.save() if args.objects else s.state, s.stats, s.outcome
        print(f"frames {outcome.frames} score {end.score[0]}:{end.score[1]} health {outcome.health} sum {checksum(end):016x} "
              f"rollbacks {stats.rollbacks} resimulated {stats.resimulated} pocks {pocks}")


if __name__ == "__main__":
    main()
