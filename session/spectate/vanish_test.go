package spectate

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// midway adds a newcomer that knows two hosts, and has got a part of a large state from the first.
func midway(t *testing.T) (h, second *hall, v *visitor) {
	t.Helper()
	h = newHall(t, Config{Max: 4}, hallToken)
	h.state, h.plain = 100*pieceSize, true
	second = h.open(Config{Max: 4})
	second.plain = true
	h.run(5 * time.Second)
	v = h.wander(1, func(c *FollowerConfig) { c.Join, c.Drop = seat(1, 5), 600*time.Millisecond })
	for range 250 {
		if have, size := v.Transfer(); have > size/3 && size > 0 {
			return h, second, v
		}
		h.run(4 * time.Millisecond)
	}
	t.Fatal("no state comes")
	return
}

// Rule: a newcomer whose host vanishes while it sends a state has a state from the next host soon after it has
// noticed; if all vanish, it ends with an error about each, and does not wait longer than configured.
func TestHostsThatVanishWhileTheySendAState(t *testing.T) {
	h, second, v := midway(t)
	h.down = true
	h.run(3 * time.Second)
	want(t, "items", fmt.Sprint(v.items), "[match 1 state]")
	want(t, "it is at", v.Host(), second.addr)
	want(t, "found", v.found, 2)
	if behind := h.frame - v.at; behind > 10 {
		t.Errorf("it is %d frames behind", behind)
	}

	h, second, v = midway(t)
	h.down, second.down = true, true
	h.run(9 * time.Second)
	want(t, "it goes on looking", v.Err(), nil)
	h.run(3 * time.Second)
	var none *HostsError
	if !errors.As(v.Err(), &none) || len(none.Why) != 2 {
		t.Errorf("it ends with %v", v.Err())
	}
	want(t, "states", len(v.states), 0)
}

// Rule: a newcomer whose host sends a damaged piece, or pieces of something else than it has announced, leaves it
// and gets a state from the next host; if all do so, it ends with an error that says so.
func TestHostsThatSendDamagedStates(t *testing.T) {
	for name, spoil := range map[string]func(h *hall, piece []byte) []byte{
		"noise":            func(h *hall, _ []byte) []byte { return h.encoding(1, 100) },
		"cut off":          func(h *hall, piece []byte) []byte { b := h.audience.states.packing.Pack(piece); return b[:len(b)-1] },
		"another content":  func(h *hall, _ []byte) []byte { return h.audience.states.packing.Pack(make([]byte, pieceSize)) },
		"longer than said": func(h *hall, _ []byte) []byte { return h.audience.states.packing.Pack(make([]byte, 64*pieceSize)) },
	} {
		for _, both := range []bool{false, true} {
			h, second, v := midway(t)
			hostile := []*hall{h}
			if both {
				hostile = append(hostile, second)
			}
			for range 750 {
				for _, o := range hostile {
					for _, s := range o.audience.states.list {
						if n := s.ahead + 2; s.ahead > 0 && n < len(s.pieces) { // it is sent instead of the data that would be compressed
							s.pieces[n] = spoil(o, s.bytes[n*pieceSize:min((n+1)*pieceSize, len(s.bytes))])
						}
					}
				}
				if h.run(4 * time.Millisecond); v.Err() != nil {
					break
				}
			}
			switch {
			case !both:
				want(t, name+": items", fmt.Sprint(v.items), "[match 1 state]")
				want(t, name+": it is at", v.Host(), second.addr)
				if len(v.lost) != 1 || !errors.Is(v.lost[0], datagram.ErrRange) {
					t.Errorf("%s: it has lost %v", name, v.lost)
				}
			case !errors.Is(v.Err(), datagram.ErrRange) || len(v.states) > 0:
				t.Errorf("%s: it ends with %v", name, v.Err())
			}
		}
	}
}
