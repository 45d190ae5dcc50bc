package peer

import (
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// met is two ends of a link that have answered each other.
func met(t *testing.T) (ours, theirs *Link, out *Outbox) {
	t.Helper()
	ours, out = newLink(t)
	theirs, _ = newLink(t)
	ours.Nonce, theirs.Nonce = 11, 12
	ours.Answered(0, 12, 0, 0)
	theirs.Answered(0, 11, 0, 0)
	return ours, theirs, out
}

// random gives 1, 2, 3...
func random() func() uint64 {
	n := uint64(0)
	return func() uint64 { n++; return n }
}

// taken is the only datagram, which goes to an address.
func (o *Outbox) taken(t *testing.T, n int) (b []byte) {
	t.Helper()
	if o.Len() != 1 {
		t.Fatalf("%d datagrams", o.Len())
	}
	for to, d := range o.All() {
		if b = append(b, d...); to != addr(n) {
			t.Errorf("a datagram to %v", to)
		}
	}
	return b
}

// A peer is followed to an address from which the token of the challenge comes back, and to no
// other.
func TestAPeerIsFollowedWhenItAnswers(t *testing.T) {
	ours, theirs, out := met(t)
	ours.Challenge(time.Second, addr(5), 40, random(), out)
	c, ok, err := theirs.OpenPath(out.taken(t, 5))
	if !ok || err != nil || c.Kind != datagram.KindChallenge || c.Token != 1 {
		t.Fatalf("%+v, %v, %v", c, ok, err)
	}
	theirs.Answer(addr(1), c.Token, out)
	answer, ok, err := ours.OpenPath(out.taken(t, 1))
	if !ok || err != nil || answer.Kind != datagram.KindAnswer {
		t.Fatalf("%+v, %v, %v", answer, ok, err)
	}
	ours.ReportedAddr = Reported{addr(6), time.Second}
	if ours.Proves(addr(6), answer.Token) || ours.Proves(addr(5), answer.Token+1) || ours.Addr != addr(1) {
		t.Error("it is followed without a proof")
	}
	if !ours.Proves(addr(5), answer.Token) || ours.Addr != addr(5) || ours.Path != (Path{}) || ours.ReportedAddr != (Reported{}) {
		t.Errorf("it is not followed: %v, %+v, %+v", ours.Addr, ours.Path, ours.ReportedAddr)
	}
	if ours.Proves(addr(5), answer.Token) {
		t.Error("a proof counts twice")
	}
}

// A datagram that is not authentic belongs to no peer; an authentic one that is not a
// challenge is an error.
func TestOnlyThePeersChallengesOpen(t *testing.T) {
	ours, theirs, out := met(t)
	theirs.Answer(addr(1), 7, out)
	b := out.taken(t, 1)
	if _, ok, _ := theirs.OpenPath(b); ok {
		t.Error("our own opens")
	}
	b[2] ^= 1
	if _, ok, _ := ours.OpenPath(b); ok {
		t.Error("a damaged one opens")
	}
	if _, ok, err := ours.OpenPath(theirs.Out.Seal([]byte{datagram.KindChallenge, 1}, 0, 0)); !ok || err == nil {
		t.Errorf("a short one: %v, %v", ok, err)
	}
}

// Rule (docs/reference/wire.md): an address never gets more bytes than have come from there,
// nor a challenge more often than every 50 ms; addresses have separate credit.
func TestChallengesCostWhoCausesThem(t *testing.T) {
	for size := 1; size <= 60; size++ {
		l, _, out := met(t)
		r := random()
		came, went := 0, 0
		last := -time.Second
		for now := time.Second; now < 3*time.Second; now += 7 * time.Millisecond {
			came += size
			l.Challenge(now, addr(5), size, r, out)
			for range out.sizes(t, addr(5)) {
				if went += datagram.PathSize; went > came || now-last < 50*time.Millisecond {
					t.Fatalf("%d bytes for %d, %v after the last", went, came, now-last)
				}
				last = now
			}
		}
		if want := min(came/datagram.PathSize, 2000/56) * datagram.PathSize; went < want-2*datagram.PathSize || l.Path.Token != 1 {
			t.Errorf("datagrams of %d bytes: only %d bytes for %d; token %d", size, went, came, l.Path.Token)
		}
	}
	l, _, out := met(t)
	r := random()
	for range 10 {
		l.Challenge(0, addr(5), datagram.PathSize-1, r, out)
		if l.Challenge(0, addr(6), datagram.PathSize-1, r, out); out.Len() != 0 {
			t.Fatal("what came from one address counts for another")
		}
	}
	l.Challenge(0, addr(5), 100*datagram.MaxSize, r, out)
	if l.Path.credit > datagram.MaxSize {
		t.Errorf("a credit of %d bytes", l.Path.credit)
	}
	l, _, out = met(t)
	out.Most = 0
	l.Challenge(time.Second, addr(5), 100, r, out)
	l.Answer(addr(5), 1, out)
	if out.Len() != 0 || out.Dropped != 2 {
		t.Errorf("%d datagrams, %d dropped", out.Len(), out.Dropped)
	}
}

// What another peer says about an address counts for a while, and only if nothing has arrived
// for 300 ms.
func TestWhenAnotherOnesWordCounts(t *testing.T) {
	l, _, _ := met(t)
	const ms = time.Millisecond
	for _, c := range []struct {
		addr       int
		heard, now time.Duration
		want       bool
	}{
		{5, 1000, 1301, true},
		{5, 1000, 1300, false},
		{5, 1500, 1600, false},
		{5, 0, 2999, true},
		{5, 0, 3000, false},
		{0, 0, 2000, false},
	} {
		l.Heard, l.ReportedAddr = c.heard*ms, Reported{At: 1000 * ms}
		if c.addr != 0 {
			l.ReportedAddr.Addr = addr(c.addr)
		}
		if got := l.LostTouch(c.now*ms, 2*time.Second); got != c.want {
			t.Errorf("heard at %d, now %d: %v", c.heard, c.now, got)
		}
	}
}

// A challenge is sent every 100 ms to the address that another peer names, with one token
// for each address.
func TestAPeerIsLookedForElsewhere(t *testing.T) {
	l, theirs, out := met(t)
	r := random()
	l.ReportedAddr.Addr = addr(5)
	sent := 0
	for now := time.Second; now < 2*time.Second; now += 10 * time.Millisecond {
		if l.LookElsewhere(now, r, out); out.Len() == 0 {
			continue
		}
		sent++
		if c, ok, err := theirs.OpenPath(out.taken(t, 5)); !ok || err != nil || c.Token != 1 {
			t.Fatalf("%+v, %v, %v", c, ok, err)
		}
	}
	if sent != 10 {
		t.Errorf("%d challenges in a second", sent)
	}
	l.ReportedAddr.Addr = addr(6)
	if l.LookElsewhere(3*time.Second, r, out); l.Path.Token != 2 {
		t.Errorf("token %d at another address", l.Path.Token)
	}
	out.taken(t, 6)
	out.Most = 0
	l.LookElsewhere(4*time.Second, r, out)
	if out.Dropped != 1 || l.Path.at != 3*time.Second {
		t.Errorf("without room: %d dropped, at %v", out.Dropped, l.Path.at)
	}
}
