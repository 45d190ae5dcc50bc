package session

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// pass lets some milliseconds pass, and returns the events of a peer, with their times.
func (tr *trio) pass(peer int, d time.Duration) (list []Event, at []time.Duration) {
	for end := tr.now + d; tr.now < end; {
		tr.now += time.Millisecond
		for i, p := range tr.peers {
			p.Update(tr.now)
			for _, e := range p.Events() {
				if i == peer {
					list, at = append(list, e), append(at, tr.now)
				}
			}
		}
		tr.carry()
	}
	return list, at
}

// kindsOf returns the kinds of events.
func kindsOf(list []Event) (kinds []What) {
	for _, e := range list {
		kinds = append(kinds, e.What)
	}
	return kinds
}

// Rule: a peer that does not answer is awaited for exactly ConnectTimeout, and named every
// second.
func TestHowLongAnAnswerIsAwaited(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.ConnectTimeout = true, 2500*time.Millisecond })
	tr.peers[0].Update(0)
	tr.forge = func(from, to int, b []byte) []byte {
		if from == 2 || to == 2 {
			return nil
		}
		return b
	}
	events, at := tr.pass(0, 5*time.Second)
	if want := []What{Connected, Waiting, Waiting, Closed}; !slices.Equal(kindsOf(events), want) {
		t.Fatalf("%v", events)
	}
	for i, ms := range []time.Duration{1000, 2000, 2550} { // it looks every 50 ms
		e := events[i+1]
		if at[i+1] != ms*time.Millisecond || e.What == Waiting && (e.Players != 0b100 || e.For != at[i+1] || e.Text != "an answer") {
			t.Errorf("at %v: %v", at[i+1], e)
		}
	}
	var e *TimeoutError
	if err := tr.peers[0].Err(); !errors.As(err, &e) || *e != (TimeoutError{0b100, "an answer", 2500 * time.Millisecond}) {
		t.Errorf("%v", err)
	}
}

// Rule: a peer that is not ready is awaited for ReadyTimeout. Then all are back in the
// lobby, and know why; without a lobby the session is over.
func TestHowLongReadinessIsAwaited(t *testing.T) {
	const limit = 2500 * time.Millisecond
	for _, accepts := range []bool{false, true} {
		tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.ReadyTimeout = true, limit })
		tr.reach(Starting)
		if err := tr.peers[1].Accept(); err != nil {
			t.Fatal(err)
		}
		if err := tr.peers[1].Ready(); err != nil {
			t.Fatal(err)
		}
		if accepts {
			if err := tr.peers[2].Accept(); err != nil {
				t.Fatal(err)
			}
		}
		tr.run(40 * time.Millisecond)
		since := tr.peers[0].since
		began := tr.now - (tr.peers[0].now - since)
		events, at := tr.pass(0, 2*limit)
		events = slices.DeleteFunc(events, func(e Event) bool { return e.What == Accepted })
		last := len(events) - 1
		if want := []What{Waiting, Waiting, Refused}; !slices.Equal(kindsOf(events), want) {
			t.Fatalf("%v", events)
		}
		if took := at[len(at)-1] - began; took <= limit || took > limit+54*time.Millisecond {
			t.Errorf("it takes %v", took)
		}
		if e := events[last]; e.Players != 0b100 || e.Match != 1 || e.Text != (&TimeoutError{0b100, "readiness", limit}).Error() || events[0].Text != "readiness" || events[0].Players != 0b100 {
			t.Errorf("%v", events)
		}
		for i, p := range tr.peers {
			if p.Phase() != Lobby || tr.proposal(i) != 0 || p.Err() != nil {
				t.Errorf("peer %d is %v: %v", i, p.Phase(), p.Err())
			}
		}
	}
}

// Without a lobby it is the end of all.
func TestWithoutALobbyTheUnreadyEndTheSession(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) {
		c.ReadyTimeout = 2 * time.Second
		c.Match.Data = make([]byte, 2000) // so that the match is proposed when all are there
	})
	tr.forge = func(from, to int, b []byte) []byte {
		if (from == 2 || to == 2) && tr.peers[0].Phase() >= Starting {
			return nil
		}
		return b
	}
	tr.run(4 * time.Second)
	var e *TimeoutError
	if err := tr.peers[0].Err(); !errors.As(err, &e) || *e != (TimeoutError{0b100, "readiness", 2 * time.Second}) {
		t.Errorf("it is %v: %v", tr.peers[0].Phase(), err)
	}
}

// Rule: silence of more than WarnAfter is reported once, and so is its end; silence of more
// than DropAfter is the end. Silence of exactly that time is not more.
func TestHowLongAPeerMayBeSilent(t *testing.T) {
	for _, ends := range []bool{false, true} {
		tr := newTrio(t, 2, func(c *Config) {
			c.Lobby, c.WarnAfter, c.DropAfter = true, 500*time.Millisecond, 2*time.Second
		})
		tr.peers[0].Update(0)
		tr.pass(0, time.Second)
		tr.peers[0].Receive(tr.now, addrOf(1), tr.fresh(1, 0)) // just when it looks
		tr.deaf = true
		began := tr.now
		silence := 3 * time.Second
		if ends {
			silence = 1500 * time.Millisecond
		}
		events, at := tr.pass(0, silence)
		if len(events) == 0 || events[0].What != Silent || events[0].Players != 0b10 || events[0].For != 550*time.Millisecond || at[0] != began+550*time.Millisecond {
			t.Fatalf("%v at %v, silent from %v on", events, at, began)
		}
		if ends {
			tr.deaf = false
			events, _ := tr.pass(0, time.Second)
			if len(events) != 1 || events[0].What != Heard || events[0].Players != 0b10 || events[0].For < silence || events[0].For > silence+300*time.Millisecond {
				t.Errorf("then %v", events)
			}
			continue
		}
		if want := []What{Silent, Lost, Closed}; !slices.Equal(kindsOf(events), want) || at[1] != began+2050*time.Millisecond || events[1].Text != "silent for 2.05s" {
			t.Errorf("%v at %v, silent from %v on", events, at, began)
		}
	}
}

// Rule: a match that waits reports it after half a second and then every second, with the
// players and the time, and finally that it goes on.
func TestHowLongAMatchStandsStill(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby, c.WarnAfter, c.DropAfter = true, 10*time.Second, 10*time.Second })
	tr.reach(Playing)
	tr.deaf = true
	events, at := tr.pass(0, 4*time.Second)
	if want := []What{Waiting, Waiting, Waiting, Waiting}; !slices.Equal(kindsOf(events), want) {
		t.Fatalf("%v", events)
	}
	for i, e := range events {
		least := 500*time.Millisecond + time.Duration(i)*time.Second
		if e.Players != 0b10 || e.Text != "inputs" || e.For < least || e.For > least+time.Duration(i+1)*50*time.Millisecond ||
			i > 0 && (at[i]-at[i-1] != e.For-events[i-1].For || at[i]-at[i-1] < time.Second) {
			t.Errorf("at %v %v", at, events)
		}
	}
	tr.deaf = false
	events, _ = tr.pass(0, 500*time.Millisecond)
	if len(events) != 1 || events[0].What != Resumed || events[0].For < 3500*time.Millisecond {
		t.Errorf("then %v", events)
	}
}
