package peer

// Window records which datagrams of a peer have arrived, so that none is accepted twice. One that is older than the
// window counts as a duplicate.
type Window struct {
	next uint64 // the number after the newest
	seen [windowSize / 64]uint64
}

// windowSize is how many datagrams may overtake another one: four seconds' worth.
const windowSize = 256

// Next returns the number after the newest one.
func (w *Window) Next() uint64 { return w.next }

// Take reports whether a datagram is new, and records it.
func (w *Window) Take(sequence uint64) bool {
	if sequence == w.next { // nearly always, so that this is inlined
		w.next++
		w.seen[sequence/64%uint64(len(w.seen))] |= 1 << (sequence % 64)
		return true
	}
	return w.take(sequence)
}

func (w *Window) take(sequence uint64) bool {
	if w.Has(sequence) {
		return false
	}
	if w.next+windowSize <= sequence {
		w.next = sequence - windowSize + 1 // the loop clears the rest of the window
	}
	for ; w.next <= sequence; w.next++ {
		w.seen[w.next/64%uint64(len(w.seen))] &^= 1 << (w.next % 64)
	}
	w.seen[sequence/64%uint64(len(w.seen))] |= 1 << (sequence % 64)
	return true
}

// Has reports whether a datagram has arrived, or is too old to tell.
func (w *Window) Has(sequence uint64) bool {
	if sequence >= w.next {
		return false
	}
	return w.next-sequence > windowSize || w.seen[sequence/64%uint64(len(w.seen))]>>(sequence%64)&1 != 0
}
