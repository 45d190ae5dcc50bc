package match

import (
	"iter"
	"math"
	"time"

	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/session/stream"
)

// How a match ends when a member is gone (OnLeave End): the log decides which members go, and from which frame on,
// just as if the others played on (package membership). Then all remaining members have the same inputs of those
// that go. The match ends for everyone before the first frame that lacks one of these inputs. No peer can have
// agreed on a later frame, since that takes the inputs of all members.
//
// A dropped member that still receives is notified. It has the same outcome, since it has given
// its inputs for all these frames: a peer that is at the end sends it the inputs that it lacks, and the summary.
// With OnLeave Continue the same holds for a member that was in the match until its last frame, if the log has
// since changed nothing before that frame. A side without a majority ends after Config.QuorumTimeout with what was
// agreed.

// stage says how close a match is to its end.
type stage uint8

const (
	running  stage = iota // frames run, or there is no match
	finished              // the last frame is agreed, and we wait for the peers to report their end
	known                 // there is an outcome
)

// Leaving says how far this machine has got with leaving.
type Leaving uint8

const (
	// Staying means that we do not leave.
	Staying Leaving = iota
	// LeavingNow means that the peers need nothing more from us.
	LeavingNow
	// LeavingByLog means that the peers need our inputs, and the log has to decide that we leave.
	LeavingByLog
	// LeftByLog means that the log has decided that we leave.
	LeftByLog
)

// End is the state of the current match with regard to its end.
type End struct {
	stage          stage
	leaving        Leaving
	why            error         // why we leave
	removed        *RemovedError // the log has removed us, perhaps only after the last frame
	removedAt      time.Duration
	lost           PlayerSet // players that were removed, which ended the match
	knowAllEntries PlayerSet // players that are removed, but know of every change up to the last frame
	outcome        stream.Outcome
}

// Leaving returns how far we have got with leaving, and why we leave.
func (e *End) Leaving() (Leaving, error) { return e.leaving, e.why }

// Stays reports whether we do not leave.
func (e *End) Stays() bool { return e.leaving == Staying }

// Removed returns an error if the log has removed us, perhaps only after the last frame, or else nil.
func (e *End) Removed() *RemovedError { return e.removed }

// Lost returns the players whose removal has ended the match.
func (e *End) Lost() PlayerSet { return e.lost }

// KnowAllEntries reports whether these players, which are removed, know of every change up to the last frame.
func (e *End) KnowAllEntries(players PlayerSet) bool { return players&^e.knowAllEntries == 0 }

// Outcome returns the outcome of the last match, and whether it is known. Before that it is our own view of it.
func (e *End) Outcome() (o stream.Outcome, ok bool) { return e.outcome, e.stage == known }

// Finish notes that the last frame is agreed, with our own outcome. The peers have yet to report theirs.
func (e *End) Finish(o stream.Outcome) { e.stage, e.outcome = finished, o }

// maxUnfair bounds the difference in resimulated frames between peers: a peer reports its own number, and may lie.
const maxUnfair = 1 << 40

// Report is what a peer has said about the end of the match.
type Report struct {
	Summary   *stream.Summary // nil if it has said nothing
	Connected bool
}

// Complete completes the outcome with the reports of the peers. If a connected peer has not reported, the last frames
// are unverified; but if we were removed, peers need not report to us.
func (e *End) Complete(peers iter.Seq[Report], health stream.Health) {
	o := &e.outcome
	o.Told, o.Health = true, health
	least, most := o.Resimulated, o.Resimulated
	for r := range peers {
		if r.Summary != nil {
			least, most = min(least, r.Summary.Resimulated), max(most, r.Summary.Resimulated)
			continue
		}
		if o.Told = false; r.Connected && e.removed == nil && health == stream.Healthy {
			o.Health = stream.Unverified
		}
	}
	if o.Told && o.Frames > 0 {
		// Relative to the frames of the match: relative to the resimulated ones, a single one at one peer would be
		// 100%.
		o.Fairness = int(min(min(most-least, maxUnfair)*10000/uint64(o.Frames), math.MaxInt32))
	}
	e.stage = known
}

// EndAtAgreed ends the match with what is agreed here, because its real end is unknown.
func (e *End) EndAtAgreed(o stream.Outcome) {
	if o.Unagreed = true; o.Health == stream.Healthy {
		o.Health = stream.Unverified // the last frames are unverified
	}
	e.stage, e.outcome = known, o
}

// leave enters LeavingNow, or, if a match needs our inputs, LeavingByLog.
func (e *End) leave(needed bool, why error) {
	e.leaving, e.why = LeavingNow, why
	if needed || e.stage == finished {
		e.leaving = LeavingByLog
	}
}

// SendsInputs reports whether the peers still get our inputs although no more frames run.
func (e *End) SendsInputs() bool { return e.stage == finished || e.leaving >= LeavingByLog }

// remove notes that the log has removed us. It returns false if we were leaving anyway.
func (e *End) remove(err *RemovedError, now time.Duration) bool {
	if e.leaving != Staying {
		e.leaving = LeftByLog
		return false
	}
	e.removed, e.removedAt = err, now
	return true
}

// noteEntry notes an entry that already removed players do not learn of.
func (e *End) noteEntry(entry *membership.Entry, limit Frame) {
	for p := range entry.Players.All() {
		if entry.Cut(p) < limit {
			e.knowAllEntries = 0
		}
	}
	if entry.Kind != membership.Join {
		e.knowAllEntries |= entry.Players
	}
}
