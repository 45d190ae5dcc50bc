package reports

import (
	"errors"
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/wire/agreed"
)

// follower is a match of any game that continues from a state with known inputs.
type follower interface {
	// step runs a frame, and returns how the state has changed, listing at most most fields.
	step(f *agreed.Frame, most int) (canon.Report, error)
	hash() (uint64, error)
	// text returns the fields of the state by path.
	text() (*desync.Text, error)
}

// followed is the follower of a game.
type followed[S any, I comparable] struct {
	game     *typed[S, I]
	sandbox  *rollback.Sandbox[S, I]
	plan     *canon.Plan[I]
	players  int
	compares bool
}

func (g *typed[S, I]) follow(begin []byte, players int) (follower, error) {
	can := rollback.CapabilitiesOf(g.Game)
	slots := 0
	if can.Save {
		slots = 1
	}
	plan, err := canon.PlanFor[I]()
	if err != nil {
		return nil, err
	}
	sandbox, err := rollback.NewSandbox(g.Game, players, slots)
	if err != nil {
		return nil, err
	}
	if err := sandbox.Unmarshal(begin); err != nil {
		return nil, fmt.Errorf("this build cannot read the state: %w", err)
	}
	return &followed[S, I]{g, sandbox, plan, players, can.Save}, nil
}

func (m *followed[S, I]) step(f *agreed.Frame, most int) (r canon.Report, err error) {
	size := m.plan.Size()
	frame := rollback.SandboxFrame[I]{Frame: rollback.Frame(f.Number), Orders: f.Orders}
	for p := range m.players { // not a loop over the bytes, since an input may have none
		var in I
		if len(f.Inputs) < (p+1)*size {
			return r, fmt.Errorf("inputs of %d bytes, for %d players", len(f.Inputs), m.players)
		}
		if err := m.plan.Decode(&in, f.Inputs[p*size:(p+1)*size]); err != nil {
			return r, err
		}
		status := rollback.Confirmed
		if f.Gone>>p&1 != 0 {
			status = rollback.Disconnected
		}
		frame.Inputs, frame.Statuses = append(frame.Inputs, in), append(frame.Statuses, status)
	}
	if m.compares {
		if err := m.sandbox.Save(0); err != nil {
			return r, err
		}
	}
	if _, err := m.sandbox.Step(frame); err != nil || !m.compares {
		return r, err
	}
	return m.sandbox.Differences(0, most)
}

func (m *followed[S, I]) hash() (uint64, error) { return m.sandbox.Hash() }

func (m *followed[S, I]) text() (*desync.Text, error) {
	can := rollback.CapabilitiesOf(m.game.Game)
	var shown any = m.sandbox.Live()
	if can.Describe != nil {
		shown = can.Describe(m.sandbox.Live())
	}
	b, err := canon.AppendTextAny(nil, shown)
	if err != nil {
		return nil, errors.Join(errors.New("the state cannot be shown"), err)
	}
	return desync.ParseText(b), nil
}
