package effects

import (
	"testing"

	"github.com/tickback/tickback/internal/floor"
)

// info is the payload of a typical effect.
type info struct {
	X, Y  int32
	Power uint16
	By    uint8
	Hard  bool
}

var (
	spark = OneShot[info](1, "spark")
	loop  = Sustained[info](2, "loop")

	kept int
)

func benchJournal(b *testing.B) *Journal {
	j, err := NewJournal(Config{Kinds: []Declaration{spark, loop}})
	if err != nil {
		b.Fatal(err)
	}
	return j
}

// record is what must be kept of an emission: its identity, and its
// payload.
type record struct {
	who uint64
	info
}

// store is the floor: the emissions of a frame written to a ring of frames.
type store struct {
	ring [256][4]record
}

func (s *store) frame(f uint32, emissions int) {
	list := &s.ring[f%256]
	for i := range emissions {
		list[i&3] = record{uint64(i), info{X: int32(f), Y: 5}}
	}
}

// emitFour emits what a lively frame does: two loops and two sparks.
func emitFour(e *Emitter, f Frame) {
	loop.Emit(e, 0, info{X: 5})
	loop.Emit(e, 1, info{X: 6})
	spark.Emit(e, 2, info{X: int32(f), Y: 5})
	spark.Emit(e, 3, info{X: int32(f), Y: 6})
}

func benchTicks(b *testing.B, rollback, emissions int) {
	j, s, f := benchJournal(b), new(store), Frame(0)
	ours := func(n int) {
		for range n {
			first := f - min(f, Frame(rollback))
			for g := first; g <= f; g++ {
				j.Begin(g)
				if emissions > 0 {
					emitFour(j.Emitter(), g)
				}
			}
			kept += len(j.Flush(first, first))
			f++
		}
	}
	written := uint32(0)
	raw := func(n int) {
		for range n {
			for g := range uint32(rollback + 1) {
				s.frame(written+g, emissions)
			}
			written++
		}
	}
	floor.Compare(b, raw, ours)
	if err := j.Err(); err != nil {
		b.Fatal(err)
	}
}

// The floor of each is storing the emissions, without looking at them.
func BenchmarkTick(b *testing.B) {
	for _, c := range []struct {
		name                string
		rollback, emissions int
	}{
		{"silent", 0, 0},
		{"4effects", 0, 4},
		{"rollback7x4unchanged", 7, 4},
	} {
		b.Run(c.name, func(b *testing.B) { benchTicks(b, c.rollback, c.emissions) })
	}
}

// The floor is a copy of the payload.
func BenchmarkEmit(b *testing.B) {
	j, s := benchJournal(b), new(store)
	j.Begin(0)
	floor.Compare(b,
		func(n int) {
			for i := range n {
				s.ring[0][0] = record{1, info{X: int32(i)}}
			}
		},
		func(n int) {
			for i := range n {
				spark.Emit(j.Emitter(), 1, info{X: int32(i)})
			}
		})
}
