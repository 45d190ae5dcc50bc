package peer

// Window is which datagrams of a peer have come, so that none counts twice. One that
// is older than all it holds is taken for a duplicate.
type Window struct {
	next uint64 // after the newest
	seen [windowSize / 64]uint64
}

// windowSize is how many datagrams may overtake another one: four seconds of them.
const windowSize = 256

// Next returns the number after the newest one.
func (w *Window) Next() uint64 { return w.next }

// Take reports whether a datagram is new, and remembers it.
func (w *Window) Take(sequence uint64) bool {
	if w.Has(sequence) {
		return false
	}
	if w.next+windowSize <= sequence {
		w.next = sequence - windowSize + 1 // what lies between is cleared with the rest
	}
	for ; w.next <= sequence; w.next++ {
		w.seen[w.next/64%uint64(len(w.seen))] &^= 1 << (w.next % 64)
	}
	w.seen[sequence/64%uint64(len(w.seen))] |= 1 << (sequence % 64)
	return true
}

// Has reports whether a datagram has come.
func (w *Window) Has(sequence uint64) bool {
	if sequence >= w.next {
		return false
	}
	return w.next-sequence > windowSize || w.seen[sequence/64%uint64(len(w.seen))]>>(sequence%64)&1 != 0
}
