package fleet

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/session"
)

// Violation is something that must not be, as a checker has found it.
type Violation struct {
	Checker string // the name of the checker; see [Checkers]
	At      time.Duration
	Machine int // that showed it, behind those of the players if it watches; -1 if it is about all
	Text    string
}

// String is a line about it.
func (v Violation) String() string {
	who := fmt.Sprintf("machine %d", v.Machine)
	if v.Machine < 0 {
		who = "all"
	}
	return fmt.Sprintf("%s: at %v, %s: %s", v.Checker, v.At.Round(time.Millisecond), who, v.Text)
}

// Result is how a run of [Play] went.
type Result struct {
	// Violations are what is wrong. A run stops soon after the first.
	Violations []Violation
	Machines   []MachineResult
	Watchers   []WatcherResult
	// Length is how long it took, in virtual time.
	Length time.Duration

	// What follows is of all players' machines together.

	Frames          uint64 // run for the first time
	Resimulated     uint64 // run again
	Rollbacks       uint64
	Deepest         int // frames of the deepest rollback
	Stalls, Blocked uint64
	Datagrams       uint64 // sent to each other
	Bytes           uint64 // of their payload
	// Lag is how late inputs came, looked at once a second on each link.
	Lag Histogram
	// Digest is of everything that was sent, and of all events: two runs with the
	// same digest were the same run.
	Digest uint64
	// Played is of what the players' machines have sent each other, when, and how often
	// each has waited, until the first match was over or somebody left it: it does not
	// depend on who watches.
	Played uint64
	// Seen is how many frames those who watch have seen, Jumps how often they went on
	// with a state, FailOvers how often they were at a host again after they had lost
	// one, and States how many states the hosts have encoded for them.
	Seen, Jumps, FailOvers, States uint64
}

// OK reports whether nothing was wrong.
func (r *Result) OK() bool { return len(r.Violations) == 0 }

// MachineResult is what became of one machine.
type MachineResult struct {
	Phase    session.Phase
	Err      error // why its session was over; nil if it was not
	Gone     string
	Outcomes []session.Outcome
	// Events are the newest, at most 1000.
	Events []session.Event
	// Stats are of the end. Links are left out.
	Stats session.Stats
}

// WatcherResult is what became of one that watched.
type WatcherResult struct {
	Phase    session.Phase
	Err      error  // why it was over; nil if it was not
	Gone     string // how, if it was the plan
	Outcomes []session.Outcome
	// Events are the newest, at most 1000.
	Events []session.Event
	// Frames are those that it has seen, Jumps how often it went on with a state, and
	// FailOvers how often it was at a host again.
	Frames, Jumps, FailOvers uint64
	// Stats are of the end. Links are left out.
	Stats session.Stats
}

// Histogram counts times by the millisecond; the last place counts all that are
// longer, and the first all that are not longer than 0.
type Histogram [500]uint32

// Add counts a time.
func (h *Histogram) Add(d time.Duration) {
	h[min(max(d/time.Millisecond, 0), time.Duration(len(h)-1))]++
}

// Join adds another histogram.
func (h *Histogram) Join(o *Histogram) {
	for i, n := range o {
		h[i] += n
	}
}

// Percentile returns the time that so many percent do not exceed, 0 if nothing was
// counted.
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
