package tickbacktest

import "github.com/tickback/tickback/rollback"

// twice plays a match without snapshots two times. The second time, every frame is a resimulation, with predicted
// inputs.
func (u *pureMatch[S, I]) twice() *failure {
	u.probe.omit("whether each frame comes out the same from a snapshot (a second match takes its place), "+
		"and what snapshots and encodings leave out", "Save and Restore")
	var first []end
	for f := range u.match.frames() {
		u.probe.frame = f
		after, found := u.runFirst(f, u.moment(f))
		if found != nil {
			return found
		}
		first = append(first, after)
		u.probe.see(after.hash)
		if u.match.settled(u.probe, f, after.hash) {
			break
		}
	}
	if found := u.restart(); found != nil {
		return found
	}
	if err := u.afresh(); err != nil {
		return refusal(err)
	}
	for f, was := range first {
		u.probe.frame = f
		frame := u.match.frame(f)
		frame.Resimulating, frame.Statuses = true, u.match.statuses(f, rollback.Predicted)
		now, found := u.step(f, frame)
		if found == nil {
			found = second(f, was, now)
		}
		if found != nil {
			return found
		}
		u.probe.compared++
	}
	return nil
}

// afresh makes a sandbox for the second match, unless the first one can be used again.
func (u *pureMatch[S, I]) afresh() (err error) {
	if u.Init() != nil {
		u.Sandbox, err = rollback.NewSandbox(u.game, u.match.players, 0)
	}
	return err
}

// second compares the outcome of a frame in the second match with that in the first.
func second(f int, was, now end) *failure {
	if now.hash == was.hash && now.StepReport == was.StepReport && !was.look.changed(now.look) {
		return nil
	}
	found := &failure{frame: f, what: "came out differently in a second match with the same inputs", causes: causesOfRepeats}
	if was.look.changed(now.look) {
		diff, err := was.look.diff(now.look)
		found.show(now.number(), "first", "second", diff, err)
	}
	return found.said(was.StepReport, now.StepReport)
}
