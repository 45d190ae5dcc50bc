package spectate

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Rule: who comes gets all frames of a match that is young, and else a state that is not
// older than 2 s, which is encoded once for all who come then.
func TestWhoComesGetsAStateOrFrames(t *testing.T) {
	for _, c := range []struct {
		after  time.Duration
		states int
	}{{1900 * time.Millisecond, 0}, {2100 * time.Millisecond, 1}} {
		h := newHall(t, Config{Max: 4})
		h.run(c.after)
		v := h.enter(1, nil)
		h.run(500 * time.Millisecond)
		want(t, "states", len(v.states), c.states)
		want(t, "encoded", h.audience.Stats().States, uint64(c.states))
		want(t, "there", h.frame-v.at <= 5, true)
	}
	h := newHall(t, Config{Max: 8})
	h.run(5 * time.Second)
	for i := range byte(8) {
		v := h.enter(i, nil)
		h.run(900 * time.Millisecond)
		want(t, "states", len(v.states), 1)
	}
	if n := h.audience.Stats().States; n < 3 || n > 4 {
		t.Errorf("%d states for 7 s of newcomers", n)
	}
	h.run(11 * time.Second)
	if s := h.audience.Stats(); s.Held != 0 || s.Guests != 8 {
		t.Errorf("%+v", s)
	}
}

// Rule: a game that cannot encode its state is sent from the beginning, and all of it is held.
func TestAGameWithoutStates(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.state = 0
	h.run(20 * time.Second)
	v := h.enter(1, nil)
	h.run(time.Second)
	want(t, "frames", v.frames > 1200, true)
	want(t, "items", fmt.Sprint(v.items), "[match 1]")
	want(t, "held from", h.audience.log.First(), 0)
	want(t, "states", h.audience.Stats().States, 0)
}

// Rule: frames that nobody needs are forgotten: those from 30 s before what is visible on are
// held, and those that a guest or a state needs.
func TestOldFramesAreForgotten(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.run(40 * time.Second)
	if first := h.audience.log.First(); h.frame-first < 1800 || h.frame-first > 1800+64 {
		t.Errorf("frames from %d on are held, and %d is the newest", first, h.frame)
	}
	h.frame, h.playing = 0, true
	h.now = 0
	for _, a := range []*Audience{h.audience} {
		if err := a.Begin(&datagram.Offer{Match: 2}); err != nil {
			t.Fatal(err)
		}
		want(t, "frames of the next match", a.log.Next()+a.seen+uint32(len(a.states)), 0)
		want(t, "match", a.Match(), 2)
	}
	d := newHall(t, Config{Max: 4, Delay: 600})
	d.run(60 * time.Second)
	if first := d.audience.log.First(); d.frame-first < 600+1800 || d.frame-first > 600+1800+64+300 {
		t.Errorf("frames from %d on are held, and %d is the newest", first, d.frame)
	}
}

// Rule: where spectators are kept behind, states are encoded in advance, every half of the
// delay, and the newest that they may see is there.
func TestStatesAreTakenInAdvance(t *testing.T) {
	for _, delay := range []uint32{60, 128, 600} {
		h := newHall(t, Config{Max: 4, Delay: int(delay)})
		h.run(time.Duration(delay+120) * hallPeriod)
		for range 200 {
			h.run(40 * time.Millisecond)
			visible := h.frame - delay
			s := h.audience.newest(visible)
			every := max(delay/2, 64)
			if s == nil || s.frame > visible || visible-s.frame > every+2 {
				t.Fatalf("delay %d: frame %d is visible, and the state is %+v", delay, visible, s)
			}
			states := h.audience.states
			for i := 1; i < len(states); i++ {
				if gap := states[i].frame - states[i-1].frame; gap < every || gap > every+2 {
					t.Fatalf("delay %d: a state %d frames after another one", delay, gap)
				}
			}
			if len(states) > 1 && states[1].frame <= visible {
				t.Fatalf("delay %d: a state is held that another one has taken the place of", delay)
			}
		}
		taken := h.audience.Stats().States
		h.audience.Finish(End{Frames: h.frame})
		h.playing = false
		h.run(5 * time.Second)
		want(t, "states after the end", h.audience.Stats().States, taken)
	}
}

