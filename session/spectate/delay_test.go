package spectate

import (
	"testing"
	"time"
)

// Rule: spectators are kept Delay behind, to the frame, until the match has ended; then they see all of it, and how it
// ended.
func TestSpectatorsAreKeptBehind(t *testing.T) {
	for _, delay := range []int{0, 1, 100} {
		h := newHall(t, Config{Max: 4, Delay: delay})
		v := h.enter(1, nil)
		h.run(4 * time.Second)
		for range 50 {
			h.run(4 * time.Millisecond)
			if behind := int(h.frame) - int(v.Live()); behind < delay || behind > delay+5 {
				t.Fatalf("it is %d frames behind, and is to be %d", behind, delay)
			}
		}
		want(t, "visible", h.audience.broadcast.visible(false), h.frame-uint32(delay))
		h.playing = false
		e := End{Frames: h.frame, Hash: 1, Chain: 2}
		h.audience.Finish(e)
		if err := h.audience.Frame(hallFrame(h.frame)); err != nil || h.audience.broadcast.visible(true) != h.frame {
			t.Errorf("a frame comes behind the end: %v", err)
		}
		h.run(300 * time.Millisecond)
		if v.end == nil || *v.end != e || v.at != h.frame {
			t.Errorf("the end is %v, after frame %d", v.end, v.at)
		}
	}
	h := newHall(t, Config{Max: 4, Delay: 100})
	v := h.enter(1, nil)
	h.run(time.Second)
	if v.frames > 0 || !v.Attached() || h.audience.broadcast.visible(false) != 0 {
		t.Errorf("it has %d frames", v.frames)
	}
}

// Rule: with a delay spectators hear of a match with the first frame that they may see, and not before: the offer has the
// seed, which determines all random numbers. Newcomers, and all spectators once the match has ended, hear of it at once.
func TestSpectatorsAreToldOfAMatchWithItsFirstFrame(t *testing.T) {
	for _, seated := range []bool{false, true} {
		h := newHall(t, Config{Max: 4, Delay: 100}, hallToken)
		var hello *JoinRequest
		if seated {
			hello = seat(1, 5)
		}
		v := h.enter(1, hello)
		for h.now < 4*time.Second {
			h.run(4 * time.Millisecond)
			told := v.received.offer != nil
			if told && h.audience.broadcast.visible(false) == 0 && !seated {
				t.Fatalf("it is told of the match at %v, when no frame is to be seen", h.now)
			}
		}
		if v.received.offer == nil {
			t.Error("it is not told of the match")
		}
	}
	h := newHall(t, Config{Max: 4, Delay: 1000})
	v := h.enter(1, nil)
	h.run(time.Second)
	if h.audience.Finish(End{Frames: h.frame}); v.received.offer != nil {
		t.Error("it is told of the match when no frame is to be seen")
	}
	h.playing = false
	if h.run(time.Second); v.received.offer == nil || v.end == nil {
		t.Error("it is not told of a match that has ended")
	}
	h = newHall(t, Config{Max: 4, Delay: 1000})
	v = h.enter(1, nil)
	h.run(time.Second)
	h.audience.Close("the host goes")
	h.run(time.Second)
	if h.audience.Stats().Spectators != 0 || v.received.offer != nil {
		t.Error("it is not told that the host goes")
	}
}

// Rule: frames are sent at once, except live ones, which are sent together for 50 ms.
func TestFramesComeTogether(t *testing.T) {
	h := newHall(t, Config{Max: 4}, hallToken)
	v, w := h.enter(1, nil), h.enter(2, seat(1, 5))
	h.run(2 * time.Second)
	before, frames, seated := h.audience.crowd.at(v.addr).pipe.Counts.Sent, v.frames, w.frames
	h.run(3 * time.Second)
	if n := h.audience.crowd.at(v.addr).pipe.Counts.Sent - before; n < 55 || n > 65 {
		t.Errorf("%d datagrams in 3 s", n)
	}
	if v.frames-frames < 175 || w.frames-seated < 178 {
		t.Errorf("%d and %d frames in 3 s", v.frames-frames, w.frames-seated)
	}
}
