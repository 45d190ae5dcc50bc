package session

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// The position at which a spectator that leaves a host asks the next one to continue: in this match, if the
// host has shown nothing of it; from the beginning of a match, if it has.
func TestWhereTheNextHostGoesOn(t *testing.T) {
	frames := func(l *liar, good int, bad ...byte) {
		l.begin(1)
		l.tell(4, uint32(0))
		l.tell(5, uint32(100), uint16(100), make([]byte, good), bad, make([]byte, 100-good-len(bad)))
	}
	for _, c := range []struct {
		what        string
		say         func(l *liar)
		match, next uint32
		why         string
	}{
		{"a frame that cannot be read", func(l *liar) { frames(l, 20, 0xFF) }, 0, 0, "frame 20: "},
		{"one byte too many", func(l *liar) {
			l.begin(1)
			l.tell(4, uint32(0))
			l.tell(5, uint32(50), uint16(50), make([]byte, 51))
		}, 0, 0, "frame 49: "},
		{"a frame that cannot be played", func(l *liar) {
			const at = (NoFrame - 1<<16) / agreed.BlockFrames * agreed.BlockFrames
			b := make([]byte, 16)
			l.begin(1)
			l.tell(2, uint32(at), uint32(len(b)), canon.HashBytes(b), uint32(0))
			l.tell(3, b)
			l.tell(4, uint32(at))
			l.tell(5, uint32(at+100), uint16(100), make([]byte, 100))
		}, 0, 0, "frame 4294901759: the match has no more frames"},
		{"frames that begin too late", func(l *liar) { l.begin(1); l.tell(4, uint32(64)) }, 1, 0, ""},
		{"a match that cannot be shown", func(l *liar) {
			l.begin(2)
		}, 0, 0, "the match cannot be shown here: the level is not installed"},
	} {
		d := newDen(t, true, c.say)
		d.liar.items.Players = 2
		d.spectator.shown.hooks.Start = func(Parameters) (func(*sum), error) {
			if _, n := d.spectator.Proposal(); n == 0 && c.match == 0 && c.next == 0 && c.why[0] == 't' {
				return nil, errors.New("the level is not installed")
			}
			return nil, nil
		}
		match, next, ok := d.request()
		why := ""
		for _, e := range d.events {
			if e.What == Lost {
				why += e.Text
			}
		}
		if !ok || match != c.match || next != c.next || !strings.Contains(why, c.why) {
			t.Errorf("%s: match %d, frame %d, want %d, %d; %v", c.what, match, next, c.match, c.next, d.events)
		}
	}
}

// request is what the second host is first asked for.
func (d *den) request() (match, next uint32, ok bool) {
	hosts := map[netip.AddrPort]*liar{liarAddr: d.liar, addrOf(0): {items: d.liar.items, say: func(*liar) {}}}
	for end := d.now + 20*time.Second; d.now < end; d.now += 4 * time.Millisecond {
		for _, addr := range []netip.AddrPort{liarAddr, addrOf(0)} {
			for _, b := range hosts[addr].flush(d.now) {
				d.spectator.Receive(d.now, addr, b)
			}
		}
		d.spectator.Update(d.now)
		d.events = append(d.events, d.spectator.Events()...)
		answers := map[netip.AddrPort][][]byte{}
		for to, b := range d.spectator.Outgoing() {
			answers[to] = append(answers[to], hosts[to].receive(d.now, b)...)
		}
		for _, addr := range []netip.AddrPort{liarAddr, addrOf(0)} {
			for _, b := range answers[addr] {
				d.spectator.Receive(d.now, addr, b)
			}
		}
		if second := hosts[addrOf(0)]; second.pipe != nil {
			if b, came := second.pipe.Channel.Next(); came {
				return le.Uint32(b[1:]), le.Uint32(b[5:]), true
			}
		}
	}
	return 0, 0, false
}

// A game that lacks a function that is needed to show a match lacks it with every host: that is the end, and
// the error is the game's.
func TestWhatTheGameLacksEndsASpectator(t *testing.T) {
	s := newDen(t, true, func(*liar) {}).spectator
	lacks := &rollback.CapabilityError{Missing: "Unmarshal", For: "a test"}
	if s.spoiled(lacks); s.Phase() != Over || s.Err() != error(lacks) {
		t.Errorf("it is %v: %v", s.Phase(), s.Err())
	}
	other := newDen(t, true, func(*liar) {}).spectator
	if other.spoiled(errors.New("a frame that cannot be read")); other.Phase() == Over {
		t.Error("a host's fault is the end")
	}
}
