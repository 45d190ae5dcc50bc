package session

import (
	"slices"
	"testing"
	"time"
)

// stats returns the statistics of a peer.
func (tr *trio) stats(peer int) Stats { return tr.peers[peer].Stats(nil) }

// Figures of the match begin at zero with each match, and stop when it is over; those
// of the session continue.
func TestStatsOfMatchAndSession(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby = true })
	if s := tr.stats(1); s.Prepared != 0 || s.Uptime != 0 || s.Period != s.Nominal || s.Nominal != time.Second/60 {
		t.Errorf("before a match: %+v", s)
	}
	tr.reach(Playing)
	tr.run(5 * time.Second)
	over := tr.stats(1)
	if over.Phase != Lobby || over.Prepared != 1 || over.Engine.Ticks < 100 || over.Uptime < 1600*time.Millisecond || over.Uptime > 2*time.Second {
		t.Fatalf("after a match of 100 frames: %+v", over)
	}
	tr.run(time.Second)
	if s := tr.stats(1); s.Uptime != over.Uptime || s.Datagrams != over.Datagrams || s.Period != s.Nominal {
		t.Errorf("a second later: %+v", s)
	}
	if err := tr.peers[0].Propose(Parameters{Frames: 50}); err != nil {
		t.Fatal(err)
	}
	tr.run(100 * time.Millisecond)
	if err := tr.peers[1].Accept(); err != nil {
		t.Fatal(err)
	}
	s := tr.stats(1)
	if s.Prepared != 2 || s.Match != 2 || s.Uptime != 0 || s.Frame != 0 || s.Datagrams != 0 || s.Engine.Ticks != 0 {
		t.Errorf("a rematch: %+v", s)
	}
	if l := s.Links[0]; l.Sent <= over.Links[0].Sent || l.Confirmed != 0 || l.Lag != 0 || l.Jitter != 0 {
		t.Errorf("its link: %+v, before: %+v", l, over.Links[0])
	}
}

// A refused proposal uses up a number, but resets no figures.
func TestRefusalsPrepareNothing(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby = true })
	tr.reach(Playing)
	tr.run(5 * time.Second)
	before := tr.stats(1)
	if err := tr.peers[0].Propose(Parameters{Frames: 50}); err != nil {
		t.Fatal(err)
	}
	tr.run(100 * time.Millisecond)
	if err := tr.peers[1].Refuse("no"); err != nil {
		t.Fatal(err)
	}
	tr.run(100 * time.Millisecond)
	if s := tr.stats(1); s.Match != 2 || s.Prepared != 1 || s.Engine.Ticks != before.Engine.Ticks || s.Uptime != before.Uptime {
		t.Errorf("%+v, before: %+v", s, before)
	}
}

// A stall counts from the first frame that could not run, while it lasts and once it
// is over. While it lasts, the figures say which players it waits for.
func TestStalledTimeIsCounted(t *testing.T) {
	tr := newTrio(t, 2, nil)
	tr.run(time.Second)
	before := tr.stats(0)
	if before.Waiting != 0 || before.Links[0].Quiet > 50*time.Millisecond {
		t.Fatalf("frames do not run: %+v", before)
	}
	tr.deaf = true
	tr.run(time.Second)
	during := tr.stats(0)
	if d := during.Stalled - before.Stalled; during.Waiting != 0b10 || d < 700*time.Millisecond || d > time.Second {
		t.Errorf("waits for %v, %v long", during.Waiting, d)
	}
	if q := during.Links[0].Quiet; q < 950*time.Millisecond || q > 1050*time.Millisecond {
		t.Errorf("quiet for %v", q)
	}
	tr.deaf = false
	tr.run(time.Second)
	after := tr.stats(0)
	if d := after.Stalled - during.Stalled; after.Waiting != 0 || d < 0 || d > 100*time.Millisecond {
		t.Errorf("then waits for %v, %v longer", after.Waiting, d)
	}
	tr.run(time.Second)
	if s := tr.stats(0); s.Stalled != after.Stalled || s.Stalled > s.Uptime {
		t.Errorf("%v stalled of %v, was %v", s.Stalled, s.Uptime, after.Stalled)
	}
}

