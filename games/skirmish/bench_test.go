package skirmish

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rollback"
)

// fight is a battle of about 10,000 units, in which nearly all of them are fighting.
type fight struct {
	*field
	first rollback.Frame
	state []byte
}

// The squads of both sides begin side by side on the whole map, and march at each other. After this many ticks nearly
// all have met an enemy, and about 10,000 are left for fightTicks.
const (
	squadUnits = 50
	squadCells = 14 // from one to the next
	fightUnits = 11000
	fightBegin = 75
	fightTicks = 60
)

func newFight(tb testing.TB, workers int) *fight {
	tb.Helper()
	f := play(tb, Setup{Seed: 1, Size: 256, Players: 2}, workers)
	f.run(1) // makes the map
	f.change(func(w *World) {
		s := &step{World: w}
		for squad := 0; w.Units.Len() < fightUnits; squad++ {
			const across = 240 / squadCells
			x, y := squad%across, squad/across
			s.squad(uint8((x+y)%2), Point{int16(8 + squadCells*x), int16(8 + squadCells*y)})
		}
	})
	m, err := NewMap(Setup{Seed: 1, Size: 256, Players: 2})
	if err != nil {
		tb.Fatal(err)
	}
	for p := range rollback.Player(2) {
		f.group(p)
		f.order(p, Order{Verb: March, At: SpotOf(m.Starts[1-p].Vec())})
	}
	f.run(fightBegin)
	state, err := f.stepper.Marshal(nil)
	if err != nil {
		tb.Fatal(err)
	}
	b := &fight{field: f, first: f.stepper.Frame(), state: state}
	b.check()
	return b
}

// squad adds a squad, where units can stand.
func (s *step) squad(side uint8, at Point) {
	raised := 0
	for i := int16(0); i < 64 && raised < squadUnits; i++ {
		p := Point{at.X + i%8, at.Y + i/8}
		if !s.open(int(p.X), int(p.Y)) {
			continue
		}
		kind := [...]Kind{Spearman, Archer, Spearman, Knight}[raised%4]
		if raised%20 == 19 {
			kind = Catapult
		}
		s.raise(side, kind, p.Vec())
		raised++
	}
}

// again goes back to the beginning once the fight is over.
func (b *fight) again() {
	if b.stepper.Frame() < b.first+fightTicks {
		return
	}
	if err := b.stepper.Load(b.first, b.state); err != nil {
		b.t.Fatal(err)
	}
}

// check fails unless there is a fight: most units have a target, health is lost, some units fall, and shots are in the
// air. It returns the counts.
func (b *fight) check() (units, aiming, shots int) {
	b.t.Helper()
	health := func() (sum fixed.Num) {
		for e := range b.world().Units.All() {
			h, _ := b.world().Units.Health.Get(e)
			sum += h
		}
		return sum
	}
	w := b.world()
	before, fallen := health(), w.Sides.Get()[0].Fallen
	units, shots = w.Units.Len(), w.Shots.Len()
	for e := range w.Units.All() {
		if a, _ := w.Units.Aim.Get(e); a.Target != 0 {
			aiming++
		}
	}
	b.run(fightTicks)
	lost, left := before-health(), w.Units.Len()
	if aiming < units*3/4 || shots < units/20 || lost < fixed.FromInt(10000) || w.Sides.Get()[0].Fallen < fallen+200 || left < 9000 {
		b.t.Fatalf("that is no fight: %d of %d units have a target, %d shots are in the air, %v of health is lost, %d are left", aiming, units, shots, lost, left)
	}
	b.again()
	return units, aiming, shots
}

// Measures a tick of a fight of 10,000 units, on one worker.
func BenchmarkStep10000(b *testing.B) {
	f := newFight(b, 1)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	units, aiming, shots := f.check()
	var times []time.Duration
	for b.Loop() {
		f.again()
		begin := processorTime()
		f.run(1)
		times = append(times, processorTime()-begin)
	}
	report(b, times)
	b.ReportMetric(float64(units), "units")
	b.ReportMetric(float64(aiming), "aiming")
	b.ReportMetric(float64(shots), "shots")
}

