package served

import "github.com/tickback/tickback/session/sequencer"

// Faults count what arrived from a client, or seemed to come from it, and gained it nothing. Some of these also
// happen to honest clients: networks duplicate datagrams, and inputs of a client that comes back late can be too
// early.
type Faults struct {
	// Forged counts datagrams from a client's address that the client did not make: they are damaged, or from
	// another machine. Repeated counts datagrams that had arrived before, from its address or from another one.
	Forged, Repeated uint64
	// Elsewhere counts datagrams of a client from another address that arrived while it was still heard at its
	// own, or whose address already had the maximum number of places.
	Elsewhere uint64
	// Flooded counts datagrams beyond the rate that a client may send. They are not read.
	Flooded uint64
	// Early counts inputs for ticks that are too far ahead, or from before the client had its place.
	Early uint64
	// Unsent counts acknowledgements of states that were not sent to the client, including future ones.
	Unsent uint64
	// Orders counts orders for ticks that are too far ahead, or beyond the number that may wait.
	Orders uint64
	// Illegal counts inputs that ServerHooks.Check has refused, or that are not valid inputs.
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

// ServerCounts are counters that only a server has. Most of them count requests that were refused. They never
// decrease.
type ServerCounts struct {
	// Faults are those of all clients, including clients that are gone.
	Faults
	// Late counts the inputs of present clients that arrived after their tick, and Replaced the ticks for which no
	// input had arrived.
	Late, Replaced uint64
	// Broken counts clients that were removed because they violated the protocol.
	Broken uint64
	// Strangers counts datagrams that belong to no client: malformed, or of a session that is over, or from an
	// address where there is no client.
	Strangers uint64
	// Refused counts requests for a place that were refused. Of these, Uninvited did not prove that they know the
	// token, and Crowded came from an address that already had the maximum number of places.
	Refused, Uninvited, Crowded uint64
	// Spent counts requests that repeat an earlier request that is over.
	Spent uint64
	// Doubled counts clients that connected with the ID of another client that was playing. They got another
	// place.
	Doubled uint64
	// Moved counts changes of clients' addresses.
	Moved uint64
	// Skipped counts tick periods that were skipped because the server was too late to catch up.
	Skipped uint64
}

// Counts returns the server's counters.
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
