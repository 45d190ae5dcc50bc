package netplay

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

// Corrupt makes a client play by its own rules, from some frame of each duel on.
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

// Tell makes a client receive additional events in its duels.
func (c *Config) Tell(more func() []tickback.Event) {
	c.bout = func() (bout, error) {
		r, err := duelRules()
		if err != nil {
			return nil, err
		}
		return hearing{&match[duel.State, duel.Input]{rules: r}, more}, nil
	}
}

// hearing is a bout with additional events.
type hearing struct {
	bout
	more func() []tickback.Event
}

func (t hearing) events() []tickback.Event { return append(t.bout.events(), t.more()...) }

// Slow makes a client believe that its matches are slow because of certain players, whatever the machine does.
func (c *Config) Slow(slowed func() tickback.PlayerSet) { c.slowed = slowed }

// ExplainDesync is explainDesync in one line.
func ExplainDesync(r *tickback.DesyncReport) string { return explainDesync(r).Text() }