// report reports the median and the 99th percentile of processor times.
func report(b *testing.B, times []time.Duration) (median time.Duration) {
	slices.Sort(times)
	median = times[len(times)/2]
	b.ReportMetric(float64(median)/1e6, "ms")
	b.ReportMetric(float64(times[len(times)*99/100])/1e6, "p99-ms")
	return median
}

// Measures the same with two workers against one, in turns, and in addition two workers on work that shares nothing:
// the maximum gain that this machine allows at that moment.
func BenchmarkTwoWorkers10000(b *testing.B) {
	one, two := newFight(b, 1), newFight(b, 2)
	var ratios, free []float64
	for b.Loop() {
		one.again()
		two.again()
		ratios = append(ratios, timesAsFast(func() { one.run(1) }, func() { two.run(1) }))
		free = append(free, timesAsFast(func() { compute(computed); compute(computed) }, func() {
			var wait sync.WaitGroup
			wait.Go(func() { compute(computed) })
			compute(computed)
			wait.Wait()
		}))
	}
	slices.Sort(ratios)
	slices.Sort(free)
	ours, most := ratios[len(ratios)/2], free[len(free)/2]
	b.ReportMetric(ours, "times-as-fast")
	b.ReportMetric(most, "pure-times-as-fast")
	b.ReportMetric(ours/most, "of-pure")
}

// timesAsFast returns the ratio of the times of a and b, by the clock.
func timesAsFast(a, b func()) float64 {
	begin := time.Now()
	a()
	middle := time.Now()
	b()
	return float64(middle.Sub(begin)) / float64(time.Since(middle))
}

// computed is half of the time of a tick of the fight, in rounds of compute.
const computed = 500_000

// compute makes random numbers in registers.
func compute(rounds int) {
	x := uint32(1)
	for range rounds {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
	}
	sink.Store(x)
}

var sink atomic.Uint32

// lateBy is how many frames late the other player's orders arrive in the benchmark.
const lateBy = 7

// Measures a tick of an engine that has to roll back seven frames, since an order of the other player for that frame
// has arrived, and hashes every state, against eight ticks without any of this.
func BenchmarkRollback10000(b *testing.B) {
	bare := newFight(b, 1)
	e, err := rollback.New(bare.game, rollback.Config{
		Players: 2, Local: rollback.SetOf(0), Window: 8, MaxOrders: MaxOrderBytes, Stream: true,
	})
	if err != nil {
		b.Fatal(err)
	}
	var orders [2][]byte // each chooses something else, so that no frame is as predicted
	for i := range orders {
		orders[i] = (&Order{Verb: Select, Group: 9, At: at(100, 100), To: at(124+8*int64(i), 124)}).Append(nil)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	tick := func() {
		check(b, e.AddLocal(0, Input{}, nil))
		if f := e.Frame(); f >= bare.first+lateBy {
			check(b, e.AddInput(1, f-lateBy, Input{}, orders[f%2]))
			check(b, e.Agree(f-lateBy+1))
		}
		check(b, e.Tick())
		for e.NextAgreed() != nil {
		}
	}
	var ours, wall, floor []time.Duration
	for b.Loop() {
		if f := e.Frame(); f == 0 || f >= bare.first+fightTicks {
			check(b, e.Load(bare.first, bare.state))
			for range lateBy + 2 {
				tick()
			}
		}
		before := e.Stats().Resimulated
		begin, now := processorTime(), time.Now()
		tick()
		ours, wall = append(ours, processorTime()-begin), append(wall, time.Since(now))
		if n := e.Stats().Resimulated - before; n != lateBy {
			b.Fatalf("%d frames were simulated again", n)
		}
		begin = processorTime()
		for range lateBy + 1 {
			bare.again()
			bare.run(1)
		}
		floor = append(floor, processorTime()-begin)
	}
	slices.Sort(floor)
	b.ReportMetric(float64(report(b, ours))/float64(floor[len(floor)/2]), "x-bare")
	slices.Sort(wall)
	b.ReportMetric(float64(wall[len(wall)/2])/1e6, "wall-ms")
	b.ReportMetric(float64(wall[len(wall)*99/100])/1e6, "wall-p99-ms")
}

func check(b testing.TB, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
