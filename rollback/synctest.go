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
	Frame Frame // the first frame whose outcome differs; Differences are in state Frame + 1
	// Differences are the fields: A from the first simulation, B from the
	// latest one.
	canon.Report
	// Snapshot means that both simulations agree, but the snapshot between them has changed: B is what Restore now
	// makes from what Save stored.
	Snapshot bool
	// Effects means that the effects differ, and Result that the calls of Finish differ.
	Effects, Result bool
	// Undescribed is the reason why there are no fields to show, if there are none.
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

// verify is the sync test: it goes back from state end to state first, simulates again, and compares. The second time,
// everything that a step must not depend on is different: the frames are resimulations, and the inputs are confirmed.
func (m *states[I]) verify(s *steps[I], first, end Frame) error {
	m.rewind(s, first, true)
	for f := first; f != end; f++ {
		before := s.said(f)
		s.prepare(f)
		same, err := m.mem.again(&s.tick)
		if err != nil {
			return err
		}
		s.note(f)
		if after := s.said(f); !same || before != after {
			err := m.mismatch(f, same, before, after)
			m.mem.forward(end)
			return err
		}
		m.stats.Compared++
	}
	m.stats.rolledBack(end-first, end-first)
	return nil
}

func (m *states[I]) mismatch(f Frame, same bool, before, after StepReport) error {
	e := &SyncTestError{Frame: f, Effects: before.Effects != after.Effects}
	before.Effects, after.Effects = 0, 0
	e.Result = before != after
	if same {
		return e
	}
	if e.Report, e.Snapshot, e.Undescribed = m.mem.differences(f+1, mostDifferences); e.Total == 0 && e.Undescribed == nil {
		e.Undescribed = errHidden
	}
	return e
}
