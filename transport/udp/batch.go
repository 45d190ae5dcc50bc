package udp

import (
	"errors"
	"net/netip"
)

// batchDatagrams is how many datagrams one call of the system moves: two of each client of a full match,
// and a few that come early or late.
const batchDatagrams = 40

// SendBatch sends datagrams[i] to to[i], in this order, as [Conn.Send] would send each of them: one that
// cannot be sent is counted and does not hold up the others. On Linux it takes one call of the system for
// up to 40 of them, which costs less; what that call does not take is sent alone. Nothing is kept back when
// it returns, and none of the bytes are kept. It allocates only for an error.
//
// The error is the first one of those of Send, but ErrClosed if the socket is closed.
func (c *Conn) SendBatch(to []netip.AddrPort, datagrams [][]byte) error {
	if len(datagrams) > 1 && c.batch != nil {
		return c.batch.send(c, to, datagrams)
	}
	var failed error
	for i, b := range datagrams {
		failed = worse(failed, c.Send(to[i], b))
	}
	return failed
}

// worse returns the error that counts of an earlier and a later one.
func worse(first, next error) error {
	if first == nil || errors.Is(next, ErrClosed) {
		return next
	}
	return first
}
