package stream

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// Health says whether the peers of a match have been in the same states.
type Health uint8

const (
	// Unverified: nothing has been compared yet, or with not all peers.
	Unverified Health = iota
	// Healthy: everything that was compared was equal.
	Healthy
	// Desynced: a peer had another state. It stays so.
	Desynced
)

var healthNames = [...]string{"unverified", "healthy", "desynced"}

// String names the health in lower case.
func (h Health) String() string {
	if int(h) < len(healthNames) {
		return healthNames[h]
	}
	return "unknown"
}

// Kept is how many values of a chain are kept to be compared. With the shortest interval of
// one frame they still reach as far back as a peer can be behind.
const Kept = 256

// Chain folds the hashes of all agreed states into one value, so that a difference stays
// visible, even if it heals itself. In an interval of frames, peers tell each other the value
// and compare it.
type Chain struct {
	every  rollback.Frame
	value  uint64
	last   uint64         // the newest hash,
	hashed rollback.Frame // of this state; 0 is none yet
	lost   bool           // what is folded does not reach back to the beginning
	points [Kept]point    // by the number of the interval, in a ring
	health Health
}

// point is the value of a chain at a frame.
type point struct {
	frame rollback.Frame
	value uint64
}

// Verdict is the result of a comparison with a peer.
type Verdict struct {
	Frame rollback.Frame // of the states that were compared
	Same  bool
	// Ours and Theirs are the checksums that were compared: of all states so far, or of the
	// last one.
	Ours, Theirs uint64
}

// Begin begins with a match whose peers compare in this interval, in frames.
func (c *Chain) Begin(every rollback.Frame) { *c = Chain{every: every} }

// Lose forgets the value: the states that come next follow others that are not known here.
func (c *Chain) Lose() { c.lost = true }

// Resume goes on from a value that was told.
func (c *Chain) Resume(value uint64) { c.value, c.lost = value, false }

// Known reports whether the value is of all states from the beginning on.
func (c *Chain) Known() bool { return !c.lost }

// Value returns the value: of all hashes so far.
func (c *Chain) Value() uint64 { return c.value }

// Hashed returns the newest state that was hashed; 0 if none was.
func (c *Chain) Hashed() rollback.Frame { return c.hashed }

// HashAt returns the hash of a state if it is the newest that was hashed, else 0.
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

// Point returns the value at the state that is reached, and whether peers are told it there. It
// is kept then, to be compared with theirs.
func (c *Chain) Point(f rollback.Frame) (value uint64, due bool) {
	if c.lost || c.hashed == 0 || f%c.every != 0 {
		return 0, false
	}
	c.points[f/c.every%Kept] = point{f, c.value}
	return c.value, true
}

// Health returns the verdict so far.
func (c *Chain) Health() Health { return c.health }

// Confirm notes that all peers have been the same in something.
func (c *Chain) Confirm() {
	if c.health == Unverified {
		c.health = Healthy
	}
}

// Differ notes that a peer was not the same, and reports whether that is news.
func (c *Chain) Differ() (news bool) {
	news = c.health != Desynced
	c.health = Desynced
	return news
}

// Told is what a peer has told of its chain.
type Told struct {
	newest   rollback.Frame
	waiting  []point // that could not be compared yet
	compared bool
	equal    rollback.Frame
}

// ToldFrom is a peer that tells of its chain only behind a frame, up to which it was the same.
func ToldFrom(f rollback.Frame) Told { return Told{newest: f, equal: f} }

// Newest returns the newest frame of which the peer has told.
func (t *Told) Newest() rollback.Frame { return t.newest }

// Waiting returns how many values could not be compared yet: at most [Kept].
func (t *Told) Waiting() int { return len(t.waiting) }

// Compared reports whether anything was compared, and was the same.
func (t *Told) Compared() bool { return t.compared }

// Equal returns the newest state that was compared, and was the same.
func (t *Told) Equal() rollback.Frame { return t.equal }

// Note takes note of a verdict that was the same.
func (t *Told) Note(v Verdict) { t.compared, t.equal = true, v.Frame }

// Hear takes what a peer tells of its chain. It tells of each interval once, in order, and of
// none behind most: an error if it does not, or if too many wait.
func (c *Chain) Hear(t *Told, f rollback.Frame, value uint64, most rollback.Frame) error {
	if f != t.newest+c.every || f > most || len(t.waiting) == Kept {
		return datagram.ErrRange
	}
	t.newest = f
	t.waiting = append(t.waiting, point{f, value})
	return nil
}

// Compare compares the oldest of what a peer has told, and reports whether that was possible.
// What is not kept here any more is passed over.
func (c *Chain) Compare(t *Told) (v Verdict, ok bool) {
	n := 0
	for ; !ok && n < len(t.waiting) && t.waiting[n].frame <= c.hashed; n++ {
		theirs := t.waiting[n]
		ours := c.points[theirs.frame/c.every%Kept]
		ok = ours.frame == theirs.frame
		v = Verdict{theirs.frame, ours.value == theirs.value, ours.value, theirs.value}
	}
	t.waiting = append(t.waiting[:0], t.waiting[n:]...)
	return v, ok
}
