package arena_test

import (
	"slices"
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// listener is a scene whose effects are collected.
type listener struct {
	*scene
	journal *effects.Journal
	heard   []effects.Event
}

func listen(c *scene) *listener {
	c.Helper()
	journal, err := effects.NewJournal(effects.Config{Kinds: arena.Game(1).Effects})
	if err != nil {
		c.Fatal(err)
	}
	c.out = journal.Emitter()
	return &listener{scene: c, journal: journal}
}

// play advances the scene by the given number of ticks, all of them final.
func (l *listener) play(ticks int) {
	l.Helper()
	for range ticks {
		f := effects.Frame(l.Frame) - l.first()
		l.journal.Begin(f)
		l.step(1)
		l.heard = append(l.heard, l.journal.Flush(f+1, f+1)...)
	}
	if err := l.journal.Err(); err != nil {
		l.Error(err)
	}
}

// first is the frame at which listening began: a journal counts from 0.
func (l *listener) first() effects.Frame {
	if l.heard == nil {
		l.heard = []effects.Event{{Frame: effects.Frame(l.Frame)}}
	}
	return l.heard[0].Frame
}

// count returns how many events of a kind there were.
func count[P any](l *listener, kind effects.Kind[P], what effects.What) int {
	n := 0
	for _, ev := range l.heard {
		if kind.Is(&ev) && ev.What == what {
			n++
		}
	}
	return n
}

// newest returns the last event of a kind.
func newest[P any](l *listener, kind effects.Kind[P]) (payload P, key uint32) {
	for _, ev := range slices.Backward(l.heard) {
		if kind.Is(&ev) {
			return kind.Payload(&ev), ev.Key
		}
	}
	l.Errorf("nothing was heard of %s", kind.Name())
	return payload, 0
}

func TestAMatchIsHeard(t *testing.T) {
	l := listen(match(t, 2))
	l.play(arena.CountdownTicks + 2)
	want(t, "three beeps", count(l, arena.Beep, effects.Started), 3)
	beep, _ := newest(l, arena.Beep)
	want(t, "the last one", beep.Seconds, 1)
	want(t, "the round starts", count(l, arena.RoundStarted, effects.Started), 1)
	l.Fighters[0].Stance, l.Fighters[1].Wins = arena.Out, arena.WinsToMatch-1
	l.play(1)
	end, _ := newest(l, arena.RoundEnded)
	want(t, "the round ends", end, arena.Count{Round: 1, Winner: 2})
	l.play(arena.RoundOverTicks)
	want(t, "the match ends", count(l, arena.MatchEnded, effects.Started), 1)
}

func TestAShotIsHeardFromBeginningToEnd(t *testing.T) {
	l := listen(facing(t, 60))
	l.Fighters[1].Hp = 1
	l.in[0].Buttons = arena.Shoot
	l.play(20)
	charge, key := newest(l, arena.ChargeWhine)
	want(t, "player 0 charges", key, 0)
	want(t, "for a quarter", charge.Quarters, 1)
	l.release(0)
	l.play(1)
	want(t, "the charging is over", count(l, arena.ChargeWhine, effects.Ended), 1)
	fired, _ := newest(l, arena.Fired)
	want(t, "where", fired.At, l.Fighters[0].Pos)
	l.play(20)
	hit, _ := newest(l, arena.Hit)
	want(t, "who hit whom", [2]uint8{hit.By, hit.Victim}, [2]uint8{0, 1})
	want(t, "how hard", hit.Damage, fired.Damage)
	out, key := newest(l, arena.KnockedOut)
	want(t, "who is out", [2]uint32{uint32(out.Player), key}, [2]uint32{1, 1})
	want(t, "the alarm had been on", count(l, arena.Alarm, effects.Ended), 1)
}

func TestBouncesDashesRamsAndShieldsAreHeard(t *testing.T) {
	l := listen(facing(t, 25))
	l.hold(1, 0, 0, arena.Shield)
	l.hold(0, 0, 0, arena.Dash)
	l.play(arena.DashTicks)
	want(t, "a dash", count(l, arena.Dashed, effects.Started), 1)
	ram, _ := newest(l, arena.Rammed)
	want(t, "a ram", [3]uint8{ram.By, ram.Victim, ram.Blocked}, [3]uint8{0, 1, 1})
	want(t, "the shield hums", count(l, arena.ShieldHum, effects.Started), 1)
	l.release(1)
	l.play(1)
	want(t, "until it is lowered", count(l, arena.ShieldHum, effects.Ended), 1)

	l.place(0, 130, 0, 1, 0)
	l.hold(0, 0, 0, arena.Shoot)
	l.play(2)
	l.release(0)
	l.play(20)
	bounce, _ := newest(l, arena.Bounced)
	holds(t, "a bounce at the wall", bounce.At.X > 15*fixed.One)
}

func TestPickupsAreHeard(t *testing.T) {
	l := listen(lonely(t))
	l.SpawnIn = 1
	l.play(1)
	item, spot := newest(l, arena.Spawned)
	want(t, "where", item.At, arena.SpotAt(int(spot)))
	l.Fighters[0].Pos = item.At
	l.play(1)
	taken, _ := newest(l, arena.Taken)
	want(t, "the same", taken, item)
}

// A resimulation of a frame emits the same effects again.
func TestResimulationsEmitTheSame(t *testing.T) {
	l := listen(match(t, 8))
	bot := arena.Bot{Seed: 4}
	for f := range effects.Frame(3000) {
		for p := range l.in {
			l.in[p] = bot.Input(rollback.Player(p), f, &l.State)
		}
		saved := l.State
		l.journal.Begin(f)
		l.step(1)
		digest := l.journal.Digest(f)
		l.State = saved
		l.journal.Begin(f)
		l.step(1)
		want(t, "digest", l.journal.Digest(f), digest)
		l.journal.Flush(f+1, f+1)
	}
	want(t, "nothing was too much", l.journal.Dropped(), 0)
}
