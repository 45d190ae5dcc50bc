package session

import (
	"errors"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/session/membership"
)

// Rule (docs/reference/wire.md): a peer that is gone is notified twelve times, 40 ms apart, if it
// sends nothing itself; no more often.
func TestWhoIsGoneIsToldAFewTimes(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, Continue })
	tr.reach(Lobby)
	m, l := tr.peers[0], tr.way(0, 2)
	tr.forge = func(from, to int, b []byte) []byte {
		if to == 2 || from == 2 {
			return nil
		}
		return b
	}
	tr.pass(0, 300*time.Millisecond)
	m.lose(l, "test")
	sent, at := l.Counts.Sent, tr.now
	var times []time.Duration
	for tr.now < at+2*time.Second {
		before := l.Counts.Sent
		tr.pass(0, time.Millisecond)
		if l.Counts.Sent != before {
			times = append(times, tr.now)
		}
	}
	if n := l.Counts.Sent - sent; n != 12 || len(times) != 12 {
		t.Fatalf("it is told %d times, at %v", n, times)
	}
	for i := 1; i < len(times); i++ {
		if gap := times[i] - times[i-1]; gap != 40*time.Millisecond {
			t.Errorf("time %d comes %v after the one before", i, gap)
		}
	}
}

// A machine that leaves a match says why, and the others learn the first frame without it. In a match
// of two that is also the end.
func TestWhoLeavesAMatchSaysWhy(t *testing.T) {
	for players := 2; players <= 3; players++ {
		for _, on := range []OnLeave{End, Continue} {
			tr := newTrio(t, players, func(c *Config) { c.Lobby, c.OnLeave = true, on })
			tr.reach(Playing)
			last := players - 1
			tr.peers[last].Leave("dinner")
			tr.run(5 * time.Second)
			for i := range last {
				at := slices.IndexFunc(tr.seen[i], func(e Event) bool { return e.What == Left })
				if at < 0 {
					t.Fatalf("%d players, %v: peer %d hears %v", players, on, i, tr.seen[i])
				}
				e := tr.seen[i][at]
				o, _ := tr.peers[i].Outcome()
				if e.Players != 1<<last || e.Text != "dinner" || e.Frame == 0 || (on == End) != (e.Frame == o.Frames) || o.Left != 1<<last || (on == Continue) != (o.Frames == 100) {
					t.Errorf("%d players, %v: peer %d hears %v; the match ends with %+v", players, on, i, e, o)
				}
			}
			if err := tr.peers[last].Err(); !errors.Is(err, ErrClosed) {
				t.Errorf("%d players, %v: who leaves ends with %v", players, on, err)
			}
		}
	}
}

// A kicked peer that does not leave is removed two seconds later. Only the host of a match that goes
// on can kick, and only whole machines of others.
func TestWhoIsKickedAndStays(t *testing.T) {
	m := newMesh(t, 4, 0b1000, func(_ int, c *Config) { c.Match.Frames, c.DropAfter = 3000, 6*time.Second })
	host := m.nodes[0]
	if err := host.Kick(0b100, "early"); !errors.Is(err, ErrPhase) {
		t.Errorf("before the match: %v", err)
	}
	m.playing()
	var wish *membership.WishError
	for _, players := range []PlayerSet{0, 0b001, 0b101, 0b1000, 0b1100, 0b10000} {
		if err := host.Kick(players, "rude"); !errors.As(err, &wish) || wish.Wish.Players != players {
			t.Errorf("players %b: %v", players, err)
		}
	}
	if err := m.nodes[1].Kick(0b100, "rude"); !errors.Is(err, ErrNotHost) {
		t.Errorf("a guest: %v", err)
	}
	m.cut = func(from, to netip.AddrPort) bool { return from == host.addr && to == addrOf(2) } // it does not hear of it
	if err := host.Kick(0b100, "rude"); err != nil {
		t.Fatal(err)
	}
	began := m.now
	m.until("that it is taken out", 4*time.Second, func() bool { _, n := m.nodes[1].saw(Dropped); return n == 1 })
	if took := m.now - began; took < 2*time.Second || took > 2700*time.Millisecond {
		t.Errorf("it takes %v", took)
	}
	m.run(200 * time.Millisecond)
	if e, n := host.saw(Dropped); n != 1 || e.Players != 0b100 || e.Text != "kicked: rude" {
		t.Errorf("the host hears %v", e)
	}
	if log := host.Log(); len(log) != 1 || log[0].Kind != EntryKick || log[0].Players != 0b100 {
		t.Errorf("the log is %v", log)
	}
}

// A match is not healthy if a peer has not reported its end: nobody knows about states that it has
// not compared. After Linger nobody waits for it any more.
func TestAnEndThatAPeerDoesNotTell(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby, c.ChainEvery = true, 10 })
	tr.reach(Playing)
	m := tr.peers[0]
	for m.Phase() == Playing {
		tr.run(4 * time.Millisecond)
		if m.frame >= m.match.Limit() && tr.way(0, 1).confirmed < m.match.Limit() {
			tr.forge = func(from, _ int, b []byte) []byte { return tr.withoutControl(from, b) }
		}
	}
	if m.Health() != Healthy || tr.way(0, 1).done {
		t.Fatalf("it is %v", m.Health())
	}
	began := tr.now
	for m.Phase() == Ending && tr.now < began+10*time.Second {
		tr.pass(0, time.Millisecond)
	}
	if took := tr.now - began; took < m.cfg.Linger-4*time.Millisecond || took > m.cfg.Linger+30*time.Millisecond {
		t.Errorf("it waits %v", took)
	}
	if o, over := m.Outcome(); !over || o.Told || o.Health != Unverified || o.Frames != 100 || o.Fairness != 0 {
		t.Errorf("%+v", o)
	}
}
