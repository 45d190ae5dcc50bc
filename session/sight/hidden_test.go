package sight_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
)

// Rule: a player gets the same bytes in two matches that differ only in what it must not know,
// whatever the hidden players do.
func TestWhatIsHiddenChangesNoByte(t *testing.T) {
	compared, differed := 0, 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		a := newMatch(t, seed, tanks.Busy, tanks.Sight)
		b := newMatch(t, seed, tanks.Busy, tanks.Sight)
		for range 40 + r.IntN(40) {
			a.tick()
		}
		for p := range rollback.Player(players) {
			// In b, what p does not see is in another place, and has another history.
			s := *a.run.State()
			s.Rng.Next()
			for q := range s.Tanks {
				if q := rollback.Player(q); q != p && !s.Sees(p, q) {
					s.Tanks[q].Pos.X += fixed.FromInt(int64(r.IntN(30) - 15))
					s.Tanks[q].Hp = int16(1 + r.IntN(100))
				}
			}
			f := a.run.Frame()
			begin := func(m *match, s *tanks.State) {
				if err := m.run.Put(f, s); err != nil {
					t.Fatal(err)
				}
				m.truth.Begin(f, s, m.plan.Hash(s))
			}
			x := newMatch(t, seed, tanks.Busy, tanks.Sight)
			begin(x, a.run.State())
			begin(b, &s)
			var told rollback.PlayerSet
			for range 30 {
				ka, kb := *x.run.State(), *b.run.State()
				if told = tanks.Sight(&ka, p); told != tanks.Sight(&kb, p) || !x.plan.Equal(&ka, &kb) {
					break // what was hidden has had an influence
				}
				if x.run.Frame() > f {
					base := max(f, x.run.Frame()-min(x.run.Frame(), 3))
					for _, plain := range []bool{false, true} {
						ua, err := x.truth.Append(nil, p, base, plain, 5000)
						if err != nil {
							t.Fatal(err)
						}
						ub, err := b.truth.Append(nil, p, base, plain, 5000)
						if err != nil {
							t.Fatal(err)
						}
						if compared++; !bytes.Equal(ua, ub) {
							t.Fatalf("seed %d, player %d, state %d: %x and %x", seed, p, x.run.Frame(), ua, ub)
						}
					}
					if !x.plan.Equal(x.run.State(), b.run.State()) {
						differed++
					}
				}
				x.tick()
				for q := range b.inputs {
					b.inputs[q] = x.inputs[q]
					if !told.Has(rollback.Player(q)) {
						b.inputs[q].Turn = int8(r.IntN(255) - 127) // hidden ones do anything
					}
				}
				b.step()
			}
		}
	}
	if compared < 2000 || differed < compared/4 {
		t.Errorf("%d updates are compared, in %d states that differ", compared, differed)
	}
}
