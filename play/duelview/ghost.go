package duelview

import (
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
)

// ghost is a fighter as it was shown because of a wrong prediction.
type ghost struct {
	pose   pose
	x, y   float32
	facing float32
	player int
	age    float32
}

const (
	ghostLife = 0.45 // seconds
	maxGhosts = 24
)

// Mispredicted shows a fighter as it was wrongly predicted, for a while.
func (v *View) Mispredicted(player int, was *duel.Fighter) {
	if len(v.ghost) == maxGhosts {
		v.ghost = append(v.ghost[:0], v.ghost[1:]...)
	}
	m := between(was, was, 0)
	v.ghost = append(v.ghost, ghost{pose: poseOf(&m, 0, 0), x: m.x, y: m.y, facing: m.facing, player: player})
}

func (v *View) advanceGhosts(dt float32) {
	left := v.ghost[:0]
	for _, g := range v.ghost {
		if g.age += dt; g.age < ghostLife {
			left = append(left, g)
		}
	}
	v.ghost = left
}

func (v *View) drawGhosts(c *draw.Canvas) {
	for i := range v.ghost {
		g := &v.ghost[i]
		left := 1 - g.age/ghostLife
		c.Push()
		c.Translate(g.x, -g.y)
		c.Scale(g.facing, 1)
		col := look.Paper.Mix(v.Look.Player(g.player), 0.4)
		drawFigure(c, &g.pose, flat(col.Alpha(0.28*left)), true)
		c.Pop()
	}
}
