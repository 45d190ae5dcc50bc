package served

import "github.com/tickback/tickback/session/sequencer"

// Faults are what has come from a client, or as if from one, and gains it nothing. Some of them
// happen to honest clients, too: networks repeat datagrams, and one that returns late is early.
type Faults struct {
	// Forged are datagrams from a client's address that it has not made: they are damaged, or of
	// somebody else. Repeated have come before, from its address or from another one.
	Forged, Repeated uint64
	// Elsewhere are datagrams of a client from another address, while it was heard at its own, or
	// from one that has as many places as it may have.
	Elsewhere uint64
	// Flooded are datagrams beyond what a client may send in a time. They are not read.
	Flooded uint64
	// Early are inputs for ticks that are too far ahead, or before the client had its place.
	Early uint64
	// Unsent are acknowledgements of states that the client was not told, those of the future too.
	Unsent uint64
	// Orders are orders for ticks that are too far ahead, or beyond those that may wait.
	Orders uint64
	// Illegal are inputs that ServerHooks.Check has refused, or that are none.
	Illegal uint64
}

func (f *Faults) add(other *Faults) {
	f.Forged += other.Forged
	f.Repeated += other.Repeated
	f.Elsewhere += other.Elsewhere
	f.Flooded += other.Flooded
	f.Early += other.Early
	f.Unsent += other.Unsent
	f.Orders += other.Orders
	f.Illegal += other.Illegal
}

// ServerCounts are figures that only a server has: of machines that ask for more than they get.
// They never go down.
type ServerCounts struct {
	// Faults are those of all clients, of those that have gone as well.
	Faults
	// Late are inputs of the clients that are here that came after their tick, and Replaced the
	// ticks for which none had come.
	Late, Replaced uint64
	// Broken are clients that were removed because they broke the protocol.
	Broken uint64
	// Strangers are datagrams of nobody: malformed, or of a session that is over, or from an
	// address at which there is no client.
	Strangers uint64
	// Refused are requests for a place that got none. Of these, Uninvited did not prove that they
	// know the token, and Crowded came from an address that has as many places as it may have.
	Refused, Uninvited, Crowded uint64
	// Spent are requests that repeat one that is over.
	Spent uint64
	// Doubled are clients that came with the ID of another one that plays. They got another place.
	Doubled uint64
	// Moved are changes of a client's address.
	Moved uint64
	// Skipped are ticks that began late by more than the server catches up.
	Skipped uint64
}

// Counts returns what the server has counted.
func (s *Server[S, I]) Counts() ServerCounts {
	h := s.Host
	n := ServerCounts{
		Faults: h.clients.past, Broken: h.counts.broken, Strangers: h.counts.strangers,
		Refused: h.counts.refused, Uninvited: h.counts.uninvited, Crowded: h.counts.crowded,
		Spent: h.counts.spent, Doubled: h.counts.doubled, Moved: h.counts.moved, Skipped: h.counts.skipped,
	}
	for _, c := range h.clients.list {
		n.add(&c.faults)
		if c.plays {
			n.Late += h.sequencer.Count(c.player, sequencer.Late)
			n.Replaced += h.sequencer.Replaced(c.player)
		}
	}
	return n
}
