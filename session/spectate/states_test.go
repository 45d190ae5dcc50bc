package spectate

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Rule: a new spectator gets all frames of a young match; otherwise it gets a state that is at
// most 2 s old, which is encoded once for all spectators that come then.
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
	if s := h.audience.Stats(); s.Held != 0 || s.Spectators != 8 {
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

// Rule: frames that are not needed are forgotten. Those from 30 s before the visible one
// are held, and those that a spectator or a state needs.
func TestOldFramesAreForgotten(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.run(40 * time.Second)
	if first := h.audience.log.First(); h.frame-first < 1800 || h.frame-first > 1800+64 {
		t.Errorf("frames from %d on are held, and %d is the newest", first, h.frame)
	}
	h.frame, h.playing = 0, true
	h.now = 0
	for _, a := range []*Host{h.audience} {
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

// Rule: if spectators watch with a delay, states are encoded in advance, every half of the
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

// Rule: a state that cannot be encoded is tried again a second later, and a spectator that
// needs it is told why.
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
		s := &heldState{transfer: transfer{frame: frame, size: 1}, bytes: []byte("x")}
		h.audience.states = []*heldState{s}
		want(t, "it will do", h.audience.stateFor(&spectator{}) == s, wanted)
	}
}

// Rule: a spectator that has begun to get a state gets the rest of it; a spectator that has
// nothing of one gets the newest.
func TestAStateThatHasBegunIsGoneOnWith(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.run(5 * time.Second)
	older := &heldState{transfer: transfer{frame: h.frame - 90, size: 9}, bytes: []byte("older one")}
	newer := &heldState{transfer: transfer{frame: h.frame - 30, size: 9}, bytes: []byte("newer one")}
	h.audience.states = []*heldState{older, newer}
	for have, s := range map[uint32]*heldState{0: newer, 1: older, 8: older} {
		g := &spectator{request: request{match: 1, state: older.transfer, have: have}}
		if got := h.audience.stateFor(g); got != s {
			t.Errorf("with %d bytes of a state: that of frame %d, want %d", have, got.frame, s.frame)
		}
		g.request.match = 2
		if got := h.audience.stateFor(g); got != newer {
			t.Errorf("with %d bytes of another match's: that of frame %d, want %d", have, got.frame, newer.frame)
		}
	}
}

// Rule: where spectators are kept behind, who has begun to get a state gets the rest of it if it
// may see it; where they are not, also one that is ahead of what is agreed.
func TestAStateThatHasBegunIsVisible(t *testing.T) {
	for _, c := range []struct {
		delay int
		ahead int // of what is visible
		again bool
	}{{600, -30, true}, {600, 0, true}, {600, 1, false}, {1, 0, true}, {1, 1, false}, {0, -30, true}, {0, 1, true}, {0, 30, true}} {
		h := newHall(t, Config{Max: 4, Delay: c.delay})
		h.run(20 * time.Second)
		visible := h.audience.visible()
		begun := &heldState{transfer: transfer{frame: uint32(int(visible) + c.ahead), size: 9}, bytes: []byte("begun one")}
		other := &heldState{transfer: transfer{frame: visible, size: 9, digest: 1}, bytes: []byte("other one")}
		h.audience.states = []*heldState{begun, other}
		g := &spectator{request: request{match: 1, state: begun.transfer, have: 1}}
		if got := h.audience.stateFor(g); (got == begun) != c.again {
			t.Errorf("%+v: that of frame %d, and %d is visible", c, got.frame, visible)
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
		s := &heldState{transfer: transfer{frame: c.frame}}
		g := &spectator{state: s}
		h.audience.states = []*heldState{s}
		if m := h.audience.chunk(g, nil); len(m) > 0 || g.state != nil || len(h.audience.states) > 0 || g.placed {
			t.Errorf("%+v: % x, %v", c, m, g.state)
		}
	}
}

// huge is a hall whose states are as large as a number says.
type huge struct {
	*hall
	size int
}

func (h huge) Marshal([]byte) ([]byte, uint32, error) { return make([]byte, h.size), h.frame, nil }

// Rule: a state that is too large to be sent is held by nobody, and the host knows why.
func TestATooLargeStateIsNotHeld(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.run(5 * time.Second)
	h.audience.match = huge{h, MaxState + 1}
	if s := h.audience.take(); s != nil || h.audience.failed == nil || len(h.audience.states) > 0 {
		t.Errorf("a state of %d bytes is held", MaxState+1)
	}
}

// Rule: at most six states are held. If there are more, for slow spectators, the oldest goes,
// and its spectator gets another one; not more often than every 10 s.
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
		m, why := h.audience.place(&spectator{}, nil)
		if why != "" || len(m) == 0 || (m[0] == messageState) != (more > 0) {
			t.Errorf("%d frames: % x, %s", h.frame, m, why)
		}
	}
}

