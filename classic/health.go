package classic

import "github.com/tickback/tickback/rollback"

// Health is the result of comparing checksums.
type Health uint8

// The values of Health.
const (
	Unverified Health = iota // nothing has been compared: the other side has sent no checksum
	Healthy                  // all compared checksums are the same
	Desynced                 // a compared checksum was different; this is final
)

var healthNames = [...]string{"unverified", "healthy", "desynced"}

// String names the verdict in lower case.
func (h Health) String() string {
	if int(h) < len(healthNames) {
		return healthNames[h]
	}
	return "unknown"
}

// sumsHeld is the number of frames whose checksums are held for comparison, on each side. A state can be final on one
// side before it is final on the other, by as many frames as may be predicted, delayed and unacknowledged: 120 + 31 +
// 32. sumsHeld is the next power of two.
const sumsHeld = 256

// sum is the checksum of a state.
type sum struct {
	frame rollback.Frame
	value uint32
	known bool
}

// sums compares the checksums of both sides.
type sums struct {
	own, theirs [sumsHeld]sum
	next        rollback.Frame // own checksums of the states below it have been added
	last        sum            // the newest own checksum
	before      sum            // the own checksum before that
	health      Health
	compared    uint64
	wrong       rollback.Frame // the first frame whose checksums differ
}

// newest returns the newest own checksum of a frame whose inputs are known.
func (s *sums) newest(confirmed rollback.Frame) (f rollback.Frame, value uint32, ok bool) {
	for _, c := range []sum{s.last, s.before} {
		if c.known && c.frame < confirmed {
			return c.frame, c.value, true
		}
	}
	return 0, 0, false
}

// addOwn adds the checksum of an own state that is final.
func (s *sums) addOwn(f rollback.Frame, value uint32) {
	s.before, s.last = s.last, sum{f, value, true}
	s.own[f%sumsHeld] = s.last
	if other := s.theirs[f%sumsHeld]; other.known && other.frame == f {
		s.compare(f, value, other.value)
	}
}

// addTheirs adds a checksum of a state as received from the other side. Only the first one for a state counts.
func (s *sums) addTheirs(f rollback.Frame, value uint32) {
	theirs := &s.theirs[f%sumsHeld]
	if theirs.known && theirs.frame >= f {
		return
	}
	*theirs = sum{f, value, true}
	if own := s.own[f%sumsHeld]; own.known && own.frame == f {
		s.compare(f, own.value, value)
	}
}

func (s *sums) compare(f rollback.Frame, a, b uint32) {
	s.compared++
	switch {
	case a != b && s.health != Desynced:
		s.health, s.wrong = Desynced, f
	case s.health == Unverified:
		s.health = Healthy
	}
}

// sum adds the checksums of states that have become final. It must be called when nothing is left to simulate again:
// then all states since the last call are held, as they are not more than the window. (A game with its own memory
// holds only the current one.)
func (m *Match[S, I]) sum() {
	for end := min(m.engine.Confirmed(), m.engine.Frame()); m.sums.next <= end; m.sums.next++ {
		if s := m.engine.StateAt(m.sums.next); s != nil {
			m.sums.addOwn(m.sums.next, m.cfg.Checksum(s))
		}
	}
}

// claim adds a checksum from the other side. The state can only be final there if our inputs have arrived there.
func (m *Match[S, I]) claim(f rollback.Frame, value uint32) {
	if f > m.have() {
		m.stats.Ignored.BadChecksums++
		return
	}
	m.sums.addTheirs(f, value)
}
