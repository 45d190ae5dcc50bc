package session

import (
	"slices"
	"testing"
	"time"
)

// watching is a spectator of a liar that has sent a number of frames of a match that does
// not end; the spectator has shown some of them.
func watching(t *testing.T, frames int) *den {
	t.Helper()
	d := newDen(t, false, func(l *liar) {
		l.begin(1)
		l.tell(4, uint32(0))
		for sent := 0; sent < frames; sent += 50 {
			l.tell(5, uint32(frames), uint16(50), make([]byte, 50))
		}
	})
	if !d.until(5*time.Second, func() bool {
		return d.spectator.play.Running() && d.spectator.incoming.pending()+int(d.spectator.Frame()) == frames
	}) {
		t.Fatalf("frame %d, %d in hand: %v", d.spectator.Frame(), d.spectator.incoming.pending(), d.events)
	}
	return d
}

// A spectator that runs out of frames says so after half a second, and every second; and
// again when it continues. After the break it waits for half as many frames more before it
// continues.
func TestABreakOfASpectator(t *testing.T) {
	d := watching(t, 100)
	s := d.spectator
	if !d.until(5*time.Second, func() bool { return !s.play.Running() }) || s.Frame() != 100 {
		t.Fatalf("frame %d", s.Frame())
	}
	began, least := d.now, s.play.Wanted()
	if least != 18 || s.Stats(nil).Stalls != 1 {
		t.Errorf("%d frames are wanted after a break, of %d", least, s.Stats(nil).Stalls)
	}
	d.events = nil
	d.run(3 * time.Second)
	if want := []What{Waiting, Waiting, Waiting}; !slices.Equal(kindsOf(d.events), want) {
		t.Fatalf("%v", d.events)
	}
	for i, e := range d.events {
		want := 500*time.Millisecond + time.Duration(i)*time.Second
		if e.Text != "frames of "+liarAddr.String() || e.For < want || e.For > want+time.Duration(i+1)*20*time.Millisecond {
			t.Errorf("%v", d.events)
		}
	}
	blocked := s.Stats(nil).Blocked
	if n := int(3 * time.Second / s.nominal); int(blocked) < n-2 || int(blocked) > n+2 {
		t.Errorf("%d periods without a frame", blocked)
	}
	d.liar.tell(5, uint32(200), uint16(least-1), make([]byte, least-1))
	d.run(200 * time.Millisecond)
	if s.Frame() != 100 {
		t.Errorf("it goes on with %d frames in hand", least-1)
	}
	d.liar.tell(5, uint32(200), uint16(1), make([]byte, 1))
	d.events = nil
	d.run(100 * time.Millisecond)
	took := d.now - began
	if len(d.events) != 1 || d.events[0].What != Resumed || d.events[0].For > took || d.events[0].For < took-120*time.Millisecond || s.Frame() == 100 {
		t.Errorf("frame %d, %v", s.Frame(), d.events)
	}
	d.run(time.Second)
	if s.play.Wanted() != 27 || s.Stats(nil).Stalls != 2 {
		t.Errorf("%d frames are wanted after two breaks", s.play.Wanted())
	}
	d.events = nil
	d.liar.tell(5, uint32(200), uint16(40), make([]byte, 40))
	d.run(100 * time.Millisecond)
	if n := slices.Index(kindsOf(d.events), Resumed); n < 0 {
		t.Errorf("%v", d.events)
	}
}

// A spectator is in the phase Connecting until a host answers, in Lobby until there is a
// match, in Starting until there is a state, and then in Playing; without a host it is
// Connecting again.
func TestPhasesOfASpectator(t *testing.T) {
	d := newDen(t, true, func(*liar) {})
	s := d.spectator
	if s.Phase() != Connecting || !s.Urgent() || s.Done() || s.Final() != nil {
		t.Errorf("at first it is %v", s.Phase())
	}
	phase := func(what string, want Phase) {
		t.Helper()
		if !d.until(5*time.Second, func() bool { return s.Phase() == want }) {
			t.Fatalf("%s it is %v: %v", what, s.Phase(), d.events)
		}
	}
	phase("with a host that says nothing", Lobby)
	d.liar.begin(1)
	phase("with a match", Starting)
	if _, n := s.Proposal(); n != 1 || s.Stats(nil).Match != 1 || s.Stats(nil).Prepared != 1 {
		t.Errorf("it is match %d: %+v", n, s.Stats(nil))
	}
	if passed, period := s.Progress(d.now); passed != period || period != s.nominal {
		t.Errorf("%v of %v have passed while nothing runs", passed, period)
	}
	d.liar.tell(4, uint32(0))
	d.liar.tell(5, uint32(50), uint16(50), make([]byte, 50))
	phase("with frames", Playing)
	d.until(5*time.Second, func() bool { return s.Frame() > 0 })
	if passed, _ := s.Progress(d.now); passed < 0 || passed > s.nominal || s.Urgent() {
		t.Errorf("%v have passed, urgent: %v", passed, s.Urgent())
	}
	d.liar.tell(99)
	if !d.until(30*time.Second, d.home) {
		t.Fatalf("with another host it is %v, frame %d: %v", s.Phase(), s.Frame(), d.events)
	}
	s.Leave("enough")
	if s.Phase() != Over || !s.Done() || s.Err() != ErrClosed {
		t.Errorf("at last it is %v: %v", s.Phase(), s.Err())
	}
	d.events = nil
	d.run(100 * time.Millisecond)
	if s.Leave("again"); !slices.Equal(kindsOf(d.events), []What{Closed}) || len(s.Events()) != 0 {
		t.Errorf("%v", d.events)
	}
}
