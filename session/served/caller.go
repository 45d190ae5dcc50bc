package served

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// caller sends Hellos to a server until it answers, and then asks for a place.
type caller struct {
	server netip.AddrPort
	nonce  uint64 // ours
	theirs uint64 // the server's, once it has answered
	begun  time.Duration
	next   time.Duration // when to send the next Hello or Attach
	number byte          // of the last Hello
	left   time.Duration // when the farewell was sent; 0: not yet
	sentAt [256]time.Duration
}

// begin starts to call the server, with a new nonce.
func (c *caller) begin(server netip.AddrPort, nonce uint64, now time.Duration) {
	*c = caller{server: server, nonce: nonce, begun: now, next: now}
}

// narrowAfter is how long Hellos go unanswered before small ones are sent as well.
const narrowAfter = time.Second

// hello sends a Hello to the server, and also a small one if the path may not carry more.
func (c *caller) hello(now time.Duration, out *peer.Outbox) {
	since := now - c.begun
	c.next = now + peer.HelloInterval(since)
	c.sendHello(now, datagram.MaxSize, out)
	if since >= narrowAfter {
		c.sendHello(now, datagram.MinSize, out)
	}
}

func (c *caller) sendHello(now time.Duration, size int, out *peer.Outbox) {
	if out.Full() {
		return
	}
	c.number++
	c.sentAt[c.number] = now
	h := datagram.Hello{Watch: true, Version: datagram.Version, Nonce: c.nonce, Attempt: c.number}
	out.Seal(h.AppendPadded(out.Bytes, size), c.server)
}

// answered handles a Welcome and returns the connection; ok is false if the Welcome is not from this server.
func (c *caller) answered(at time.Duration, b []byte, period time.Duration) (w datagram.Welcome, p *peer.Pipe, ok bool) {
	body, ok := datagram.Key(c.nonce).Open(b, 0)
	if !ok {
		return w, nil, false
	}
	w, err := datagram.ConsumeWelcome(body)
	if err != nil {
		return w, nil, false
	}
	p = peer.NewPipe(c.server, c.nonce, w.Nonce, period, at)
	p.LimitBackoff()
	if w.Attempt-1 < c.number {
		p.RoundTrip.Add(at - c.sentAt[w.Attempt])
		p.Channel.SetTimeout(p.Timeout())
	}
	c.theirs, c.next = w.Nonce, at
	return w, p, true
}

const (
	// attachEvery is the interval between attempts to get a place.
	attachEvery = 40 * time.Millisecond
	// attachFor is how long a Welcome is used for attempts. The server accepts it for a limited time only (package admission), so
	// a client that slept in the meantime starts again with a Hello.
	attachFor = 5 * time.Second
)

// attach asks for a place, preferably one of wish. It has to be repeated until the server has sent something.
func (c *caller) attach(now time.Duration, wish uint16, id uint64, token []byte, sets datagram.Sets, out *peer.Outbox) {
	c.next = now + attachEvery
	if out.Full() {
		return
	}
	a := datagram.Attach{Nonce: c.nonce, Players: wish, Sets: sets, ID: id}
	a.Prove(token, c.theirs)
	out.Seal(datagram.KeyOf(c.nonce, c.theirs).Seal(a.Append(out.Bytes), out.Start(), 0), c.server)
}
