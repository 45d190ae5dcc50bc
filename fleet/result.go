package fleet

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/session"
)

// Violation is a broken promise that a checker has found.
type Violation struct {
	Checker string // the name of the checker; see [Checkers]
	At      time.Duration
	Machine int // the machine that showed it; spectators follow the players' machines; -1 means all
	Text    string
}

// String describes the violation in a line.
func (v Violation) String() string {
	who := fmt.Sprintf("machine %d", v.Machine)
	if v.Machine < 0 {
		who = "all"
	}
	return fmt.Sprintf("%s: at %v, %s: %s", v.Checker, v.At.Round(time.Millisecond), who, v.Text)
}

// Result is the result of a run of [Play].
type Result struct {
	// Violations are the broken promises. A run stops soon after the first one.
	Violations []Violation
	Machines   []MachineResult
	Spectators []SpectatorResult
	// Length is how long the run took, in virtual time.
	Length time.Duration

	// The following counts are for all players' machines together.

	Frames          uint64 // simulated for the first time
	Resimulated     uint64 // simulated again
	Rollbacks       uint64
	Deepest         int // frames of the deepest rollback
	Stalls, Blocked uint64
	Datagrams       uint64 // sent to each other
	Bytes           uint64 // the payload bytes sent to each other
	// Lag is how late inputs arrived, sampled once a second on each link.
	Lag Histogram
	// Digest covers all datagrams and events: two runs with the same digest were the same run.
	Digest uint64
	// Played covers what the players' machines have sent to each other, when, and how often each has waited, until the
	// first match was over or a machine left it. It does not depend on the spectators.
	Played uint64
	// Seen is how many frames the spectators have seen, Jumps how often they continued from a state, FailOvers how often
	// they found a host again after losing one, and States how many states the hosts have encoded for them.
	Seen, Jumps, FailOvers, States uint64
}

// OK reports whether there were no violations.
func (r *Result) OK() bool { return len(r.Violations) == 0 }

// MachineResult is the result of one machine.
type MachineResult struct {
	Phase    session.Phase
	Err      error // why its session ended; nil if it did not
	Gone     string
	Outcomes []session.Outcome
	// Events are the newest ones, at most 1000.
	Events []session.Event
	// Stats are the statistics at the end, without Links.
	Stats session.Stats
}

// SpectatorResult is the result of one spectator.
type SpectatorResult struct {
	Phase    session.Phase
	Err      error  // why it ended; nil if it did not
	Gone     string // how, if the plan removed it
	Outcomes []session.Outcome
	// Events are the newest ones, at most 1000.
	Events []session.Event
	// Frames is how many frames it has seen, Jumps how often it continued from a state, and FailOvers how often it found a
	// host again.
	Frames, Jumps, FailOvers uint64
	// Stats are the statistics at the end, without Links.
	Stats session.Stats
}

// Histogram counts times by the millisecond. The last entry counts all longer times, and the first one all times that
// are not above 0.
type Histogram [500]uint32

// Add counts a duration.
func (h *Histogram) Add(d time.Duration) {
	h[min(max(d/time.Millisecond, 0), time.Duration(len(h)-1))]++
}

// Join adds another histogram.
func (h *Histogram) Join(o *Histogram) {
	for i, n := range o {
		h[i] += n
	}
}

// Percentile returns the time that this percentage does not exceed, or 0 if nothing was counted.
func (h *Histogram) Percentile(percent int) time.Duration {
	total := uint64(0)
	for _, n := range h {
		total += uint64(n)
	}
	sum := uint64(0)
	for i, n := range h {
		if sum += uint64(n); sum > 0 && sum*100 >= total*uint64(percent) {
			return time.Duration(i) * time.Millisecond
		}
	}
	return 0
}
