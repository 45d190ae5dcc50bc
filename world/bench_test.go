package world

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// army is the state of the benchmarks: 88 bytes in eight columns.
type army struct{ Units soldiers }

type soldiers struct {
	Table
	Pos, Speed     Column[vec]      // 16 bytes each
	Goal           Column[vec]      // 16
	Health, Armour Column[int64]    // 8 each
	Target         Column[Entity]   // 8
	Timers         Column[[3]int32] // 12
	Kind           Column[[4]uint8] // 4
}

// flat is the same state as slices, as in a game without a world.
type flat struct {
	pos, speed, goal []vec
	health, armour   []int64
	target           []Entity
	timers           [][3]int32
	kind             [][4]uint8
}

func newFlat(n int) *flat {
	return &flat{
		make([]vec, n), make([]vec, n), make([]vec, n), make([]int64, n), make([]int64, n), make([]Entity, n), make([][3]int32, n), make([][4]uint8, n),
	}
}

func (f *flat) copyFrom(g *flat) {
	copy(f.pos, g.pos)
	copy(f.speed, g.speed)
	copy(f.goal, g.goal)
	copy(f.health, g.health)
	copy(f.armour, g.armour)
	copy(f.target, g.target)
	copy(f.timers, g.timers)
	copy(f.kind, g.kind)
}

func newArmy(b testing.TB, n int) (*army, []Entity) {
	w, err := New[army]()
	if err != nil {
		b.Fatal(err)
	}
	var list []Entity
	Update(w, func(w *army) {
		for i := range n {
			e, err := w.Units.Spawn()
			if err != nil {
				b.Fatal(err)
			}
			list = append(list, e)
			v := vec{int64(i), int64(i * 3)}
			w.Units.Pos.Set(e, v)
			w.Units.Speed.Set(e, v)
			w.Units.Goal.Set(e, v)
			w.Units.Health.Set(e, int64(i))
			w.Units.Armour.Set(e, 7)
			w.Units.Target.Set(e, e)
			w.Units.Timers.Set(e, [3]int32{1, 2, int32(i)})
			w.Units.Kind.Set(e, [4]uint8{1, 2, 3, 4})
		}
	})
	return w, list
}

// change is what a tick changes in the benchmarks.
type change struct {
	name string
	do   func(w *army, list []Entity, tick int)
}

// someUnits changes two columns of a share of the units, in percent: next to each other if they are squads, otherwise
// spread out.
func someUnits(percent int, squads bool) func(w *army, list []Entity, tick int) {
	return func(w *army, list []Entity, tick int) {
		n := max(len(list)*percent/100, 1)
		for i := range n {
			k := (tick*n + i) % len(list)
			if !squads {
				k = (tick*7919 + i*104729) % len(list)
			}
			w.Units.Pos.Set(list[k], vec{int64(tick), int64(i)})
			w.Units.Health.Set(list[k], int64(tick))
		}
	}
}

// pagesOf changes two columns, or all, of every chunk: the copies, and almost no other work.
func pagesOf(all bool) func(w *army, list []Entity, tick int) {
	return func(w *army, _ []Entity, tick int) {
		u := &w.Units
		for c := range u.Chunks() {
			u.Pos.Write(c).At(0).X = int64(tick)
			u.Speed.Write(c).At(0).Y = int64(tick)
			if all {
				u.Goal.Write(c).At(0).X = int64(tick)
				*u.Health.Write(c).At(0) = int64(tick)
				*u.Armour.Write(c).At(0) = int64(tick)
				*u.Target.Write(c).At(0) = Entity(tick)
				u.Timers.Write(c).At(0)[1] = int32(tick)
				u.Kind.Write(c).At(0)[1] = uint8(tick)
			}
		}
	}
}

var changes = []change{
	{"1% in squads", someUnits(1, true)},
	{"10% in squads", someUnits(10, true)},
	{"1% at random", someUnits(1, false)},
	{"10% at random", someUnits(10, false)},
	{"all moving", pagesOf(false)},
	{"every page", pagesOf(true)},
}

const ringSize = 9

