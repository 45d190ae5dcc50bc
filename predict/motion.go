package predict

import (
	"fmt"
	"time"
)

// DefaultLongest is the longest move of a [Motion] that sets no limit, unless its cadence is longer.
const DefaultLongest = 250 * time.Millisecond

// Motion defines how inputs move a state. A client and its server must use equal ones: then [Motion.Apply] gives both
// the same state, to the last bit, for the same moves.
type Motion[S any, I comparable] struct {
	// Step moves a state by an input for a duration above 0 and at most Cadence. It
	// must depend on nothing else, change nothing else, and keep nothing of the
	// state; see [Motion.Copy] for states with memory of their own.
	Step func(s *S, in I, d time.Duration)

	// Cadence is the longest step in which time is simulated: the server's tick. It must be above 0.
	Cadence time.Duration

	// Unit divides all durations of moves, and Cadence too: for example the millisecond, for a Step that calculates in
	// milliseconds and would lose the rest. The default is a nanosecond.
	Unit time.Duration

	// Longest is the longest duration of one move. The default is
	// [DefaultLongest], or Cadence if that is more.
	Longest time.Duration

	// Copy makes dst equal to src, for states that hold pointers, slices or maps;
	// dst may be any earlier copy, or zero. By default the state is assigned, and
	// [New] refuses a type for which that would share memory.
	Copy func(dst, src *S)
}

// Apply moves s by one move, in [Substeps]. A client plays and replays with this function, and a server must do the
// same. It does not check the duration: see [Motion.Check].
func (m *Motion[S, I]) Apply(s *S, in I, d time.Duration) {
	for part := range Substeps(d, m.Cadence) {
		m.Step(s, in, part)
	}
}

// Check returns an error unless a move may last this long: 0 or more, at most Longest, and a multiple of Unit. The
// error is [ErrDuration]. A server should check every move of a client in this way.
func (m *Motion[S, I]) Check(d time.Duration) error {
	switch {
	case d < 0:
		return fmt.Errorf("%w: %v is less than nothing", ErrDuration, d)
	case d > m.longest():
		return fmt.Errorf("%w: %v is more than the longest, %v", ErrDuration, d, m.longest())
	case d%m.unit() != 0:
		return fmt.Errorf("%w: %v is no multiple of %v", ErrDuration, d, m.unit())
	}
	return nil
}

func (m *Motion[S, I]) unit() time.Duration { return max(m.Unit, 1) }

func (m *Motion[S, I]) longest() time.Duration {
	if m.Longest > 0 {
		return m.Longest
	}
	return max(DefaultLongest, m.Cadence)
}

// copy makes dst equal to src.
func (m *Motion[S, I]) copy(dst, src *S) {
	if m.Copy != nil {
		m.Copy(dst, src)
		return
	}
	*dst = *src
}
