package netem

import "time"

// Options says how a [Network] handles its payloads. The zero value is fine for plain values.
type Options[T any] struct {
	// Clone copies a payload that is duplicated. Without it the copy is a plain assignment, and both deliveries share the
	// memory that the payload points to.
	Clone func(T) T
	// Corrupt returns a payload with errors in it, chosen by the random number. It may change its argument. Without it
	// corrupted datagrams are lost, as if a checksum had detected the error; they count as both.
	Corrupt func(payload T, random uint64) T
	// InFlight is the maximum number of datagrams in flight at once; more are dropped. The default is [DefaultInFlight].
	InFlight int
}

// Network connects nodes in virtual time and carries payloads of any type. Its
// owner has the only clock:
//
//  1. Send what the nodes send at this time.
//  2. Ask [Topology.Next] when the next arrival is, and move the clock there, or
//     to whatever else happens earlier.
//  3. Call [Network.Receive] until there is nothing more due, and give each
//     delivery to its node.
//
// Time does not go back: the network's own clock is the latest time it was given, and a datagram sent at an earlier
// time is sent at that time.
//
// A network is for one goroutine; networks share nothing.
type Network[T any] struct {
	Topology
	options  Options[T]
	payloads []T // by slot
}

// Delivery is a datagram, or a copy of one, that has arrived.
type Delivery[T any] struct {
	From, To int
	At       time.Duration
	Payload  T
}

// New returns a network whose links are all perfect. The seed decides everything that happens by chance.
func New[T any](nodes int, seed uint64, options Options[T]) (*Network[T], error) {
	n := &Network[T]{options: options}
	if err := n.init(nodes, seed, options.InFlight); err != nil {
		return nil, err
	}
	n.frail = options.Corrupt == nil
	return n, nil
}

// Send sends a payload. The size in bytes, up to [MaxSize], matters for the bandwidth and the statistics. It panics if
// there is no such node, or if the size is not valid.
func (n *Network[T]) Send(now time.Duration, from, to, size int, payload T) {
	var a arrivals
	n.send(now, from, to, size, &a)
	if len(n.payloads) < len(n.slots) {
		n.payloads = append(n.payloads, make([]T, len(n.slots)-len(n.payloads))...)
	}
	if a.Copies == 2 {
		clone := payload
		if n.options.Clone != nil {
			clone = n.options.Clone(payload)
		}
		n.put(a.slots[1], a.Damage[1], clone)
	}
	if a.Copies > 0 {
		n.put(a.slots[0], a.Damage[0], payload)
	}
}

func (n *Network[T]) put(s uint32, damage uint64, payload T) {
	if damage != 0 {
		payload = n.options.Corrupt(payload, damage)
	}
	n.payloads[s] = payload
}

// Receive returns the earliest delivery that is due at the given time. Deliveries come in order of arrival; of those
// that arrive at the same time, the one that was sent first comes first. It returns false if none is due.
func (n *Network[T]) Receive(now time.Duration) (d Delivery[T], ok bool) {
	first, ok := n.due(now)
	if !ok {
		return d, false
	}
	s := first.slot()
	d.From, d.To, d.At = int(n.slots[s].from), int(n.slots[s].to), first.time()
	d.Payload = n.payloads[s]
	var none T
	n.payloads[s] = none // does not keep the memory alive that it points to
	n.receive(first)
	n.give(s)
	return d, true
}
