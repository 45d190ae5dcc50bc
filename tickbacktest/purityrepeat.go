package tickbacktest

import "github.com/tickback/tickback/rollback"

// variation is a way to run a frame again.
type variation[I any] struct {
	frame  rollback.SandboxFrame[I]
	what   string
	causes []string
}

// unchanged returns the variation that runs the frame exactly as before.
func (u *pureMatch[S, I]) unchanged(f int) variation[I] {
	return variation[I]{u.match.frame(f), "came out differently when it was simulated again", causesOfRepeats[:3]}
}

// variations returns the ways to run a frame with differences that must not influence a step.
func (u *pureMatch[S, I]) variations(f int) []variation[I] {
	predicted, resimulated := u.match.frame(f), u.match.frame(f)
	predicted.Statuses = u.match.statuses(f, rollback.Predicted)
	resimulated.Resimulating = true
	return []variation[I]{
		{resimulated, "came out differently as a resimulation", []string{
			"the state or the effects depend on Tick.Resimulating",
		}},
		{predicted, "came out differently with inputs that are predictions", []string{
			"the state or the effects depend on whether Tick.Status is Predicted or Confirmed; only Disconnected may influence them",
		}},
	}
}

// suspicions is how often a frame is run again unchanged before a variation is blamed for a difference, since random
// results differ without it.
const suspicions = 16

// repeat runs the frame again, unchanged and varied.
func (u *pureMatch[S, I]) repeat(f int, before moment, after end) *failure {
	if found := u.rerun(f, before, after, u.unchanged(f)); found != nil {
		return found
	}
	for _, v := range u.variations(f) {
		varied := u.rerun(f, before, after, v)
		if varied == nil {
			continue
		}
		for range suspicions {
			if found := u.rerun(f, before, after, u.unchanged(f)); found != nil {
				return found
			}
		}
		return varied
	}
	return nil
}

// rerun runs the frame again from the state before it.
func (u *pureMatch[S, I]) rerun(f int, before moment, after end, v variation[I]) *failure {
	must(u.Restore(slotBefore))
	if found := u.same(slotBefore, f, before, "runs on a snapshot that does not bring back what was saved", causesOfSnapshots); found != nil {
		return found
	}
	second, found := u.step(f, v.frame)
	if found != nil {
		return found
	}
	found = u.same(slotAfter, f, after.moment, v.what, v.causes)
	if found == nil && after.StepReport != second.StepReport {
		found = &failure{frame: f, what: v.what, causes: v.causes}
	}
	if found != nil {
		found.said(after.StepReport, second.StepReport)
	}
	return found
}

// same returns a failure if the live state is not the one that should be in a slot.
func (u *pureMatch[S, I]) same(slot, f int, was moment, what string, causes []string) *failure {
	is := u.moment(was.state)
	equal, err := u.Equal(slot)
	switch unequal := err == nil && !equal; {
	case is.hash != was.hash || was.look.changed(is.look):
		return u.differ(slot, was, is, &failure{frame: f, what: what, causes: causes})
	case unequal:
		return u.stale(slot, f, was)
	}
	return nil
}

// differ adds to a failure how a state differs from the one that should be in a slot.
func (u *pureMatch[S, I]) differ(slot int, was, is moment, found *failure) *failure {
	if was.look.changed(is.look) {
		diff, err := was.look.diff(is.look)
		return found.show(was.number(), "was", "is", diff, err)
	}
	diff, err := u.Differences(slot, mostDifferences)
	return found.show(was.number(), "was", "is", diff, err)
}

// stale returns the failure of a state that is unchanged although Equal says that it differs from its slot.
func (u *pureMatch[S, I]) stale(slot, f int, was moment) *failure {
	found := &failure{frame: f, what: "led to a state whose snapshot has changed since, or Equal is wrong", causes: []string{
		causesOfSnapshots[1], "Equal compares something that is not of the state, or not in the slot",
	}}
	must(u.Restore(slot))
	return u.differ(slot, was, u.moment(was.state), found)
}
