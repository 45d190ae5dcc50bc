package sight_test

import (
	"testing"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
)

// Rule: running a tick, sending it to everybody, and receiving it
// allocate nothing.
func TestNothingIsAllocated(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		m := newMatch(t, 1, tanks.Busy, look)
		for range 50 {
			m.tick()
		}
		k := m.mirror(2)
		m.whole(k, 2)
		var b []byte
		step := func() {
			state := m.run.State()
			m.truth.Add(m.inputs, nil, 0, state, m.plan.Hash(state))
			base, _ := k.Newest()
			for p := range rollback.Player(players) {
				var err error
				if b, err = m.truth.Append(b[:0], p, base, false, 5000); err != nil {
					t.Fatal(err)
				}
				if p == 2 {
					if _, err := k.Apply(m.truth.Newest(), b); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		for range 200 {
			step()
		}
		if n := testing.AllocsPerRun(100, step); n > 0 {
			t.Errorf("%v allocations", n)
		}
	})
}
