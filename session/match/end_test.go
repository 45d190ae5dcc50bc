package match

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/session/stream"
)

// A machine that leaves provides its inputs as long as a match needs them: while the match is
// played or at its end, until the log says that the machine has left. That is not news to it,
// but it is to a machine that stays.
func TestHowAMachineLeaves(t *testing.T) {
	why := errors.New("dinner")
	for _, c := range []struct {
		what  string
		stage stage
		plays bool
		want  Leaving
	}{
		{"the lobby", running, false, LeavingNow},
		{"the lobby after a match", known, false, LeavingNow},
		{"a match that is played", running, true, LeavingByLog},
		{"a match at its end", finished, false, LeavingByLog},
	} {
		e := End{stage: c.stage}
		if e.SendsInputs() != (c.stage == finished) {
			t.Errorf("%s: before, it gives inputs: %v", c.what, e.SendsInputs())
		}
		e.leave(c.plays, why)
		if e.leaving != c.want || e.why != why || e.stage != c.stage || e.SendsInputs() != (c.want == LeavingByLog) {
			t.Errorf("%s: its departure is %d: %v, stage %d, it gives inputs %v", c.what, e.leaving, e.why, e.stage, e.SendsInputs())
		}
		if e.remove(&RemovedError{Frame: 5}, 7) || e.removed != nil || e.leaving != LeftByLog || !e.SendsInputs() {
			t.Errorf("%s: when the log says so, its departure is %d", c.what, e.leaving)
		}
	}
	var e End
	if !e.remove(&RemovedError{Frame: 5}, 7) || e.removed.Frame != 5 || e.removedAt != 7 || e.leaving != Staying {
		t.Errorf("one that stays is removed: %+v", e)
	}
}

// An outcome that only one machine has agreed on is not verified up to its end.
func TestAnEndThatIsNotAgreed(t *testing.T) {
	for health, want := range map[stream.Health]stream.Health{stream.Unverified: stream.Unverified, stream.Healthy: stream.Unverified, stream.Desynced: stream.Desynced} {
		var e End
		e.EndAtAgreed(stream.Outcome{Match: 2, Summary: stream.Summary{Frames: 40, Health: health}})
		if o := e.outcome; e.stage != known || !o.Unagreed || o.Health != want || o.Frames != 40 || o.Match != 2 {
			t.Errorf("%v: stage %d, %+v", health, e.stage, o)
		}
	}
}

// Machines that leave know of all changes until one comes before the last frame, which they do
// not hear of. A newcomer does not inherit that.
func TestWhoKnowsTheEnd(t *testing.T) {
	const limit = 100
	for _, c := range []struct {
		what  string
		entry membership.Entry
		want  PlayerSet
	}{
		{"leaves at the end", membership.Entry{Kind: membership.Leave, Players: 0b10, Frame: limit}, 0b11},
		{"leaves before", membership.Entry{Kind: membership.Leave, Players: 0b10, Frame: limit - 1}, 0b10},
		{"is lost at the end", membership.Entry{Kind: membership.Drop, Players: 0b10, Cuts: [rollback.MaxPlayers]Frame{1: limit}}, 0b11},
		{"is lost before", membership.Entry{Kind: membership.Drop, Players: 0b10, Cuts: [rollback.MaxPlayers]Frame{1: limit - 1}}, 0b10},
		{"is lost with another one, which was gone before", membership.Entry{Kind: membership.Drop, Players: 0b110, Cuts: [rollback.MaxPlayers]Frame{1: limit, 2: limit - 1}}, 0b110},
		{"joins at the end", membership.Entry{Kind: membership.Join, Players: 0b10, Frame: limit}, 0b01},
		{"joins before", membership.Entry{Kind: membership.Join, Players: 0b10, Frame: limit - 1}, 0},
	} {
		e := End{knowAllEntries: 0b01}
		if e.noteEntry(&c.entry, limit); e.knowAllEntries != c.want {
			t.Errorf("one %s: %b know the end, want %b", c.what, e.knowAllEntries, c.want)
		}
	}
}
