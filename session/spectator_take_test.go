package session

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/agreed"
)

// Each frame of a match is shown, however short the match is.
func TestShortMatchesAreShown(t *testing.T) {
	for frames := 1; frames < 16; frames++ {
		d := newDen(t, false, func(l *liar) {
			l.begin(1)
			l.tell(4, uint32(0))
			l.tell(5, uint32(frames), uint16(frames), make([]byte, frames))
			l.tell(6, uint32(frames), make([]byte, 26))
		})
		s := d.spectator
		if !d.until(10*time.Second, func() bool { _, over := s.Outcome(); return over }) {
			t.Fatalf("of %d frames %d are shown: %v", frames, s.Frame(), d.events)
		}
		if o, _ := s.Outcome(); o.Frames != Frame(frames) || s.Frame() != o.Frames || s.Final() == nil || s.Final().Frame != uint64(frames) {
			t.Errorf("of %d frames %d are shown: %+v", frames, s.Frame(), o)
		}
	}
}

// A spectator that has a state shows it, and continues from there as soon as frames arrive.
func TestAStateIsShownAtOnce(t *testing.T) {
	const at = agreed.BlockFrames * 3
	d := newDen(t, false, func(l *liar) {
		l.begin(1)
		b := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, at), 77)
		l.tell(2, uint32(at), uint32(len(b)), canon.HashBytes(b), uint32(0))
		l.tell(3, b)
		l.tell(4, uint32(at))
	})
	s := d.spectator
	if s.Inspect().Players() != 1 {
		t.Errorf("before it knows how many there are, there are %d players", s.Inspect().Players())
	}
	if !d.until(5*time.Second, func() bool { return s.Phase() == Playing }) || s.Frame() != at || s.State().Total != 77 {
		t.Fatalf("it is %v at frame %d: %v", s.Phase(), s.Frame(), d.events)
	}
	d.liar.tell(5, uint32(at+50), uint16(50), make([]byte, 50))
	if !d.until(5*time.Second, func() bool { return s.Frame() == at+50 }) || s.State().Frame != at+50 {
		t.Errorf("it is at frame %d: %v", s.Frame(), d.events)
	}
}

// If a match ends at another frame than the last one that a spectator has shown, its end verifies
// nothing; a desync remains one.
func TestAnEndElsewhereVerifiesNothing(t *testing.T) {
	for health, want := range map[Health]Health{Unverified: Unverified, Healthy: Unverified, Desynced: Desynced} {
		s := newDen(t, false, func(*liar) {}).spectator
		s.shown.health = health
		s.shown.finish(&spectate.End{Frames: uint32(s.Frame()) + 40})
		if o, over := s.Outcome(); !over || o.Health != want || s.Health() != want || o.Frames != s.Frame()+40 {
			t.Errorf("%v: %+v", health, o)
		}
	}
}