// Losing the peer during a stall ends the stall's count with the match.
func TestStalledTimeEndsWithTheMatch(t *testing.T) {
	tr := newTrio(t, 2, nil)
	tr.run(time.Second)
	tr.deaf = true
	tr.run(20 * time.Second)
	s := tr.stats(0)
	if s.Phase != Lobby && s.Phase != Over || s.Stalled < 4*time.Second || s.Stalled > s.Uptime || s.Uptime > 8*time.Second {
		t.Errorf("%v, %v stalled of %v", s.Phase, s.Stalled, s.Uptime)
	}
}

// Links count duplicates, repetitions, and how unevenly inputs arrive.
func TestLinkStats(t *testing.T) {
	tr := newTrio(t, 2, nil)
	tr.forge = func(from, to int, b []byte) []byte {
		if to != 0 || tr.now < time.Second {
			return b
		}
		tr.peers[0].Receive(tr.now, addrOf(1), slices.Clone(b)) // and once more by the wire
		return b
	}
	tr.run(3 * time.Second)
	l := tr.stats(0).Links[0]
	if l.Duplicates < 100 || l.Duplicates > l.Received || l.Rejected != 0 {
		t.Errorf("%d duplicates of %d datagrams", l.Duplicates, l.Received)
	}
	if l.Jitter <= 0 || l.Jitter > 20*time.Millisecond {
		t.Errorf("a jitter of %v on a wire that is looked at every 4 ms", l.Jitter)
	}
	if behind := tr.stats(0).Frame - l.Confirmed; behind > 8 {
		t.Errorf("the peer is %d frames behind", behind)
	}
	tr.forge = nil
	tr.deaf = true
	if err := tr.peers[0].Send(0b10, make([]byte, 900)); err != nil {
		t.Fatal(err)
	}
	tr.run(2 * time.Second)
	s := tr.stats(0)
	l = s.Links[0]
	if l.Pending < 900 || l.ControlResent == 0 || l.ControlSent <= l.ControlResent || s.MessagesSent != 1 {
		t.Errorf("a message that does not get through: %+v, %d sent", l, s.MessagesSent)
	}
	tr.deaf = false
	tr.run(2 * time.Second)
	if s, there := tr.stats(0), tr.stats(1); s.Links[0].Pending >= 900 || there.MessagesReceived != 1 {
		t.Errorf("then: %+v, %d received", s.Links[0], there.MessagesReceived)
	}
}

// The delay is the current one, and the period is the one that keeps pace.
func TestDelayAndPeriodInStats(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) {
		if c.Local.Has(1) {
			c.Delay[1] = 4
		}
	})
	tr.run(time.Second)
	here, there := tr.stats(0), tr.stats(1)
	if here.Delay[0] != 0 || here.Delay[1] != 0 || there.Delay[1] != 4 || here.Window != DefaultWindow {
		t.Errorf("delays %v and %v, window %d", here.Delay, there.Delay, here.Window)
	}
	// If a peer's inputs arrive here later than ours arrive there, it is behind, and
	// we wait for it.
	if here.Links[0].Lag < there.Links[0].Lag != (here.Period < there.Period) {
		t.Errorf("lags %v and %v, periods %v and %v", here.Links[0].Lag, there.Links[0].Lag, here.Period, there.Period)
	}
}

// Events that were dropped are counted, and an observer has seen all of them.
func TestEventsAreObserved(t *testing.T) {
	var seen []What
	tr := newTrio(t, 2, func(c *Config) {
		if c.Local.Has(0) {
			c.Observe = func(e Event) { seen = append(seen, e.What) }
		}
		c.Match.Frames = 50
	})
	for range 1000 {
		for _, p := range tr.peers {
			p.Update(tr.now)
		}
		tr.carry()
		tr.now += 4 * time.Millisecond
	}
	s := tr.stats(0)
	var taken []What
	for _, e := range tr.peers[0].Events() {
		taken = append(taken, e.What)
	}
	if s.PendingEvents != len(taken) || !slices.Equal(taken, seen) || !slices.Contains(seen, Ended) {
		t.Errorf("%d are pending, %v, and %v were observed", s.PendingEvents, taken, seen)
	}
	if n := tr.stats(0).PendingEvents; n != 0 {
		t.Errorf("%d are pending after they were taken", n)
	}
}

// Statistics allocate nothing, once there is memory for the links.
func TestStatsDoNotAllocate(t *testing.T) {
	tr := newTrio(t, 3, nil)
	tr.run(time.Second)
	links := tr.peers[0].Stats(nil).Links
	if n := testing.AllocsPerRun(100, func() { links = tr.peers[0].Stats(links[:0]).Links }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
