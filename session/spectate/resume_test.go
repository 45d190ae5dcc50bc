package spectate

import (
	"net/netip"
	"testing"
	"time"
)

// A spectator continues where it was if it has seen the same match. Its newest comparison
// shows that: it may be directly before the frame that it needs next, but not after it.
func TestWhoHasSeenTheSameMatchGoesOn(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.run(10 * time.Second)
	a := h.audience
	next := a.broadcast.log.Next()
	marked := next / 60 * 60
	chain := uint64(marked - 1) // as the hall makes it
	for _, c := range []struct {
		what string
		r    request
		want bool
	}{
		{"some frames later", request{match: 1, next: marked + 5, marked: marked, chain: chain}, true},
		{"right behind the comparison", request{match: 1, next: marked, marked: marked, chain: chain}, true},
		{"before it", request{match: 1, next: marked - 1, marked: marked, chain: chain}, false},
		{"another match by its number", request{match: 2, next: marked, marked: marked, chain: chain}, false},
		{"another match by its chain", request{match: 1, next: marked, marked: marked, chain: chain + 1}, false},
		{"nothing compared", request{match: 1, next: 7}, false},
		{"as far ahead as there may be", request{match: 1, next: next + a.broadcast.spans.ahead, marked: marked, chain: chain}, true},
		{"farther", request{match: 1, next: next + a.broadcast.spans.ahead + 1, marked: marked, chain: chain}, false},
		{"ahead of us with its comparison, too", request{match: 1, next: next + a.broadcast.spans.ahead, marked: next + 1, chain: 1}, true},
	} {
		if got := a.broadcast.resumes(&c.r); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

// A complete state is used if the host that says where its frames begin has announced the
// state, too. Another host may let the spectator continue where it is: then the state is
// useless, and perhaps not agreed yet.
func TestAStateIsTakenFromItsOwnHost(t *testing.T) {
	for _, c := range []struct {
		what   string
		here   bool
		start  uint32
		states int
	}{
		{"its own host", true, 320, 1},
		{"another one, before", false, 128, 0},
		{"another one, in the same block", false, 320, 0},
	} {
		v := NewFollower(FollowerConfig{Hosts: []netip.AddrPort{hostAddr}})
		v.received.match, v.received.next, v.received.trust.marked = 1, c.start+19, 120
		p := &v.received.partial
		p.transfer, p.here = transfer{frame: 383, size: 2}, c.here
		if p.Begin(2, 2) != nil || p.Add([]byte{1, 2}) != nil {
			t.Fatal("the state is not taken")
		}
		if err := v.message(le.AppendUint32([]byte{messageFrom}, c.start)); err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		states := 0
		for i := v.Front(); i != nil; i = v.Front() {
			if i.State != nil {
				states++
			}
			v.Pop()
		}
		want(t, c.what+": states", states, c.states)
		if have, size := v.Transfer(); have+size > 0 {
			t.Errorf("%s: %d of %d bytes are left", c.what, have, size)
		}
	}
}
