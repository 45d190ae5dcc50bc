package spectate

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Rule: a spectator that is silent for Timeout has gone; until then it has its place.
func TestASilentSpectatorGoes(t *testing.T) {
	h := newHall(t, Config{Max: 1, Timeout: 3 * time.Second})
	v := h.enter(1, nil)
	h.run(time.Second)
	v.away = true
	h.run(2900 * time.Millisecond)
	want(t, "guests", h.audience.Stats().Spectators, 1)
	h.run(200 * time.Millisecond)
	want(t, "guests then", h.audience.Stats().Spectators, 0)
	want(t, "why", h.news[len(h.news)-1].Why, "silent")
}

// Rule: after exactly Timeout a spectator is still there.
func TestTheLastMomentOfASilentSpectator(t *testing.T) {
	h := newHall(t, Config{Max: 1, Timeout: 3 * time.Second})
	h.enter(1, nil)
	h.run(time.Second)
	heard := h.audience.crowd.list[0].pipe.Heard
	h.audience.Update(heard + 3*time.Second)
	want(t, "guests", h.audience.Stats().Spectators, 1)
	h.audience.Update(heard + 3*time.Second + 1)
	want(t, "guests then", h.audience.Stats().Spectators, 0)
}

// Rule: the first measurement of a new spectator's round trip is from the Hello that was
// answered.
func TestTheFirstRoundTrip(t *testing.T) {
	h := newHall(t, Config{Max: 1})
	h.run(5 * time.Second)
	v := h.enter(1, nil)
	for range 10 {
		if h.run(4 * time.Millisecond); v.connection.pipe != nil {
			break
		}
	}
	if r := v.connection.pipe.RoundTrip; r.Samples < 1 || r.Smoothed > 8*time.Millisecond {
		t.Errorf("%+v", r)
	}
	want(t, "the most bytes of a state", v.cfg.MaxState, 64<<20)
}

// Rule: a host that violates the protocol is left for good, and a spectator that does is
// dismissed.
func TestWhoBreaksTheProtocol(t *testing.T) {
	h := newHall(t, Config{Max: 1})
	v := h.enter(1, nil)
	h.run(time.Second)
	g, theirs := h.audience.crowd.list[0], v.connection.caller.Theirs
	header := datagram.Header{Watch: true, Sequence: 200, HasOrders: true}
	body := header.Append(nil, datagram.Shape{})
	toViewer := datagram.KeyOf(theirs, v.connection.caller.Nonce).Seal(append([]byte(nil), body...), 0, 200)
	v.Receive(h.now, hostAddr, toViewer)
	if len(v.News()) != 1 || v.connection.pipe != nil || !v.search.hosts[0].final {
		t.Errorf("%v", v.search.hosts)
	}
	toHost := datagram.KeyOf(g.nonce, theirs).Seal(body, 0, 200)
	h.audience.Receive(h.now, v.addr, toHost)
	if !strings.HasPrefix(g.gone, "it does not follow the protocol: ") {
		t.Errorf("%q", g.gone)
	}
}

// Rule: after exactly a second of silence another spectator replaces a spectator, whether it
// comes from the same address or asks for the same seat.
func TestTheMomentAtWhichAPlaceIsTaken(t *testing.T) {
	const taken = time.Second
	for silent, wanted := range map[time.Duration]bool{taken - 1: false, taken: true} {
		h := newHall(t, Config{}, hallToken)
		at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 2, 1}), 5)
		h.attach(at, 9, 1, 7)
		first := h.audience.crowd.list[0]
		a := datagram.Attach{Nonce: 10, Players: 1, ID: 7}
		a.Prove(hallToken, 5)
		first.pipe.Heard = h.audience.now - silent
		why := h.audience.refusesNewcomer(side(1, 1), &a, 5)
		want(t, "the same seat", why == "", wanted)
		if !wanted {
			want(t, "why", why, "a newcomer with this ID is here already, from another address")
		}
		h = newHall(t, Config{}, hallToken)
		h.attach(at, 9, 1, 7)
		first = h.audience.crowd.list[0]
		first.pipe.Heard = h.now + 50*time.Millisecond - silent // when the next one comes
		h.attach(at, 10, 1, 8)
		want(t, "the same address", h.audience.crowd.list[0] != first, wanted)
	}
}

