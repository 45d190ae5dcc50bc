package served

import (
	"github.com/tickback/tickback/rollback"
)

// Server owns the truth of a match: it closes ticks at its own pace, with the inputs that have
// come, runs them, and tells each client what it may know. Call [Host.Receive], [Host.Update],
// [Host.Outgoing] and [Host.Events], in this order.
type Server[S any, I comparable] struct {
	*Host
	running[S, I]
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
	return &Server[S, I]{h, running[S, I]{sim.Engine}}, nil
}

// Final returns the state at which the match has ended, or nil if it has not.
func (s *Server[S, I]) Final() *S {
	if !s.finished {
		return nil
	}
	return s.StateAt(s.outcome.Frames)
}
