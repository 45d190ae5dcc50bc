package peer

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Caller calls a host or a server: it sends Hellos until one is answered, and then requests admission, until the other
// side sends something on the connection. Peers send their Hellos with a [Link] instead.
type Caller struct {
	Addr   netip.AddrPort
	Nonce  uint64        // our nonce
	Theirs uint64        // the other side's, once it has answered
	Begun  time.Duration // when the first Hello was due

	interval func(since time.Duration) time.Duration
	hellos   hellos
}

// Begin starts to call an address, with a new nonce, at a time that may lie ahead. interval returns how long to wait
// between Hellos if nothing has been answered for a time, such as [HelloInterval].
func (c *Caller) Begin(addr netip.AddrPort, nonce uint64, at time.Duration, interval func(since time.Duration) time.Duration) {
	*c = Caller{Addr: addr, Nonce: nonce, Begun: at, interval: interval, hellos: hellos{next: at}}
}

// Due returns when the next Hello or request is due.
func (c *Caller) Due() time.Duration { return c.hellos.next }

// SetDue sets when the next Hello or request is due.
func (c *Caller) SetDue(at time.Duration) { c.hellos.next = at }

// Hello sends a Hello. If none has been answered for a while, a small Hello follows, since the path may not carry
// large ones. The large one goes first: if the path carries it, its answer comes first. givenUp is how long the caller
// keeps trying; if that is less than twice narrowAfter, small Hellos begin sooner.
func (c *Caller) Hello(now, givenUp time.Duration, out *Outbox) {
	since := now - c.Begun
	c.hellos.call(now, c.interval(since), since, givenUp, datagram.Hello{Watch: true, Nonce: c.Nonce}, c.Addr, out)
}

// Query sends a small Hello to a machine that was connected before. It does not change when the next one is due.
func (c *Caller) Query(now time.Duration, out *Outbox) {
	c.hellos.send(now, datagram.MinSize, datagram.Hello{Watch: true, Nonce: c.Nonce}, c.Addr, out)
}

// Answered handles a Welcome and returns the connection, for datagrams sent at intervals of period; ok is false if the
// Welcome answers none of our Hellos. The request is due at once.
func (c *Caller) Answered(at time.Duration, b []byte, period time.Duration) (w datagram.Welcome, p *Pipe, ok bool) {
	if w, ok = datagram.OpenWelcome(c.Nonce, b); !ok {
		return w, nil, false
	}
	p = NewPipe(c.Addr, c.Nonce, w.Nonce, period, at)
	if c.hellos.of(w.Attempt) {
		p.RoundTrip.Add(at - c.hellos.at(w.Attempt).at)
		p.Channel.SetTimeout(p.Timeout())
	}
	c.Theirs, c.hellos.next = w.Nonce, at
	return w, p, true
}

// attachEvery is the interval between requests for admission.
const attachEvery = 40 * time.Millisecond

// Attach sends a request for admission. It has to be repeated until something arrives on the connection.
func (c *Caller) Attach(now time.Duration, a *datagram.Attach, out *Outbox) {
	c.hellos.next = now + attachEvery
	if out.Full() {
		return
	}
	out.Seal(datagram.KeyOf(c.Nonce, c.Theirs).Seal(a.Append(out.Bytes), out.Start(), 0), c.Addr)
}
