package tickbacktest

import (
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// Twins plays each match in two instances of the game side by side, and some matches again while other goroutines keep
// the machine busy, allocate and collect garbage. The instances must be equal in every frame: hash, effects, and how
// the match was finished. It finds shared data that is not constant, and anything that depends on the machine's load.
//
// A game with its own memory must have OwnMemory.New, or the test fails.
func Twins[S any, I comparable](t testing.TB, game rollback.Definition[S, I], opts Options[I]) {
	t.Helper()
	hunt(t, checkTwins, game, opts)
}

// twins plays one match.
func twins[S any, I comparable](game rollback.Definition[S, I], m *match[I], p *probe) *failure {
	if f := pair(game, m, p, "came out differently in two instances of the game"); f != nil {
		return f
	}
	if !m.thorough {
		return nil
	}
	defer load()()
	return pair(game, m, p, "came out differently in two instances of the game on a busy machine")
}

// outcome is the result of a step.
type outcome struct {
	rollback.StepReport
	hash uint64
}

// twinMatch is one match in two instances.
type twinMatch[S any, I comparable] struct {
	game rollback.Definition[S, I]
	a, b *rollback.Sandbox[S, I]
}

// pair plays one match in two instances.
func pair[S any, I comparable](game rollback.Definition[S, I], m *match[I], p *probe, what string) *failure {
	a, err := rollback.NewSandbox(game, m.players, 0)
	if err != nil {
		return refusal(err)
	}
	b, err := rollback.NewSandbox(game, m.players, 0)
	if err != nil {
		return refusal(err)
	}
	t := &twinMatch[S, I]{game, a, b}
	x, y, err := t.both(func(s *rollback.Sandbox[S, I]) (rollback.StepReport, error) { return rollback.StepReport{}, nil })
	switch {
	case err != nil:
		return refusal(err)
	case x != y:
		return t.differ(-1, "begins differently in two instances", x, y)
	}
	for f := range m.frames() {
		p.frame = f
		x, y, err := t.both(func(s *rollback.Sandbox[S, I]) (rollback.StepReport, error) { return s.Step(m.frame(f)) })
		switch {
		case err != nil:
			return &failure{frame: f, what: "cannot run: " + err.Error()}
		case x != y:
			return t.differ(f, what, x, y)
		}
		p.compared++
		p.see(x.hash)
		if m.settled(p, f, x.hash) {
			break
		}
	}
	return nil
}

// differ returns the failure of instances that differ after frame f.
func (t *twinMatch[S, I]) differ(f int, what string, x, y outcome) *failure {
	found := &failure{frame: f, what: what, causes: []string{
		"the step, or Init, uses something that all instances share: a variable of the package, a map or slice made once",
		causesOfRepeats[0],
	}}
	if x.hash != y.hash {
		diff, err := t.diff()
		found.show(rollback.Frame(f+1), "one", "other", diff, err)
	}
	return found.said(x.StepReport, y.StepReport)
}

// diff returns how the instances differ. A game that shows nothing of itself may know what belongs to a state: walking its
// memory would not, and would end at a function.
func (t *twinMatch[S, I]) diff() (canon.Report, error) {
	view := newViewer[S](t.game)
	if view.blind() {
		if diff, ok := t.a.Beside(t.b, mostDifferences); ok {
			return diff, nil
		}
	}
	return view.diff(t.a.Live(), t.b.Live())
}

// both calls do for each of the two instances.
func (t *twinMatch[S, I]) both(do func(*rollback.Sandbox[S, I]) (rollback.StepReport, error)) (x, y outcome, err error) {
	if x.StepReport, err = do(t.a); err != nil {
		return x, y, err
	}
	if y.StepReport, err = do(t.b); err != nil {
		return x, y, err
	}
	if x.hash, err = t.a.Hash(); err != nil {
		return x, y, err
	}
	y.hash, err = t.b.Hash()
	return x, y, err
}
