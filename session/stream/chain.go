package stream

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// Health says whether the states of all peers of a match were equal.
type Health uint8

const (
	// Unverified means that nothing has been compared yet, or not with all peers.
	Unverified Health = iota
	// Healthy means that all comparisons were equal.
	Healthy
	// Desynced means that a peer had a different state. This is final.
	Desynced
)

var healthNames = [...]string{"unverified", "healthy", "desynced"}

// String returns the name in lower case.
func (h Health) String() string {
	if int(h) < len(healthNames) {
		return healthNames[h]
	}
	return "unknown"
}

// Kept is how many values of a chain are kept for comparison, at most. Even at the shortest interval, one frame, they
// cover the longest possible lag of a peer. At first there is room for firstKept; for more, while comparisons are late.
const (
	Kept      = 256
	firstKept = 16
)

// Chain folds the hashes of all agreed states into one value, so that a difference stays visible even if the states
// become equal again. Peers exchange and compare the value at a fixed interval of frames.
type Chain struct {
	every  rollback.Frame
	value  uint64
	last   uint64         // the newest hash
	hashed rollback.Frame // the state of that hash; 0: none yet
	lost   bool           // the value does not cover the states from the beginning
	points []point        // by number of the interval, in a ring of a power of two; frame 0: none
	equal  rollback.Frame // values up to this one are needed no more
	health Health
}

// point is the value of a chain at a frame.
type point struct {
	frame rollback.Frame
	value uint64
}

// Verdict is the result of a comparison with a peer.
type Verdict struct {
	Frame rollback.Frame // the state that was compared
	Same  bool
	// Ours and Theirs are the checksums that were compared: of all states so far, or of the
	// last one.
	Ours, Theirs uint64
}

// Begin starts a match in which peers compare at this interval of frames.
func (c *Chain) Begin(every rollback.Frame) {
	*c = Chain{every: every, points: make([]point, firstKept)}
}

// Lose discards the value: the states before the next ones are not known here.
func (c *Chain) Lose() { c.lost = true }

// Resume continues from a value that another peer sent.
func (c *Chain) Resume(value uint64) { c.value, c.lost = value, false }

// Known reports whether the value covers all states from the beginning.
func (c *Chain) Known() bool { return !c.lost }

// Value returns the value over all hashes so far.
func (c *Chain) Value() uint64 { return c.value }

// Hashed returns the newest state that was hashed; 0 if none was.
func (c *Chain) Hashed() rollback.Frame { return c.hashed }

// HashAt returns the hash of a state if that is the newest hashed one, otherwise 0.
func (c *Chain) HashAt(f rollback.Frame) uint64 {
	if c.hashed != f {
		return 0
	}
	return c.last
}

// fold adds the hash of a state.
func (c *Chain) fold(f rollback.Frame, hash uint64) {
	c.value, c.last, c.hashed = agreed.AppendChain(c.value, hash, uint32(f)), hash, f
}

// Point returns the value at a state, and whether it is to be sent to the peers. If so, it is kept for comparison
// with their values.
func (c *Chain) Point(f rollback.Frame) (value uint64, due bool) {
	if c.lost || c.hashed == 0 || f%c.every != 0 {
		return 0, false
	}
	for at := c.at(f); at.frame > c.equal && at.frame != f && len(c.points) < Kept; at = c.at(f) {
		c.lengthen()
	}
	*c.at(f) = point{f, c.value}
	return c.value, true
}

// at returns the place of the value at a state.
func (c *Chain) at(f rollback.Frame) *point {
	return &c.points[f/c.every&rollback.Frame(len(c.points)-1)]
}

// lengthen doubles the room for values.
func (c *Chain) lengthen() {
	held := c.points
	c.points = make([]point, 2*len(held))
	for _, p := range held {
		if p.frame != 0 {
			*c.at(p.frame) = p
		}
	}
}

// Verified says that the values of all peers have been compared up to a state, and were equal.
func (c *Chain) Verified(f rollback.Frame) { c.equal = f }

// Health returns the result so far.
func (c *Chain) Health() Health { return c.health }

// Confirm records that all peers were equal in a comparison.
func (c *Chain) Confirm() {
	if c.health == Unverified {
		c.health = Healthy
	}
}

// Differ records that a peer had a different state, and returns whether that is news.
func (c *Chain) Differ() (news bool) {
	news = c.health != Desynced
	c.health = Desynced
	return news
}

// PeerChain is what a peer has reported about its chain.
type PeerChain struct {
	newest   rollback.Frame
	waiting  []point // values that could not be compared yet
	compared bool
	equal    rollback.Frame
}

// ToldFrom returns a PeerChain for a peer that reports its chain only after frame f, up to which it counts as
// equal.
func ToldFrom(f rollback.Frame) PeerChain { return PeerChain{newest: f, equal: f} }

// Waiting returns how many values could not be compared yet: at most [Kept].
func (t *PeerChain) Waiting() int { return len(t.waiting) }

// Compared reports whether any comparison was equal.
func (t *PeerChain) Compared() bool { return t.compared }

// Equal returns the newest state whose comparison was equal.
func (t *PeerChain) Equal() rollback.Frame { return t.equal }

// Note records an equal comparison.
func (t *PeerChain) Note(v Verdict) { t.compared, t.equal = true, v.Frame }

// Receive handles a value of a peer's chain. The peer must send one for each interval, in order, and none after
// frame most; otherwise, or if too many are waiting, it returns an error.
func (c *Chain) Receive(t *PeerChain, f rollback.Frame, value uint64, most rollback.Frame) error {
	if f != t.newest+c.every || f > most || len(t.waiting) == Kept {
		return datagram.ErrRange
	}
	t.newest = f
	t.waiting = append(t.waiting, point{f, value})
	return nil
}

// Compare compares the oldest value of a peer that can be compared, and reports whether there
// was one. Values that are no longer kept here are skipped.
func (c *Chain) Compare(t *PeerChain) (v Verdict, ok bool) {
	n := 0
	for ; !ok && n < len(t.waiting) && t.waiting[n].frame <= c.hashed; n++ {
		theirs := t.waiting[n]
		ours := c.at(theirs.frame)
		ok = ours.frame == theirs.frame
		v = Verdict{theirs.frame, ours.value == theirs.value, ours.value, theirs.value}
	}
	t.waiting = append(t.waiting[:0], t.waiting[n:]...)
	return v, ok
}
