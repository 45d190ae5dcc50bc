package classic_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tickback/tickback/classic"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

// Over any network both sides end with the checksum of the inputs that were
// sampled, and have compared notes on the way.
func TestBothSidesEndAsTheInputsSay(t *testing.T) {
	for _, n := range []struct {
		name string
		network
	}{{"at once", noDelay}, {"lan", lan}, {"bad", bad}} {
		t.Run(n.name, func(t *testing.T) {
			seeds(t, func(t *testing.T, seed uint64) { wholeMatch(t, seed, n.network) })
		})
	}
}

func wholeMatch(t *testing.T, seed uint64, n network) {
	const frames = 300
	rng := rand.New(rand.NewPCG(seed, 4))
	w := newWorld(seed, n)
	players := [2]*player{newPlayer(seed), newPlayer(seed + 1000)}
	var sides [2]*match
	var delays [2]int
	for p := range sides {
		cfg := duelConfig(t, p == 0, frames, players[p])
		delays[p] = []int{0, 1, 3, classic.MaxDelay}[rng.IntN(4)]
		cfg.Delay = delays[p]
		cfg.Window = []int{0, -1, 1, 8, 64}[rng.IntN(5)]
		sides[p] = newMatch(t, cfg)
	}
	w.add(hostAt, sides[0])
	w.add(joinAt, sides[1]).start = time.Duration(rng.IntN(700)) * time.Millisecond
	w.over(t)
	var inputs [2][]duel.Input
	for p := range players {
		if got, want := len(players[p].samples), frames-delays[p]; got != want {
			t.Fatalf("player %d was sampled %d times, want %d", p, got, want)
		}
		inputs[p] = players[p].inputs(frames, delays[p])
	}
	s := offline(t, inputs[0], inputs[1])
	for _, m := range sides {
		wantResult(t, m, duel.Checksum(&s))
		got := m.Stats()
		if got.Health != classic.Healthy || got.Compared < frames/4 || got.Frames != frames || got.Acked != frames {
			t.Errorf("%+v", got)
		}
		i := got.Ignored
		i.Late = 0
		if i != (classic.Ignored{}) {
			t.Errorf("ignored: %+v", i)
		}
	}
}

// A side written from the protocol's description alone can play against ours, on
// either side.
func TestIndependentPeerPlaysAWholeMatch(t *testing.T) {
	const frames = 300
	for _, c := range []struct{ host, eager bool }{{true, false}, {false, false}, {false, true}} {
		for _, n := range []network{lan, bad} {
			t.Run(fmt.Sprintf("%+v %v", c, n), func(t *testing.T) {
				seeds(t, func(t *testing.T, seed uint64) {
					p := newPlayer(seed)
					m := newMatch(t, duelConfig(t, !c.host, frames, p))
					at, rawAt := hostAt, joinAt
					if c.host {
						at, rawAt = joinAt, hostAt
					}
					raw := newRawPeer(seed, c.host, at, frames)
					raw.eager = c.eager
					w := newWorld(seed, n)
					w.add(at, m)
					w.add(rawAt, raw)
					w.over(t)
					wantResult(t, m, duel.Checksum(&raw.state))
					for f, sum := range raw.claims {
						if f >= frames || raw.sums[f] != sum {
							t.Errorf("state %d has not the checksum %#x", f, sum)
						}
					}
					if raw.stepped != frames || len(raw.claims) < frames/4 || raw.garbage != 0 {
						t.Errorf("the other side: %d frames, %d checksums, %d datagrams it cannot read", raw.stepped, len(raw.claims), raw.garbage)
					}
					if s := m.Stats(); s.Health != classic.Healthy || s.Compared < frames/4 {
						t.Errorf("%v after %d", s.Health, s.Compared)
					}
				})
			})
		}
	}
}

// Either side may come first, and wait.
func TestLateStart(t *testing.T) {
	for late := range 2 {
		w := newWorld(1, lan)
		nodes := [2]*node{
			w.add(hostAt, newMatch(t, duelConfig(t, true, 60, newPlayer(1)))),
			w.add(joinAt, newMatch(t, duelConfig(t, false, 60, newPlayer(2)))),
		}
		nodes[late].start = 20 * time.Second
		w.over(t)
		a, _ := nodes[0].side.(*match).Result()
		wantResult(t, nodes[0].side.(*match), a)
		wantResult(t, nodes[1].side.(*match), a)
	}
}

