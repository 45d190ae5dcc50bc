package tickbacktest

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Purity plays matches frame by frame, and in each frame simulates the same state with the same inputs several times:
// unchanged, as a resimulation, and with inputs that are said to be predictions. All must come out the same. It also
// checks the rest of the game's contract:
//
//   - the step leaves orders as they are, and does not keep them
//   - a snapshot brings back the state, and what happens later does not change it
//   - Unmarshal brings back what Marshal was given
//   - Hash sees every change that Describe shows
//   - Init makes the same state again after a match
//
// For a game with its own memory, it tests what the game's functions allow. Without Save, a second match replaces the
// repeated frames.
func Purity[S any, I comparable](t testing.TB, game rollback.Definition[S, I], opts Options[I]) {
	t.Helper()
	hunt(t, checkPurity, game, opts)
}

// The slots of the sandbox.
const (
	slotStart  = iota // state 0
	slotBefore        // the state before the frame
	slotAfter         // the state after the frame
	slotOld           // the first of the states that are kept for a while
	keptSlots  = 8
)

// pureMatch is a match that is checked for purity.
type pureMatch[S any, I comparable] struct {
	*rollback.Sandbox[S, I]
	viewer[S]
	game  rollback.Definition[S, I]
	match *match[I]
	probe *probe
	start moment
	kept  [keptSlots]moment
}

// moment is what is known about a state that is kept.
type moment struct {
	state int // the number of the state
	hash  uint64
	look  look
	used  bool
	err   error // the reason why there is no hash
}

// purity runs all checks of [Purity] on one match.
func purity[S any, I comparable](game rollback.Definition[S, I], m *match[I], p *probe) *failure {
	slots := slotOld + keptSlots
	if !rollback.CapabilitiesOf(game).Save {
		slots = 0
	}
	box, err := rollback.NewSandbox(game, m.players, slots)
	if err != nil {
		return refusal(err)
	}
	u := &pureMatch[S, I]{Sandbox: box, viewer: newViewer[S](game), game: game, match: m, probe: p}
	if _, err := box.Hash(); err != nil {
		return refusal(fmt.Errorf("%w (without it the state is walked: %w)", &rollback.CapabilityError{Missing: "Hash", For: "comparing states"}, err))
	}
	u.start = u.moment(0)
	if slots == 0 {
		return u.twice()
	}
	return u.play()
}

// moment records the live state.
func (u *pureMatch[S, I]) moment(state int) moment {
	h, err := u.Hash()
	m := moment{state: state, hash: h, used: true, err: err}
	if u.match.thorough {
		m.look = u.look(u.Live())
	}
	return m
}

// must panics on errors of a sandbox's methods that can only occur if the slot is wrong.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// play plays a game that has snapshots.
func (u *pureMatch[S, I]) play() *failure {
	must(u.Save(slotStart))
	for f := 0; f < u.match.frames(); f++ {
		u.probe.frame = f
		before := u.moment(f)
		must(u.Save(slotBefore))
		after, found := u.runFirst(f, before)
		if found == nil {
			must(u.Save(slotAfter))
			found = u.repeat(f, before, after)
		}
		if found == nil {
			found = u.store(f, after.moment)
		}
		u.match.settled(u.probe, f, after.hash) // if true, it ends the loop
		if found == nil && (f%tripEvery == 0 || f == u.match.frames()-1) {
			found = u.trip(f, after.moment)
		}
		if found != nil {
			return found
		}
		must(u.Restore(slotAfter))
		u.probe.compared++
		u.probe.see(after.hash)
	}
	if found := u.forget(); found != nil {
		return found
	}
	return u.restart()
}

// end is the outcome of running a frame.
type end struct {
	moment
	rollback.StepReport
}

// step runs a frame on the live state.
func (u *pureMatch[S, I]) step(f int, frame rollback.SandboxFrame[I]) (end, *failure) {
	said, err := u.Step(frame)
	if err != nil {
		return end{}, &failure{frame: f, what: "cannot run: " + err.Error()}
	}
	after := u.moment(f + 1)
	if after.err != nil {
		return end{}, &failure{frame: f, what: "led to a state that cannot be hashed: " + after.err.Error()}
	}
	return end{after, said}, nil
}
