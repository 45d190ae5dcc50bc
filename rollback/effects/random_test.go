package effects

import (
	"flag"
	"math/rand/v2"
	"testing"
)

var seedFlag = flag.Uint64("effects.seed", 0, "replay the random match of this seed")

// generator chooses for ever.
type generator struct{ *rand.Rand }

func (generator) Done() bool { return false }

// bytesChooser chooses by a fuzzer's bytes.
type bytesChooser struct{ left []byte }

func (b *bytesChooser) Done() bool { return len(b.left) == 0 }

// IntN needs one byte, since no choice is of more than 256. Without any it is the
// last of the choices: the one that ends loops.
func (b *bytesChooser) IntN(n int) int {
	if len(b.left) == 0 {
		return n - 1
	}
	v := int(b.left[0]) % n
	b.left = b.left[1:]
	return v
}

// The journal reports the same as the reference, over random matches, and nothing
// that the checker objects to.
func TestTheJournalFollowsTheRules(t *testing.T) {
	if *seedFlag != 0 {
		randomMatch(t, *seedFlag)
		return
	}
	want := 1_500_000
	if testing.Short() {
		want = 60_000
	}
	for done := 0; done < want && !t.Failed(); {
		done += randomMatch(t, rand.Uint64()|1)
	}
}

// randomMatch plays the match of a seed and returns how many operations it had.
func randomMatch(t *testing.T, seed uint64) int {
	m := newMatch(generator{rand.New(rand.NewPCG(seed, 0))})
	if err := m.run(200); err != nil {
		t.Errorf("-effects.seed=%d: %v", seed, err)
	}
	return m.operations
}

// The negative control of the comparison: a journal that deviates is detected.
func TestADeviationIsFound(t *testing.T) {
	found := map[string]bool{}
	for seed := range uint64(50) {
		for name, spoil := range map[string]func(*match){
			"tolerance": func(m *match) { m.r.tolerance++ },
			"waiting":   func(m *match) { m.r.most = 0 },
			"per frame": func(m *match) { m.r.perFrame++ },
		} {
			m := newMatch(generator{rand.New(rand.NewPCG(seed, 0))})
			spoil(m)
			if m.run(100) != nil {
				found[name] = true
			}
		}
	}
	if len(found) != 3 {
		t.Errorf("only these were found: %v", found)
	}
}

// Rule: the same, for matches made by a fuzzer.
func FuzzJournal(f *testing.F) {
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<10 {
			return
		}
		if err := newMatch(&bytesChooser{b}).run(1 << 10); err != nil {
			t.Fatal(err)
		}
	})
}
