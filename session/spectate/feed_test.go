package spectate

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: times in frames are derived from the tick period, and none is 0.
func TestTimesInFrames(t *testing.T) {
	for period, wanted := range map[time.Duration]spans{
		10 * time.Millisecond: {together: 5, piled: 25, fresh: 200, farBehind: 500, ahead: 1000, reuse: 200, keep: 3000},
		time.Minute:           {1, 1, 1, 1, 1, 1, 1},
	} {
		want(t, "spans", spansOf(period), wanted)
	}
}

// Rule: a spectator is catching up while it gets a state, is 5 s behind, or has more than 4
// KiB waiting. Then its window limits the data in flight, and otherwise that of the stream
// does.
func TestWhoIsBroughtUpToDate(t *testing.T) {
	h := newHall(t, Config{Max: 4, Delay: 10}, hallToken)
	v, w := h.enter(1, nil), h.enter(2, seat(1, 5))
	h.run(10 * time.Second)
	a := h.audience
	for _, c := range []struct {
		g       *spectator
		visible uint32
	}{{a.crowd.at(v.addr), h.frame - 10}, {a.crowd.at(w.addr), h.frame}} {
		g := c.g
		want(t, "up to date", g.bulk(&a.broadcast), false)
		g.feed.state = &heldState{}
		want(t, "with a state", g.bulk(&a.broadcast), true)
		g.feed.state = nil
		for behind, wanted := range map[uint32]bool{a.broadcast.spans.farBehind: false, a.broadcast.spans.farBehind + 1: true} {
			g.feed.next = c.visible - behind
			want(t, "some frames behind", g.bulk(&a.broadcast), wanted)
			g.feed.placed = false
			want(t, "without a place", g.bulk(&a.broadcast), false)
			g.feed.placed = true
		}
		g.feed.next = c.visible
		for have := g.pipe.Channel.Pending(); have < 4<<10; have = g.pipe.Channel.Pending() {
			want(t, "with some bytes", g.bulk(&a.broadcast), false)
			if err := g.pipe.Channel.Send(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			if g.pipe.Channel.Pending() > 4<<10 {
				break
			}
		}
		want(t, "with just so many", g.bulk(&a.broadcast), g.pipe.Channel.Pending() > 4<<10)
		if err := g.pipe.Channel.Send(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		want(t, "with more", g.bulk(&a.broadcast), true)
	}
}

// Rule: a newcomer gets each frame at once, and a spectator those of 50 ms together. If either
// takes fewer frames than are produced, messages have at least 250 ms of frames; the end of a
// match does not wait.
func TestHowManyFramesAMessageHasAtLeast(t *testing.T) {
	h := newHall(t, Config{Max: 4}, hallToken)
	v, w := h.enter(1, nil), h.enter(2, seat(1, 5))
	h.run(10 * time.Second)
	a := h.audience
	for _, c := range []struct {
		g     *spectator
		least uint32
	}{{a.crowd.at(v.addr), a.broadcast.spans.together}, {a.crowd.at(w.addr), 1}} {
		channel := c.g.pipe.Channel
		sends := func(frames uint32) bool {
			before := channel.Pending()
			c.g.feed.next = a.broadcast.visible(c.g.feed.newcomer) - frames
			a.fill(c.g)
			return channel.Pending() > before
		}
		want(t, "too few frames", sends(c.least-1), false)
		want(t, "enough frames", sends(c.least), true)
		for channel.Pending() <= liveBacklog {
			if err := channel.Send(make([]byte, 512)); err != nil {
				t.Fatal(err)
			}
		}
		want(t, "too few frames behind others", sends(a.broadcast.spans.piled-1), false)
		want(t, "enough frames behind others", sends(a.broadcast.spans.piled), true)
		a.broadcast.closed = true
		want(t, "the last frame", sends(1), true)
		a.broadcast.closed = false
	}
}

// Rule: messages of frames and of a state have at most 8 KiB, and that much if there is enough
// data; no more than 96 KiB wait for a spectator.
func TestHowMuchIsSentAtATime(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.state = 200_000
	h.run(30 * time.Second)
	v := h.enter(1, nil)
	h.run(40 * time.Millisecond)
	a, g := h.audience, h.audience.crowd.at(v.addr)
	if n := g.pipe.Channel.Pending(); n < 60<<10 || n > 104<<10 {
		t.Errorf("%d bytes wait", n)
	}
	s := &heldState{bytes: make([]byte, 20_000)}
	g.feed.state = s
	g.feed.left.Begin(s.bytes, 0)
	for _, n := range []int{8 << 10, 8 << 10, 20_000 - 16<<10} {
		want(t, "a part of a state", len(g.feed.chunk(nil, &a.states)), 1+n)
	}
	g.feed.state, g.feed.placed, g.feed.next = nil, true, 0
	h = newHall(t, Config{Max: 4})
	v = h.enter(1, nil)
	h.run(time.Second)
	g = h.audience.crowd.at(v.addr)
	g.feed.state = &heldState{bytes: h.encoding(1, 200_000)}
	g.feed.left.Begin(g.feed.state.bytes, 0)
	for g.pipe.Channel.Pending() < 95<<10+200-11*8200 { // so that 95 KiB and 96 are not the same
		if err := g.pipe.Channel.Send(make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
	}
	if h.audience.fill(g); g.pipe.Channel.Pending() < 96<<10 || g.pipe.Channel.Pending() > 105<<10 {
		t.Errorf("%d bytes wait", g.pipe.Channel.Pending())
	}
}

// Rule: a message of frames has 8 KiB of them at most, and as many as fit.
func TestHowManyFramesAreSentAtATime(t *testing.T) {
	var out peer.Outbox
	shape := agreed.Shape{Players: 4, InputSize: 60}
	a := NewHost(Config{Max: 1, LogBytes: 1 << 20, Rate: DefaultRate}, nil, newHall(t, Config{Max: 1}), shape, hallPeriod, admission.NewGate(counting(1)), &out)
	if err := a.Begin(&datagram.Offer{Match: 1}); err != nil {
		t.Fatal(err)
	}
	for n := range uint32(200) {
		f := agreed.Frame{Number: n, Inputs: make([]byte, 240)}
		for i := range f.Inputs {
			f.Inputs[i] = byte((n + 1) * 0x9E3779B1 >> (i % 23))
		}
		if err := a.Frame(&f); err != nil {
			t.Fatal(err)
		}
	}
	f := &feed{placed: true}
	for range 3 {
		from := f.next
		if m := f.frames(nil, 0, &a.broadcast); len(m) == 0 || len(m) > 7+8<<10 || len(m) < 8<<10-280 && f.next%64 != 0 {
			t.Errorf("%d frames in %d bytes", f.next-from, len(m))
		}
	}
}

// Rule: a spectator that was interrupted while it got a state gets the rest of it, and not all
// of it again.
func TestAStateGoesOn(t *testing.T) {
	h := newHall(t, Config{Max: 4, Rate: 200_000, Timeout: time.Second})
	h.state = 600_000
	h.run(5 * time.Second)
	v := h.enter(1, nil)
	v.cfg.Timeout = time.Minute
	h.run(1500 * time.Millisecond)
	have, size := v.Transfer()
	if size != 600_000 || have < 200_000 || have >= size {
		t.Fatalf("%d of %d", have, size)
	}
	v.away = true
	h.run(2500 * time.Millisecond)
	want(t, "it was lost", len(v.lost), 1)
	v.away = false
	bytes := 0
	h.tap = func(from, _ netip.AddrPort, b []byte) bool {
		if from == h.addr {
			bytes += len(b)
		}
		return true
	}
	h.run(4 * time.Second)
	want(t, "states", len(v.states), 1)
	if rest := 600_000 - have; bytes > rest+rest/4+40_000 {
		t.Errorf("%d bytes were sent for the %d that were left", bytes, rest)
	}
	want(t, "encoded", h.audience.Stats().States, 1)
	have, size = v.Transfer()
	want(t, "on its way", have+size, 0)
}

// Rule: a state that is final but not agreed waits until it is. If it never will be, because
// the host closes, the spectator that was sent it learns that.
func TestAStateThatIsNotAgreed(t *testing.T) {
	for _, closes := range []bool{true, false} {
		h := newHall(t, Config{Max: 4})
		h.run(5 * time.Second)
		h.ahead = 30
		v := h.enter(1, nil)
		h.run(200 * time.Millisecond)
		want(t, "states", len(v.states), 0)
		if h.playing = false; closes {
			h.audience.Close("it is over")
			h.run(time.Second)
			want(t, "why", v.lost[0].Error(), "it says: it is over")
			continue
		}
		h.run(2 * time.Second)
		want(t, "states", len(v.states), 0)
		h.playing = true
		h.run(time.Second)
		want(t, "states, then", len(v.states), 1)
	}
}

// Rule: without a state, a new spectator gets everything from frame 0, if it is held.
func TestWithoutAStateAllIsSent(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.run(5 * time.Second)
	h.fails = errors.New("no memory")
	v := h.enter(1, nil)
	h.run(time.Second)
	want(t, "items", fmt.Sprint(v.items), "[match 1]")
	want(t, "frames", v.frames > 300, true)
	d := newHall(t, Config{Max: 4, Delay: 10})
	d.audience.broadcast.offer = nil
	d.run(time.Second)
	want(t, "states of no match", d.encoded, 0)
}
