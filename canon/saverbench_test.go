package canon

import (
	"testing"
	"unsafe"

	"github.com/tickback/tickback/internal/floor"
)

// flock is a graph as games have them: objects of some 200 bytes that refer to each other.
type flock struct {
	birds []*bird
	byID  map[int32]*bird
}

type bird struct {
	pos, _, _ [3]float64
	near      [3]*bird
	seen      []*bird
	name      string
	kind      any
	age, id   int32
}

func newFlock(n int) *flock {
	f := &flock{byID: map[int32]*bird{}}
	for i := range n {
		b := &bird{id: int32(i), name: "bird", kind: 3}
		f.birds = append(f.birds, b)
		if i < 64 {
			f.byID[b.id] = b
		}
	}
	for i, b := range f.birds {
		for k := range b.near {
			b.near[k] = f.birds[(i*7+k*13+1)%n]
		}
		b.seen = []*bird{f.birds[(i+1)%n], f.birds[(i+9)%n]}
	}
	return f
}

func (f *flock) fly() {
	for _, b := range f.birds {
		b.pos[0]++
		b.age++
	}
}

// benchSaver compares with copying the same objects, each to a place in one block: the minimum that saving or restoring
// them must do.
func benchSaver(b *testing.B, work func(v *Saver[flock], f *flock, m *Memento[flock]), undo bool) {
	f := newFlock(4000)
	v, err := SaverFor[flock](Encoded(0))
	if err != nil {
		b.Fatal(err)
	}
	var m Memento[flock]
	if err := v.Save(f, &m); err != nil {
		b.Fatal(err)
	}
	block := make([]uint64, len(m.arena))
	b.SetBytes(int64(8 * len(m.arena)))
	floor.Compare(b,
		func(n int) {
			for range n {
				base := unsafe.Pointer(&block[0])
				for i := range m.regions {
					r := &m.regions[i]
					if size := uintptr(r.count) * r.shape.size; r.addr != nil && size > 0 {
						x, y := bytesAt(at(base, uintptr(r.at)*8), size), bytesAt(r.addr, size)
						copy(x, y)
					}
				}
				if undo {
					f.fly()
				}
			}
		},
		func(n int) {
			for range n {
				work(v, f, &m)
				if undo {
					f.fly()
				}
			}
		})
}

func BenchmarkSaverSave(b *testing.B) {
	benchSaver(b, func(v *Saver[flock], f *flock, m *Memento[flock]) { _ = v.Save(f, m) }, true)
}

// The birds look at others in each frame.
func BenchmarkSaverSaveChanged(b *testing.B) {
	k := 0
	benchSaver(b, func(v *Saver[flock], f *flock, m *Memento[flock]) {
		k += 41
		for i := range 40 {
			f.birds[(k+i*97)%len(f.birds)].near[1] = f.birds[(k*7+i)%len(f.birds)]
		}
		_ = v.Save(f, m)
	}, true)
}

// A bird comes and another goes in each frame.
func BenchmarkSaverSaveMade(b *testing.B) {
	k := 0
	benchSaver(b, func(v *Saver[flock], f *flock, m *Memento[flock]) {
		k += 41
		n := new(bird)
		*n = *f.birds[k%len(f.birds)]
		f.birds[(k*7)%len(f.birds)] = n
		_ = v.Save(f, m)
	}, true)
}

func BenchmarkSaverRestore(b *testing.B) {
	benchSaver(b, func(v *Saver[flock], f *flock, m *Memento[flock]) { _ = v.Restore(f, m) }, true)
}

func BenchmarkSaverHash(b *testing.B) {
	benchSaver(b, func(_ *Saver[flock], _ *flock, m *Memento[flock]) { kept += m.Hash() }, false)
}

func BenchmarkSaverEqual(b *testing.B) {
	benchSaver(b, func(v *Saver[flock], f *flock, m *Memento[flock]) {
		if v.Equal(f, m) {
			kept++
		}
	}, false)
}

// benchOrigin encodes and decodes a flock relative to one without birds, so that all of them are new.
func benchOrigin(b *testing.B, work func(o *Origin[flock], f *flock, encoded *[]byte) error) {
	var o *Origin[flock]
	var encoded []byte
	benchSaver(b, func(v *Saver[flock], f *flock, _ *Memento[flock]) {
		if o == nil {
			full := *f
			*f = flock{}
			var err error
			if o, err = v.Origin(f); err != nil {
				b.Fatal(err)
			}
			*f = full
			if encoded, err = o.Marshal(nil, f); err != nil {
				b.Fatal(err)
			}
		}
		if err := work(o, f, &encoded); err != nil {
			b.Fatal(err)
		}
	}, false)
}

func BenchmarkOriginMarshal(b *testing.B) {
	benchOrigin(b, func(o *Origin[flock], f *flock, encoded *[]byte) (err error) {
		*encoded, err = o.Marshal((*encoded)[:0], f)
		return err
	})
}

func BenchmarkOriginUnmarshal(b *testing.B) {
	benchOrigin(b, func(o *Origin[flock], f *flock, encoded *[]byte) error { return o.Unmarshal(f, *encoded) })
}
