package sight_test

import (
	"testing"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
)

// Rule: telling a player of a tick costs the server three looks through its eyes at most, at the baseline, the newest
// state, and what that has become, however many ticks lie between.
func TestHowOftenAServerLooks(t *testing.T) {
	looks := 0
	m := newMatch(t, 3, tanks.Busy, func(s *tanks.State, p rollback.Player) rollback.PlayerSet {
		looks++
		return tanks.Sight(s, p)
	})
	for n := range rollback.Frame(60) {
		m.tick()
		for p := range rollback.Player(players) {
			looks = 0
			base := n - min(n, rollback.Frame(p))
			if _, err := m.truth.Append(nil, p, base, false, 5000); err != nil {
				t.Fatal(err)
			}
			if looks > 3 {
				t.Fatalf("to tell player %d of state %d from %d takes %d looks", p, n+1, base, looks)
			}
		}
	}
}