// After a hitch of one machine the match goes on, and after one that is longer
// than the other side waits, both say that the other is lost.
func TestHitch(t *testing.T) {
	for _, c := range []struct {
		hitch time.Duration
		err   error
	}{{3 * time.Second, nil}, {20 * time.Second, classic.ErrLost}} {
		w := newWorld(1, lan)
		a := newMatch(t, duelConfig(t, true, 300, newPlayer(1)))
		b := newMatch(t, duelConfig(t, false, 300, newPlayer(2)))
		w.add(hostAt, a)
		n := w.add(joinAt, b)
		n.hitchFrom, n.hitchTo = 2*time.Second, 2*time.Second+c.hitch
		w.over(t)
		for _, m := range []*match{a, b} {
			if !is(m.Err(), c.err) {
				t.Errorf("a hitch of %v: player %d: %v, want %v", c.hitch, m.Local(), m.Err(), c.err)
			}
		}
		if s := a.Stats(); s.Stalls < 1 || s.Stalls > 20 || s.StalledPeriods < 60 {
			t.Errorf("%d stalls of %d periods", s.Stalls, s.StalledPeriods)
		}
	}
}

// Who hears nothing new for five seconds says that the other side is lost, and has
// no result.
func TestPeerDies(t *testing.T) {
	w := newWorld(1, lan)
	m := newMatch(t, duelConfig(t, true, 0, newPlayer(1)))
	w.add(hostAt, m)
	w.add(joinAt, newMatch(t, duelConfig(t, false, 0, newPlayer(2)))).end = 3 * time.Second
	w.over(t)
	if !is(m.Err(), classic.ErrLost) || m.Phase() != classic.Failed {
		t.Errorf("%v, %v", m.Phase(), m.Err())
	}
	if took := w.now - epoch; took < 8*time.Second || took > 8*time.Second+100*time.Millisecond {
		t.Errorf("lost after %v, want 5s after 3s", took)
	}
	if _, ok := m.Result(); ok {
		t.Error("a match that was broken off has a result")
	}
}

// If the other side is lost when it has sent all its inputs, the result is known,
// but so is that it may not have ours.
func TestPeerDiesBeforeItAcknowledges(t *testing.T) {
	const frames = 90
	p := newPlayer(1)
	m := newMatch(t, duelConfig(t, false, frames, p))
	raw := newRawPeer(1, true, joinAt, frames)
	w := newWorld(1, network{delay: 50 * time.Millisecond})
	w.add(joinAt, m)
	n := w.add(hostAt, raw) // it is some frames ahead
	if !w.until(time.Minute, func() bool { return len(raw.own) == frames }) {
		t.Fatal("it never had all inputs")
	}
	n.end = w.now - epoch // in the midst of the last period
	w.over(t)
	if !is(m.Err(), classic.ErrLost) {
		t.Error(m.Err())
	}
	if m.Stats().Acked == frames {
		t.Fatal("it has acknowledged everything: the test shows nothing")
	}
	want := offline(t, toInputs(raw.own), p.inputs(frames, 0))
	if got, ok := m.Result(); !ok || got != duel.Checksum(&want) {
		t.Errorf("result %#x, %v, want %#x", got, ok, duel.Checksum(&want))
	}
}

func toInputs(buttons []uint16) (in []duel.Input) {
	for _, b := range buttons {
		in = append(in, duel.Input(b))
	}
	return in
}

// A joiner that starts again in the middle cannot come in: it hears ACK, and both
// sides give up in the end.
func TestRestartedJoinerDoesNoHarm(t *testing.T) {
	w := newWorld(1, lan)
	host := newMatch(t, duelConfig(t, true, 3000, newPlayer(1)))
	again := newMatch(t, duelConfig(t, false, 3000, newPlayer(3)))
	w.add(hostAt, host)
	w.add(joinAt, newMatch(t, duelConfig(t, false, 3000, newPlayer(2)))).end = 2 * time.Second
	w.add(joinAt, again).start = 2500 * time.Millisecond
	w.over(t)
	if !is(host.Err(), classic.ErrLost) || !is(again.Err(), classic.ErrNobody) {
		t.Errorf("host: %v; joiner: %v", host.Err(), again.Err())
	}
}