// BenchmarkSnapshot measures saving a world in a ring of nine, with the page copies that this causes, against copying
// everything into such a ring. The changes themselves are measured on a world that is not saved, and subtracted.
func BenchmarkSnapshot(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		for _, c := range changes {
			b.Run(fmt.Sprintf("%d/%s", n, c.name), func(b *testing.B) { snapshotAgainstCopy(b, n, c) })
		}
	}
}

func snapshotAgainstCopy(b *testing.B, n int, c change) {
	saved, list := newArmy(b, n)
	bare, _ := newArmy(b, n)
	live := newFlat(n)
	var ring [ringSize]*Snapshot
	var copies [ringSize]*flat
	for i := range copies {
		copies[i] = newFlat(n)
	}
	var save, alone, all, restore []time.Duration
	tick := 0
	round := func() {
		start := time.Now()
		i := tick % ringSize
		ring[i] = saveIn(saved, ring[i])
		Update(saved, func(w *army) { c.do(w, list, tick) })
		a := time.Now()
		Update(bare, func(w *army) { c.do(w, list, tick) })
		m := time.Now()
		copies[i].copyFrom(live)
		z := time.Now()
		save, alone, all = append(save, a.Sub(start)), append(alone, m.Sub(a)), append(all, z.Sub(m))
		if tick++; tick%16 == 0 && ring[ringSize-1] != nil {
			start := time.Now()
			Restore(saved, ring[(tick-8)%ringSize])
			restore = append(restore, time.Since(start))
		}
	}
	for range 20 {
		round()
	}
	save, alone, all, restore = nil, nil, nil, nil
	b.ReportAllocs()
	for b.Loop() {
		round()
	}
	saving, back, copying := median(save)-median(alone), median(restore), median(all)
	b.ReportMetric(saving/copying, "save/copy")
	b.ReportMetric(back/copying, "restore/copy")
	b.ReportMetric(saving, "ns/save")
	b.ReportMetric(back, "ns/restore")
	b.ReportMetric(float64(memoryOf(saved, ring[:]))/float64(n*88*(ringSize+1)), "memory/copies")
}

// The median is not affected by the few times at which another program has had the processor.
func median(times []time.Duration) float64 {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return float64(times[len(times)/2])
}

// memoryOf returns the total size of all pages of a world and its snapshots, and of those that wait to be reused.
func memoryOf(w *army, ring []*Snapshot) (bytes int) {
	u := &w.Units
	bytes += pagesIn(&u.Pos.pages, ring, func(w *army) *pages[[Rows]vec] { return &w.Units.Pos.pages })
	bytes += pagesIn(&u.Speed.pages, ring, func(w *army) *pages[[Rows]vec] { return &w.Units.Speed.pages })
	bytes += pagesIn(&u.Goal.pages, ring, func(w *army) *pages[[Rows]vec] { return &w.Units.Goal.pages })
	bytes += pagesIn(&u.Health.pages, ring, func(w *army) *pages[[Rows]int64] { return &w.Units.Health.pages })
	bytes += pagesIn(&u.Armour.pages, ring, func(w *army) *pages[[Rows]int64] { return &w.Units.Armour.pages })
	bytes += pagesIn(&u.Target.pages, ring, func(w *army) *pages[[Rows]Entity] { return &w.Units.Target.pages })
	bytes += pagesIn(&u.Timers.pages, ring, func(w *army) *pages[[Rows][3]int32] { return &w.Units.Timers.pages })
	bytes += pagesIn(&u.Kind.pages, ring, func(w *army) *pages[[Rows][4]uint8] { return &w.Units.Kind.pages })
	return bytes + pagesIn(&u.Table.pages, ring, func(w *army) *pages[rowPage] { return &w.Units.Table.pages })
}

func pagesIn[E any](live *pages[E], ring []*Snapshot, of func(w *army) *pages[E]) int {
	seen := map[*page[E]]bool{}
	for _, p := range live.list {
		seen[p] = true
	}
	for _, p := range live.free {
		seen[p] = true
	}
	lists := len(live.list)
	for _, s := range ring {
		for _, p := range of(ViewOf[army](s)).list {
			seen[p] = true
		}
		lists += len(of(ViewOf[army](s)).list)
	}
	return len(seen)*(live.memory()+pageOverhead) + lists*8
}

