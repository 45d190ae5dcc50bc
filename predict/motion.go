package predict

import (
	"cmp"
	"fmt"
	"time"
)

// DefaultLongest is the longest move of a [Motion] that sets no limit, unless its cadence is longer.
const DefaultLongest = 250 * time.Millisecond

// Motion defines how inputs move a state. A client and its server must use equal ones: then [Motion.Apply] gives both
// the same state, to the last bit, for the same moves.
type Motion[S any, I comparable] struct {
	// Step moves a state by an input for a duration above 0 and at most Cadence. It must depend on nothing else, and
	// change nothing else.
	Step func(s *S, in I, d time.Duration)

	// Cadence is the longest step in which time is simulated: the server's tick. It must be above 0.
	Cadence time.Duration

	// Unit divides all durations of moves, and Cadence too: for example the millisecond, for a Step that calculates in
	// milliseconds and would lose the rest. The default is a nanosecond.
	Unit time.Duration

	// Longest is the longest duration of one move. The default is [DefaultLongest], or Cadence if that is more.
	Longest time.Duration
}

// Apply moves s by one move: in as many steps of the cadence as fit, and one of the remainder, if there is one. A client
// plays and replays with this function, and a server must do the same. It does not check the duration, as [Motion.Check]
// does: with 0 or less there are no steps. It panics if the cadence is 0.
func (m *Motion[S, I]) Apply(s *S, in I, d time.Duration) {
	for range d / m.Cadence {
		m.Step(s, in, m.Cadence)
	}
	if rest := d % m.Cadence; rest > 0 {
		m.Step(s, in, rest)
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

func (m *Motion[S, I]) unit() time.Duration { return cmp.Or(m.Unit, 1) }

func (m *Motion[S, I]) longest() time.Duration {
	return cmp.Or(m.Longest, max(DefaultLongest, m.Cadence))
}
