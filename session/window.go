package session

import "github.com/tickback/tickback/wire/datagram"

// window is which datagrams of a peer have come, so that none counts twice. One
// that is older than all it holds is taken for a duplicate.
type window struct {
	next uint64 // after the newest
	seen [windowSize / 64]uint64
}

// windowSize is how many datagrams may overtake another one: four seconds of them.
const windowSize = 256

// take reports whether a datagram is new, and remembers it.
func (w *window) take(sequence uint64) bool {
	if w.has(sequence) {
		return false
	}
	if w.next+windowSize <= sequence {
		w.next = sequence - windowSize + 1 // what lies between is cleared with the rest
	}
	for ; w.next <= sequence; w.next++ {
		w.seen[w.next/64%(windowSize/64)] &^= 1 << (w.next % 64)
	}
	w.seen[sequence/64%(windowSize/64)] |= 1 << (sequence % 64)
	return true
}

// has reports whether a datagram has come.
func (w *window) has(sequence uint64) bool {
	if sequence >= w.next {
		return false
	}
	return w.next-sequence > windowSize || w.seen[sequence/64%(windowSize/64)]>>(sequence%64)&1 != 0
}

// open returns the body of a session datagram of the peer, and its number.
func (l *link) open(b []byte) (body []byte, sequence uint64, ok bool) {
	sequence, ok = datagram.SequenceOf(b, l.window.next)
	if !ok {
		return nil, 0, false
	}
	body, ok = l.in.Open(b, sequence)
	return body, sequence, ok
}
