package tanks_test

import (
	"math"
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
)

// FuzzStep steps from any state, reachable or not, with any inputs: the result may be nonsense, but the step never
// panics, and two copies stay equal; and blanking is idempotent. If the state is reachable, its bounds hold as well.
// The state is one of a few, with edits to its encoding: an offset and a value, in three bytes.
func FuzzStep(f *testing.F) {
	bases := []tanks.State{
		tanks.New(1),
		runBots(tanks.Bot{Seed: 1, Mood: tanks.Busy, Seen: 5}, everybody, 500),
		fill(fixed.Max, math.MaxUint32, math.MaxUint8),
		fill(fixed.Min, math.MaxInt32, 0),
		fill(0, 1, 1),
	}
	for i := range bases {
		f.Add(uint8(i), []byte{}, []byte{127, 0, 1, 0, 127, 2, 129, 129, 4, 1, 1, 0}, uint8(0xFF))
		f.Add(uint8(i), []byte{0, 35, 2, 0, 75, 3}, []byte{127, 127, 1, 255}, uint8(0x7E))
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

func stepTwins(t *testing.T, s tanks.State, script []byte, present rollback.PlayerSet, reached bool) {
	twin := s
	for frame := range 60 {
		in := inputsAt(script, frame)
		tanks.Step(&s, &in, present, nil)
		tanks.Step(&twin, &in, present, nil)
		if reached {
			checkBounds(t, &s, present)
		}
		if frame%10 == 0 {
			p := rollback.Player(frame / 10)
			once := blank(s, p)
			same(t, "blanked again", &once, ptr(blank(once, p)))
		}
	}
	same(t, "twins", &s, &twin)
}

// inputsAt reads all players' inputs in a frame from the bytes of a script, which repeat.
func inputsAt(script []byte, frame int) (in [tanks.MaxPlayers]tanks.Input) {
	if len(script) == 0 {
		return in
	}
	at := func(i int) byte { return script[i%len(script)] }
	for p := range in {
		i := 4 * (frame/5*len(in) + p) // held for five frames
		in[p] = tanks.Input{Turn: int8(at(i)), Throttle: int8(at(i + 1)), Buttons: tanks.Buttons(at(i + 2)), Seen: at(i + 3)}
	}
	return in
}

// fill makes a state that no match can reach: every field of a kind has the same value.
func fill(n fixed.Num, i uint32, u uint8) (s tanks.State) {
	at := fixed.Vec2{X: n, Y: n}
	for p := range s.Tanks {
		s.Tanks[p] = tanks.Tank{
			Pos: at, Heading: n, Hp: int16(i), Reload: u, RespawnIn: u, Spawn: u,
			Stance: tanks.Stance(1 + p%2), Shots: uint16(i), Kills: uint16(i), Deaths: uint16(i),
		}
		for slot := range s.Shots[p] {
			s.Shots[p][slot] = tanks.Shot{Pos: at, Vel: at, Life: i, Lag: i}
		}
		for slot := range s.Trails[p] {
			s.Trails[p][slot] = at
		}
		s.Lived[p] = uint16(i)
	}
	s.Frame = i - 30
	return s
}
