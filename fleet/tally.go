package fleet

import (
	"iter"
	"math/bits"
	"time"

	"github.com/tickback/tickback/session"
)

// tally counts what happens in a run, and digests it.
type tally struct {
	total  Result // what the counts and digests of the result will be
	played bool   // the first match is over, or a machine has left it: Played is complete
}

// mix mixes a value into the digest, with the time.
func (t *tally) mix(v uint64, now time.Duration) { t.total.Digest = mixed(t.total.Digest, v, now) }

// datagram counts a datagram from one player's machine to another, and adds its hash to the digest of what was played.
func (t *tally) datagram(hash uint64, size int, now time.Duration) {
	t.total.Datagrams++
	t.total.Bytes += uint64(size)
	if !t.played {
		t.total.Played = mixed(t.total.Played, hash, now)
	}
}

// lag counts how late inputs arrive.
func (t *tally) lag(d time.Duration) { t.total.Lag.Add(d) }

// complete adds to the digest of what was played how often each machine has waited, and closes it. Later calls change
// nothing.
func (t *tally) complete(machines iter.Seq[session.Stats], now time.Duration) {
	if t.played {
		return
	}
	t.played = true
	for s := range machines {
		t.total.Played = mixed(t.total.Played, s.Stalls<<32+s.Blocked, now)
	}
}

// match adds the statistics of a match that is over on a machine.
func (t *tally) match(s *session.Stats) {
	c := &t.total
	c.Frames += s.Engine.Ticks
	c.Resimulated += s.Engine.Resimulated
	c.Rollbacks += s.Engine.Rollbacks
	c.Deepest = max(c.Deepest, s.Engine.Deepest)
	c.Stalls += s.Stalls
	c.Blocked += s.Blocked
}

func mixed(digest, v uint64, now time.Duration) uint64 {
	return bits.RotateLeft64((digest^v)*0x9E3779B97F4A7C15, 29) + uint64(now)
}
