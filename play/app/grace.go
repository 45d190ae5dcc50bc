package app

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/controls"
)

const (
	// firstGrace is the number of ticks for which bots do not see a person who has just begun, and nextGrace is the
	// same after each loss.
	firstGrace = 5 * tanks.TicksPerSecond
	nextGrace  = 2 * tanks.TicksPerSecond
)

// grace hides the tank of a person that has just appeared from bots, until it shoots. It only changes what the bots
// do, not the rules.
type grace struct {
	hidden   [controls.Seats]bool
	until    [controls.Seats]tickback.Frame
	appeared [controls.Seats]int // how often each has appeared
	blind    tanks.State         // what the bots see, if that is not everything
	at       tickback.Frame      // the frame of blind
}

// look records which tanks of this many people have appeared, and which of them shoot.
func (g *grace) look(f tickback.Frame, s *tanks.State, people int) {
	for p := range people {
		t := &s.Tanks[p]
		if t.Stance != tanks.Alive {
			g.hidden[p] = false
			g.until[p] = 0
			continue
		}
		if g.until[p] == 0 { // it has appeared
			last := tickback.Frame(nextGrace)
			if g.appeared[p]++; g.appeared[p] == 1 {
				last = firstGrace
			}
			g.until[p] = f + last
		}
		if t.Held.Buttons&tanks.Fire != 0 {
			g.until[p] = min(g.until[p], max(f, 1))
		}
		g.hidden[p] = f < g.until[p]
	}
}

// seen returns what bots see of the state of a frame.
func (g *grace) seen(f tickback.Frame, s *tanks.State) *tanks.State {
	if g.hidden == ([controls.Seats]bool{}) {
		return s
	}
	if g.at != f || g.blind.Frame != s.Frame {
		g.blind, g.at = *s, f
		for p, hidden := range g.hidden {
			if hidden {
				g.blind.Tanks[p].Stance = tanks.Absent
			}
		}
	}
	return &g.blind
}
