package dtls

import (
	"net/netip"
	"sync/atomic"
	"time"
)

const (
	// wantTime is how long after a Send a connection to its address is attempted.
	wantTime = 3 * time.Second
	// needTime is how long a peer's statement that it wants to be connected remains valid.
	needTime = 2 * time.Second
	// silentTime is how long a peer must be silent before we ask whether it was restarted, or accept its statement
	// that it has lost the connection.
	silentTime = time.Second
	// retryTime is the minimum time between two attempts.
	retryTime = 200 * time.Millisecond
)

// moment is when something last happened, for several goroutines. Make one with began set.
type moment struct {
	began time.Time    // of the transport
	after atomic.Int64 // since then, plus one; 0 means never
}

func (m *moment) set(now time.Time) { m.after.Store(int64(now.Sub(m.began)) + 1) }

// ago returns how long ago it happened: idleTime if it never has.
func (m *moment) ago(now time.Time) time.Duration {
	after := m.after.Load()
	if after == 0 {
		return idleTime
	}
	return now.Sub(m.began) - time.Duration(after-1)
}

// handshake is the way to a connection with a peer: what its greetings have said, and the attempts. It decides when a
// greeting or an attempt is due, and sends nothing: its owner does, with what it returns.
type handshake struct {
	addr      netip.AddrPort // where greetings are sent, and attempts are made
	wanted    moment         // when our owner last sent something to the peer
	theirs    instance       // the newest instance that has proved its address
	given     cookie         // the cookie that the peer gave us
	givenAt   time.Time
	needs     time.Time // when the peer last said that it wants to be connected
	greeted   time.Time // when we last asked
	greetings int       // how often we have asked since the last connection
	retry     time.Time // the time before which no attempt begins
	attempt   uint32    // the number of the newest attempt
	pending   *conn     // that attempt, until it ends
	conn      atomic.Pointer[conn]
}

// due reports whether a connection should be made.
func (h *handshake) due(now time.Time) bool {
	needed := !h.needs.IsZero() && now.Sub(h.needs) < needTime
	switch c := h.conn.Load(); {
	case c == nil || c.opening.to != h.theirs: // there is no connection, or the peer was restarted
		return needed || h.wanted.ago(now) < wantTime
	default: // the peer may have lost the connection
		return needed && c.heard.ago(now) > silentTime
	}
}

// greeting returns the header of a greeting that is sent now.
func (h *handshake) greeting(flags byte, now time.Time) header {
	if c := h.conn.Load(); c == nil || c.opening.to != h.theirs || h.due(now) { // there is no connection, or it does not work
		flags |= flagWant
	}
	if flags&flagAsk != 0 {
		h.greeted = now
		h.greetings++
	}
	g := header{flags: flags, to: h.theirs}
	if now.Sub(h.givenAt) < cookieTime {
		g.echo = h.given
	}
	return g
}

// asks reports whether it is time to ask again: often at first, and then every half a second.
func (h *handshake) asks(now time.Time) bool {
	every := 100 * time.Millisecond
	if h.greetings > 10 {
		every = 500 * time.Millisecond
	}
	return now.Sub(h.greeted) >= every
}

// proved stores the instance that has proved that it is at an address. It returns the attempt with the one before,
// which has to end, or nil.
func (h *handshake) proved(theirs instance, at netip.AddrPort) (earlier *conn) {
	h.addr = at
	if h.theirs == theirs {
		return nil
	}
	earlier, h.pending = h.pending, nil
	h.theirs, h.attempt = theirs, 0
	return earlier
}

// use sets the address for greetings and attempts.
func (h *handshake) use(at netip.AddrPort) { h.addr = at }

// told stores what a greeting says.
func (h *handshake) told(g *hello, now time.Time) {
	h.given, h.givenAt = g.give, now
	if g.flags&flagWant != 0 {
		h.needs = now
	}
}

// turn reports whether an attempt should begin now, and on this side. If so, none does for a while after that, even if
// the owner makes none.
func (h *handshake) turn(self instance, now time.Time) bool {
	if h.pending != nil || h.theirs == (instance{}) || now.Before(h.retry) || !h.due(now) ||
		!self.before(h.theirs) || now.Sub(h.givenAt) > cookieTime {
		return false
	}
	h.retry = now.Add(retryTime)
	return true
}

// begin stores a new attempt. It returns the one before, which has to end, or nil.
func (h *handshake) begin(c *conn, now time.Time) (earlier *conn) {
	earlier = h.pending
	h.pending, h.attempt, h.retry = c, c.opening.attempt, now.Add(retryTime)
	return earlier
}

// finish ends the attempt. If it has succeeded, it is the connection now; finish returns the one before, or nil, which
// the other side has dropped.
func (h *handshake) finish(succeeded bool, now time.Time) (earlier *conn) {
	c := h.pending
	h.pending = nil
	if !succeeded {
		h.retry = now.Add(retryTime)
		return nil
	}
	h.needs, h.greetings = time.Time{}, 0
	return h.conn.Swap(c)
}

// lost reports whether a connection that has ended was the current one, which is no more.
func (h *handshake) lost(c *conn) bool { return h.conn.CompareAndSwap(c, nil) }

// end returns the connection and the attempt, which have to end; each may be nil.
func (h *handshake) end() (current, pending *conn) {
	current, pending = h.conn.Swap(nil), h.pending
	h.pending = nil
	return current, pending
}

// belongs returns the attempt or the connection to which records in an envelope belong, or nil.
func (h *handshake) belongs(e *envelope, from netip.AddrPort) *conn {
	for _, c := range [...]*conn{h.pending, h.conn.Load()} {
		if c != nil && c.addr == from && c.opening.attempt == e.attempt && c.opening.to == e.from && (c.opening.flags^e.flags)&flagClient != 0 {
			return c
		}
	}
	return nil
}

// outdated reports whether an envelope is of an attempt that is over.
func (h *handshake) outdated(e *envelope) bool { return h.theirs == e.from && e.attempt <= h.attempt }
