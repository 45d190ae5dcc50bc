package udp

import "sync/atomic"

// Stats has the statistics of a socket.
type Stats struct {
	Sent, SentBytes         uint64 // datagrams given to the operating system, and their bytes
	Received, ReceivedBytes uint64 // datagrams that arrived and were not too long, and their bytes

	// Overflowed counts datagrams that arrived but were dropped because newer ones arrived before they were received.
	Overflowed uint64
	// TooLong counts datagrams that arrived but were dropped because they have more than [MaxDatagram] bytes, or do not
	// fit into the buffer given to [Conn.Receive].
	TooLong uint64
	// Refused counts reports of the system that no program listens at the destination of a datagram. Many systems do
	// not report that.
	Refused uint64

	SendErrors uint64 // datagrams that could not be sent
	ReadErrors uint64 // other errors when receiving
}

type counters struct {
	sent, sentBytes, received, receivedBytes atomic.Uint64

	overflowed, tooLong, refused, sendErrors, readErrors atomic.Uint64
}

// Stats returns the statistics so far.
func (c *Conn) Stats() Stats {
	n := &c.counts
	return Stats{
		Sent: n.sent.Load(), SentBytes: n.sentBytes.Load(),
		Received: n.received.Load(), ReceivedBytes: n.receivedBytes.Load(),
		Overflowed: n.overflowed.Load(), TooLong: n.tooLong.Load(), Refused: n.refused.Load(),
		SendErrors: n.sendErrors.Load(), ReadErrors: n.readErrors.Load(),
	}
}
