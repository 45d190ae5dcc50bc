package served

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Server owns the truth of a match: it closes ticks at its own pace, with the inputs that have
// come, runs them, and tells each client what it may know. Call [Host.Receive], [Host.Update],
// [Host.Outgoing] and [Host.Events], in this order.
type Server[S any, I comparable] struct {
	*Host
	sim *simulation[S, I]
}

// NewServer makes a server, whose match begins with its first update. What cannot work is refused
// here: with a [*ConfigError], or an error of the engine or of the game.
func NewServer[S any, I comparable](game rollback.Definition[S, I], cfg ServerConfig, hooks ServerHooks[S, I]) (*Server[S, I], error) {
	cfg.Partial = hooks.Sight != nil
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	sim, err := newSimulation(game, &cfg, hooks)
	if err != nil {
		return nil, err
	}
	h, err := newHost(cfg, sim)
	if err != nil {
		return nil, err
	}
	return &Server[S, I]{h, sim}, nil
}

// State returns the newest state. It is the server's, valid and unchanged until the next update.
func (s *Server[S, I]) State() *S { return s.sim.State() }

// StateAt returns state f, or nil if it is not held.
func (s *Server[S, I]) StateAt(f Frame) *S { return s.sim.StateAt(f) }

// Final returns the state at which the match has ended, or nil if it has not.
func (s *Server[S, I]) Final() *S {
	if !s.finished {
		return nil
	}
	return s.sim.StateAt(s.outcome.Frames)
}

// Frame returns the number of the next tick to run.
func (s *Server[S, I]) Frame() Frame { return s.sim.Frame() }

// Effects returns what has become of effects since the last call.
func (s *Server[S, I]) Effects() []effects.Event { return s.sim.Effects() }

// Inspect returns what looks at the engine, which is the server's.
func (s *Server[S, I]) Inspect() rollback.Inspector[S, I] { return rollback.Inspect(s.sim.Engine) }
