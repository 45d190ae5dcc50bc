package tickbacktest

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// Frozen plays one match and compares a digest of all its states with one recorded earlier. Run on several
// architectures, it finds what tests on one machine cannot find: floats that are fused on some machines, and the width
// of int. See docs/determinism.md. [Builds] compares builds on one machine, and names the field.
//
// The match is that of Options.Inputs, or one whose inputs depend only on the shape of I, and never change. No player
// leaves or gives orders. If want is 0, the test fails, and prints the value to use. When the rules of the game
// change, so does the digest.
func Frozen[S any, I comparable](t testing.TB, game rollback.Definition[S, I], opts Options[I], want uint64) {
	t.Helper()
	if inOtherBuild() {
		return
	}
	o, err := opts.withDefaults()
	if err != nil {
		t.Fatalf("tickbacktest.Frozen: %v", err)
	}
	s, err := newSource(o)
	if err != nil {
		t.Fatalf("tickbacktest.Frozen: %v", err)
	}
	m := s.made()
	if s.Inputs != nil {
		m = s.given()
	}
	var p probe
	var got uint64
	if f := p.guard(func() (f *failure) { got, f = digest(game, m, &p); return f }); f != nil {
		t.Fatalf("tickbacktest.Frozen: frame %d %s", f.frame, f.what)
	}
	if f := p.nothing(); f != nil {
		t.Fatalf("tickbacktest.Frozen: %s", f.what)
	}
	switch {
	case want == 0:
		t.Fatalf("tickbacktest.Frozen: nothing is recorded yet; the digest of these %d frames is %#x", m.frames(), got)
	case got != want:
		t.Fatalf("tickbacktest.Frozen: the digest of these %d frames is %#x, and %#x was recorded.\n"+
			"If the rules have changed, record the new one. If not, this machine comes to other states than the one\n"+
			"on which it was recorded: look for floats (x*y+z is rounded once on some machines, twice on others) and for int.",
			m.frames(), got, want)
	}
}

// digest plays a match and combines the hashes of its states, the effects and the ends into one number.
func digest[S any, I comparable](game rollback.Definition[S, I], m *match[I], p *probe) (uint64, *failure) {
	box, err := rollback.NewSandbox(game, m.players, 0)
	if err != nil {
		return 0, refusal(err)
	}
	var b []byte
	for f := range m.frames() {
		p.frame = f
		said, err := box.Step(m.frame(f))
		if err != nil {
			return 0, refusal(err)
		}
		h, err := box.Hash()
		if err != nil {
			return 0, refusal(fmt.Errorf("the state cannot be hashed: %w", err))
		}
		p.see(h)
		p.compared++
		b = binary.LittleEndian.AppendUint64(b, h)
		b = binary.LittleEndian.AppendUint64(b, said.Effects)
		if said.Finished {
			b = binary.LittleEndian.AppendUint64(b, said.Result)
		}
	}
	return canon.HashBytes(b), nil
}

// made returns a match that depends only on the shape of the inputs. It is frozen, because recorded digests of users
// depend on it.
func (s *source[I]) made() *match[I] {
	m := newMatch[I](s.Players, s.Frames)
	n := uint64(0)
	next := func() uint64 { // the generator splitmix64
		n += 0x9e3779b97f4a7c15
		z := n
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	b := make([]byte, s.plan.Size())
	for p := range s.Players {
		for f := 0; f < m.frames(); {
			for i := range b {
				z := next()
				b[i] = byte(z & (z >> 8)) // a quarter of the bits are set
			}
			in := s.decode(b)
			for end := min(f+1+int(next()%20), m.frames()); f < end; f++ {
				m.inputs[f*m.players+p] = in
			}
		}
	}
	return m
}
