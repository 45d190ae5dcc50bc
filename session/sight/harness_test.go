package sight_test

import (
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/sight"
)

type (
	truth  = sight.Encoder[tanks.State, tanks.Input]
	mirror = sight.Decoder[tanks.State, tanks.Input]
	config = sight.Config[tanks.State, tanks.Input]
)

const players = 16

// match is a match of bots, as a server runs it.
type match struct {
	t      testing.TB
	game   rollback.Game[tanks.State, tanks.Input]
	run    *rollback.Stepper[tanks.State, tanks.Input]
	truth  *truth
	sight  func(*tanks.State, rollback.Player) rollback.PlayerSet
	plan   *canon.Plan[tanks.State]
	bot    tanks.Bot
	gone   rollback.PlayerSet
	inputs []tanks.Input
	states []tanks.State
}

func newMatch(t testing.TB, seed uint64, mood tanks.Mood, look func(*tanks.State, rollback.Player) rollback.PlayerSet) *match {
	t.Helper()
	m := &match{t: t, game: tanks.Game(seed), sight: look, bot: tanks.Bot{Seed: seed, Mood: mood}, inputs: make([]tanks.Input, players)}
	var err error
	if m.run, err = rollback.NewStepper(m.game, players, 0); err != nil {
		t.Fatal(err)
	}
	if err := m.run.Restart(nil); err != nil {
		t.Fatal(err)
	}
	if m.plan, err = canon.PlanFor[tanks.State](); err != nil {
		t.Fatal(err)
	}
	if m.truth, err = sight.NewTruth(m.config()); err != nil {
		t.Fatal(err)
	}
	m.truth.Begin(0, m.run.State(), m.plan.Hash(m.run.State()))
	m.states = append(m.states, *m.run.State())
	return m
}

func (m *match) config() config {
	return config{Game: m.game, Players: players, Sight: m.sight}
}

func (m *match) mirror(p rollback.Player) *mirror {
	k, err := sight.NewMirror(m.config(), p)
	if err != nil {
		m.t.Fatal(err)
	}
	return k
}

// tick runs a tick.
func (m *match) tick() {
	m.t.Helper()
	f := m.run.Frame()
	for p := range m.inputs {
		m.inputs[p] = m.bot.Input(rollback.Player(p), f, m.run.State())
	}
	m.step()
}

// step runs a tick with the inputs.
func (m *match) step() {
	m.t.Helper()
	in := append([]tanks.Input(nil), m.inputs...)
	if err := m.run.Step(in, nil, m.gone); err != nil {
		m.t.Fatal(err)
	}
	m.truth.Add(m.inputs, nil, m.gone, m.run.State(), m.plan.Hash(m.run.State()))
	m.states = append(m.states, *m.run.State())
}

// known is a state as a player may know it.
func (m *match) known(f rollback.Frame, p rollback.Player) tanks.State {
	s := m.states[f]
	if m.sight != nil {
		m.sight(&s, p)
	}
	return s
}

// whole gives a mirror a whole state.
func (m *match) whole(k *mirror, p rollback.Player) *sight.Update[tanks.State, tanks.Input] {
	m.t.Helper()
	b, err := m.truth.AppendWhole(nil, p, m.run.Marshal)
	if err != nil {
		m.t.Fatal(err)
	}
	u, err := k.Whole(m.truth.Newest(), b)
	if err != nil {
		m.t.Fatal(err)
	}
	return u
}

func both(t *testing.T, f func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet)) {
	t.Run("full", func(t *testing.T) { f(t, nil) })
	t.Run("partial", func(t *testing.T) { f(t, tanks.Sight) })
}
