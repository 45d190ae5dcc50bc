package dtls

import "sync/atomic"

// Stats counts the activity of a transport.
type Stats struct {
	Sent, SentBytes         uint64 // datagrams encrypted and given to the network, and their bytes before that
	Received, ReceivedBytes uint64 // datagrams that were authentic, and their bytes

	// Overflowed counts datagrams that arrived and were dropped, because newer ones of the same peer came before
	// anybody received them, or because more came than could be decrypted.
	Overflowed uint64
	// TooLong counts datagrams, either way, of more than MaxDatagram bytes, and those that
	// did not fit the buffer given to Receive.
	TooLong uint64
	// Unconnected counts datagrams to peers that were not connected.
	Unconnected uint64

	// Strangers counts datagrams that belong to no peer: neither a greeting with our key
	// nor of an open connection.
	Strangers uint64
	// Forged counts greetings and envelopes with our key's name that were not sealed with the key, that were our own
	// and came back, or that are not for this transport.
	Forged uint64
	// Refused counts strangers with a proven address who wanted to connect while there were too many.
	Refused uint64
	// Misplaced counts authentic datagrams from an address that belongs to another peer.
	Misplaced uint64

	Handshakes uint64 // begun
	Failed     uint64 // handshakes that did not complete
	Moves      uint64 // authentic datagrams from a new address
}

type counters struct {
	sent, sentBytes, received, receivedBytes     atomic.Uint64
	overflowed, tooLong, unconnected             atomic.Uint64
	strangers, forged, refused, misplaced, moves atomic.Uint64
	handshakes, failed                           atomic.Uint64
}

// Stats returns the counts so far.
func (t *Transport) Stats() Stats {
	n := &t.counts
	return Stats{
		Sent: n.sent.Load(), SentBytes: n.sentBytes.Load(),
		Received: n.received.Load(), ReceivedBytes: n.receivedBytes.Load(),
		Overflowed: n.overflowed.Load(), TooLong: n.tooLong.Load(), Unconnected: n.unconnected.Load(),
		Strangers: n.strangers.Load(), Forged: n.forged.Load(), Refused: n.refused.Load(),
		Misplaced: n.misplaced.Load(), Moves: n.moves.Load(),
		Handshakes: n.handshakes.Load(), Failed: n.failed.Load(),
	}
}
