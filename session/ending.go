package session

import (
	"math"
	"time"

	"github.com/tickback/tickback/session/membership"
)

// How a match ends when a member is gone (OnLeave End): the log decides which members go, and
// from which frame on, just as if the rest played on (package membership). All that remain
// then have the same inputs of those that go. The match ends for all before the first frame that
// lacks one of these inputs. No peer can have agreed on a later frame, since that takes the inputs
// of all members.
//
// A member that is dropped, and still receives, is told so (see goodbye.go). It has the same
// outcome, since it has given its inputs of all these frames: a peer that is at the end sends it
// the inputs that it lacks, and the summary. With OnLeave Continue the same holds for a member
// that was in the match to its last frame, if the log has changed nothing before that frame
// since. A side without a majority ends after Config.QuorumTimeout with what was agreed.

// endStage is how far a match is from its end.
type endStage uint8

const (
	running      endStage = iota // frames run, or there is no match
	finished                     // the last frame is agreed, and we wait for the peers' ends
	outcomeKnown                 // there is an outcome
)

// leaveStage is how far this machine is from leaving.
type leaveStage uint8

const (
	staying      leaveStage = iota
	leavingNow              // the peers need nothing more from it
	leavingByLog            // they need its inputs, and the log has to decide that it leaves
	leftByLog               // the log has decided that
)

// ending is how the present match ends.
type ending struct {
	stage          endStage
	leaving        leaveStage
	why            error         // why we leave
	removed        *RemovedError // the log has taken us out, perhaps only after the last frame
	removedAt      time.Duration
	lost           PlayerSet // players that were taken out, which has ended the match
	knowAllEntries PlayerSet // players that are out, but know of every change up to the last frame
	outcome        Outcome
}

// finish enters finished, with our own end of the match.
func (e *ending) finish(o Outcome) { e.stage, e.outcome = finished, o }

// maxUnfair bounds how many frames count as simulated again by one peer more than by another: a peer says so
// itself, and may lie.
const maxUnfair = 1 << 40

// complete enters concluded. What the peers have told of their ends completes the outcome. If a
// peer has not told its end, the last frames are unverified; but if we are out, it may tell us
// nothing.
func (e *ending) complete(links []*link, health Health) {
	o := &e.outcome
	o.Told, o.Health = true, health
	least, most := o.Resimulated, o.Resimulated
	for _, l := range links {
		if l.done {
			least, most = min(least, l.summary.Resimulated), max(most, l.summary.Resimulated)
			continue
		}
		if o.Told = false; l.state == connected && e.removed == nil && health == Healthy {
			o.Health = Unverified
		}
	}
	if o.Told && o.Frames > 0 {
		// By the frames of the match: by those simulated again, a single one at one peer would be all of them.
		o.Fairness = int(min(min(most-least, maxUnfair)*10000/uint64(o.Frames), math.MaxInt32))
	}
	e.stage = outcomeKnown
}

// endAtAgreed enters concluded with what is agreed here, since the end of the match is not known.
func (e *ending) endAtAgreed(o Outcome) {
	if o.Unagreed = true; o.Health == Healthy {
		o.Health = Unverified // of the last frames
	}
	e.stage, e.outcome = outcomeKnown, o
}

// leave enters departing, or, if a match needs our inputs, resigning.
func (e *ending) leave(needed bool, why error) {
	e.leaving, e.why = leavingNow, why
	if needed || e.stage == finished {
		e.leaving = leavingByLog
	}
}

// sendsInputs reports whether the peers still get our inputs though no more frames run.
func (e *ending) sendsInputs() bool { return e.stage == finished || e.leaving >= leavingByLog }

// remove notes that the log has taken us out. It reports whether that is news: it is not if we
// leave.
func (e *ending) remove(err *RemovedError, now time.Duration) bool {
	if e.leaving != staying {
		e.leaving = leftByLog
		return false
	}
	e.removed, e.removedAt = err, now
	return true
}

// noteEntry notes an entry that players who are out already do not learn of.
func (e *ending) noteEntry(entry *membership.Entry, limit Frame) {
	for p := range entry.Players.All() {
		if entry.Cut(p) < limit {
			e.knowAllEntries = 0
		}
	}
	if entry.Kind != membership.Join {
		e.knowAllEntries |= entry.Players
	}
}
