package main

import (
	"fmt"

	"github.com/tickback/tickback/world"
)

// vec is a place, or a speed.
type vec struct{ X, Y int64 }

// army is a world whose units have 88 bytes in eight columns.
type army struct{ Units units }

type units struct {
	world.Table
	Pos, Speed     world.Column[vec]
	Goal           world.Column[vec]
	Health, Armour world.Column[int64]
	Target         world.Column[int64]
	Timers         world.Column[[3]int32]
	Kind           world.Column[[4]uint8]
}

// newArmy returns a world with so many units.
func newArmy(n int) (w *army, list []world.Entity, err error) {
	if w, err = world.New[army](); err != nil {
		return nil, nil, err
	}
	world.Update(w, func(w *army) {
		u := &w.Units
		for i := range int64(n) {
			var e world.Entity
			if e, err = u.Spawn(); err != nil {
				return
			}
			list = append(list, e)
			u.Pos.Set(e, vec{i, 3 * i})
			u.Speed.Set(e, vec{1 + i%3, 1})
			u.Goal.Set(e, vec{3 * i, i})
			u.Health.Set(e, i)
			u.Armour.Set(e, 7)
			u.Target.Set(e, i)
			u.Timers.Set(e, [3]int32{1, 2, int32(i)})
			u.Kind.Set(e, [4]uint8{1, 2, 3, 4})
		}
	})
	return w, list, err
}

// move lets all units move.
func move(w *army) {
	u := &w.Units
	for c := range u.Chunks() {
		pos, speed := u.Pos.Write(c), u.Speed.Read(c)
		for i := range c.Live() {
			p, s := pos.At(i), speed.At(i)
			p.X, p.Y = p.X+s.X, p.Y+s.Y
		}
	}
}

// hurt changes the health of one unit of a hundred, next to each other.
func hurt(list []world.Entity, tick int) func(w *army) {
	n := len(list) / 100
	return func(w *army) {
		for i := range n {
			w.Units.Health.Set(list[(tick*n+i)%len(list)], int64(tick))
		}
	}
}

// worlds prints what a save of a world takes, with the copies of pages that it causes in the next tick, and what going
// back eight ticks takes. What the ticks themselves take, without a save, is subtracted.
func worlds(a arguments) error {
	n, ticks := a.number("units", 10_000), a.number("frames", 1800)/batches
	for _, c := range []struct {
		name string
		tick func(list []world.Entity, tick int) func(w *army)
	}{
		{"moving", func([]world.Entity, int) func(w *army) { return move }},
		{"hurt", hurt},
	} {
		bare, list, err := newArmy(n)
		if err != nil {
			return err
		}
		tick := 0
		alone := measured(func() int {
			for range ticks {
				world.Update(bare, c.tick(list, tick))
				tick++
			}
			return ticks
		})
		saved, list, err := newArmy(n)
		if err != nil {
			return err
		}
		var ring [9]*world.Snapshot
		tick = 0
		run := func() int {
			for range ticks {
				at := &ring[tick%len(ring)]
				if *at != nil {
					(*at).Release()
				}
				*at = world.Save(saved)
				world.Update(saved, c.tick(list, tick))
				tick++
			}
			return ticks
		}
		run()
		with := measured(run)
		print("save-"+c.name, float64(max(with-alone, 0))/1000, "ns")

		// To go back, there must be somewhere to go back from: the ticks between are in both.
		if tick < len(ring) {
			return fmt.Errorf("%d ticks are too few", tick)
		}
		oldest := ring[tick%len(ring)]
		back := measured(func() int {
			for range ticks {
				world.Restore(saved, oldest)
				world.Update(saved, c.tick(list, tick))
			}
			return ticks
		})
		print("restore-"+c.name, float64(max(back-alone, 0))/1000, "ns")
	}
	return nil
}
