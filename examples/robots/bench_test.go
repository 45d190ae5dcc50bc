package robots_test

import (
	"testing"

	"github.com/tickback/tickback/examples/robots"
	"github.com/tickback/tickback/internal/floor"
	"github.com/tickback/tickback/rollback"
)

// benchmark measures one capability on a world in the middle of a match. The floor is
// a copy of as many bytes as the encoding has.
func benchmark(b *testing.B, do func(g *game, w *robots.World, slot *robots.Snapshot, encoded []byte)) {
	g := robots.Game(1)
	w := at(b, 1, 200)
	var slot robots.Snapshot
	g.Save(w, &slot)
	encoded, err := g.Marshal(make([]byte, 0, robots.MaxEncoded), w)
	must(b, err)
	to := make([]byte, len(encoded))
	b.ReportAllocs()
	floor.Compare(b, func(n int) {
		for range n {
			copy(to, encoded)
		}
	}, func(n int) {
		for range n {
			do(&g, w, &slot, encoded)
		}
	})
	b.ReportMetric(float64(len(encoded)), "encoded-B")
}

func BenchmarkSave(b *testing.B) {
	benchmark(b, func(g *game, w *robots.World, slot *robots.Snapshot, _ []byte) { g.Save(w, slot) })
}

func BenchmarkRestore(b *testing.B) {
	benchmark(b, func(g *game, w *robots.World, slot *robots.Snapshot, _ []byte) { g.Restore(w, slot) })
}

func BenchmarkHash(b *testing.B) {
	benchmark(b, func(g *game, w *robots.World, _ *robots.Snapshot, _ []byte) { g.Hash(w) })
}

func BenchmarkEqual(b *testing.B) {
	benchmark(b, func(g *game, w *robots.World, slot *robots.Snapshot, _ []byte) { g.Equal(w, slot) })
}

func BenchmarkUnmarshal(b *testing.B) {
	benchmark(b, func(g *game, w *robots.World, _ *robots.Snapshot, encoded []byte) { must(b, g.Unmarshal(w, encoded)) })
}

// One operation is a frame of four robots, with all that a script does; the floor is
// one save.
func BenchmarkStep(b *testing.B) {
	g := robots.Game(1)
	box := sandbox(b, g, 4, 0)
	script := scriptOf(1 << 14)
	f := 0
	var slot robots.Snapshot
	b.ReportAllocs()
	floor.Compare(b, func(n int) {
		for range n {
			g.Save(box.Live(), &slot)
		}
	}, func(n int) {
		for range n {
			in := script[f%len(script)]
			in.Frame = rollback.Frame(f)
			_, err := box.Step(in)
			must(b, err)
			f++
		}
	})
}

func scriptOf(n int) []rollback.SandboxFrame[robots.Action] {
	list := make([]rollback.SandboxFrame[robots.Action], n)
	for f := range list {
		for p := range rollback.Player(4) {
			in, orders := script(1).at(p, rollback.Frame(f))
			list[f].Inputs, list[f].Orders = append(list[f].Inputs, in), append(list[f].Orders, orders)
		}
	}
	return list
}
