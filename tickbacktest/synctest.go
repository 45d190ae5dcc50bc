package tickbacktest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// SyncTest plays matches in an engine that goes back a few frames in every tick, simulates them again, and compares the
// states, the effects, and how the match was finished. It finds steps that depend on anything besides the state and the
// inputs, and snapshots that do not contain the whole state.
//
// The game must have snapshots: one without OwnMemory.Save fails.
func SyncTest[S any, I comparable](t testing.TB, game rollback.Definition[S, I], opts Options[I]) {
	t.Helper()
	hunt(t, checkSync, game, opts)
}

// syncTest plays one match.
func syncTest[S any, I comparable](game rollback.Definition[S, I], m *match[I], p *probe) *failure {
	e, err := rollback.New(game, rollback.Config{Players: m.players, SyncTest: m.depth, MaxOrders: m.maxOrders()})
	if err != nil {
		return refusal(err)
	}
	for f := range m.frames() {
		p.frame = f
		if err := feed(e, m, f); err != nil {
			return refusal(fmt.Errorf("frame %d: %w", f, err))
		}
		if err := e.Tick(); err != nil {
			return mismatch(m, f, err)
		}
		e.Effects()
		if err := e.Agree(e.Frame()); err != nil {
			return refusal(err)
		}
		if p.varied && m.quiet == 0 {
			continue
		}
		if h, err := e.Hash(); err == nil {
			p.see(h)
			if m.settled(p, f, h) {
				break
			}
		}
	}
	p.compared += e.Stats().Compared
	return nil
}

// feed makes players leave and return, and gives an engine the inputs of a frame.
func feed[S any, I comparable](e *rollback.Engine[S, I], m *match[I], f int) error {
	for p := range m.gone[f].All() {
		if f == 0 || !m.gone[f-1].Has(p) {
			if err := e.Disconnect(p, rollback.Frame(f)); err != nil {
				return err
			}
		}
		// A return must be known one frame in advance. Otherwise that frame may be confirmed without the player.
		if f+1 < m.frames() && !m.gone[f+1].Has(p) {
			if err := e.Connect(p, rollback.Frame(f+1)); err != nil {
				return err
			}
		}
	}
	for p := range rollback.Player(m.players) {
		if i := f*m.players + int(p); !m.gone[f].Has(p) {
			if err := e.AddInput(p, rollback.Frame(f), m.inputs[i], m.orders[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// mismatch turns an engine's error into a failure.
func mismatch[I comparable](m *match[I], f int, err error) *failure {
	var mm *rollback.SyncTestError
	if !errors.As(err, &mm) {
		return &failure{frame: f, what: "cannot run: " + err.Error()}
	}
	found := &failure{
		frame: int(mm.Frame), what: "came out differently when it was simulated again", causes: causesOfRepeats,
	}
	switch {
	case mm.Snapshot:
		found.what, found.causes = "led to a state whose snapshot has changed since", causesOfSnapshots
		found.show(mm.Frame+1, "saved", "restored", mm.Report, nil)
	case mm.Total > 0 || !mm.Effects && !mm.Result:
		found.show(mm.Frame+1, "first", "again", mm.Report, mm.Undescribed)
	}
	if mm.Total == 0 && mm.Undescribed != nil {
		found.causes = []string{causesOfRepeats[2], causesOfRepeats[0], causesOfRepeats[1], causesOfRepeats[3]}
		found.note("tickbacktest.Purity looks at more than snapshots hold, and may name the field")
	}
	if mm.Effects {
		found.note("the effects of the frame differ")
	}
	if mm.Result {
		found.note("the frame finished the match differently")
	}
	if f > int(mm.Frame) {
		found.note("it was found in frame %d, which went back %d frames", f, min(m.depth, f+1))
	}
	return found
}
