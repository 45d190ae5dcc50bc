package peer

import (
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// carried knows whether a path still carries large datagrams, those of more than MinSize bytes. A path that has carried them
// can stop: it goes another way, a tunnel is put around it, or its queue is short and full. Such a path is a black hole for what
// fills a datagram (RFC 8899, section 4.3): small ones arrive, so that nobody falls silent, and large ones never do.
type carried struct {
	large  [sentHeld / 64]uint64 // by the number of a datagram, in a ring: whether it was a large one
	proven uint64                // the newest large one that has arrived, + 1
	since  time.Duration         // when the first large one was sent since that was known
	first  uint64                // its number
	sent   int                   // large ones since then
	told   int                   // samples since then
	holes  int                   // how often the path has turned out to be a black hole
	small  bool                  // whether the next datagram has to be a small one: see most
}

const (
	// A path has stopped to carry large datagrams when so many were sent, for so long, and the other end has named none of them as
	// the newest that had arrived, although it would have done so so often on average if they arrived as small ones do.
	holeSent, holeTold = 24, 10
	holeAfter          = 1500 * time.Millisecond
	// holeTimeouts is how many time-outs that takes at least.
	holeTimeouts = 4

	// It is in doubt after so many, so long and so many time-outs.
	doubtSent, doubtTimeouts = 8, 2
	doubtAfter               = 300 * time.Millisecond
)

// note notes that datagram n is sent.
func (c *carried) note(n uint64, size int, now, timeout time.Duration) {
	word, bit := &c.large[n%sentHeld/64], uint64(1)<<(n%64)
	c.small = false
	if *word &^= bit; size <= datagram.MinSize {
		return
	}
	c.small = c.sent >= doubtSent && now-c.since > max(doubtAfter, doubtTimeouts*timeout)
	*word |= bit
	if c.sent == 0 {
		c.since, c.first, c.told = now, n, 0
	}
	c.sent++
}

// most returns how large the next datagram may be on a path that has carried limit bytes. While it is in doubt that it still
// does, every second one is small: an end that has much to send would send nothing but large ones, and be taken for silent.
func (c *carried) most(limit int) int {
	if c.small {
		return min(limit, datagram.MinSize)
	}
	return limit
}

// sample notes that the other end has named datagram n as the newest that has arrived.
func (c *carried) sample(n uint64) {
	if c.told++; n >= c.proven && c.large[n%sentHeld/64]>>(n%64)&1 != 0 {
		c.proven, c.sent = n+1, 0
	}
}

// look reports whether the path has just turned out to be a black hole, when next is the number of the next datagram.
func (c *carried) look(next uint64, now, timeout time.Duration) bool {
	if c.sent < holeSent || uint64(c.told)*uint64(c.sent) < holeTold*(next-c.first) || now-c.since < max(holeAfter, holeTimeouts*timeout) {
		return false
	}
	c.sent = 0
	c.holes++
	return true
}