// Rule: a state that cannot be encoded is tried again a second later, and whoever needs it is
// told why.
func TestAStateThatCannotBeEncoded(t *testing.T) {
	h := newHall(t, Config{Max: 4, LogBytes: 64 << 10})
	h.fails = errors.New("no memory")
	h.run(200 * time.Second) // the log begins later
	if h.audience.log.First() == 0 {
		t.Fatal("all frames are held")
	}
	v := h.enter(1, nil)
	h.run(100 * time.Millisecond)
	if len(v.lost) != 1 || v.lost[0].Error() != "it says: its state cannot be sent: no memory" {
		t.Errorf("%v", v.lost)
	}
	tried := h.encoded
	h.run(800 * time.Millisecond)
	want(t, "tried within a second", h.encoded, tried)
	h.fails = nil
	h.run(800 * time.Millisecond)
	want(t, "then it is there", len(v.states), 1)
}

// Rule: after the end of a match, a state of its last frame will do, and none of a later one.
func TestAStateOfTheLastFrame(t *testing.T) {
	for frame, wanted := range map[uint32]bool{300: true, 301: false} {
		h := newHall(t, Config{Max: 4})
		h.run(5 * time.Second)
		h.audience.Finish(End{Frames: 300})
		s := &state{transfer: transfer{frame: frame, size: 1}, bytes: []byte("x")}
		h.audience.states = []*state{s}
		want(t, "it will do", h.audience.stateFor(&guest{}) == s, wanted)
	}
}

// Rule: who has begun to get a state gets the rest of it, and who has nothing of one gets
// the newest.
func TestAStateThatHasBegunIsGoneOnWith(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.run(5 * time.Second)
	older := &state{transfer: transfer{frame: h.frame - 90, size: 9}, bytes: []byte("older one")}
	newer := &state{transfer: transfer{frame: h.frame - 30, size: 9}, bytes: []byte("newer one")}
	h.audience.states = []*state{older, newer}
	for have, s := range map[uint32]*state{0: newer, 1: older, 8: older} {
		g := &guest{request: request{match: 1, state: older.transfer, have: have}}
		if got := h.audience.stateFor(g); got != s {
			t.Errorf("with %d bytes of a state: that of frame %d, want %d", have, got.frame, s.frame)
		}
		g.request.match = 2
		if got := h.audience.stateFor(g); got != newer {
			t.Errorf("with %d bytes of another match's: that of frame %d, want %d", have, got.frame, newer.frame)
		}
	}
}

// Rule: a state is given up, and another one sent, if the match has ended before it, or the
// frames behind it are no longer held.
func TestAStateThatIsOfNoUse(t *testing.T) {
	for _, c := range []struct {
		frame uint32
		ends  bool
	}{{301, true}, {0, false}} {
		h := newHall(t, Config{Max: 4})
		h.run(40 * time.Second)
		if c.ends {
			h.audience.Finish(End{Frames: 300})
		}
		s := &state{transfer: transfer{frame: c.frame}}
		g := &guest{state: s}
		h.audience.states = []*state{s}
		if m := h.audience.chunk(g, nil); len(m) > 0 || g.state != nil || len(h.audience.states) > 0 || g.placed {
			t.Errorf("%+v: % x, %v", c, m, g.state)
		}
	}
}

// Rule: at most six states are held. With more who take them slowly, the oldest goes, and who
// was sent it gets another one; not more often than every 10 s.
func TestStatesAreBounded(t *testing.T) {
	h := newHall(t, Config{Max: 32, Rate: minRate})
	h.state = 200_000
	h.run(5 * time.Second)
	last, count := time.Duration(0), uint64(0)
	for i := range byte(20) {
		h.enter(i, nil)
		for range 25 {
			h.run(100 * time.Millisecond)
			if n := h.audience.Stats().States; n > count {
				if count >= maxStates && h.now-last < 10*time.Second {
					t.Fatalf("state %d comes %v after the one before", n, h.now-last)
				}
				last, count = h.now, n
			}
		}
	}
	if s := h.audience.Stats(); s.Held != 6 || s.States < 8 {
		t.Errorf("%+v", s)
	}
}

// Rule: a match that is 2 s old is sent from its beginning; with a frame more, a state is.
func TestHowYoungAMatchMayBe(t *testing.T) {
	for _, more := range []uint32{0, 1} {
		h := newHall(t, Config{Max: 1})
		for n := range h.audience.spans.fresh + more {
			if err := h.audience.Frame(hallFrame(n)); err != nil {
				t.Fatal(err)
			}
			h.frame++
		}
		m, why := h.audience.place(&guest{}, nil)
		if why != "" || len(m) == 0 || (m[0] == messageState) != (more > 0) {
			t.Errorf("%d frames: % x, %s", h.frame, m, why)
		}
	}
}
