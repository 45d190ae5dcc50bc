package realtime

import (
	"slices"
	"sort"
	"time"

	"github.com/tickback/tickback/netem"
)

// MaxWaiting is the maximum number of datagrams that wait to be sent: those of 8 players at 60 ticks/s for 8 seconds,
// about 5 MB at 1200 bytes each.
const MaxWaiting = 4096

// item is a waiting datagram.
type item struct {
	at       time.Duration
	number   uint64 // its number in the order of sending
	to       *destination
	datagram []byte
}

// schedule holds the waiting datagrams, the latest first, so that the next one is at the end. A sorted slice is fast
// enough for a limit of thousands.
type schedule struct {
	items []item
	spare [][]byte // buffers for reuse
}

// add puts a copy of a datagram into the schedule; ok is false if it is full. Of datagrams with the same time, the one
// added first comes first. first reports whether this datagram is now the next one.
func (s *schedule) add(i item, datagram []byte, damage uint64) (first, ok bool) {
	if len(s.items) >= MaxWaiting {
		return false, false
	}
	i.datagram = append(s.buffer(), datagram...)
	if damage != 0 {
		netem.FlipBits(i.datagram, damage)
	}
	at := sort.Search(len(s.items), func(k int) bool { return s.items[k].at <= i.at })
	// Insert it after those that are due later, and before those that are due at the same time.
	s.items = slices.Insert(s.items, at, i)
	return at == len(s.items)-1, true
}

// next returns the time of the next datagram.
func (s *schedule) next() (time.Duration, bool) {
	if len(s.items) == 0 {
		return 0, false
	}
	return s.items[len(s.items)-1].at, true
}

// take removes the next datagram. Its buffer belongs to the caller until it is recycled.
func (s *schedule) take() item {
	last := len(s.items) - 1
	i := s.items[last]
	s.items[last] = item{}
	s.items = s.items[:last]
	return i
}

// buffer returns an empty buffer.
func (s *schedule) buffer() []byte {
	n := len(s.spare)
	if n == 0 {
		return nil
	}
	b := s.spare[n-1]
	s.spare = s.spare[:n-1]
	return b[:0]
}

// recycle takes a buffer back. There are never more buffers than datagrams that were waiting at the same time.
func (s *schedule) recycle(b []byte) { s.spare = append(s.spare, b) }
