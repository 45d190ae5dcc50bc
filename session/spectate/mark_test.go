package spectate

import (
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Rule: the chain at each of the newest states is held, and that of no other state.
func TestTheNewestChainsAreHeld(t *testing.T) {
	var r recent
	for f := uint32(1); f <= 1000; f++ {
		r.add(f, uint64(f)*3)
	}
	for _, f := range []uint32{0, 1, 744, 745, 1000, 1001, 1000 + keptMarks} {
		m, held := r.at(f)
		want(t, fmt.Sprint("state ", f, " is held"), held, f >= 745 && f <= 1000)
		if held {
			want(t, "chain", m, mark{f, uint64(f) * 3})
		}
	}
}

// Rule: a spectator that has the chain of a state, and has seen no comparison since, continues at another host
// with it. Without it, it would be sent another state.
func TestTheChainOfAStateIsProof(t *testing.T) {
	for _, proves := range []bool{true, false} {
		h := newHall(t, Config{Max: 4})
		h.open(Config{Max: 4})
		h.run(8020 * time.Millisecond)
		v := h.wander(1, func(c *FollowerConfig) { c.Drop = 600 * time.Millisecond })
		v.proves = proves
		h.run(300 * time.Millisecond)
		want(t, "items", fmt.Sprint(v.items), "[match 1 state]")
		if v.states[0]/60 != v.at/60 {
			t.Fatalf("it has met a comparison between %d and %d", v.states[0], v.at)
		}
		h.down = true
		h.run(2 * time.Second)
		items := "[match 1 state]"
		if !proves {
			items = "[match 1 state state]"
		}
		want(t, "items at the other host", fmt.Sprint(v.items), items)
		want(t, "found", v.found, 2)
	}
}

// Rule: the first frame with a hash after a state that is sent has a mark, and no other besides those at the
// interval.
func TestAStateIsFollowedByAMark(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.playing = false
	var marked []uint32
	for n := range uint32(300) {
		f := hallFrame(n)
		if n%7 == 6 {
			f.Mark.Hash = 5
		}
		if err := h.audience.Frame(f); err != nil {
			t.Fatal(err)
		}
		if f.Marked && n%60 != 59 {
			marked = append(marked, n)
		}
		if h.frame = n + 1; h.frame == 200 {
			want(t, "a state is taken", h.audience.states.take(h.now) != nil, true)
		}
	}
	want(t, "marked", fmt.Sprint(marked), "[202]")
}

// A chain without a state is refused.
func TestAChainWithoutAState(t *testing.T) {
	for _, c := range []struct {
		after []byte
		want  error
	}{{nil, nil}, {make([]byte, 8), datagram.ErrRange}, {make([]byte, 7), datagram.ErrShort}, {make([]byte, 9), datagram.ErrShort}} {
		v := NewFollower(visitorConfig(1))
		if err := v.message(saysMatch(1)); err != nil {
			t.Fatal(err)
		}
		want(t, fmt.Sprint(len(c.after), " bytes"), v.message(says(messageFrom, uint32(0), c.after)), c.want)
	}
}

// Rule: a newcomer gets the hash of a state that comes soon after the one that it begins with, even if the match
// hashes none by then; a spectator does not, and neither does a newcomer if no states are hashed. That holds for
// a state that is sent at once and for one that takes long, and however late frames are agreed.
func TestANewcomerIsToldAHashSoon(t *testing.T) {
	for _, c := range []struct {
		size   int
		ahead  uint32
		hashes bool
		seat   *JoinRequest
		want   bool
	}{
		{100, 1, true, seat(1, 5), true},
		{60 * pieceSize, 1, true, seat(1, 5), true},
		{100, 6, true, seat(1, 5), true},
		{60 * pieceSize, 6, true, seat(1, 5), true},
		{100, 6, true, nil, false},
		{100, 6, false, seat(1, 5), false},
	} {
		h := newHall(t, Config{Max: 4}, hallToken)
		h.state, h.plain, h.ahead, h.hashes = c.size, true, c.ahead, c.hashes
		h.run(5 * time.Second)
		v := h.enter(1, c.seat)
		h.run(3 * time.Second)
		want(t, "states", len(v.states), 1)
		if len(v.hashed) > 1 || (len(v.hashed) == 1) != c.want {
			t.Errorf("%+v: it has hashes of %d", c, v.hashed)
		} else if c.want && (v.hashed[0] <= v.states[0] || v.hashed[0] > v.states[0]+6) {
			t.Errorf("%+v: it begins with state %d, and has a hash of %d", c, v.states[0], v.hashed[0])
		}
	}
}
