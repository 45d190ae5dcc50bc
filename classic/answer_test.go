package classic

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/classic/rbn1"
)

// What each datagram of the handshake leads to, on each side and in each phase.
func TestWhatTheHandshakeAnswers(t *testing.T) {
	at := netip.MustParseAddrPort("192.0.2.1:7000")
	vain := func(p Phase) answer { return answer{phase: p, vain: true} }
	for _, c := range []struct {
		host     bool
		phase    Phase
		datagram string
		want     answer
	}{
		{false, Greeting, hello, vain(Greeting)},
		{false, Greeting, ack, answer{say: start, phase: Starting}},
		{false, Greeting, start, vain(Greeting)},
		{false, Starting, hello, vain(Starting)},
		{false, Starting, ack, answer{say: start, phase: Starting}},
		{false, Starting, start, vain(Starting)},
		{false, Playing, hello, vain(Playing)},
		{false, Playing, ack, answer{phase: Playing}},
		{false, Playing, start, answer{phase: Playing}},
		{true, Waiting, hello, answer{say: ack, phase: Waiting}},
		{true, Waiting, ack, vain(Waiting)},
		{true, Waiting, start, answer{phase: Playing}},
		{true, Lingering, hello, answer{say: ack, phase: Lingering}},
		{true, Lingering, ack, answer{phase: Lingering}},
		{true, Lingering, start, answer{phase: Lingering}},
	} {
		h := newHandshake(c.host, at)
		if got, ok := h.receive(0, c.phase, []byte(c.datagram)); !ok || got != c.want {
			t.Errorf("host %v, %v, %s: %+v, %v, want %+v", c.host, c.phase, c.datagram, got, ok, c.want)
		}
		if got, ok := h.receive(0, c.phase, []byte(c.datagram+"!")); ok || got != (answer{phase: c.phase}) {
			t.Errorf("host %v, %v, %s!: %+v, %v", c.host, c.phase, c.datagram, got, ok)
		}
	}
}

// The first beat is due immediately, whatever the epoch. ACK is answered with START at once, so the next START is due a
// whole beat later.
func TestBeatsOfTheHandshake(t *testing.T) {
	for _, epoch := range []time.Duration{0, time.Hour, -time.Hour} {
		h := newHandshake(false, netip.MustParseAddrPort("192.0.2.1:7000"))
		if h.first() != Greeting {
			t.Errorf("a joiner begins with %v", h.first())
		}
		want := func(after time.Duration, phase Phase, say string, next time.Duration) {
			t.Helper()
			got, at := h.repeat(epoch+after, phase)
			if got != say || at != epoch+next {
				t.Errorf("after %v: %q, then after %v; want %q, then after %v", after, got, at-epoch, say, next)
			}
		}
		want(0, Greeting, hello, helloEvery)
		want(helloEvery-1, Greeting, "", helloEvery)
		want(helloEvery, Greeting, hello, 2*helloEvery)
		h.receive(epoch+helloEvery+100, Greeting, []byte(ack))
		want(2*helloEvery, Starting, "", 2*helloEvery+100)
		want(2*helloEvery+100, Starting, start, 3*helloEvery+100)
	}
	h := newHandshake(true, netip.AddrPort{})
	if say, next := h.repeat(0, Waiting); say != "" || next != helloEvery || h.first() != Waiting {
		t.Errorf("the host says %q in %v, and looks again after %v", say, h.first(), next)
	}
}

// Only a HELLO makes an address the peer's, only on a host that was given none, and only before the match.
func TestWhomTheHandshakeAdmits(t *testing.T) {
	first, second := netip.MustParseAddrPort("192.0.2.1:7000"), netip.MustParseAddrPort("192.0.2.2:7000")
	type step struct {
		after    time.Duration
		phase    Phase
		from     netip.AddrPort
		datagram string
		admitted bool
	}
	for name, c := range map[string]struct {
		peer  netip.AddrPort
		steps []step
	}{
		"anybody": {netip.AddrPort{}, []step{
			{0, Waiting, first, start, false},
			{0, Playing, first, hello, false},
			{0, Waiting, netip.AddrPort{}, hello, false},
			{0, Waiting, first, hello, true},
			{forget - 1, Waiting, second, hello, false},
			{forget - 1, Waiting, first, start, true},
			{forget, Waiting, second, hello, true},
			{forget, Waiting, first, hello, false},
		}},
		"one": {first, []step{
			{forget, Waiting, second, hello, false},
			{forget, Waiting, first, start, true},
		}},
	} {
		h := newHandshake(true, c.peer)
		for i, s := range c.steps {
			if got := h.admits(s.after, s.phase, s.from, []byte(s.datagram)); got != s.admitted {
				t.Errorf("%s, step %d: admitted %v", name, i, got)
			} else if got && s.datagram == hello {
				h.receive(s.after, s.phase, []byte(s.datagram))
			}
		}
	}
}

// A packet opens a match if it can be the first of a side that has received none.
func TestWhatOpensAMatch(t *testing.T) {
	first := rbn1.Header{AckFrame: rbn1.NoFrame}
	later, knows := first, first
	later.StartFrame, knows.AckFrame = 1, 0
	for p := Greeting; p <= Failed; p++ {
		if got := opens(p, first); got != (p == Waiting || p == Starting) {
			t.Errorf("%v: %v", p, got)
		}
		if opens(p, later) || opens(p, knows) {
			t.Errorf("%v: a packet of an earlier match opens it", p)
		}
	}
}
