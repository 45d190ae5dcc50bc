package world

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/canon"
)

// sample is a world with one part of every kind.
type sample struct {
	Units  units
	Shots  shots
	Rules  One[rules]
	Walls  Grid[uint16]
	Scores Map[int32, int64]
	Marks  Set[uint16]

	Hits   Later[hit]
	Damage Sum[int32]
	Near   Scratch[[]int32]
	Cache  map[string]int `canon:"-"`
}

type units struct {
	Table
	Pos    Column[vec]
	Health Column[int32]
	Team   Column[uint8]
	Target Optional[Entity]
	Order  Optional[order]
}

type shots struct {
	Table
	Aim Column[vec]
	TTL Column[int16]
}

type (
	vec   struct{ X, Y int64 }
	order struct {
		Kind uint8 // with padding behind it
		To   vec
		Slow bool
	}
	rules struct {
		Seed uint64
		Tide [3]int16
	}
	hit struct {
		Who    Entity
		Amount int32
	}
)

func newSample(t testing.TB) *sample {
	t.Helper()
	w, err := New[sample]()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// spawn makes n units in a step, and calls set for each.
func (w *sample) spawn(t testing.TB, n int, set func(e Entity, i int)) (list []Entity) {
	t.Helper()
	for i := range n {
		e, err := w.Units.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		if list = append(list, e); set != nil {
			set(e, i)
		}
	}
	return list
}

// filled returns a world with something in every part.
func filled(t testing.TB, n int) (*sample, []Entity) {
	w := newSample(t)
	var list []Entity
	Update(w, func(w *sample) {
		list = w.spawn(t, n, func(e Entity, i int) {
			w.Units.Pos.Set(e, vec{int64(i), int64(-i)})
			w.Units.Health.Set(e, 100+int32(i))
			if i%7 == 0 {
				w.Units.Order.Put(e, order{Kind: 1, To: vec{3, int64(i)}, Slow: true})
			}
		})
		w.Rules.Set(rules{Seed: 7, Tide: [3]int16{1, -2, 3}})
		w.Walls.Resize(40, 21)
		for i := range 40 {
			w.Walls.Set(i, i/2, uint16(i))
			w.Scores.Put(int32(i*i%37)-9, int64(i))
			w.Marks.Add(uint16(i * i))
		}
	})
	return w, list
}

// mustPanic returns the panic of do, as an error.
func mustPanic(t testing.TB, do func()) (err error) {
	t.Helper()
	defer func() {
		switch p := recover().(type) {
		case nil:
			t.Error("it did not panic")
		case error:
			err = p
		default:
			err = fmt.Errorf("%v", p)
		}
	}()
	do()
	return nil
}

func hashBytes(b []byte) uint64 { return canon.HashBytes(b) }
