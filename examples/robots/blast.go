package robots

import (
	"slices"

	"github.com/tickback/tickback/rollback/effects"
)

// fire makes a bullet, at the head of the list.
func (w *World) fire(r *Robot, out *effects.Emitter) {
	if r.Reload > 0 || w.flying == MaxBullets {
		return
	}
	b := w.bullet()
	b.Shot = Shot{ID: w.newID(), At: r.At, Dir: r.Dir, Life: BulletLife}
	b.By, b.Next = r, w.Bullets
	w.Bullets, r.Last, r.Reload = b, b, Reload
	Fired.Emit(out, uint32(r.Player), r.At)
}

// fly moves all bullets, the newest first, and removes those that are done.
func (w *World) fly(out *effects.Emitter) {
	for link := &w.Bullets; *link != nil; {
		if b := *link; w.flyOne(b, out) {
			link = &b.Next
		} else {
			w.recycle(link)
		}
	}
}

// flyOne moves a bullet, and reports whether it flies on.
func (w *World) flyOne(b *Bullet, out *effects.Emitter) bool {
	for range BulletSpeed {
		c, free := b.At.ahead(b.Dir)
		if !free {
			return false
		}
		b.At = c
		if hit := w.robotAt(c, b.By); hit != nil {
			w.hurt(hit, bulletDamage, b.By, out)
			return false
		}
		if w.detonate(c, out) {
			return false
		}
	}
	b.Life--
	return b.Life > 0
}

// expire sets off the mines whose time is over. One can set off others, and the first to destroy a robot
// scores, so the order matters: it is the order of the cells.
func (w *World) expire(out *effects.Emitter) {
	if w.Frame%32 != 0 {
		return
	}
	w.cells = sortedCells(w.cells[:0], w.Mines)
	for _, c := range w.cells {
		if m, there := w.Mines[c]; there && m.Until <= w.Frame {
			w.detonate(c, out)
		}
	}
}

// sortedCells appends the keys of a map in ascending order. It is the only place that visits a map with a
// result that leaves it, so it sorts what it has found.
func sortedCells[M any](list []Cell, m map[Cell]M) []Cell {
	for c := range m {
		list = append(list, c)
	}
	slices.Sort(list)
	return list
}

// detonate sets off the mine of a cell, if there is one, and those next to it.
func (w *World) detonate(c Cell, out *effects.Emitter) bool {
	m, there := w.Mines[c]
	if !there {
		return false
	}
	delete(w.Mines, c) // first, so that the chain ends
	Exploded.Emit(out, uint32(c), struct{}{})
	if r := w.robotAt(c, nil); r != nil {
		w.hurt(r, mineDamage, m.By, out)
	}
	for d := range Dir(dirs) {
		if n, inside := c.ahead(d); inside {
			if r := w.robotAt(n, nil); r != nil {
				w.hurt(r, mineDamage, m.By, out)
			}
			w.detonate(n, out)
		}
	}
	return true
}

// hurt takes health from a robot. Another robot that takes the last of it scores.
func (w *World) hurt(r *Robot, damage int16, by *Robot, out *effects.Emitter) {
	if r.Hp -= damage; r.Hp > 0 {
		return
	}
	r.Hp, r.Down = 0, Down
	Destroyed.Emit(out, uint32(r.Player), r.At)
	if by == r {
		return
	}
	if by.Score++; by.Score == WinScore && w.Winner == 0 {
		w.Winner = by.Player + 1
		Over.Emit(out, 0, w.Winner)
	}
}