// Rule: another machine at a spectator's address takes its place once the spectator has been
// silent for a second.
func TestAnotherOneAtTheSameAddress(t *testing.T) {
	h := newHall(t, Config{Max: 2, MaxPerAddress: 1})
	first := h.enter(1, nil)
	h.run(time.Second)
	first.away = true
	h.run(100 * time.Millisecond)
	second := h.bring(2, visitorConfig(2))
	second.addr = first.addr
	h.run(700 * time.Millisecond)
	want(t, "too early", second.Attached(), false)
	h.run(400 * time.Millisecond)
	want(t, "then", second.Attached(), true)
	want(t, "guests", h.audience.Stats().Spectators, 1)
	want(t, "why", h.news[1].Why, "another spectator has come from its address")
	third := h.enter(3, nil)
	third.addr = netip.AddrPortFrom(first.addr.Addr(), 1)
	h.run(time.Second)
	want(t, "from the same address", third.reason(), "there is no room for another spectator from this address")
}

// Rule: a spectator that violates the protocol is removed, and datagrams from strangers are
// ignored.
func TestWhatAGuestMaySay(t *testing.T) {
	request := (&request{}).append(nil)
	for name, c := range map[string]struct {
		said [][]byte
		want string
	}{
		"a request":      {[][]byte{request}, ""},
		"two requests":   {[][]byte{request, request}, "it does not follow the protocol"},
		"half a request": {[][]byte{request[:20]}, "its request: "},
		"farewell":       {[][]byte{request, {messageBye}}, "it has left"},
		"what hosts say": {[][]byte{request, {messageEnd}}, "it does not follow the protocol"},
		"a roll":         {[][]byte{request, {messageRoll, 1}}, "it does not follow the protocol"},
	} {
		h := newHall(t, Config{Max: 1}, hallToken)
		r := h.attach(netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 2, 1}), 5), 9, 1, 7)
		for _, b := range c.said {
			h.say(r, b)
			for range 10 {
				h.now += time.Second / 60
				h.audience.Receive(h.now, r.addr, r.pipe.Append(nil, h.now)) // what had no room
				h.audience.Update(h.now)
				for _, b := range h.out.All() {
					_, _ = r.pipe.Receive(h.now, b)
				}
			}
		}
		h.audience.Update(h.now)
		why := ""
		for _, n := range h.audience.News() {
			if !n.Joined {
				why = n.Why
			}
		}
		if !strings.HasPrefix(why, c.want) || (why == "") != (c.want == "") {
			t.Errorf("%s: %q", name, why)
		}
	}
	h := newHall(t, Config{Max: 1})
	from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 2, 2}), 5)
	for _, b := range [][]byte{nil, {0x80}, {datagram.KindWatch}, {datagram.KindAttach}} {
		want(t, "a stranger is heard", h.audience.Receive(h.now, from, b), false)
	}
	hello := datagram.Hello{Watch: true, Version: datagram.Version, Nonce: 3, Attempt: 5}.Append(nil)
	want(t, "a Hello is", h.audience.Receive(time.Second, from, hello), true)
	for to, b := range h.out.All() {
		body, _ := datagram.Key(3).Open(b, 0)
		w, err := datagram.ConsumeWelcome(body)
		if to != from || err != nil || w.Version != datagram.Version || w.Attempt != 5 || w.Items.Game != "hall" || len(b) > len(hello) {
			t.Errorf("%v: %+v", err, w)
		}
	}
	h.audience.Close("")
	want(t, "a Hello is heard, but not answered", h.audience.Receive(2*time.Second, from, hello), true)
	want(t, "answers", h.out.Len(), 0)
}

// Rule: a Welcome is valid in its interval of 10 s, and in the next one.
func TestHowLongAWelcomeIsGood(t *testing.T) {
	for _, c := range []struct {
		welcomed, attached time.Duration
		want               bool
	}{
		{10 * time.Second, 29999 * time.Millisecond, true},
		{10 * time.Second, 30 * time.Second, false},
		{19999 * time.Millisecond, 29999 * time.Millisecond, true},
		{19999 * time.Millisecond, 30 * time.Second, false},
		{5 * time.Second, 5 * time.Second, true},
	} {
		h := newHall(t, Config{Max: 1})
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 2, 2}), 5)
		h.audience.Receive(c.welcomed, from, datagram.Hello{Watch: true, Version: datagram.Version, Nonce: 3}.Append(nil))
		for _, b := range h.out.All() {
			body, _ := datagram.Key(3).Open(b, 0)
			w, _ := datagram.ConsumeWelcome(body)
			attach := datagram.KeyOf(3, w.Nonce).Seal(datagram.Attach{Nonce: 3}.Append(nil), 0, 0)
			if got := h.audience.Receive(c.attached, from, attach); got != c.want || (h.audience.Stats().Spectators == 1) != c.want {
				t.Errorf("%+v: %v", c, got)
			}
		}
	}
}
