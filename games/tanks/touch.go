package tanks

import "github.com/tickback/tickback/fixed"

// separate pushes apart tanks that overlap: pair by pair, the lowest numbers first, each by half,
// and out of walls. A crowd takes more than one tick to dissolve.
func (t *tick) separate() {
	for p := range t.s.Tanks {
		for q := p + 1; q < MaxPlayers; q++ {
			f, g := &t.s.Tanks[p], &t.s.Tanks[q]
			if f.Stance != Alive || g.Stance != Alive || !near(f.Pos, g.Pos, 2*tankRadius) {
				continue
			}
			overlap := 2*tankRadius - f.Pos.Distance(g.Pos)
			push := direction(f.Pos, g.Pos).Scale(overlap.Mul(fixed.Half))
			f.Pos, g.Pos = keepOut(f.Pos.Sub(push)), keepOut(g.Pos.Add(push))
		}
	}
}

// direction is the direction from one point to another, of length 1; if they are the same, it
// points to the right.
func direction(from, to fixed.Vec2) fixed.Vec2 {
	if from == to {
		return fixed.Vec2{X: fixed.One}
	}
	return to.Sub(from).Normalise()
}
