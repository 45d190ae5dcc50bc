package sight_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/sight"
)

// Rule: sending a player a tick costs the server at most three calls of Sight: on the baseline, the newest state, and
// the result of simulating the baseline, however many ticks lie between.
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

// Rule: a player that is sent only a few states gets for the ticks in between what all others get, for the players
// that it saw then.
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

// Rule: a new match is sent as if there had been none before, from its first state on.
func TestAMatchThatBeginsAnewIsToldAsANewOne(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		for _, before := range []int{2 * sight.Keep, 7} { // it has run further than the new one will, or as far as that when it is first sent
			used, fresh := newMatch(t, 1, tanks.Busy, look), newMatch(t, 2, tanks.Calm, look)
			for range before {
				used.tick()
				for p := range rollback.Player(players) {
					if _, err := used.truth.Append(nil, p, used.truth.Newest()-1, false, 5000); err != nil {
						t.Fatal(err)
					}
				}
			}
			const first = 4
			for range first {
				fresh.tick()
			}
			state := *fresh.run.State()
			used.truth.Begin(first, &state, fresh.plan.Hash(&state))
			again, err := sight.NewTruth(fresh.config())
			if err != nil {
				t.Fatal(err)
			}
			again.Begin(first, &state, fresh.plan.Hash(&state))
			for p := range rollback.Player(players) {
				b, err := again.AppendState(nil, p, first)
				if want := fresh.known(first, p); err != nil || !bytes.Equal(b, fresh.plan.Append(nil, &want)) {
					t.Fatalf("the first state of player %d: %v", p, err)
				}
			}
			for n := range rollback.Frame(20) {
				fresh.tick()
				for _, truth := range []*truth{used.truth, again} {
					truth.Add(fresh.inputs, nil, 0, fresh.run.State(), fresh.plan.Hash(fresh.run.State()))
				}
				if n < 2 {
					continue // so that nobody has looked at the first states when they are needed
				}
				for p := range rollback.Player(players) {
					for _, base := range []rollback.Frame{first + n/2, first + n} {
						a, err1 := used.truth.Append(nil, p, base, false, 5000)
						b, err2 := again.Append(nil, p, base, false, 5000)
						if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
							t.Fatalf("player %d, state %d from %d: %x, in a new match %x; %v, %v", p, first+n+1, base, a, b, err1, err2)
						}
					}
				}
			}
		}
	})
}

// Rule: beyond the longest match nothing is sent with partial sight: the error is that of the step, in whichever tick,
// and the bytes are as they were.
func TestNothingIsToldBeyondTheLongestMatch(t *testing.T) {
	const last = rollback.NoFrame - 1<<16 // that a match can reach
	m := newMatch(t, 1, tanks.Busy, tanks.Sight)
	m.tick()
	for first, ticks := range map[rollback.Frame]int{last - 1: 1, last - 2: 3, last: 1} {
		m.truth.Begin(first, m.run.State(), 0)
		for range ticks {
			m.truth.Add(m.inputs, nil, 0, m.run.State(), 0)
		}
		b, err := m.truth.Append([]byte("x"), 1, first, false, 5000)
		if want := first+rollback.Frame(ticks) > last; errors.Is(err, rollback.ErrFrames) != want || want && string(b) != "x" || !want && err != nil {
			t.Errorf("%d ticks from state %d, of %d at most: %v", ticks, first, last, err)
		}
	}
}
