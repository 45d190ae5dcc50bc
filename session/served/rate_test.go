package served

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/rate"
)

// A server at a rate that is no integer begins each tick when the rate says, to the nanosecond, and an hour has as many as it says.
func TestAServerKeepsARateThatIsNoInteger(t *testing.T) {
	about := countAbout
	about.TickRate, about.Rate = 0, session.Rate{Frames: 39375000, Seconds: 655171}
	s, err := NewServer(countGame(), ServerConfig{Game: about, Random: func() uint64 { return 7 }}, ServerHooks[count, uint16]{})
	if err != nil {
		t.Fatal(err)
	}
	length := time.Hour
	if testing.Short() {
		length = 5 * time.Minute
	}
	ticks, began := uint32(0), time.Duration(-1)
	for now := time.Duration(0); began < 0 || now < began+length; {
		due := s.Host.due
		if began < 0 {
			began = due
		}
		before := s.Frame()
		s.Host.Update(due)
		s.Host.Events()
		if s.Frame() != before+1 {
			t.Fatalf("after tick %d is tick %d: %v", before, s.Frame(), s.Err())
		}
		ticks++
		if now = s.Host.due; now != began+rate.Length(ticks, 0, about.Rate) {
			t.Fatalf("tick %d is due at %d, want %d", ticks, now-began, rate.Length(ticks, 0, about.Rate))
		}
	}
	if want := rate.Count(length, 0, about.Rate); ticks != want {
		t.Errorf("%d ticks in %v, want %d", ticks, length, want)
	}
}

// A server and a client take an exact rate in any terms, and only if it is one.
func TestExactRatesOfAServerAreSettled(t *testing.T) {
	for _, r := range []session.Rate{{Frames: 60}, {Seconds: 60}, {Frames: 1, Seconds: 2}, {Frames: 2001, Seconds: 2}} {
		g := countAbout
		g.TickRate, g.Rate = 0, r
		var e *ConfigError
		if err := g.complete(); !errors.As(err, &e) || !errors.Is(err, rate.ErrRate) {
			t.Errorf("%v: %v", r, err)
		}
	}
	g := countAbout
	if g.TickRate, g.Rate = 0, (session.Rate{Frames: 119, Seconds: 4}); g.complete() != nil || g.TickRate != 30 {
		t.Errorf("29.75 ticks a second are about %d", g.TickRate)
	}
	if items := g.items(2, 5); items.TickRate != 30 || items.Rate != g.Rate {
		t.Errorf("29.75 ticks a second are compared as %d and %v", items.TickRate, items.Rate)
	}
	if g.TickRate, g.Rate = 0, (session.Rate{Frames: 90, Seconds: 3}); g.complete() != nil || g.TickRate != 30 || g.Rate.Given() {
		t.Errorf("90 ticks in 3 seconds are %d and %v", g.TickRate, g.Rate)
	}
}
