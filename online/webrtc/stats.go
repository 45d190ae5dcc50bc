package webrtc

import "sync/atomic"

// Stats counts the activity of a transport.
type Stats struct {
	Sent, SentBytes         uint64 // datagrams given to connections, and their bytes
	Received, ReceivedBytes uint64 // datagrams that arrived and were not too long, and their bytes

	// Overflowed counts datagrams that arrived and were dropped, since newer ones of the same peer came before
	// anybody received them.
	Overflowed uint64
	// TooLong counts datagrams, sent or received, of more than MaxDatagram bytes, and those that did not fit the
	// buffer given to Receive.
	TooLong uint64
	// Unconnected counts datagrams to peers that were not connected, or to addresses that no peer has.
	Unconnected uint64
	// Congested counts datagrams that a connection could not take.
	Congested uint64

	BadSignals uint64 // signals that were not valid
	Attempts   uint64 // connections that were begun
	Restarts   uint64 // searches for new paths
}

type counters struct {
	sent, sentBytes                 atomic.Uint64
	tooLong, unconnected, congested atomic.Uint64 // tooLong to send
	badSignals, attempts, restarts  atomic.Uint64
}

// Stats returns the counts so far.
func (t *Transport) Stats() Stats {
	n, in := &t.counts, t.queue.Counts()
	return Stats{
		Sent: n.sent.Load(), SentBytes: n.sentBytes.Load(),
		Received: in.Received, ReceivedBytes: in.ReceivedBytes,
		Overflowed: in.Overflowed, TooLong: n.tooLong.Load() + in.TooLong,
		Unconnected: n.unconnected.Load(), Congested: n.congested.Load(),
		BadSignals: n.badSignals.Load(), Attempts: n.attempts.Load(), Restarts: n.restarts.Load(),
	}
}
