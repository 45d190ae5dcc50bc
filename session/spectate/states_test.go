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
	want(t, "held from", h.audience.broadcast.log.First(), 0)
	want(t, "states", h.audience.Stats().States, 0)
}

// Rule: frames that are not needed are dropped. Those from 30 s before the visible one are held,
// and those that a spectator or a state needs.
func TestOldFramesAreForgotten(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.run(40 * time.Second)
	if first := h.audience.broadcast.log.First(); h.frame-first < 1800 || h.frame-first > 1800+64 {
		t.Errorf("frames from %d on are held, and %d is the newest", first, h.frame)
	}
	h.frame, h.playing = 0, true
	h.now = 0
	for _, a := range []*Host{h.audience} {
		if err := a.Begin(&datagram.Offer{Match: 2}); err != nil {
			t.Fatal(err)
		}
		want(t, "frames of the next match", a.broadcast.log.Next()+a.broadcast.seen+uint32(len(a.states.list)), 0)
		want(t, "match", a.Match(), 2)
	}
	d := newHall(t, Config{Max: 4, Delay: 600})
	d.run(60 * time.Second)
	if first := d.audience.broadcast.log.First(); d.frame-first < 600+1800 || d.frame-first > 600+1800+64+300 {
		t.Errorf("frames from %d on are held, and %d is the newest", first, d.frame)
	}
}

