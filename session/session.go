package session

import (
	"cmp"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Session is a session of one game on one machine. It adds the game to [Machine].
type Session[S any, I comparable] struct {
	*Machine
	sim *simulator[S, I]
}

// New creates a session. An invalid configuration is rejected here, with an error that names the problem: from this
// package ([ErrConfig]), the engine, or the game.
func New[S any, I comparable](game rollback.Definition[S, I], cfg Config, hooks Hooks[S, I]) (*Session[S, I], error) {
	cfg.HashEvery = HashInterval(game, cfg.HashEvery, cfg.ChainEvery, cmp.Or(cfg.TickRate, cfg.Rate.Nearest()))
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	sim, err := newSimulator(game, &cfg, hooks)
	if err != nil {
		return nil, err
	}
	m, err := newMachine(cfg, sim)
	if err != nil {
		return nil, err
	}
	return &Session[S, I]{m, sim}, nil
}

// State returns the current state. It belongs to the session, is valid until the next call of Update or Step, and
// must not be modified.
func (s *Session[S, I]) State() *S { return s.sim.State() }

// StateAt returns state f, or nil if it is not held; see
// [rollback.Engine.StateAt].
func (s *Session[S, I]) StateAt(f Frame) *S { return s.sim.StateAt(f) }

// Final returns the state at which the last match ended, or nil if there is none, or the engine does not hold it as
// a value.
func (s *Session[S, I]) Final() *S {
	o, known := s.Outcome()
	if !known {
		return nil
	}
	return s.sim.StateAt(o.Frames)
}

// Ahead returns the states to show if the match has [Config.RunAhead], and the number of the second: see
// [rollback.Ahead]. None is beyond the last frame of the match. The states are nil when no match is played.
func (s *Session[S, I]) Ahead() (before, after *S, at Frame) {
	f := s.sim.Frame()
	if s.phase != Playing || f >= s.match.Limit() {
		return nil, nil, f
	}
	return rollback.Ahead(s.sim.Engine, s.match.Limit()-f)
}

// Frame returns the number of the next frame to run.
func (s *Session[S, I]) Frame() Frame { return s.sim.Frame() }

// Effects returns the changes to effects since the last call; see [rollback.Engine.Effects].
func (s *Session[S, I]) Effects() []effects.Event { return s.sim.Effects() }

// Inspect returns an inspector of the engine, which belongs to the session.
func (s *Session[S, I]) Inspect() rollback.Inspector[S, I] { return rollback.Inspect(s.sim.Engine) }
