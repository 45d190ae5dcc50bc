package classic_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/classic"
	"github.com/tickback/tickback/classic/rbn1"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

// fuzzSteps bounds the work of one input.
const fuzzSteps = 256

// fuzzed is two sides in play, whose datagrams the input delivers, holds back,
// changes and makes up.
type fuzzed struct {
	t      *testing.T
	now    time.Duration
	sides  [2]*match
	flying [2][]byte // the newest datagram to each side
	phase  [2]classic.Phase
	forged [2]bool // something that may be believed has been made up
}

func (z *fuzzed) address(p int) netip.AddrPort {
	if p == 0 {
		return hostAt
	}
	return joinAt
}

// FuzzLiveMatch lets time pass for two sides while their datagrams are lost,
// repeated, changed and forged. Whatever arrives, no side panics, passes its limits,
// goes back a phase or sends what cannot be read; and two sides to whom nothing
// was forged that could be true agree.
func FuzzLiveMatch(f *testing.F) {
	play := []byte{0, 0, 0, 1, 0, 0} // a tick period, and the datagrams to both sides
	var whole []byte
	for range fuzzSteps / 2 {
		whole = append(whole, play...)
	}
	f.Add(whole)
	f.Add(append(append([]byte{}, whole[:60]...), 2, 9, 0xFF, 3, 20, 0x80, 0, 0, 0, 1, 0, 0))
	f.Add([]byte("\x00\x00\x00\x01\x00\x00\x04\x05HELLO\x05\x03ACK\x05\x05START\x00\x00\x00\x01\x00\x00"))
	f.Add(append([]byte{5, 19}, packet(0, 2, rbn1.NoFrame, 3)...))
	f.Add(append([]byte{4, 19}, packet(0xFFFFFFFF, 2, 0xFFFFFFFE, 3)...))
	f.Fuzz(func(t *testing.T, script []byte) {
		z := &fuzzed{t: t, now: epoch}
		for p := range z.sides {
			cfg := duelConfig(t, p == 0, 40, nil)
			n := duel.Input(0)
			cfg.Sample = func(rollback.Player) duel.Input { n += 3; return n / 8 }
			z.sides[p] = newMatch(t, cfg)
		}
		for range fuzzSteps {
			if len(script) < 2 {
				break
			}
			script = z.step(script[0], script[1], script[2:])
		}
		z.agree()
	})
}

// step does one thing and returns the rest of the script.
func (z *fuzzed) step(op, arg byte, rest []byte) []byte {
	p := int(op & 1)
	switch op / 2 % 4 {
	case 0: // time passes, and what is newest arrives
		z.now += time.Second / 60
		if arg >= 250 {
			z.now += time.Duration(arg-249) * 500 * time.Millisecond
		}
		for q := range z.sides {
			z.sides[q].Advance(z.now)
			z.fetch(q)
		}
		z.receive(p, z.flying[p])
	case 1: // changed on the way
		if b := append([]byte{}, z.flying[p]...); len(b) > 0 && len(rest) > 0 {
			b[int(arg)%len(b)] ^= rest[0]
			z.forged[p] = true
			z.receive(p, b)
			return rest[1:]
		}
	case 2: // made up
		n := min(int(arg), len(rest), 100)
		z.forged[p] = true
		z.receive(p, rest[:n])
		return rest[n:]
	case 3: // again
		z.receive(p, z.flying[p])
	}
	return rest
}

func (z *fuzzed) receive(p int, b []byte) {
	if b != nil {
		z.sides[p].Receive(z.now, z.address(1-p), b)
		z.fetch(p)
	}
	z.check(p)
}

// fetch takes what a side sends, which anybody can read.
func (z *fuzzed) fetch(p int) {
	for to, b := range z.sides[p].Outgoing() {
		if to != z.address(1-p) {
			z.t.Fatalf("sent to %v", to)
		}
		if _, err := rbn1.Decode(b); err != nil && string(b) != "HELLO" && string(b) != "ACK" && string(b) != "START" {
			z.t.Fatalf("sent %q", b)
		}
		z.flying[1-p] = append([]byte{}, b...)
	}
	z.check(p)
}

func (z *fuzzed) check(p int) {
	m := z.sides[p]
	s := m.Stats()
	switch {
	case m.Phase() < z.phase[p]:
		z.t.Fatalf("from %v back to %v", z.phase[p], m.Phase())
	case s.Frames > 40 || s.Frames > s.Confirmed+classic.DefaultWindow || s.Acked > s.Frames+1:
		z.t.Fatalf("%d frames, %d confirmed, %d acknowledged", s.Frames, s.Confirmed, s.Acked)
	case (m.Phase() == classic.Failed) != (m.Err() != nil):
		z.t.Fatalf("%v: %v", m.Phase(), m.Err())
	}
	z.phase[p] = m.Phase()
}

// agree checks what both sides say of the end.
func (z *fuzzed) agree() {
	a, okA := z.sides[0].Result()
	b, okB := z.sides[1].Result()
	if okA && okB && a != b && !z.forged[0] && !z.forged[1] {
		z.t.Fatalf("results %#x and %#x", a, b)
	}
	if !z.forged[0] && !z.forged[1] && (z.sides[0].Stats().Health == classic.Desynced || z.sides[1].Stats().Health == classic.Desynced) {
		z.t.Fatal("desynced")
	}
}

// The seed of the fuzz test that is a whole match does come to its end.
func TestFuzzSeedPlaysToTheEnd(t *testing.T) {
	z := &fuzzed{t: t, now: epoch}
	for p := range z.sides {
		z.sides[p] = newMatch(t, duelConfig(t, p == 0, 40, newPlayer(uint64(p))))
	}
	for i := range byte(fuzzSteps - 1) {
		z.step(i&1, 0, nil)
	}
	z.agree()
	for _, m := range z.sides {
		if _, ok := m.Result(); !ok || m.Err() != nil {
			t.Errorf("%v, %v", m.Phase(), m.Err())
		}
	}
}
