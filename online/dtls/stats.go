package dtls

import "sync/atomic"

// Stats has the counts of a transport.
type Stats struct {
	Sent, SentBytes         uint64 // datagrams encrypted and given to the network, and their bytes before that
	Received, ReceivedBytes uint64 // datagrams that were authentic, and their bytes

	// Overflowed counts datagrams that arrived and were dropped, because newer ones of the same peer came before
	// anybody received them, or because more came than could be decrypted.
	Overflowed uint64
	// TooLong counts sent or received datagrams of more than MaxDatagram bytes, and those that did not fit into the
	// buffer given to Receive.
	TooLong uint64
	// Unconnected counts datagrams to peers that were not connected.
	Unconnected uint64

	// Strangers counts datagrams that belong to no peer: neither a greeting with our key
	// nor of an open connection.
	Strangers uint64
	// Forged counts greetings and envelopes with our key's name that were not sealed with the key, that we had sent
	// ourselves, or that are not for this transport.
	Forged uint64
	// Refused counts strangers with a proven address who wanted to connect while there were too many.
	Refused uint64
	// Misplaced counts authentic datagrams from an address that belongs to another peer.
	Misplaced uint64

	Handshakes uint64 // handshakes that were begun
	Failed     uint64 // handshakes that did not complete
	Moves      uint64 // authentic datagrams from a new address
}

type counters struct {
	sent, sentBytes                              atomic.Uint64
	tooLong                                      atomic.Uint64 // to send
	overflowed                                   atomic.Uint64 // before they were decrypted
	unconnected                                  atomic.Uint64
	strangers, forged, refused, misplaced, moves atomic.Uint64
	handshakes, failed                           atomic.Uint64
}

// Stats returns the counts so far.
func (t *Transport) Stats() Stats {
	n, in := &t.counts, t.queue.Counts()
	return Stats{
		Sent: n.sent.Load(), SentBytes: n.sentBytes.Load(),
		Received: in.Received, ReceivedBytes: in.ReceivedBytes,
		Overflowed: n.overflowed.Load() + in.Overflowed, TooLong: n.tooLong.Load() + in.TooLong, Unconnected: n.unconnected.Load(),
		Strangers: n.strangers.Load(), Forged: n.forged.Load(), Refused: n.refused.Load(),
		Misplaced: n.misplaced.Load(), Moves: n.moves.Load(),
		Handshakes: n.handshakes.Load(), Failed: n.failed.Load(),
	}
}
