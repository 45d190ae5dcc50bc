package udp

import (
	"net/netip"
	"time"
)

// Send sends one datagram of at most [MaxDatagram] bytes. It never waits for the other side; only a full queue of the
// network card may delay it. It does not keep the bytes, and allocates only for an error.
//
// Errors: [ErrTooLong], [ErrFamily], [ErrAddress], [ErrClosed], or what the operating
// system says. The socket still works after each of these except ErrClosed. If nobody
// listens at the address, that is no error, but counted if the system reports it:
// [Stats.Refused].
func (c *Conn) Send(to netip.AddrPort, datagram []byte) error {
	to = unmap(to)
	if err := c.sendable(to, len(datagram)); err != nil {
		c.counts.sendErrors.Add(1)
		return err
	}
	c.correspond(to)
	err := c.write(datagram, to)
	if err != nil && isRefused(err) {
		// The error is about an earlier datagram. This one has not been sent.
		c.counts.refused.Add(1)
		if err = c.write(datagram, to); err != nil && isRefused(err) {
			c.counts.refused.Add(1)
			return nil
		}
	}
	if err != nil {
		c.counts.sendErrors.Add(1)
		return &Error{"send to", to.String(), reason(err), err}
	}
	c.counts.sent.Add(1)
	c.counts.sentBytes.Add(uint64(len(datagram)))
	return nil
}

// correspond remembers an address. A socket that is only ever polled need not know the senders of its datagrams.
func (c *Conn) correspond(to netip.AddrPort) {
	if !c.polled {
		c.known.add(to)
	}
}

func (c *Conn) write(datagram []byte, to netip.AddrPort) error {
	if c.backlog != nil {
		return c.backlog.send(datagram, to)
	}
	_, err := c.reading.socket.WriteToUDPAddrPort(datagram, to)
	return err
}

// sendable returns an error if the operating system would refuse the datagram, with a better text than the system's.
func (c *Conn) sendable(to netip.AddrPort, n int) error {
	why := error(nil)
	switch {
	case !to.IsValid() || to.Port() == 0:
		why = ErrAddress
	case !c.reach.has(to.Addr()):
		why = ErrFamily
	case n > MaxDatagram:
		why = ErrTooLong
	default:
		return nil
	}
	return &Error{"send to", to.String(), why, nil}
}

// Receive copies the next datagram that has arrived into buf and returns where it comes from and when it arrived. It
// never blocks; ok is false if there is none, and after [Conn.Close]. A buf of [MaxDatagram] bytes is long enough for
// any; a datagram that does not fit is dropped and counted. It allocates nothing.
func (c *Conn) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	if !c.reading.on.Load() {
		return c.backlog.pop(buf, &c.counts)
	}
	n, from, at, ok, tooLong := c.reading.ring.pop(buf)
	if tooLong > 0 {
		c.counts.tooLong.Add(tooLong)
	}
	return n, from, at, ok
}
