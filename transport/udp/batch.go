package udp

import (
	"errors"
	"net/netip"
)

// batchDatagrams is the maximum number of datagrams that one system call moves: two from each client of a full match,
// and a few that are early or late.
const batchDatagrams = 40

// SendBatch sends datagrams[i] to to[i], in this order, as [Conn.Send] would send each of them: one that cannot be sent
// is counted and does not stop the others. On Linux, with the processors of [ListenPolled], one system call sends up to
// 40 of them, which costs less; datagrams that the call does not accept are sent individually. Nothing is pending when
// it returns, and it does not keep the bytes. It allocates only for an error.
//
// The error is the first one of those of Send, or ErrClosed if the socket is closed.
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

// worse returns the more important of an earlier and a later error.
func worse(first, next error) error {
	if first == nil || errors.Is(next, ErrClosed) {
		return next
	}
	return first
}
