package skirmish

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world"
	"github.com/tickback/tickback/world/nav"
)

// patch is a change of a state, made from 12 bytes of a fuzzer.
type patch struct {
	what, field uint8
	row         uint16
	value       uint64
}

const patchSize = 12

func consumePatch(b []byte) (p patch, rest []byte) {
	return patch{b[0], b[1], binary.LittleEndian.Uint16(b[2:]), binary.LittleEndian.Uint64(b[4:])}, b[patchSize:]
}

// pick returns one of the rows that a table has.
func pick(t *world.Table, row uint16) world.Entity {
	n := int(row) % max(t.Len(), 1)
	for e := range t.All() {
		if n--; n < 0 {
			return e
		}
	}
	return 0
}

// apply makes a change: of a field that a step relies on, to any value.
func (p patch) apply(w *World) {
	v := p.value
	low, high := uint16(v), uint16(v>>16)
	vec := fixed.Vec2{X: fixed.Num(int64(v) >> (p.field % 64)), Y: fixed.Num(int32(v)) << (p.field % 32)}
	unit, shot, building := pick(&w.Units.Table, p.row), pick(&w.Shots.Table, p.row), pick(&w.Buildings.Table, p.row)
	switch p.what % 16 {
	case 0:
		w.Units.Pos.Set(unit, vec)
	case 1:
		w.Units.Vel.Set(unit, vec)
	case 2:
		w.Units.Who.Set(unit, Who{Side: uint8(v), Kind: Kind(v >> 8), Groups: high})
	case 3:
		w.Units.Task.Set(unit, Task{Verb: Verb(v), Path: uint8(v >> 8), Near: uint8(v >> 16), Stuck: uint8(v >> 24), Goal: Spot{uint16(v >> 32), uint16(v >> 48)}, Target: world.Entity(v)})
	case 4:
		w.Units.Aim.Set(unit, Aim{Target: world.Entity(v), Cooldown: fixed.Num(int64(v))})
	case 5:
		w.Units.Health.Set(unit, fixed.Num(int64(v)))
	case 6:
		w.Shots.Load.Set(shot, Load{Target: world.Entity(v), Left: low, Side: p.field, Kind: Kind(v >> 40)})
	case 7:
		w.Shots.Pos.Set(shot, vec)
		w.Shots.Vel.Set(shot, fixed.Vec2{X: vec.Y, Y: vec.X})
	case 8:
		w.Buildings.Place.Set(building, Place{X: int16(low), Y: int16(high), Side: uint8(v >> 32), Structure: Structure(v >> 40)})
	case 9:
		w.Buildings.Works.Set(building, Works{Left: int32(v), Done: int32(v >> 32), Queued: p.field, Queue: [QueueLen]Kind{Kind(v), Kind(v >> 8)}, Rally: Spot{low, high}})
	case 10:
		w.Costs.Set(int(low)%64, int(high)%64, uint8(v>>32))
		w.Ground.Set(int(high)%64, int(low)%64, Ground(v>>40))
	case 11:
		m := w.Match.Write()
		m.Winner, m.Over, m.Units, m.Frame = uint8(v), v>>8&1 != 0, high, uint32(v>>32)
	case 12:
		m := w.Match.Write()
		m.Players, m.Size = uint8(v), high
	case 13:
		way := &w.Paths.Write().Ways[p.row%MaxPaths]
		way.GoalCount, way.StartCount, way.EndCount = uint32(v), uint32(v>>8), uint32(v>>16)
		way.Ticket, way.Answered = uint32(v>>24), uint32(v>>40)
		way.Goals[0], way.Ends[0], way.Starts[0] = nav.Cell(v), nav.Cell(v>>8), nav.Cell(v>>16)
		for i := range way.Route {
			way.Route[i] = v * uint64(i)
		}
	case 14:
		m := &w.Paths.Write().Meter
		m.PerTick, m.Credit, m.Tickets = m.PerTick+uint32(p.field), uint32(v), uint32(v>>32)
	case 15:
		w.Sides.Write()[p.row%MaxPlayers] = Side{Gold: int32(v), Lost: v>>32&1 != 0}
		for range p.field {
			(&step{World: w}).raise(uint8(v>>40), Kind(v>>48), vec)
		}
	}
}

// hostileLimit is longer than any ten ticks of a small match take, on the slowest of machines.
const hostileLimit = 20 * time.Second

// Rule: a state from another machine, whatever it contains, is refused, or leads to a match in which orders of any kind
// are carried out: nothing panics, and no tick runs for long.
func FuzzStates(f *testing.F) {
	_, b := encoded(f, 10, 5) // it takes little time
	for what := range byte(16) {
		for _, value := range []uint64{0, 1, 1<<56 | 1, 1 << 63, ^uint64(0), 30<<32 | 0x0204_0305} {
			p := binary.LittleEndian.AppendUint64([]byte{what, what, 3, 0}, value)
			f.Add(append(append(p, p...), some[what%12].Append(nil)...))
		}
	}
	// Both matches are used again, like the match of a peer that receives several states: making them takes longer than
	// ten ticks.
	from, err := load(f, b)
	if err != nil {
		f.Fatal(err)
	}
	good := world.Save(from.world())
	g, err := load(f, b)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g.t = t
		world.Restore(from.world(), good)
		for range 8 {
			if len(data) < patchSize {
				break
			}
			var p patch
			p, data = consumePatch(data)
			from.change(p.apply)
		}
		bad := world.Save(from.world())
		defer bad.Release()
		if g.game.Unmarshal(g.world(), bad.Append(nil)) != nil {
			return
		}
		begin := time.Now()
		for tick := range 10 {
			for p := range g.players {
				n := min(len(data), MaxOrderBytes)
				g.orders[p], data = append(g.orders[p], data[:n]...), data[n:]
			}
			if tick%4 == 3 {
				g.bots()
			}
			g.run(1)
		}
		if took := time.Since(begin); took > hostileLimit {
			t.Errorf("ten ticks took %v", took)
		}
	})
}
