package netplay

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

// Corrupt makes a client that plays by its own rules, from a frame of each duel on.
func (c *Config) Corrupt(from rollback.Frame) {
	c.bout = func() (bout, error) {
		r, err := duelRules()
		if err != nil {
			return nil, err
		}
		game := r.game.(rollback.Game[duel.State, duel.Input])
		step := game.Step
		game.Step = func(s *duel.State, t *rollback.Tick[duel.Input]) {
			step(s, t)
			if t.Frame() >= from {
				s.P[1].Hp = 99
			}
		}
		r.game = game
		return &match[duel.State, duel.Input]{rules: r}, nil
	}
}

// ExplainDesync is explainDesync in one line.
func ExplainDesync(r *tickback.DesyncReport) string { return explainDesync(r).Text() }
