package session

import (
	"testing"
	"time"
)

// A pause of a match without others ends by itself as well, after Config.MaxPause.
func TestAPauseAloneEndsByItself(t *testing.T) {
	s, err := New(sumGame(), Config{Players: 1, MaxPause: time.Second}, Hooks[sum, uint16]{Sample: func(Player) uint16 { return 1 }})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Duration(0)
	run := func(d time.Duration) {
		for end := now + d; now < end; now += 4 * time.Millisecond {
			s.Update(now)
		}
	}
	run(time.Second)
	if err := s.Pause(); err != nil {
		t.Fatal(err)
	}
	at := s.Frame()
	run(900 * time.Millisecond)
	if s.Frame() != at {
		t.Errorf("it runs on, from frame %d to %d", at, s.Frame())
	}
	run(time.Second)
	if _, paused := s.Paused(); paused || s.Frame() < at+50 {
		t.Errorf("paused %v at frame %d of %d", paused, s.Frame(), at)
	}
}
