package canon_test

import (
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/canon"
)

// Rule: whatever a game does between a save and a Restore, the result is the copy that the naive model made, and Hash,
// Equal and Diff agree. The bytes of the input determine what is done.
func FuzzSaver(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22})
	f.Add([]byte{10, 200, 10, 15, 15, 18, 17, 19, 19, 255, 0, 4, 4, 4, 4, 13, 13, 13, 5, 5, 6})
	v, err := canon.SaverFor[gWorld]()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 200 {
			return
		}
		w := &gWorld{all: []*gNode{{id: 0}, {id: 1}, {id: 2}}, count: 3}
		w.root = w.all[0]
		apply := func(b []byte, salt uint64) {
			for i, c := range b {
				mutate(rand.New(rand.NewPCG(uint64(c), salt+uint64(i)/16)), w, w.all[int(c)%len(w.all)])
			}
		}
		half := len(b) / 2
		apply(b[:half], 1)
		var m, o canon.Memento[gWorld]
		save(t, v, w, &m)
		want, hash := copied(*w), m.Hash()
		apply(b[half:], 2)
		save(t, v, w, &o)
		if same := v.Diff(&m, &o, 1).Total == 0; same != m.Equal(&o) || same != (hash == o.Hash()) {
			t.Fatalf("Diff %v, Equal %v, hashes %x and %x", v.Diff(&m, &o, 3), m.Equal(&o), hash, o.Hash())
		}
		other := copied(*w)
		restore(t, v, w, &m)
		sameAs(t, "restored", *w, want)
		if hashOf(t, v, w) != hash || !v.Equal(w, &m) {
			t.Fatal("the hash did not come back")
		}
		restore(t, v, w, &o)
		sameAs(t, "restored to the later state", *w, other)
		for i := range b { // a save into a memento with an older state is like one into a new one
			apply(b[i:i+1], 3+uint64(i))
			var fresh canon.Memento[gWorld]
			save(t, v, w, &fresh)
			if save(t, v, w, &m); m.Hash() != fresh.Hash() || !m.Equal(&fresh) || v.Diff(&m, &fresh, 1).Total > 0 {
				t.Fatalf("after %d changes it is another state:\n%v", i+1, v.Diff(&m, &fresh, 3))
			}
		}
	})
}
