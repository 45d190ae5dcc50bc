package served

import (
	"bytes"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session"
)

// Rule: in a match, datagrams wait for the next tick. When one is due, its whole period has passed, and Progress is never more than that, nor less than zero:
// a client may be so far ahead that it waits for many ticks.
func TestHowMuchOfATickPeriodHasPassed(t *testing.T) {
	f := newFixture(t)
	if f.server.Urgent() || f.other.Urgent() {
		t.Error("a datagram cannot wait for the next tick")
	}
	for _, who := range []struct {
		name     string
		due      *time.Duration
		now      time.Duration // as it counts it
		progress func(now time.Duration) (passed, period time.Duration)
	}{
		{"the server", &f.server.due, f.server.clock.Internal(f.now), f.server.Progress},
		{"the client", &f.other.timing.due, f.other.clock.Internal(f.now), f.other.Progress},
	} {
		for ahead, want := range map[time.Duration]time.Duration{5 * period: 0, period: 0, period / 4: period * 3 / 4, 0: period, -5 * period: period} {
			*who.due = who.now + ahead
			if passed, of := who.progress(f.now); passed != want || of != period {
				t.Errorf("%s: %v before a tick is due, %v of %v have passed, want %v", who.name, ahead, passed, of, want)
			}
		}
	}
}

// Rule: a client that is late by less than thirty ticks runs them all at once; further ones are skipped.
func TestAClientCatchesUpAtOnce(t *testing.T) {
	f := newFixture(t)
	f.other.Update(f.now)
	due := f.other.clock.External(f.other.timing.due)
	before := f.other.Frame()
	for now := due + 29*period + period/2; f.other.Update(now) <= now; {
	}
	if n := f.other.Frame() - before; n != 30 || f.other.Counts().Skipped != 0 {
		t.Errorf("%d ticks run; %+v", n, f.other.Counts())
	}
}

// Rule: an owner that steps a client once per tick learns when the next step is due: about a period later, however
// late this one was. The server's period is always the same.
func TestSteppingByHand(t *testing.T) {
	f := newFixture(t)
	before := f.other.Frame()
	for n := range 40 {
		f.now += period + time.Duration(n%8)*time.Millisecond
		if p := f.other.Step(f.now); p < period*8/10 || p > period*12/10 {
			t.Fatalf("step %d: the next one is due in %v", n, p)
		}
		for _, b := range f.other.Outgoing() {
			f.server.Receive(f.now, otherAddr, b)
		}
		if p := f.server.Step(f.now); p != period {
			t.Fatalf("the server's next step is due in %v", p)
		}
		for to, b := range f.server.Outgoing() {
			if to == otherAddr {
				f.other.Receive(f.now, serverAddr, b)
			}
		}
	}
	if n := f.other.Frame() - before; n < 38 || n > 42 {
		t.Errorf("40 steps run %d ticks", n)
	}
}

// Rule: an owner that updates a server when it asks for that misses no tick, and never calls needlessly.
func TestAServerSaysWhenToCome(t *testing.T) {
	s := newServer(t, nil)
	now, calls := time.Duration(0), 0
	for now < time.Second {
		next := s.Update(now)
		if calls++; next <= now || next > now+period {
			t.Fatalf("at %v it says %v", now, next)
		}
		now = next
	}
	if calls != 50 || s.Frame() != 50 {
		t.Errorf("%d calls for %d ticks", calls, s.Frame())
	}
}

// Rule: a client on which only Step is called connects and plays like others, if it is called at the times that it
// asks for.
func TestAClientThatIsSteppedPlays(t *testing.T) {
	f := newFixture(t)
	third := netip.MustParseAddrPort("10.0.0.4:1")
	c := newClient(t, countGame(), rand.New(rand.NewPCG(7, 7)).Uint64, nil)
	for until := f.now + 3*time.Second; f.now < until; f.now += time.Millisecond {
		updateAll(f.server, f.now)
		for to, b := range f.server.Outgoing() {
			if to == third {
				c.Receive(f.now, serverAddr, b)
			}
		}
		if f.now%(20*time.Millisecond) == 0 {
			c.Step(f.now)
		}
		for _, b := range c.Outgoing() {
			f.server.Receive(f.now, third, bytes.Clone(b))
		}
	}
	if c.Phase() != session.Playing || c.Frame() < f.server.Frame() || c.clientMatch.newest+10 < f.server.Frame() {
		t.Errorf("%v, frame %d, knows %d of %d: %v", c.Phase(), c.Frame(), c.clientMatch.newest, f.server.Frame(), c.Err())
	}
}

// Rule: a server that is driven by Step alone does all that Update does: clients connect, play and leave, and silent
// ones are dropped.
func TestAServerThatIsSteppedServes(t *testing.T) {
	g := newGate(t, nil)
	step := func(d time.Duration) {
		for until := g.now + d; g.now < until; g.now += time.Millisecond {
			if g.now%(20*time.Millisecond) == 0 {
				g.server.Step(g.now)
			}
			for to, b := range g.server.Outgoing() {
				if c := g.clients[to]; c != nil {
					c.Receive(g.now, serverAddr, b)
				}
			}
			for _, at := range g.order {
				g.clients[at].Update(g.now)
				for _, b := range g.clients[at].Outgoing() {
					g.server.Receive(g.now, at, bytes.Clone(b))
				}
			}
		}
	}
	a, b := g.join(home), g.join(away)
	step(2 * time.Second)
	for _, c := range []*Client[count, uint16]{a, b} {
		if c.Phase() != session.Playing || c.clientMatch.newest+10 < g.server.Frame() {
			t.Fatalf("%v, knows %d of %d: %v", c.Phase(), c.clientMatch.newest, g.server.Frame(), c.Err())
		}
	}
	if g.server.Frame() != 100 {
		t.Errorf("%d ticks in 2 s", g.server.Frame())
	}
	a.Leave("")
	step(100 * time.Millisecond)
	if !a.Done() || g.server.Members().Len() != 1 {
		t.Errorf("it has left, %v; %v play", a.Done(), g.server.Members())
	}
	clear(g.clients) // the other one is silent
	g.order = nil
	step(4900 * time.Millisecond)
	if g.server.Members().Len() != 1 {
		t.Error("it is dropped too early")
	}
	if step(300 * time.Millisecond); g.server.Members() != 0 {
		t.Error("a silent client keeps its place")
	}
}
