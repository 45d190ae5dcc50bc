package arena_test

import (
	"math"
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/rollback"
)

// FuzzStep steps from any state, reachable or not, with any inputs: the result may be nonsense, but the step never
// panics, and two copies stay equal. If the state is reachable, its bounds hold as well. The state is one of a few,
// with edits to its encoding: an offset and a value, in three bytes. That keeps the fuzzer's inputs short.
func FuzzStep(f *testing.F) {
	bases := []arena.State{
		arena.New(1),
		runBots(1, arena.Hard, 8, 1000),
		fill(fixed.Max, math.MaxInt16, math.MaxUint8),
		fill(fixed.Min, math.MinInt16, 0),
		fill(0, 1, 1),
	}
	for i := range bases {
		f.Add(uint8(i), []byte{}, []byte{127, 0, 1, 0, 127, 2, 129, 129, 4, 1, 1, 0}, uint8(0xFF))
	}
	p := plan(f)
	f.Fuzz(func(t *testing.T, base uint8, edits, script []byte, present uint8) {
		s := bases[int(base)%len(bases)]
		encoded := p.Append(nil, &s)
		for ; len(edits) >= 3; edits = edits[3:] {
			encoded[(int(edits[0])<<8+int(edits[1]))%len(encoded)] = edits[2]
		}
		reached := int(base)%len(bases) < 2 && string(encoded) == string(p.Append(nil, &s))
		if err := p.Decode(&s, encoded); err != nil {
			t.Fatal(err)
		}
		stepTwins(t, s, script, rollback.PlayerSet(present), reached)
	})
}

func stepTwins(t *testing.T, s arena.State, script []byte, present rollback.PlayerSet, reached bool) {
	twin := s
	for frame := range 60 {
		in := inputsAt(script, frame)
		arena.Step(&s, &in, present, nil)
		arena.Step(&twin, &in, present, nil)
		if reached {
			checkBounds(t, &s, present)
		}
	}
	if s != twin {
		t.Error(plan(t).Diff(&s, &twin, 10))
	}
}

// inputsAt reads all players' inputs in a frame from the bytes of a script, which repeat.
func inputsAt(script []byte, frame int) (in [arena.MaxPlayers]arena.Input) {
	if len(script) == 0 {
		return in
	}
	at := func(i int) byte { return script[i%len(script)] }
	for p := range in {
		i := 3 * (frame/5*len(in) + p) // held for five frames
		in[p] = arena.Input{X: int8(at(i)), Y: int8(at(i + 1)), Buttons: arena.Buttons(at(i + 2))}
	}
	return in
}

// fill makes a state that no match can reach: every field of a kind has the same value.
func fill(n fixed.Num, i int16, u uint8) (s arena.State) {
	at := fixed.Vec2{X: n, Y: n}
	for p := range s.Fighters {
		s.Fighters[p] = arena.Fighter{
			Pos: at, Vel: at, Hp: i, Energy: i, Charge: i, ShotCooldown: i, RapidTicks: i,
			Stance: arena.Standing, Guard: arena.Guard(u), BigShots: u, Shots: uint16(i), Wins: u,
		}
		for slot := range s.Shots[p] {
			s.Shots[p][slot] = arena.Shot{Pos: at, Vel: at, Damage: i, Life: i, Bounces: u, Big: u}
		}
	}
	for spot := range s.Pickups {
		s.Pickups[spot] = arena.Pickup{Life: uint16(i), Kind: arena.PickupKind(u)}
	}
	s.Phase, s.SpawnIn, s.Round = arena.Fighting, 1, u
	return s
}
