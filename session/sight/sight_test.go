package sight_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/sight"
)

// follower runs what a client with full sight receives.
type follower struct {
	run *rollback.Stepper[tanks.State, tanks.Input]
}

func (f *follower) take(t testing.TB, u *sight.Update[tanks.State, tanks.Input]) tanks.State {
	t.Helper()
	if u.Encoded != nil {
		if err := f.run.Load(u.State, u.Encoded); err != nil {
			t.Fatal(err)
		}
	}
	for i, k := range u.Ticks {
		if u.From+rollback.Frame(i) == f.run.Frame() {
			if err := f.run.Step(append([]tanks.Input(nil), k.Inputs...), nil, k.Gone); err != nil {
				t.Fatal(err)
			}
		}
	}
	return *f.run.State()
}

// Rule: whatever is lost and however late data arrives, every state that a client holds is what its
// player may know of the server's, to the bit; and with full sight the inputs are those of all.
func TestAClientKnowsWhatItMay(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		ticks := 600
		if testing.Short() {
			ticks = 200
		}
		for seed := range uint64(3) {
			r := rand.New(rand.NewPCG(seed, 1))
			m := newMatch(t, seed, tanks.Busy, look)
			type way struct {
				state rollback.Frame
				bytes []byte
				at    int
			}
			var mirrors [players]*mirror
			var followers [players]follower
			var ways [players][]way
			var acked [players]rollback.Frame
			updates, residuals, plains := 0, 0, 0
			for n := range ticks {
				if r.IntN(20) == 0 {
					m.gone ^= 1 << r.IntN(players)
				}
				m.tick()
				for p := range rollback.Player(players) {
					k := mirrors[p]
					if k == nil {
						if r.IntN(30) != 0 {
							continue
						}
						k = m.mirror(p)
						mirrors[p] = k
						followers[p].run, _ = rollback.NewStepper(m.game, players, 0)
						u := m.whole(k, p)
						acked[p] = u.State
						followers[p].take(t, u)
						continue
					}
					plain := r.IntN(4) == 0 && look != nil
					b, err := m.truth.Append(nil, p, acked[p], plain, 1000)
					cost := m.truth.Newest() - acked[p]
					if plain {
						cost = 0
					}
					if err == nil && sight.Cost(b) != cost {
						t.Fatalf("an update costs %d ticks, must be %d", sight.Cost(b), cost)
					}
					switch {
					case errors.Is(err, sight.ErrBaseline) || errors.Is(err, sight.ErrRoom):
						k.Forget()
						u := m.whole(k, p)
						acked[p] = u.State
						followers[p].take(t, u)
						ways[p] = nil
						continue
					case err != nil:
						t.Fatal(err)
					}
					if plain {
						plains++
					}
					if r.IntN(10) > 0 {
						ways[p] = append(ways[p], way{m.truth.Newest(), b, n + 1 + r.IntN(5)})
					}
					for i := 0; i < len(ways[p]); i++ {
						w := ways[p][i]
						if w.at > n {
							continue
						}
						ways[p] = append(ways[p][:i], ways[p][i+1:]...)
						i--
						u, err := k.Apply(w.state, w.bytes)
						if errors.Is(err, sight.ErrBaseline) {
							continue // it was overtaken
						}
						if err != nil {
							t.Fatalf("player %d, state %d: %v", p, w.state, err)
						}
						updates++
						want := m.known(u.State, p)
						got := &want
						if look == nil {
							s := followers[p].take(t, u)
							got = &s
						} else if got = u.Value; len(w.bytes) > 30 {
							residuals++
						}
						if !m.plan.Equal(got, &want) {
							t.Fatalf("player %d, state %d: %v", p, w.state, m.plan.Diff(got, &want, 5))
						}
						if r.IntN(3) > 0 {
							acked[p], _ = k.Newest()
						}
					}
				}
			}
			if updates < ticks*players/3 || look != nil && (plains == 0 || residuals == 0) {
				t.Errorf("%d updates, %d plain, %d large", updates, plains, residuals)
			}
		}
	})
}

// Rule: with full sight an update can be based on any state up to the newest that a client holds, whether
// that one was sent or not; and on none that is newer.
func TestWithFullSightEveryStateIsABaseline(t *testing.T) {
	m := newMatch(t, 5, tanks.Busy, nil)
	for range 30 {
		m.tick()
	}
	k := m.mirror(1)
	f := follower{}
	f.run, _ = rollback.NewStepper(m.game, players, 0)
	f.take(t, m.whole(k, 1))
	first, _ := k.Newest()
	r := rand.New(rand.NewPCG(5, 5))
	between := 0
	for range 200 {
		for range 1 + r.IntN(4) {
			if r.IntN(10) == 0 {
				m.gone ^= 1 << r.IntN(players)
			}
			m.tick()
		}
		newest, _ := k.Newest()
		base := newest - min(rollback.Frame(r.IntN(20)), newest-first)
		if base != newest {
			between++
		}
		b, err := m.truth.Append(nil, 1, base, false, 5000)
		if err != nil {
			t.Fatal(err)
		}
		u, err := k.Apply(m.truth.Newest(), b)
		if err != nil {
			t.Fatalf("from state %d, of which %d is the newest: %v", base, newest, err)
		}
		if got, want := f.take(t, u), m.known(u.State, 1); !m.plan.Equal(&got, &want) {
			t.Fatalf("state %d: %v", u.State, m.plan.Diff(&got, &want, 5))
		}
	}
	if between < 100 {
		t.Errorf("only %d baselines were older than the newest state", between)
	}
	newest, _ := k.Newest()
	m.tick()
	m.tick()
	b, err := m.truth.Append(nil, 1, newest+1, false, 5000)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Apply(m.truth.Newest(), b); !errors.Is(err, sight.ErrBaseline) {
		t.Errorf("from a state that it does not hold: %v", err)
	}
}
