package sight_test

import (
	"bytes"
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

// Rule: who is told of a few states only is told of the ticks in between what all others are: of those that it saw
// then.
func TestWhoIsToldSeldomIsToldTheSame(t *testing.T) {
	often, seldom := newMatch(t, 4, tanks.Busy, tanks.Sight), newMatch(t, 4, tanks.Busy, tanks.Sight)
	for n := range rollback.Frame(150) {
		often.tick()
		seldom.tick()
		for p := range rollback.Player(players) {
			base := n + 1 - min(n+1, 7)
			want, err := often.truth.Append(nil, p, base, false, 5000)
			if err != nil {
				t.Fatal(err)
			}
			if (n+rollback.Frame(p))%7 > 0 {
				continue
			}
			if got, err := seldom.truth.Append(nil, p, base, false, 5000); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("player %d, state %d from %d: %x, and with every tick %x: %v", p, n+1, base, got, want, err)
			}
		}
	}
}
