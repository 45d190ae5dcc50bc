package peer

import (
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// carried tracks whether a path still carries large datagrams, those of more than MinSize bytes. A path that has
// carried them can stop doing so: it is rerouted, a tunnel is added, or its queue is short and full. Such a path is
// a black hole for full-sized datagrams (RFC 8899, section 4.3): small ones arrive, so that no end falls silent,
// and large ones never do.
type carried struct {
	large  [sentHeld / 64]uint64 // by datagram number, in a ring: whether it was a large one
	proven uint64                // the newest large one that is known to have arrived, + 1
	since  time.Duration         // when the first large one after that was sent
	first  uint64                // the number of that datagram
	sent   int                   // number of large ones sent since then
	told   int                   // number of samples received since then
	holes  int                   // how often the path has turned out to be a black hole
	small  bool                  // whether the next datagram has to be small: see most
}

const (
	// A path no longer carries large datagrams if holeSent of them were sent over at least holeAfter, and the other
	// end has named none of them as the newest that had arrived, although it would have done so holeTold times on
	// average if they arrived as small ones do.
	holeSent, holeTold = 24, 10
	holeAfter          = 1500 * time.Millisecond
	// holeTimeouts is the minimum of that time in time-outs, where that is longer than holeAfter.
	holeTimeouts = 4

	// The path is in doubt after doubtSent large datagrams, over at least doubtAfter and doubtTimeouts time-outs.
	doubtSent, doubtTimeouts = 8, 2
	doubtAfter               = 300 * time.Millisecond
)

// noteSmall records that datagram n is sent, which is not large.
func (c *carried) noteSmall(n uint64) {
	c.small = false
	c.large[n%sentHeld/64] &^= 1 << (n % 64)
}

// note records that datagram n is sent, which is large, and counts the path as a black hole if it has turned out to be
// one.
func (c *carried) note(n uint64, now, timeout time.Duration) {
	c.large[n%sentHeld/64] |= 1 << (n % 64)
	if c.sent == 0 {
		c.since, c.first, c.told = now, n, 0
	}
	c.sent++
	silent := now - c.since
	c.small = c.sent > doubtSent && silent > max(doubtAfter, doubtTimeouts*timeout)
	if c.sent >= holeSent && uint64(c.told)*uint64(c.sent) >= holeTold*(n+1-c.first) && silent >= max(holeAfter, holeTimeouts*timeout) {
		c.sent, c.small = 0, false
		c.holes++
	}
}

// narrowed reports whether the path has turned out to be a black hole since there were known holes, and updates them.
func (c *carried) narrowed(known *int) bool {
	if *known == c.holes {
		return false
	}
	*known = c.holes
	return true
}

// most returns how large the next datagram may be on a path that has carried limit bytes. While that is in doubt,
// every second datagram is small: an end that has much to send would otherwise send only large ones, and seem
// silent.
func (c *carried) most(limit int) int {
	if c.small {
		return min(limit, datagram.MinSize)
	}
	return limit
}

// sample records that the other end has named datagram n as the newest that has arrived.
func (c *carried) sample(n uint64) {
	if c.told++; n >= c.proven && c.large[n%sentHeld/64]>>(n%64)&1 != 0 {
		c.proven, c.sent = n+1, 0
	}
}