// BenchmarkHash measures the hash of a state after a change, against that of all of its pages.
func BenchmarkHash(b *testing.B) {
	for _, c := range changes {
		b.Run(c.name, func(b *testing.B) {
			w, list := newArmy(b, 10_000)
			var some, all time.Duration
			tick := 0
			Hash(w)
			for b.Loop() {
				tick++
				Update(w, func(w *army) { c.do(w, list, tick) })
				start := time.Now()
				Hash(w)
				a := time.Now()
				some += a.Sub(start)
				Update(w, func(w *army) { pagesOf(true)(w, list, tick) })
				start = time.Now()
				Hash(w)
				all += time.Since(start)
			}
			b.ReportMetric(float64(some)/float64(all), "hash/all")
			b.ReportMetric(float64(all)/float64(b.N), "ns/all")
		})
	}
}

// BenchmarkIteration goes through all units and moves them, against flat slices: in full chunks, through the mask, and
// through a mask in which every third row is dead.
func BenchmarkIteration(b *testing.B) {
	const n = 10_240
	full, _ := newArmy(b, n)
	holed, list := newArmy(b, n*3/2)
	Update(holed, func(w *army) {
		for i, e := range list {
			if i%3 == 0 && w.Units.Kill(e) != nil {
				b.Fatal(e)
			}
		}
	})
	f := newFlat(n)
	run := func(name string, do func()) {
		b.Run(name, func(b *testing.B) {
			var times, ratios []float64
			for b.Loop() {
				start := time.Now()
				do()
				m := time.Now()
				moveFlat(f)
				one, floor := float64(m.Sub(start)), float64(time.Since(m))
				times, ratios = append(times, one), append(ratios, one/floor)
			}
			slices.Sort(times)
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "world/flat")
			b.ReportMetric(times[len(times)/2]/n, "ns/row")
		})
	}
	Update(full, func(w *army) {
		run("all rows", func() { moveAll(w) })
		run("live rows", func() { moveLive(w) })
	})
	Update(holed, func(w *army) { run("every third dead", func() { moveLive(w) }) })
}

//go:noinline
func moveFlat(f *flat) {
	for i := range f.pos {
		f.pos[i].X += f.speed[i].X
		f.pos[i].Y += f.speed[i].Y
	}
}

//go:noinline
func moveAll(w *army) {
	for c := range w.Units.Chunks() {
		pos, speed := w.Units.Pos.Write(c), w.Units.Speed.Read(c)
		for row := range Rows {
			p := pos.At(row)
			p.X += speed.At(row).X
			p.Y += speed.At(row).Y
		}
	}
}

//go:noinline
func moveLive(w *army) {
	for c := range w.Units.Chunks() {
		pos, speed := w.Units.Pos.Write(c), w.Units.Speed.Read(c)
		for row := range c.Live() {
			p := pos.At(row)
			p.X += speed.At(row).X
			p.Y += speed.At(row).Y
		}
	}
}

// BenchmarkEncode encodes and decodes a state of 10,000 units.
func BenchmarkEncode(b *testing.B) {
	w, _ := newArmy(b, 10_000)
	s := Save(w)
	encoded := s.Append(nil)
	b.Run("append", func(b *testing.B) {
		for b.Loop() {
			encoded = s.Append(encoded[:0])
		}
		b.ReportMetric(float64(len(encoded)), "bytes")
	})
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			if err := Load(w, encoded); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkStage runs an empty stage over 40 chunks, and one with work, by number of workers.
func BenchmarkStage(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("empty/", workers), func(b *testing.B) {
			w, _ := newArmy(b, 10_000)
			SetWorkers(w, workers)
			Update(w, func(w *army) {
				for b.Loop() {
					Stage(w, &w.Units.Table, func(*army, Chunk) {})
				}
			})
		})
		b.Run(fmt.Sprint("work/", workers), func(b *testing.B) {
			w, _ := newArmy(b, 10_000)
			SetWorkers(w, workers)
			Update(w, func(w *army) {
				for b.Loop() {
					Stage(w, &w.Units.Table, wander)
				}
			})
		})
	}
}

func wander(w *army, c Chunk) {
	pos := w.Units.Pos.Write(c)
	for row := range c.Live() {
		p := pos.At(row)
		for range 40 {
			p.X = p.X*6364136223846793005 + p.Y>>3
			p.Y ^= p.X >> 7
		}
	}
}
