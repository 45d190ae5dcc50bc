package rollback

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tickback/tickback/canon"
)

// ErrNothingCompared means that a sync test would compare nothing, and so would pass
// whatever the game did.
var ErrNothingCompared = errors.New("nothing to compare")

// SyncTestError means that a sync test simulated a frame twice from the same state and
// the same inputs, with different outcomes: the step depends on something else, or a
// snapshot does not hold all of the state.
type SyncTestError struct {
	Frame Frame // the first one whose outcome differs; Differences are in state Frame + 1
	// Differences are the fields: A from the first simulation, B from the
	// latest one.
	canon.Report
	// Snapshot says that both simulations agree, but that the snapshot between them has changed: B is what Restore now
	// makes from what Save stored.
	Snapshot bool
	// Effects says that the effects differ, and Result that the calls of Finish differ.
	Effects, Result bool
	// Undescribed says why there are no fields to show, in case there are none.
	Undescribed error
}

// Error names the frame and the first fields.
func (e *SyncTestError) Error() string {
	var b strings.Builder
	if e.Snapshot {
		fmt.Fprintf(&b, "the snapshot of state %d has changed since it was saved:\n%v", e.Frame+1, e.Report)
		return b.String()
	}
	fmt.Fprintf(&b, "frame %d came out differently when simulated again", e.Frame)
	if e.Total > 0 {
		fmt.Fprintf(&b, ", state %d:\n%v", e.Frame+1, e.Report)
	}
	if e.Effects {
		b.WriteString("\nthe effects of the frame differ")
	}
	if e.Result {
		b.WriteString("\nthe frame finished the match differently")
	}
	if e.Total == 0 && !e.Effects && !e.Result {
		fmt.Fprintf(&b, ", and no field shows it: %v", e.Undescribed)
	}
	return b.String()
}

// mostDifferences is the maximum number of differences that a mismatch lists.
const mostDifferences = 32

var errHidden = errors.New("Equal or Hash sees more of the state than Describe or canon does")

// said returns what the step of frame f reported.
func (e *Engine[S, I]) said(f Frame) StepReport {
	var s StepReport
	if e.journal != nil {
		s.Effects = e.journal.Digest(f)
	}
	if e.rows[f&e.mask]&rowFinished != 0 {
		s.Finished, s.Result = true, e.results[f&e.mask]
	}
	return s
}

// verify is the sync test: it goes back by the depth of the test, simulates again, and compares. What a step must not
// depend on is different the second time: the frames are resimulations, and the inputs are confirmed.
func (e *Engine[S, I]) verify() {
	end := e.frame
	from := end - min(e.depth, end-e.given)
	e.rewind(from, true)
	for f := from; f != end; f++ {
		first := e.said(f)
		e.prepare(f)
		same, err := e.mem.again(&e.tick)
		if err != nil {
			e.fail(err)
			return
		}
		e.noteFinish(f)
		if second := e.said(f); !same || first != second {
			e.fail(e.mismatch(f, same, first, second))
			e.mem.forward(end)
			return
		}
		e.stats.Compared++
	}
	e.stats.rolledBack(end-from, end-from)
}

func (e *Engine[S, I]) mismatch(f Frame, same bool, first, second StepReport) error {
	m := &SyncTestError{Frame: f, Effects: first.Effects != second.Effects}
	first.Effects, second.Effects = 0, 0
	m.Result = first != second
	if same {
		return m
	}
	if m.Report, m.Snapshot, m.Undescribed = e.mem.differences(f+1, mostDifferences); m.Total == 0 && m.Undescribed == nil {
		m.Undescribed = errHidden
	}
	return m
}
