package session

import (
	"math"
	"time"

	"github.com/tickback/tickback/session/membership"
)

// How a match ends when a member is gone (OnLeave End): the log decides which members go, and from which frame on,
// just as if the others played on (package membership). Then all remaining members have the same inputs of those
// that go. The match ends for everyone before the first frame that lacks one of these inputs. No peer can have
// agreed on a later frame, since that takes the inputs of all members.
//
// A dropped member that still receives is notified (see goodbye.go). It has the same outcome, since it has given
// its inputs for all these frames: a peer that is at the end sends it the inputs that it lacks, and the summary.
// With OnLeave Continue the same holds for a member that was in the match until its last frame, if the log has
// since changed nothing before that frame. A side without a majority ends after Config.QuorumTimeout with what was
// agreed.

// endStage says how close a match is to its end.
type endStage uint8

const (
	running      endStage = iota // frames run, or there is no match
	finished                     // the last frame is agreed, and we wait for the peers to report their end
	outcomeKnown                 // there is an outcome
)

// leaveStage says how far this machine has got with leaving.
type leaveStage uint8

const (
	staying      leaveStage = iota
	leavingNow              // the peers need nothing more from us
	leavingByLog            // the peers need our inputs, and the log has to decide that we leave
	leftByLog               // the log has decided that we leave
)

// ending is the state of the current match with regard to its end.
type ending struct {
	stage          endStage
	leaving        leaveStage
	why            error         // why we leave
	removed        *RemovedError // the log has removed us, perhaps only after the last frame
	removedAt      time.Duration
	lost           PlayerSet // players that were removed, which ended the match
	knowAllEntries PlayerSet // players that are removed, but know of every change up to the last frame
	outcome        Outcome
}

// finish enters the stage finished, with our own outcome.
func (e *ending) finish(o Outcome) { e.stage, e.outcome = finished, o }

// maxUnfair bounds the difference in resimulated frames between peers: a peer reports its own number, and may lie.
const maxUnfair = 1 << 40

// complete enters the stage outcomeKnown and completes the outcome with the reports of the peers. If a connected
// peer has not reported, the last frames are unverified; but if we were removed, peers need not report to us.
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
		// Relative to the frames of the match: relative to the resimulated ones, a single one at one peer would be
		// 100%.
		o.Fairness = int(min(min(most-least, maxUnfair)*10000/uint64(o.Frames), math.MaxInt32))
	}
	e.stage = outcomeKnown
}

// endAtAgreed enters the stage outcomeKnown with what is agreed here, because the real end of the match is unknown.
func (e *ending) endAtAgreed(o Outcome) {
	if o.Unagreed = true; o.Health == Healthy {
		o.Health = Unverified // the last frames are unverified
	}
	e.stage, e.outcome = outcomeKnown, o
}

// leave enters leavingNow, or, if a match needs our inputs, leavingByLog.
func (e *ending) leave(needed bool, why error) {
	e.leaving, e.why = leavingNow, why
	if needed || e.stage == finished {
		e.leaving = leavingByLog
	}
}

// sendsInputs reports whether the peers still get our inputs although no more frames run.
func (e *ending) sendsInputs() bool { return e.stage == finished || e.leaving >= leavingByLog }

// remove notes that the log has removed us. It returns false if we were leaving anyway.
func (e *ending) remove(err *RemovedError, now time.Duration) bool {
	if e.leaving != staying {
		e.leaving = leftByLog
		return false
	}
	e.removed, e.removedAt = err, now
	return true
}

// noteEntry notes an entry that already removed players do not learn of.
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
