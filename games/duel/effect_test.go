package duel_test

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// heard plays a script through the engine, with every input known in time, and returns the last state and the effects
// that start and end, as package effects reports them.
func heard(t *testing.T, frames rollback.Frame, init func(*duel.State), script duel.Script) (duel.State, []string, []effects.Event) {
	t.Helper()
	game, err := duel.Game(1)
	if err != nil {
		t.Fatal(err)
	}
	if init != nil {
		game.Init = init
	}
	e, err := rollback.New(game, rollback.Config{Players: 2})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	var all []effects.Event
	for f := range frames {
		for p, in := range script(uint32(f)) {
			if err := e.AddInput(rollback.Player(p), f, in, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Tick(); err != nil {
			t.Fatal(err)
		}
		if err := e.Agree(f + 1); err != nil {
			t.Fatal(err)
		}
		for _, ev := range e.Effects() {
			all = append(all, ev)
			if ev.What == effects.Started || ev.What == effects.Ended {
				text, _, _ := strings.Cut(ev.String(), " [")
				lines = append(lines, text)
			}
		}
	}
	return *e.State(), lines, all
}

// near puts the fighters face to face, with player 2 one blow away from losing.
func near(s *duel.State) {
	*s, _ = duel.New(1)
	s.P[0].X, s.P[1].X = 5000, 5900
	s.P[1].Hp = duel.AttackDamage
}

func TestEffectsTellWhatTheFightersDo(t *testing.T) {
	for _, c := range []struct {
		name   string
		frames rollback.Frame
		init   func(*duel.State)
		in     func(f uint32) duel.Input // of player 1
		want   string
	}{
		{"a jump is heard when it begins and when it ends", 40, nil, func(f uint32) duel.Input {
			if f == 2 {
				return duel.Jump
			}
			return 0
		}, "started jumped 0 at 2; started landed 0 at 25"},
		{"running lasts as long as it moves, and not against a wall", 30, nil, func(f uint32) duel.Input {
			return duel.Left
		}, "started runs 0 at 0; ended runs 0 at 14 since 0"},
		{"a held button swings again after the cooldown", 40, nil, func(uint32) duel.Input {
			return duel.Attack
		}, "started swung 0 at 0; started swung 0 at 30"},
		{"a blow hits in the tick of the swing, dazes, and knocks out", 30, near, func(f uint32) duel.Input {
			if f == 3 {
				return duel.Attack
			}
			return 0
		}, "started swung 0 at 3; started struck 0 at 3; started dazed 1 at 3; started knocked out 1 at 3; ended dazed 1 at 23 since 3"},
	} {
		_, lines, _ := heard(t, c.frames, c.init, func(f uint32) [2]duel.Input { return [2]duel.Input{c.in(f)} })
		if got := strings.Join(lines, "; "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// Listening to effects changes nothing: the engine's state is that of plain steps, and every loss of health in those is
// one effect of a blow, with the remaining health.
func TestEveryBlowIsHeardOnce(t *testing.T) {
	const frames, seed = 4000, 7
	script := func() duel.Script {
		s, err := duel.Scripted("random", seed)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	type blow struct {
		frame, victim uint32
		hp            int32
	}
	var want []blow
	bare, in := run(t, 1, nil, 0), script()
	for f := range uint32(frames) {
		duel.Step(&bare, in(f))
		for p := range bare.P {
			// A blow on a fighter without health changes none; the stun starts again.
			if bare.P[p].HitstunFrames == duel.HitstunTicks {
				want = append(want, blow{f, uint32(p), bare.P[p].Hp})
			}
		}
	}
	last, _, all := heard(t, frames, nil, script())
	if last != bare {
		t.Errorf("listening changes the state: checksum 0x%08X, bare 0x%08X", duel.Checksum(&last), duel.Checksum(&bare))
	}
	got := map[blow]int{}
	for i := range all {
		if e := &all[i]; duel.Struck.Is(e) && e.What == effects.Started {
			b := duel.Struck.Payload(e)
			got[blow{uint32(e.Frame), uint32(b.Victim), b.Hp}]++
		}
	}
	for _, b := range want {
		if got[b] != 1 {
			t.Errorf("%+v is heard %d times", b, got[b])
		}
	}
	if len(got) != len(want) || len(want) < 10 {
		t.Errorf("%d blows are heard, want %d, and at least 10", len(got), len(want))
	}
}
