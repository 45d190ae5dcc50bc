package served

import (
	"bytes"
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: a machine that gets no place learns that soon, and once in 40 ms at most, however often it repeats
// its request.
func TestARefusalIsToldSoonAndSeldom(t *testing.T) {
	g := newGate(t, func(c *ServerConfig) { c.Token = bytes.Repeat([]byte{7}, 16) })
	c := g.join(enemy)
	var request []byte
	told := 0
	g.tap = func(from, _ netip.AddrPort, b []byte) bool {
		if from != serverAddr && b[0] == datagram.KindAttach {
			request = bytes.Clone(b)
		} else if from == serverAddr && b[0] != datagram.KindWelcome {
			told++
		}
		return false
	}
	g.run(50 * time.Millisecond) // the Welcome was an answer, too
	var refused *admission.TokenError
	if !errors.As(c.Err(), &refused) || told != 1 {
		t.Errorf("it is told %d times: %v", told, c.Err())
	}
	told = 0
	g.each = func() { g.server.Receive(g.now, netip.MustParseAddrPort(enemy), request) }
	if g.run(second); told != 25 {
		t.Errorf("in a second it is told %d times", told)
	}
}

// Rule: a machine with the ID of a client that has been silent for a second gets its place, and not before.
func TestThePlaceOfWhoIsSilentIsFree(t *testing.T) {
	for silent, free := range map[time.Duration]bool{time.Second - 1: false, time.Second: true} {
		g := newGate(t, nil)
		owner := g.enter(home, func(c *ClientConfig) { c.ID = 77 })
		p, _ := owner.Player()
		h := g.server.Host
		h.clients.of[p].pipe.Heard = h.now - silent
		why := h.refuses(&datagram.Attach{Players: 1, ID: 77}, netip.MustParseAddrPort(enemy), 0)
		if why != "" || h.Members().Has(p) == free || (g.server.Counts().Doubled == 0) != free {
			t.Errorf("silent for %v: %q, %v play, %+v", silent, why, h.Members(), g.server.Counts())
		}
	}
}

// Rule: data that is kept for some time is kept for a power of two of ticks, the smallest that is more than
// enough.
func TestTicksForSomeTime(t *testing.T) {
	for _, c := range []struct {
		rate int
		time time.Duration
		want int
	}{{20, 4 * time.Second, 128}, {32, 2 * time.Second, 128}, {32, 2*time.Second - 1, 64}, {1, 0, 2}, {1, time.Second, 2}, {60, 9 * time.Second, 1024}} {
		cfg := ServerConfig{Game: Game{TickRate: c.rate}}
		if got := cfg.ticksFor(c.time); got != c.want {
			t.Errorf("%v at %d a second: %d", c.time, c.rate, got)
		}
	}
}

// Rule: a client may be silent for DropAfter, and not for longer.
func TestAClientIsLostAfterItsTime(t *testing.T) {
	for silent, lost := range map[time.Duration]bool{DefaultDropAfter: false, DefaultDropAfter + 1: true} {
		f := newFixture(t)
		p, _ := f.other.Player()
		h := f.server.Host
		h.clients.of[p].pipe.Heard = h.now - silent
		if h.expire(); h.Members().Has(p) == lost {
			t.Errorf("silent for %v: %v play", silent, h.Members())
		}
	}
}

// Rule: a machine that comes from the address of a client takes its turn if that has been silent for a second, and not before:
// its request is counted then, and has no other effect.
func TestTheAddressOfWhoIsSilentIsFree(t *testing.T) {
	for silent, free := range map[time.Duration]bool{time.Second - 1: false, time.Second: true} {
		g := newGate(t, nil)
		at := netip.MustParseAddrPort(home)
		g.enter(home, nil)
		h := g.server.Host
		first := h.clients.at(at)
		var request []byte
		g.tap = func(from, _ netip.AddrPort, b []byte) bool {
			if from == at && b[0] == datagram.KindAttach {
				request = bytes.Clone(b)
			}
			return from == at && b[0] != datagram.KindWatch
		}
		g.clients[at] = newClient(t, countGame(), g.random.Uint64, nil)
		for request == nil && g.now < 5*second {
			g.run(time.Millisecond)
		}
		g.server.Update(g.now)
		first.pipe.Heard = h.now - silent
		spent := h.counts.spent
		h.Receive(g.now, at, request)
		want := spent + 1
		if free {
			want = spent
		}
		if now := h.clients.at(at); (now != first) != free || h.counts.spent != want {
			t.Errorf("silent for %v: replaced %v; %d requests are spent, want %d", silent, now != first, h.counts.spent, want)
		}
	}
}

// Rule: a client that was told why nothing more comes is forgotten when it has confirmed that, or has been silent for twice
// the time after which it would be lost.
func TestHowLongAFarewellIsKept(t *testing.T) {
	for silent, gone := range map[time.Duration]bool{0: false, DefaultDropAfter + 1: false, 2 * DefaultDropAfter: false, 2*DefaultDropAfter + 1: true} {
		f := newFixture(t)
		p, _ := f.other.Player()
		h := f.server.Host
		c := h.clients.of[p]
		if err := h.Kick(p, "it is late"); err != nil {
			t.Fatal(err)
		}
		c.pipe.Heard = h.now - silent
		if h.expire(); (h.clients.at(otherAddr) == nil) != gone {
			t.Errorf("silent for %v: it is forgotten: %v", silent, !gone)
		}
	}
}