// Rule: if spectators watch with a delay, states are encoded in advance, every half of the delay,
// and the newest that they may see is available.
func TestStatesAreTakenInAdvance(t *testing.T) {
	for _, delay := range []uint32{60, 128, 600} {
		h := newHall(t, Config{Max: 4, Delay: int(delay)})
		h.run(time.Duration(delay+120) * hallPeriod)
		for range 200 {
			h.run(40 * time.Millisecond)
			visible := h.frame - delay
			s := h.audience.states.newest(visible)
			every := max(delay/2, 64)
			if s == nil || s.frame > visible || visible-s.frame > every+2 {
				t.Fatalf("delay %d: frame %d is visible, and the state is %+v", delay, visible, s)
			}
			states := h.audience.states.list
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

// Rule: if a state cannot be encoded, another attempt is made a second later, and a spectator
// that needs it learns why.
func TestAStateThatCannotBeEncoded(t *testing.T) {
	h := newHall(t, Config{Max: 4, LogBytes: 64 << 10})
	h.fails = errors.New("no memory")
	h.run(200 * time.Second) // the log begins later
	if h.audience.broadcast.log.First() == 0 {
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

// Rule: after the end of a match, a state of its last frame is used, and none of a later one.
func TestAStateOfTheLastFrame(t *testing.T) {
	for frame, wanted := range map[uint32]bool{300: true, 301: false} {
		h := newHall(t, Config{Max: 4})
		h.run(5 * time.Second)
		h.audience.Finish(End{Frames: 300})
		s := &heldState{transfer: transfer{frame: frame, size: 1}, bytes: []byte("x")}
		h.audience.states.list = []*heldState{s}
		want(t, "it will do", h.audience.states.stateFor(&request{}, false, h.now) == s, wanted)
	}
}

// Rule: a spectator that has begun to get a state gets the rest of it; a spectator that has
// nothing of one gets the newest.
func TestAStateThatHasBegunIsGoneOnWith(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.run(5 * time.Second)
	older := &heldState{transfer: transfer{frame: h.frame - 90, size: 9}, bytes: []byte("older one")}
	newer := &heldState{transfer: transfer{frame: h.frame - 30, size: 9}, bytes: []byte("newer one")}
	h.audience.states.list = []*heldState{older, newer}
	for have, s := range map[uint32]*heldState{0: newer, 1: older, 8: older} {
		r := request{match: 1, state: older.transfer, have: have}
		if got := h.audience.states.stateFor(&r, false, h.now); got != s {
			t.Errorf("with %d bytes of a state: that of frame %d, want %d", have, got.frame, s.frame)
		}
		r.match = 2
		if got := h.audience.states.stateFor(&r, false, h.now); got != newer {
			t.Errorf("with %d bytes of another match's: that of frame %d, want %d", have, got.frame, newer.frame)
		}
	}
}

// Rule: if spectators are delayed, one that has begun to get a state gets the rest of it if it
// may see it; without a delay, also the rest of one that is ahead of the agreed frames.
func TestAStateThatHasBegunIsVisible(t *testing.T) {
	for _, c := range []struct {
		delay int
		ahead int // of what is visible
		again bool
	}{{600, -30, true}, {600, 0, true}, {600, 1, false}, {1, 0, true}, {1, 1, false}, {0, -30, true}, {0, 1, true}, {0, 30, true}} {
		h := newHall(t, Config{Max: 4, Delay: c.delay})
		h.run(20 * time.Second)
		visible := h.audience.broadcast.visible(false)
		begun := &heldState{transfer: transfer{frame: uint32(int(visible) + c.ahead), size: 9}, bytes: []byte("begun one")}
		other := &heldState{transfer: transfer{frame: visible, size: 9, digest: 1}, bytes: []byte("other one")}
		h.audience.states.list = []*heldState{begun, other}
		r := request{match: 1, state: begun.transfer, have: 1}
		if got := h.audience.states.stateFor(&r, false, h.now); (got == begun) != c.again {
			t.Errorf("%+v: that of frame %d, and %d is visible", c, got.frame, visible)
		}
	}
}

// Rule: a state is given up, and another one sent, if the match has ended before it, or the
// frames after it are no longer held.
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
		f := &feed{state: s, placed: false}
		h.audience.states.list = []*heldState{s}
		if m := f.chunk(nil, &h.audience.states); len(m) > 0 || f.state != nil || len(h.audience.states.list) > 0 || f.placed {
			t.Errorf("%+v: % x, %v", c, m, f.state)
		}
	}
}

// huge is a hall whose states have a given size.
type huge struct {
	*hall
	size int
}

func (h huge) Marshal([]byte) ([]byte, uint32, error) { return make([]byte, h.size), h.frame, nil }

// Rule: a state that is too large to be sent is not held, and the host knows why.
func TestATooLargeStateIsNotHeld(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.run(5 * time.Second)
	h.audience.states.match = huge{h, MaxState + 1}
	if s := h.audience.states.take(h.now); s != nil || h.audience.states.failed == nil || len(h.audience.states.list) > 0 {
		t.Errorf("a state of %d bytes is held", MaxState+1)
	}
}

// Rule: at most six states are held. If more are needed, for slow spectators, the oldest is
// dropped, and its spectator gets another one; not more often than every 10 s.
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

// Rule: a match that is 2 s old is sent from its beginning; if it is one frame older, a state is
// sent.
func TestHowYoungAMatchMayBe(t *testing.T) {
	for _, more := range []uint32{0, 1} {
		h := newHall(t, Config{Max: 1})
		for n := range h.audience.broadcast.spans.fresh + more {
			if err := h.audience.Frame(hallFrame(n)); err != nil {
				t.Fatal(err)
			}
			h.frame++
		}
		var f feed
		m := f.place(nil, &h.audience.states, h.now)
		if f.bye || len(m) == 0 || (m[0] == messageState) != (more > 0) {
			t.Errorf("%d frames: % x, %s", h.frame, m, f.why)
		}
	}
}

// Rule: a state that is two seconds old is used for another spectator, and an older one is not.
func TestHowOldAStateMayBe(t *testing.T) {
	for older, again := range map[uint32]bool{0: true, 1: false} {
		h := newHall(t, Config{Max: 4})
		h.run(20 * time.Second)
		a := h.audience
		s := &heldState{transfer: transfer{frame: a.broadcast.visible(false) - a.broadcast.spans.reuse - older, size: 1}, bytes: []byte("x")}
		a.states.list = []*heldState{s}
		want(t, "it will do", a.states.stateFor(&request{}, false, a.now) == s, again)
	}
}

// Rule: a state may have a single byte.
func TestAStateOfAByte(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.state = 1
	h.run(100 * time.Millisecond)
	want(t, "taken", h.audience.states.take(h.now) != nil, true)
}

// Rule: a state can be used from the first frame on that is held; for one before it, another
// attempt is made a tick later.
func TestAStateBeforeTheFramesThatAreHeld(t *testing.T) {
	for before, taken := range map[uint32]bool{0: true, 1: false} {
		h := newHall(t, Config{Max: 4})
		h.run(20 * time.Second)
		a := h.audience
		a.broadcast.log.Forget(h.frame)
		h.frame = a.broadcast.log.First() - before
		want(t, "taken", a.states.take(a.now) != nil, taken)
		wait := time.Duration(0)
		if !taken {
			wait = hallPeriod
		}
		want(t, "again after", max(a.states.retryAt-a.now, 0), wait)
	}
}

// Rule: of six states the oldest is replaced by another one: after ten seconds without a new one,
// or, if spectators are delayed, if they may already see the next one. A spectator that was being
// sent it starts over.
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
		a.states.list = nil
		for n := range maxStates {
			frame := int(a.broadcast.visible(false)) + c.ahead - 1 + n
			a.states.list = append(a.states.list, &heldState{transfer: transfer{frame: uint32(frame)}, taken: a.now - c.age})
		}
		all := slices.Clone(a.states.list)
		first, second := feed{state: all[0]}, feed{state: all[1]}
		if got := a.states.makeRoom(a.now); got != c.gone {
			t.Errorf("%+v: there is room %v", c, got)
		}
		if c.gone {
			all = all[1:]
		}
		if !slices.Equal(a.states.list, all) || (first.sending() == nil) != c.gone || second.sending() == nil {
			t.Errorf("%+v: %d states are left, sent %v and %v", c, len(a.states.list), first.state, second.state)
		}
	}
}

// Rule: a state that is being sent to nobody is dropped after ten seconds, unless it is the
// newest that delayed spectators may see.
func TestHowLongAStateIsKept(t *testing.T) {
	for _, c := range []struct {
		delay int
		idle  time.Duration
		kept  bool
	}{{0, 10*time.Second - 1, true}, {0, 10 * time.Second, false}, {600, time.Hour, true}, {1, time.Hour, true}} {
		h := newHall(t, Config{Max: 4, Delay: c.delay})
		h.run(20 * time.Second)
		a := h.audience
		s := &heldState{transfer: transfer{frame: a.broadcast.visible(false)}, needed: a.now - c.idle}
		if c.idle == time.Hour {
			s.needed = 0
		}
		a.states.list = []*heldState{s}
		a.states.update(a.now)
		want(t, "kept", slices.Contains(a.states.list, s), c.kept)
	}
}

// Rule: if spectators are delayed, another state is taken as soon as the newest is half of the
// delay old, or a block.
func TestWhenAStateIsTakenInAdvance(t *testing.T) {
	for _, c := range []struct {
		delay int
		every uint32
	}{{1, 64}, {128, 64}, {600, 300}} {
		for late, taken := range map[uint32]bool{0: true, 1: false} {
			h := newHall(t, Config{Max: 4, Delay: c.delay})
			h.run(20 * time.Second)
			a := h.audience
			a.states.list = []*heldState{{transfer: transfer{frame: a.broadcast.log.Next() - c.every + late}}}
			a.states.update(a.now)
			want(t, "taken", len(a.states.list) > 1, taken)
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
		a.broadcast.spans.keep = 0
		a.crowd.list = []*spectator{{feed: feed{placed: c.placed, next: 130}}}
		a.keepWhatIsNeeded()
		want(t, "held from", a.broadcast.log.First(), c.first)
		a.crowd.list = nil
	}
}
