package spectate

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: messages have 1 to MaxSeatMessage bytes, in both directions.
func TestSeatMessagesAreBounded(t *testing.T) {
	h := newHall(t, Config{Max: 4}, hallToken)
	v, w := h.enter(1, seat(1, 5)), h.enter(2, nil)
	h.run(time.Second)
	for _, n := range []int{0, MaxSeatMessage + 1} {
		want(t, "to a newcomer", h.audience.SendSeat(5, make([]byte, n)), ErrSeatMessage)
		want(t, "to a host", v.SendSeat(make([]byte, n)), ErrSeatMessage)
	}
	want(t, "to nobody", h.audience.SendSeat(6, []byte("x")), ErrNoSeat)
	want(t, "of a spectator", w.SendSeat([]byte("x")), ErrNoSeat)
	long := strings.Repeat("x", MaxSeatMessage)
	if err := errors.Join(h.audience.SendSeat(5, []byte(long)), v.SendSeat([]byte(long))); err != nil {
		t.Fatal(err)
	}
	h.run(300 * time.Millisecond)
	if len(v.told) != 1 || v.told[0] != long || len(h.heard[5]) != 1 || h.heard[5][0] != long {
		t.Error("the longest message did not come")
	}
}

// Rule: what nobody takes waits, at both ends, and nothing is lost; who does not take
// messages gets nothing else either.
func TestMessagesThatAreNotTakenWait(t *testing.T) {
	h := newHall(t, Config{}, hallToken)
	v := h.enter(1, seat(1, 5))
	h.run(time.Second)
	v.deaf = true
	const count = 3 * maxSeatQueue
	sent := 0
	for range count {
		switch err := h.audience.SendSeat(5, fmt.Appendf(nil, "%d", sent)); {
		case err == nil:
			sent++
		case !errors.Is(err, reliable.ErrFull):
			t.Fatal(err)
		}
	}
	h.run(time.Second)
	frames := v.frames
	h.run(time.Second)
	want(t, "frames meanwhile", v.frames, frames)
	want(t, "that wait", len(v.seat), maxSeatQueue)
	v.deaf = false
	h.run(time.Second)
	want(t, "that have come", len(v.told), sent)
	for i, text := range v.told {
		want(t, "in order", text, fmt.Sprint(i))
	}
	want(t, "frames again", v.frames > frames, true)

	for i := range count {
		if err := v.SendSeat(fmt.Appendf(nil, "%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	h.carryOnly(v, time.Second)
	if n := len(h.audience.guests[0].inbox); n != maxSeatQueue {
		t.Errorf("%d messages wait at the host", n)
	}
	v.away = true
	h.run(20 * time.Millisecond)
	want(t, "the host has heard", len(h.heard[5]), count)
	for i, text := range h.heard[5] {
		want(t, "in order", text, fmt.Sprint(i))
	}
}

// carryOnly lets time pass at a host that takes no messages.
func (h *hall) carryOnly(v *visitor, span time.Duration) {
	for end := h.now + span; h.now < end; h.now += 4 * time.Millisecond {
		h.audience.Update(h.now)
		h.carry(h)
		v.watch(h)
	}
}

// Messages come in order with the stream: what a host says when it has sent frames
// arrives after them, whatever is lost.
func TestMessagesComeInOrderWithTheStream(t *testing.T) {
	h := newHall(t, Config{}, hallToken)
	drops := 0
	h.tap = func(netip.AddrPort, netip.AddrPort, []byte) bool { drops++; return drops%5 != 0 }
	v := h.enter(1, seat(1, 5))
	h.run(3 * time.Second)
	for range 20 {
		g := h.audience.seatOf(5)
		if g == nil {
			t.Fatal("it is not in")
		}
		next := g.next
		if err := h.audience.SendSeat(5, fmt.Appendf(nil, "%d", next)); err != nil {
			t.Fatal(err)
		}
		for n := len(v.told); len(v.told) == n; {
			h.run(4 * time.Millisecond)
			if h.now > time.Minute {
				t.Fatal("it does not come")
			}
		}
		if v.Live() < next {
			t.Fatalf("it knows of %d frames, and was told of %d", v.Live(), next)
		}
	}
}

// A host that says to a spectator what is for newcomers does not follow the protocol.
func TestASpectatorTakesNoSeatMessages(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	v := h.enter(1, nil)
	h.run(time.Second)
	if err := h.audience.guests[0].pipe.Channel.Send([]byte{messageSeat, 1}); err != nil {
		t.Fatal(err)
	}
	h.run(100 * time.Millisecond)
	if len(v.lost) != 1 || !errors.Is(v.lost[0], datagram.ErrKind) {
		t.Errorf("%v", v.lost)
	}
}
