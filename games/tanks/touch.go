package tanks

import "github.com/tickback/tickback/fixed"

// separate pushes apart tanks that overlap: pair by pair, the lowest numbers first, each by half,
// and out of walls. A crowd takes more than one tick to dissolve.
func (t *tick) separate() {
	var alive [MaxPlayers]*Tank
	n := 0
	for p := range t.s.Tanks {
		if f := &t.s.Tanks[p]; f.Stance == Alive {
			alive[n] = f
			n++
		}
	}
	for p, f := range alive[:n] {
		for _, g := range alive[p+1 : n] {
			if near(f.Pos, g.Pos, 2*tankRadius) {
				push(f, g)
			}
		}
	}
}

func push(f, g *Tank) {
	overlap := 2*tankRadius - f.Pos.Distance(g.Pos)
	by := direction(f.Pos, g.Pos).Scale(overlap.Mul(fixed.Half))
	f.Pos, g.Pos = keepOut(f.Pos.Sub(by)), keepOut(g.Pos.Add(by))
}

// direction returns the direction from one point to another, of length 1; if they are the same, it points to
// the right.
func direction(from, to fixed.Vec2) fixed.Vec2 {
	if from == to {
		return fixed.Vec2{X: fixed.One}
	}
	return to.Sub(from).Normalise()
}
