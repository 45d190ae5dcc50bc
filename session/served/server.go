package served

import (
	"github.com/tickback/tickback/rollback"
)

// Server owns the true state of a match: it closes ticks at its own pace, with the inputs that have arrived, runs
// them, and sends each client what it may know. Call [Host.Receive], [Host.Update], [Host.Outgoing] and
// [Host.Events], in this order.
type Server[S any, I comparable] struct {
	*Host
	running[S, I]
}

// NewServer creates a server, whose match begins with its first update. An invalid configuration is rejected here,
// with a [*ConfigError], or an error from the engine or the game.
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
	return &Server[S, I]{h, running[S, I]{sim.Engine}}, nil
}

// Final returns the state at which the match ended, or nil if it has not.
func (s *Server[S, I]) Final() *S {
	if !s.finished {
		return nil
	}
	return s.StateAt(s.outcome.Frames)
}
