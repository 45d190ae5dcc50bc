package session

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// Whatever a host says, the spectator ends up at an honest host, with its state.
func TestALyingHostIsLeft(t *testing.T) {
	for name, say := range map[string]func(l *liar){
		"nothing":                nil,
		"that it is full":        func(l *liar) { l.tell(7, []byte("full")) },
		"an unknown message":     func(l *liar) { l.tell(99) },
		"frames without a match": func(l *liar) { l.frames(5) },
		"a later match":          func(l *liar) { l.begin(1<<32 - 1); l.tell(4, uint32(0)); l.frames(100); l.tell(99) },
		"a later match, and then nothing": func(l *liar) {
			l.begin(1<<32 - 1)
			l.tell(4, uint32(0))
			l.frames(100)
		},
		"other frames": func(l *liar) {
			l.begin(1)
			l.tell(4, uint32(0))
			l.frames(3000)
			l.tell(99)
		},
		"frames that are none": func(l *liar) {
			l.begin(1)
			l.tell(4, uint32(0))
			l.tell(5, uint32(100), uint16(100), make([]byte, 20), []byte{0xFF}, make([]byte, 79))
		},
		"frames that are none, and that it goes": func(l *liar) {
			l.begin(1)
			l.tell(4, uint32(0))
			l.tell(5, uint32(100), uint16(100), make([]byte, 20), []byte{0xFF}, make([]byte, 79))
			l.tell(7, []byte("good bye"))
		},
		"too many bytes": func(l *liar) {
			l.begin(1)
			l.tell(4, uint32(0))
			l.tell(5, uint32(50), uint16(50), make([]byte, 70))
		},
		"that somebody goes and comes": func(l *liar) {
			l.begin(1)
			l.tell(4, uint32(0))
			var b []byte
			for f := range 60 {
				b = append(b, 2, byte(1-f%2))
			}
			l.tell(5, uint32(60), uint16(60), b)
		},
		"a state that is none": func(l *liar) {
			l.begin(1)
			b := []byte("no state")
			l.tell(2, uint32(4_000_000_000), uint32(len(b)), canon.HashBytes(b), uint32(0))
			l.tell(3, b)
			l.tell(4, uint32(4_000_000_000-4_000_000_000%agreed.BlockFrames))
			l.frames(10)
		},
		"a state of the far future": func(l *liar) {
			l.begin(1)
			b := make([]byte, 16)
			l.tell(2, uint32(4_000_000_000), uint32(len(b)), canon.HashBytes(b), uint32(0))
			l.tell(3, b)
			l.tell(4, uint32(4_000_000_000-4_000_000_000%agreed.BlockFrames))
			l.frames(100)
			l.tell(99)
		},
		"a state of 4 GB": func(l *liar) { l.begin(1); l.tell(2, uint32(9), uint32(1<<32-1), uint64(1), uint32(0)) },
		"an end too soon": func(l *liar) { l.begin(1); l.tell(6, uint32(77), make([]byte, 26)) },
		"match after match": func(l *liar) {
			for i := range uint32(200) {
				l.begin(i + 1)
			}
			l.tell(99)
		},
		"an unfinished match": func(l *liar) { l.begin(1); l.tell(4, uint32(0)) },
		"an unfinished state": func(l *liar) {
			l.begin(1)
			l.tell(2, uint32(9), uint32(1000), uint64(1), uint32(0))
			l.tell(3, make([]byte, 999))
		},
		"where frames are not": func(l *liar) { l.begin(1); l.tell(4, uint32(640)) },
	} {
		t.Run(name, func(t *testing.T) {
			if say == nil {
				say = func(*liar) {}
			}
			d := newDen(t, true, say)
			d.run(10 * time.Second)
			d.until(90*time.Second, d.home)
			s := d.spectator
			if d.liar.came == 0 {
				t.Fatal("nobody asked the liar")
			}
			behind := int64(d.honest.Frame()) - int64(s.Frame())
			if s.Phase() != Playing || s.incoming.follower.Host() != addrOf(0) || s.Health() != Healthy || behind < 0 || behind > 60 {
				for _, e := range d.events[:min(len(d.events), 40)] {
					t.Log(e)
				}
				t.Errorf("it is %v at %v, %v, frame %d of %d; %v", s.Phase(), s.incoming.follower.Host(), s.Health(), s.Frame(), d.honest.Frame(), s.Err())
			}
		})
	}
}

// If a host has shown another match under the same number, the next host notices it, and the spectator does not
// continue in that match.
func TestAnotherMatchIsNotGoneOnWith(t *testing.T) {
	d := newDen(t, true, func(*liar) {})
	d.liar.say = func(l *liar) {
		l.tell(1, d.honest.lobby.At().Offer.Append(nil))
		l.tell(4, uint32(0))
		for range 2 {
			l.tell(5, uint32(128), uint16(64), make([]byte, 59), byte(8), make([]byte, 8), uint64(12345), make([]byte, 4))
		}
	}
	d.run(5 * time.Second)
	if d.spectator.Frame() < 100 || d.liar.came == 0 {
		t.Fatalf("it is at frame %d", d.spectator.Frame())
	}
	d.liar.tell(99)
	d.run(4 * time.Second)
	if s := d.spectator; s.incoming.follower.Host() != addrOf(0) || s.Health() != Healthy || s.Frame()+60 < d.honest.Frame() {
		for _, e := range d.events {
			t.Log(e)
		}
		t.Errorf("it is %v, at frame %d of %d", s.Health(), s.Frame(), d.honest.Frame())
	}
}

// A liar with another number of players than the match has.
func TestAHostWithOtherPlayersIsLeft(t *testing.T) {
	d := newDen(t, true, func(l *liar) { l.begin(1); l.tell(4, uint32(0)); l.frames(100); l.tell(7) })
	d.liar.items.Players = 5
	d.run(20 * time.Second)
	if s := d.spectator; s.Inspect().Players() != 1 || s.Health() != Healthy || s.Phase() != Playing {
		t.Errorf("it is %v, %v, with %d players: %v", s.Phase(), s.Health(), s.Inspect().Players(), s.Err())
	}
}

// Rule: a spectator whose state 0 differs from that of the host shows nothing of the match; if the host reports no hash,
// since its match compares no states, it does.
func TestASpectatorOfAnotherState0ShowsNothing(t *testing.T) {
	for state, shows := range map[uint64]bool{0: true, 7: false} {
		d := newDen(t, false, func(l *liar) {
			o := datagram.Offer{Match: 1, State: state}
			l.tell(1, o.Append(nil))
			l.tell(4, uint32(0))
			l.frames(100)
		})
		started := false
		d.until(10*time.Second, func() bool {
			for _, e := range d.events {
				started = started || e.What == Started
			}
			return started || d.spectator.Err() != nil
		})
		var differs *MismatchError
		if started != shows || errors.As(d.spectator.Err(), &differs) == shows {
			t.Errorf("the host says that state 0 is %d: shown %v, %v", state, started, d.spectator.Err())
		}
	}
}