// Rule: a state that is two seconds old will do for another spectator, and an older one will not.
func TestHowOldAStateMayBe(t *testing.T) {
	for older, again := range map[uint32]bool{0: true, 1: false} {
		h := newHall(t, Config{Max: 4})
		h.run(20 * time.Second)
		a := h.audience
		s := &heldState{transfer: transfer{frame: a.visible() - a.spans.reuse - older, size: 1}, bytes: []byte("x")}
		a.states = []*heldState{s}
		want(t, "it will do", a.stateFor(&spectator{}) == s, again)
	}
}

// Rule: a state may have a single byte.
func TestAStateOfAByte(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.state = 1
	h.run(100 * time.Millisecond)
	want(t, "taken", h.audience.take() != nil, true)
}

// Rule: a state is of use from the first frame on that is held; one before it is tried again a
// tick later.
func TestAStateBeforeTheFramesThatAreHeld(t *testing.T) {
	for before, taken := range map[uint32]bool{0: true, 1: false} {
		h := newHall(t, Config{Max: 4})
		h.run(20 * time.Second)
		a := h.audience
		a.log.Forget(h.frame)
		h.frame = a.log.First() - before
		want(t, "taken", a.take() != nil, taken)
		wait := time.Duration(0)
		if !taken {
			wait = hallPeriod
		}
		want(t, "again after", max(a.retryAt-a.now, 0), wait)
	}
}

// Rule: of six states the oldest gives way to another one: after ten seconds without any, or
// where spectators are kept behind, if they may see the next one already. Who was sent it begins
// anew.
func TestWhichStateGivesWay(t *testing.T) {
	for _, c := range []struct {
		delay int
		age   time.Duration // of the newest one
		ahead int           // of what is visible, of the second one
		gone  bool
	}{
		{0, 10*time.Second - 1, 0, false},
		{0, 10 * time.Second, 0, true},
		{0, 10 * time.Second, 50, true},
		{600, 0, 0, true},
		{600, 0, 1, false},
		{600, time.Hour, 1, false},
		{1, 0, 1, false},
	} {
		h := newHall(t, Config{Max: 4, Delay: c.delay})
		h.run(20 * time.Second)
		a := h.audience
		a.states = nil
		for n := range maxStates {
			frame := int(a.visible()) + c.ahead - 1 + n
			a.states = append(a.states, &heldState{transfer: transfer{frame: uint32(frame)}, taken: a.now - c.age})
		}
		all := slices.Clone(a.states)
		first, second := &spectator{state: all[0]}, &spectator{state: all[1]}
		a.spectators = append(a.spectators, first, second)
		if got := a.makeRoomForState(); got != c.gone {
			t.Errorf("%+v: there is room %v", c, got)
		}
		if c.gone {
			all = all[1:]
		}
		if !slices.Equal(a.states, all) || (first.state == nil) != c.gone || second.state == nil {
			t.Errorf("%+v: %d states are left, sent %v and %v", c, len(a.states), first.state, second.state)
		}
		a.spectators = nil
	}
}

// Rule: a state that nobody is sent is forgotten after ten seconds, unless it is the newest that
// spectators who are kept behind may see.
func TestHowLongAStateIsKept(t *testing.T) {
	for _, c := range []struct {
		delay int
		idle  time.Duration
		kept  bool
	}{{0, 10*time.Second - 1, true}, {0, 10 * time.Second, false}, {600, time.Hour, true}, {1, time.Hour, true}} {
		h := newHall(t, Config{Max: 4, Delay: c.delay})
		h.run(20 * time.Second)
		a := h.audience
		s := &heldState{transfer: transfer{frame: a.visible()}, needed: a.now - c.idle}
		if c.idle == time.Hour {
			s.needed = 0
		}
		a.states = []*heldState{s}
		a.keepStates()
		want(t, "kept", slices.Contains(a.states, s), c.kept)
	}
}

// Rule: where spectators are kept behind, another state is taken as soon as the newest is half
// of the delay old, or a block.
func TestWhenAStateIsTakenInAdvance(t *testing.T) {
	for _, c := range []struct {
		delay int
		every uint32
	}{{1, 64}, {128, 64}, {600, 300}} {
		for late, taken := range map[uint32]bool{0: true, 1: false} {
			h := newHall(t, Config{Max: 4, Delay: c.delay})
			h.run(20 * time.Second)
			a := h.audience
			a.states = []*heldState{{transfer: transfer{frame: a.log.Next() - c.every + late}}}
			a.keepStates()
			want(t, "taken", len(a.states) > 1, taken)
		}
	}
}

// Rule: the frames that a spectator still needs are held.
func TestFramesThatAGuestNeedsAreHeld(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.run(20 * time.Second)
	a := h.audience
	h.playing = false
	for _, c := range []struct {
		placed bool
		first  uint32
	}{{true, 128}, {false, 1152}} {
		a.spans.keep = 0
		a.spectators = []*spectator{{placed: c.placed, next: 130}}
		a.forget()
		want(t, "held from", a.log.First(), c.first)
		a.spectators = nil
	}
}