// So cannot one that is less careful and plays as if nothing had happened: what it
// sends contradicts what was, and does not count as a sign of life.
func TestRestartedNaiveJoinerDoesNoHarm(t *testing.T) {
	w := newWorld(1, lan)
	host := newMatch(t, duelConfig(t, true, 3000, newPlayer(1)))
	again := newRawPeer(8, false, hostAt, 3000)
	w.add(hostAt, host)
	w.add(joinAt, newRawPeer(7, false, hostAt, 3000)).end = 2 * time.Second
	n := w.add(joinAt, again)
	n.start = 2500 * time.Millisecond
	if !w.until(time.Minute, host.Done) {
		t.Fatal("the host plays with somebody else")
	}
	if !is(host.Err(), classic.ErrLost) || host.Stats().Ignored.Conflicts == 0 {
		t.Errorf("%v, %+v", host.Err(), host.Stats().Ignored)
	}
}

// A match can follow another at once on the same addresses: what the first one
// still sends does not get into the second.
func TestNextMatchOnTheSamePort(t *testing.T) {
	w := newWorld(1, lan)
	w.add(hostAt, newMatch(t, duelConfig(t, true, 60, newPlayer(1))))
	first := newMatch(t, duelConfig(t, false, 60, newPlayer(2)))
	n := w.add(joinAt, first)
	if !w.until(time.Minute, func() bool { return first.Phase() == classic.Lingering }) {
		t.Fatal("no end")
	}
	second := [2]*match{newMatch(t, duelConfig(t, true, 60, newPlayer(3))), newMatch(t, duelConfig(t, false, 60, newPlayer(4)))}
	n.side, n.next = second[1], 0 // while the host lingers
	w.run(500 * time.Millisecond)
	w.nodes[0].end = w.now - epoch
	w.add(hostAt, second[0])
	w.over(t)
	want, _ := second[0].Result()
	wantResult(t, second[0], want)
	wantResult(t, second[1], want)
}

// The end of a match without end is Close, which the other side does not hear.
func TestClose(t *testing.T) {
	w := newWorld(1, lan)
	a := newMatch(t, duelConfig(t, true, 0, newPlayer(1)))
	b := newMatch(t, duelConfig(t, false, 0, newPlayer(2)))
	w.add(hostAt, a)
	w.add(joinAt, b)
	w.run(3 * time.Second)
	if a.Frame() < 100 || b.Frame() < 100 {
		t.Fatalf("only %d and %d frames", a.Frame(), b.Frame())
	}
	a.Close()
	w.over(t)
	if a.Phase() != classic.Over || a.Err() != nil || !is(b.Err(), classic.ErrLost) {
		t.Errorf("%v, %v; the other side: %v", a.Phase(), a.Err(), b.Err())
	}
	if a.Advance(w.now) != classic.Never {
		t.Error("it wants to go on")
	}
}

// Inputs may depend on the state that is shown, predictions and all: both sides
// still end alike.
func TestBotsPlay(t *testing.T) {
	const frames = 600
	w := newWorld(1, lan)
	var sides [2]*match
	for p := range sides {
		cfg := duelConfig(t, p == 0, frames, nil)
		cfg.Sample = func(p rollback.Player) duel.Input {
			return duel.Bot{Seed: uint64(p)}.Input(p, sides[p].Frame(), sides[p].State())
		}
		sides[p] = newMatch(t, cfg)
	}
	w.add(hostAt, sides[0])
	w.add(joinAt, sides[1])
	w.over(t)
	want, _ := sides[0].Result()
	wantResult(t, sides[0], want)
	wantResult(t, sides[1], want)
	if s := sides[0].Stats(); s.Rollback.Rollbacks == 0 {
		t.Error("nothing was ever predicted wrongly: the test shows little")
	}
}
