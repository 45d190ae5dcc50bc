package tanks_test

import (
	"slices"
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback/effects"
)

// listener is a scene whose effects are collected.
type listener struct {
	*scene
	journal *effects.Journal
	heard   []effects.Event
	next    effects.Frame
}

func listen(c *scene) *listener {
	c.Helper()
	journal, err := effects.NewJournal(effects.Config{Kinds: tanks.Game(1).Effects})
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
		l.journal.Begin(l.next)
		l.step(1)
		l.next++
		l.heard = append(l.heard, l.journal.Flush(l.next, l.next)...)
	}
	if err := l.journal.Err(); err != nil {
		l.Error(err)
	}
}

// count returns how many effects of a kind have started.
func count[P any](l *listener, kind effects.Kind[P]) int {
	n := 0
	for _, ev := range l.heard {
		if kind.Is(&ev) && ev.What == effects.Started {
			n++
		}
	}
	return n
}

// newest returns the last effect of a kind.
func newest[P any](l *listener, kind effects.Kind[P]) (payload P, key uint32) {
	l.Helper()
	for _, ev := range slices.Backward(l.heard) {
		if kind.Is(&ev) {
			return kind.Payload(&ev), ev.Key
		}
	}
	l.Errorf("nothing was heard of %s", kind.Name())
	return payload, 0
}

func TestAFightIsHeard(t *testing.T) {
	l := listen(duel(t, 100))
	l.hold(0, 0, 0, tanks.Fire)
	l.play(1)
	fired, key := newest(l, tanks.Fired)
	want(t, "fired", fired, tanks.Salvo{At: at(-200, 500), Player: 0})
	want(t, "by", key, 0)
	l.play(4)
	hit, key := newest(l, tanks.Hit)
	want(t, "hit", hit, tanks.Wound{At: hit.At, Hp: 75, By: 0, Victim: 1})
	holds(t, "where", hit.At.Distance(l.Tanks[1].Pos) < at(20, 0).X)
	want(t, "by the first shot", key, 0)
	l.play(30)
	wreck, key := newest(l, tanks.Destroyed)
	want(t, "destroyed", wreck, tanks.Wreck{At: at(-100, 500), Player: 1, By: 0})
	want(t, "which", key, 1)
	want(t, "hits", count(l, tanks.Hit), 4)
	l.play(tanks.RespawnTicks)
	spawned, key := newest(l, tanks.Spawned)
	want(t, "spawned", spawned, tanks.Spot{At: l.Tanks[1].Pos, Player: 1})
	want(t, "which", key, 1)
	want(t, "once", count(l, tanks.Spawned), 1)
}

func TestWallsAndTheEndAreHeard(t *testing.T) {
	c := match(t, 2)
	c.place(0, 200, 0, 0)
	c.tap(0)
	l := listen(c)
	l.play(10)
	stopped, key := newest(l, tanks.Stopped)
	holds(t, "stopped at the wall", stopped.At.Distance(at(288, 0)) < fixed.One/1024)
	want(t, "which", key, 0)
	l.Tanks[1].Kills, l.EndsAt = 1, l.Frame+1
	l.play(1)
	end, _ := newest(l, tanks.MatchEnded)
	want(t, "winner", end.Winner, 2)
	l.play(3)
	want(t, "once", count(l, tanks.MatchEnded), 1)
}

// A resimulation of a frame emits the same effects, and no frame emits too many.
func TestResimulationsEmitTheSame(t *testing.T) {
	l := listen(match(t, everybody))
	bot := tanks.Bot{Seed: 4, Mood: tanks.Busy}
	for f := range effects.Frame(2000) {
		l.in = botInputs(bot, &l.State, everybody)
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
