package tickback_test

import (
	"errors"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
)

// sharedWatch is a watch that several goroutines can use.
type sharedWatch struct {
	mu sync.Mutex
	w  watch
}

func (s *sharedWatch) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Now()
}

func (s *sharedWatch) advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.w.advance(d)
}

// A local game can be watched from another machine, from the beginning or later, and its end is also the end for the
// spectator.
func TestALocalGameCanBeWatched(t *testing.T) {
	w := &sharedWatch{w: *newWatch()}
	stage, seat := tubes(w.Now)
	m, err := tickback.Local(counting, tickback.Options[counter, uint32]{
		Players: 2, Transport: stage, Spectators: tickback.Spectators{Max: 1},
		Match:    tickback.Parameters{Frames: 300},
		Sample:   func(p tickback.Player) uint32 { return 1 + uint32(p) },
		Advanced: tickback.Advanced{Now: w.Now},
	})
	if err != nil {
		t.Fatal(err)
	}
	frames := 0
	s, err := tickback.Spectate(counting, tickback.SpectatorOptions[counter, uint32]{
		Hosts: []netip.AddrPort{stage.here}, Transport: seat, JitterBuffer: 4,
		Agreed:   func(*rollback.Agreed[uint32]) { frames++ },
		Advanced: tickback.Advanced{Now: w.Now},
	})
	if err != nil {
		t.Fatal(err)
	}
	if v := s.View(); v.Current == nil || v.Frame != 0 || v.Running {
		t.Errorf("before anything has come the view is %+v", v)
	}
	var seen []tickback.Event
	for range 700 {
		if _, err := m.Update(); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Update(); err != nil {
			t.Fatal(err)
		}
		seen = append(seen, s.Events()...)
		w.advance(10 * time.Millisecond)
	}
	out, over := s.Outcome()
	ours, _ := m.Outcome()
	if !over || out.Hash != ours.Hash || out.Health != tickback.Healthy || frames != 300 {
		t.Errorf("%d frames, outcome %+v, %v; that of the match %+v; %v", frames, out, over, ours, seen)
	}
	if v := s.View(); v.Current.Sum != 900 || v.Frame != 300 || s.Players() != 2 {
		t.Errorf("at the end the view is %+v of %d players", v, s.Players())
	}
	go m.Close() // waits for the spectator
	for range 2000 {
		if _, err = s.Update(); err != nil {
			break
		}
		time.Sleep(time.Millisecond)
		w.advance(10 * time.Millisecond)
	}
	if !errors.Is(err, tickback.ErrEnd) {
		t.Errorf("after the host has left: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// A match that cannot be watched gives an error that names the host and the reason.
func TestSpectateNamesWhyNot(t *testing.T) {
	w := newWatch()
	stage, seat := tubes(w.Now)
	m, err := tickback.Local(counting, tickback.Options[counter, uint32]{
		Transport: stage, Spectators: tickback.Spectators{Max: 1}, Build: "1.2",
		Sample: func(p tickback.Player) uint32 { return 1 }, Advanced: tickback.Advanced{Now: w.Now},
	})
	if err != nil {
		t.Fatal(err)
	}
	options := tickback.SpectatorOptions[counter, uint32]{Advanced: tickback.Advanced{Now: w.Now}, Build: "1.3"}
	if _, err := tickback.Spectate(counting, options); !errors.Is(err, tickback.ErrOptions) {
		t.Errorf("without a transport: %v", err)
	}
	options.Transport = seat
	if _, err := tickback.Spectate(counting, options); err == nil {
		t.Error("without hosts there is no error")
	}
	options.Hosts = []netip.AddrPort{stage.here}
	s, err := tickback.Spectate(counting, options)
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		m.Update()
		if _, err = s.Update(); err != nil {
			break
		}
		w.advance(10 * time.Millisecond)
	}
	var none *tickback.HostsError
	var differs *tickback.MismatchError
	if !errors.As(err, &none) || !errors.As(err, &differs) || differs.Item != "build" {
		t.Errorf("another build: %v", err)
	}
}
