package admission

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Gate answers machines that ask to be let in. It keeps nothing about one that has not proved
// its address.
//
// A machine sends a Hello. The host answers with a Welcome whose nonce is a cookie: it depends
// on the machine's nonce and address, and on the time. Only a machine that got the Welcome can
// make the Attach that follows. Times are those of the host, and never go back.
type Gate struct {
	cookies cookies
	run     uint64
	limiter limiter
	spent   spent
}

// NewDoor returns a door. Its secret comes from random.
func NewDoor(random func() uint64) *Gate {
	d := new(Gate)
	d.cookies.init(random)
	d.run = d.cookies.run()
	return d
}

// Welcome appends the answer to a Hello, complete with its tag, or returns b if this machine
// gets no answer now.
func (d *Gate) Welcome(b []byte, now time.Duration, from netip.AddrPort, h *datagram.Hello, items datagram.Items) []byte {
	if !d.Answers(from, now) {
		return b
	}
	w := datagram.Welcome{
		Version: datagram.Version, Nonce: d.cookies.nonce(from, h.Nonce, interval(now)), Attempt: h.Attempt, Items: items, Run: d.run,
	}
	start := len(b)
	return datagram.Key(h.Nonce).Seal(w.Append(b), start, 0)
}

// Answers reports whether a machine may be answered now, and counts that as an answer. It
// rejects a flood before anything costly is computed.
func (d *Gate) Answers(from netip.AddrPort, now time.Duration) bool {
	return d.limiter.open(now) && d.limiter.allow(d.cookies.place(from.Addr()), now)
}

// Proved reports whether an Attach with this nonce comes from a machine that got our Welcome,
// and returns the nonce in that Welcome. b is the whole datagram.
func (d *Gate) Proved(now time.Duration, from netip.AddrPort, nonce uint64, b []byte) (ours uint64, ok bool) {
	for _, i := range [...]uint64{interval(now), interval(now) - 1} {
		ours = d.cookies.nonce(from, nonce, i)
		if _, ok = datagram.KeyOf(nonce, ours).Open(b, 0); ok {
			return ours, true
		}
	}
	return 0, false
}

// Spend notes that an attempt with this nonce is over, and why it was refused; "" means that
// the machine was let in and has gone. What was noted first counts.
func (d *Gate) Spend(nonce uint64, why string) { d.spent.add(nonce, why) }

// Spent returns what became of the attempt with a nonce, if it is over and among the newest.
func (d *Gate) Spent(nonce uint64) (why string, over bool) { return d.spent.of(nonce) }

// interval is the number of an interval. A Welcome is valid in the interval in which it was
// sent and in the next one, so that a captured Attach soon becomes worthless.
func interval(now time.Duration) uint64 { return uint64(now / welcomeLife) }

// welcomeLife is how long an interval is.
const welcomeLife = 10 * time.Second
