package session

import (
	"strings"
	"testing"
	"time"
)

// SpectatorInvariants checks what holds of a spectator at any time, whatever its hosts
// do. Test harnesses call it after each update.
type SpectatorInvariants struct {
	of        Watched
	calls     int
	links     []LinkStats
	connected string        // the host that was found, and not lost
	matches   uint32        // how many have begun
	match     uint32        // the last one
	over      bool          // it has ended
	live      bool          // Live has come in it
	desynced  bool          // Desync has
	waits     time.Duration // For of the last Waiting; 0 if it was followed by Resumed
	closed    bool
}

// Watched is a spectator of any game.
type Watched interface {
	Phase() Phase
	Err() error
	Health() Health
	Outcome() (Outcome, bool)
	Proposal() (Parameters, uint32)
	Progress(now time.Duration) (passed, period time.Duration)
	Stats(links []LinkStats) Stats
	Transfer() (have, size int)
	Urgent() bool
}

// See handles what has happened since the last call.
func (v *SpectatorInvariants) See(t testing.TB, s Watched, now time.Duration, events []Event) {
	t.Helper()
	if v.of != s {
		*v = SpectatorInvariants{of: s}
	}
	for _, e := range events {
		v.event(t, e)
	}
	if v.calls++; len(events) == 0 && v.calls%100 != 0 {
		return
	}
	stats := s.Stats(v.links[:0])
	v.links = stats.Links
	_, number := s.Proposal()
	outcome, over := s.Outcome()
	passed, period := s.Progress(now)
	have, size := s.Transfer()
	playing := s.Phase() == Playing
	for _, c := range [...]claim{
		{"it is over when Closed has come", (s.Phase() == Over) == v.closed && (s.Err() != nil) == v.closed},
		{"what is played has begun, and not ended", !playing || v.matches > 0 && !v.over},
		{"as many matches are counted as have begun", stats.Prepared == v.matches},
		{"there is an outcome when Ended has come", over == (v.over && v.matches > 0) && (!over || outcome.Match == v.match && outcome.Health == s.Health())},
		{"the match is the last that has begun", number == 0 || number == v.match && !v.over},
		{"figures of a match that is over are of it", stats.Match == number || over && stats.Match == outcome.Match && stats.Members == 0},
		{"a desync is told", (s.Health() == Desynced) == v.desynced},
		{"a part of a period passes", passed >= 0 && passed <= period && period == stats.Nominal},
		{"all of it, unless frames are shown", passed == period || playing && !s.Urgent()},
		{"a state that comes has a size", have >= 0 && have <= size},
		{"figures are themselves", stats.Phase == s.Phase() && stats.Health == s.Health() && stats.Period == stats.Nominal && stats.DroppedEvents == 0 && len(stats.Links) == 1},
		{"whom it watches was found", !stats.Links[0].Connected || stats.Links[0].Addr.String() == v.connected},
	} {
		if !c.holds {
			t.Fatalf("not so of a spectator: %s: %+v, match %d, %v of %v, %+v", c.what, stats, number, passed, period, *v)
		}
	}
}

// event checks that events come in an order that makes sense.
func (v *SpectatorInvariants) event(t testing.TB, e Event) {
	t.Helper()
	ok := !v.closed
	switch e.What {
	case Connected:
		ok, v.connected = ok && v.connected == "" && e.Text != "", e.Text
	case Lost, Left:
		if e.Players == 0 {
			ok, v.connected = ok && strings.Contains(e.Text, ": "), ""
		}
	case Started:
		ok = ok && e.Match > 0
		v.match, v.over, v.live, v.desynced, v.waits = e.Match, false, false, false, 0
		v.matches++
	case Live:
		ok, v.live = ok && !v.live && v.matches > 0 && !v.over, true
	case Waiting:
		ok, v.waits = ok && e.For >= waitingAfter && e.For > v.waits && strings.HasPrefix(e.Text, "frames of ") && !v.over, e.For
	case Resumed:
		ok, v.waits = ok && v.waits > 0 && e.For >= v.waits, 0
	case Desync:
		ok, v.desynced = ok && !v.desynced && e.Text != "", true
	case Ended:
		ok, v.over = ok && !v.over && v.matches > 0 && e.Match == v.match, true
	case Closed:
		ok, v.closed = ok && e.Text != "", true
	}
	if !ok {
		t.Fatalf("%v has no place here: %+v", e, *v)
	}
}
