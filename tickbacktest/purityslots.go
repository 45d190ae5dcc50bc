package tickbacktest

import (
	"bytes"
	"fmt"

	"github.com/tickback/tickback/rollback"
)

// number returns the number of the state.
func (m moment) number() rollback.Frame { return rollback.Frame(m.state) }

// store saves the state after the frame in the slot that has not been used for the longest time. Before that, it
// checks the state in that slot.
func (u *pureMatch[S, I]) store(f int, after moment) *failure {
	i := f % keptSlots
	if old := u.kept[i]; old.used {
		what := fmt.Sprintf("has changed a snapshot that was taken %d frames ago", after.state-old.state)
		must(u.Restore(slotOld + i))
		if found := u.same(slotOld+i, f, old, what, causesOfSnapshots); found != nil {
			return found
		}
		must(u.Restore(slotAfter))
	}
	if found := u.same(slotAfter, f, after, "led to a state of which a snapshot has changed since", causesOfSnapshots); found != nil {
		return found
	}
	must(u.Save(slotOld + i))
	u.kept[i] = after
	must(u.Restore(slotStart)) // a slot must restore everything, whatever the live state is
	must(u.Restore(slotOld + i))
	return u.same(slotOld+i, f, after, "led to a state of which a snapshot does not bring back everything", causesOfSnapshots)
}

// tripEvery is the number of frames between two round trips of Marshal and Unmarshal.
const tripEvery = 16

// trip encodes and decodes the state after the frame with Marshal and Unmarshal.
func (u *pureMatch[S, I]) trip(f int, after moment) *failure {
	if !rollback.CapabilitiesOf(u.game).Marshal {
		if saved, _ := savedInPlace(u.game); !saved {
			u.probe.omit("whether Unmarshal brings back what Marshal has encoded", "Marshal and Unmarshal")
		}
		return nil
	}
	must(u.Restore(slotAfter))
	encoded, err := u.Marshal(nil)
	if err != nil {
		return &failure{frame: f, what: "led to a state that Marshal refuses: " + err.Error()}
	}
	if found := u.same(slotAfter, f, after, "led to a state that Marshal changes", nil); found != nil {
		return found
	}
	must(u.Restore(slotStart))
	if err := u.Unmarshal(encoded); err != nil {
		return &failure{frame: f, what: "led to a state that Marshal encodes and Unmarshal refuses: " + err.Error()}
	}
	causes := []string{"Marshal or Unmarshal leaves a field out", "Unmarshal adds to what the game held before"}
	if found := u.same(slotAfter, f, after, "led to a state that Unmarshal does not bring back", causes); found != nil {
		return found
	}
	again, err := u.Marshal(nil)
	if err != nil || !bytes.Equal(again, encoded) {
		return (&failure{
			frame: f, what: "led to a state whose encoding changes when it is read and written again",
			causes: []string{"Marshal ranges over a map, or encodes what is not in the state"},
		}).note("%d bytes, then %d; the first that differs is byte %d", len(encoded), len(again), firstDifferent(encoded, again))
	}
	return nil
}

// firstDifferent returns the index at which two slices begin to differ.
func firstDifferent(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// restart begins another match after this one, and compares state 0. A game without Init and New has only one match.
func (u *pureMatch[S, I]) restart() *failure {
	if u.Init() != nil {
		u.probe.omit("whether another match begins with the same state", "Init")
		return nil
	}
	now := u.moment(0)
	if now.hash == u.start.hash && !u.start.look.changed(now.look) {
		return nil
	}
	found := &failure{
		frame: u.match.frames() - 1, what: "was the last of a match after which Init does not make the same state again",
		causes: []string{"Init leaves something from the match before", "Init uses something outside of the state, such as a variable of the package"},
	}
	if u.start.look.ok && now.look.ok {
		diff, err := u.start.look.diff(now.look)
		return found.show(0, "was", "is", diff, err)
	}
	if !rollback.CapabilitiesOf(u.game).Save {
		return found
	}
	diff, err := u.Differences(slotStart, mostDifferences)
	return found.show(0, "was", "is", diff, err)
}
