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

// Rule: a member list reaches the newcomer that it is for, and no other.
func TestARollReachesItsNewcomer(t *testing.T) {
	h := newHall(t, Config{Max: 4}, hallToken)
	v, w, x := h.enter(1, seat(1, 5)), h.enter(2, seat(2, 6)), h.enter(3, nil)
	h.run(time.Second)
	long := strings.Repeat("x", MaxMemberList)
	h.audience.SendMemberList(5, []byte(long))
	h.audience.SendMemberList(7, []byte("for nobody"))
	h.run(300 * time.Millisecond)
	want(t, "rolls", fmt.Sprint(len(v.rolls), len(w.rolls), len(x.rolls)), "1 0 0")
	want(t, "the longest", v.rolls[0] == long, true)
	want(t, "that are lost", len(v.lost)+len(w.lost)+len(x.lost), 0)
}

// Rule: a member list that was not fetched is replaced by the next one, and each is returned
// once.
func TestTheNewestRollCounts(t *testing.T) {
	h := newHall(t, Config{}, hallToken)
	v := h.enter(1, seat(1, 5))
	h.run(time.Second)
	v.deaf = true
	for i := range 300 {
		h.audience.SendMemberList(5, fmt.Appendf(nil, "%d", i))
		h.run(4 * time.Millisecond)
	}
	h.run(300 * time.Millisecond)
	frames := v.frames
	v.deaf = false
	h.run(time.Second)
	want(t, "rolls", fmt.Sprint(v.rolls), "[299]")
	want(t, "the stream goes on", v.frames > frames, true)
}

// A member list arrives in order with the stream: if a host sends it after frames, it arrives
// after them, whatever is lost.
func TestARollComesInOrderWithTheStream(t *testing.T) {
	h := newHall(t, Config{}, hallToken)
	drops := 0
	h.tap = func(netip.AddrPort, netip.AddrPort, []byte) bool { drops++; return drops%5 != 0 }
	v := h.enter(1, seat(1, 5))
	h.run(3 * time.Second)
	for range 20 {
		g, _ := h.audience.crowd.newcomer(5)
		if g == nil {
			t.Fatal("it is not in")
		}
		next := g.feed.next
		h.audience.SendMemberList(5, fmt.Appendf(nil, "%d", next))
		for n := len(v.rolls); len(v.rolls) == n; {
			h.run(4 * time.Millisecond)
			if h.now > time.Minute {
				t.Fatal("it does not come")
			}
		}
		if v.Live() < next {
			t.Fatalf("it knows of %d frames, and the roll was sent after %d", v.Live(), next)
		}
	}
}

// Rule: a host that sends a spectator a member list, or a newcomer one that is empty or too long,
// violates the protocol.
func TestWrongRollsAreRefused(t *testing.T) {
	for _, c := range []struct {
		seat *JoinRequest
		size int
		want error
	}{{nil, 1, datagram.ErrKind}, {seat(1, 5), 0, datagram.ErrRange}, {seat(1, 5), MaxMemberList + 1, datagram.ErrRange}} {
		h := newHall(t, Config{Max: 4}, hallToken)
		v := h.enter(1, c.seat)
		h.run(time.Second)
		if err := h.audience.crowd.list[0].pipe.Channel.Send(append([]byte{messageRoll}, make([]byte, c.size)...)); err != nil {
			t.Fatal(err)
		}
		h.run(100 * time.Millisecond)
		if len(v.lost) != 1 || !errors.Is(v.lost[0], c.want) {
			t.Errorf("%d bytes: %v", c.size, v.lost)
		}
	}
}

// Rule: a newcomer must not send member lists: a host that gets one gives it up.
func TestANewcomerSendsNoRoll(t *testing.T) {
	h := newHall(t, Config{}, hallToken)
	v := h.enter(1, seat(1, 5))
	h.run(time.Second)
	h.news = nil
	if err := v.connection.pipe.Channel.Send([]byte{messageRoll, 1}); err != nil {
		t.Fatal(err)
	}
	h.run(100 * time.Millisecond)
	if len(h.news) == 0 || h.news[0].Joined || h.news[0].Why != "it does not follow the protocol" {
		t.Errorf("%+v", h.news)
	}
}

// A host whose newcomer acknowledges nothing sends it no more member lists than its stream holds.
func TestRollsDoNotPileUp(t *testing.T) {
	h := newHall(t, Config{}, hallToken)
	v := h.enter(1, seat(1, 5))
	h.run(time.Second)
	v.away = true
	for range 2 * reliable.DefaultBacklog / MaxMemberList {
		h.audience.SendMemberList(5, make([]byte, MaxMemberList))
	}
	g, _ := h.audience.crowd.newcomer(5)
	if n := g.pipe.Channel.Pending(); n > reliable.DefaultBacklog {
		t.Errorf("%d bytes wait", n)
	}
}
