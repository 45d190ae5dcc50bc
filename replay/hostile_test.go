package replay_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// source returns bytes chosen by an attacker, and zeros after them.
type source struct{ b []byte }

func (s *source) byte() byte {
	if len(s.b) == 0 {
		return 0
	}
	v := s.b[0]
	s.b = s.b[1:]
	return v
}

func (s *source) bytes(n int) []byte {
	v := make([]byte, n)
	for i := range v {
		v[i] = s.byte()
	}
	return v
}

// forge writes a complete recording with contents that nobody has simulated: invalid
// inputs, invalid states, hashes of nothing.
func forge(s *source) []byte {
	var b bytes.Buffer
	h := tbr.Header{
		Game: "world", Shape: agreed.Shape{Players: int(s.byte()&7) + 1, InputSize: 2, MaxOrders: int(s.byte())},
		TickRate: int(s.byte()&15) + 1, Seed: uint64(s.byte()), HashEvery: int(s.byte() & 31), State0: uint64(s.byte()),
		KeyframeEvery: int(s.byte()&3) - 1,
		Info:          tbr.Info{First: uint32(s.byte()) << (s.byte() & 15)},
	}
	w, err := tbr.NewWriter(&b, h)
	if err != nil {
		return nil
	}
	for n := h.First; n < h.First+20*uint32(s.byte()); n++ {
		if w.WantsKeyframe() {
			state := worldPlan.Append(nil, &world{Sum: uint64(n)})
			if s.byte()&3 == 3 {
				state = s.bytes(int(s.byte()))
			}
			_ = w.Keyframe(state)
		}
		f := &agreed.Frame{Number: n, Inputs: s.bytes(2 * h.Shape.Players)}
		if s.byte()&1 != 0 {
			f.Gone = uint16(s.byte()) & (1<<h.Shape.Players - 1)
			f.Orders = [][]byte{s.bytes(int(s.byte()) % (h.Shape.MaxOrders + 1))}
		}
		if w.Frame(f) != nil || w.Hash(n+1, uint64(s.byte())) != nil {
			break
		}
	}
	if s.byte()&1 == 0 {
		_ = w.Close(tbr.End{Finished: s.byte()&1 != 0, Hashed: s.byte()&1 != 0, Reason: "forged"})
	}
	return b.Bytes()
}

// fourWorld is the game for as many players as it has scores: with more it would
// panic.
var fourWorld = worldGame(nil)

// Rule: a recording that is complete, but consists of lies, is detected or refused,
// and nothing else happens.
func FuzzForged(f *testing.F) {
	f.Add([]byte{2, 8, 9, 7, 10, 0, 1, 0, 0, 90, 3, 3, 9, 1, 2, 3})
	f.Add(append([]byte{2, 8, 0, 7, 1, 0, 0, 200, 3, 200, 3, 0}, bytes.Repeat([]byte{1, 2, 255, 0, 7}, 300)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := openQuietly(forge(&source{b}))
		if err != nil {
			return
		}
		v, err := replay.Verify(t.Context(), r, fourWorld, replay.VerifyOptions{Workers: 2})
		if err == nil && v.OK() && v.Frames != r.Next()-r.First() {
			t.Errorf("%+v", v)
		}
		if _, err := replay.Measure(t.Context(), r); err != nil {
			t.Error(err)
		}
		_ = replay.Survive(func() error {
			return replay.Cut(t.Context(), io.Discard, r, fourWorld, r.First()+1, r.Next())
		})
		_ = replay.Survive(func() error {
			for _, err := range replay.Rows(t.Context(), r, fourWorld, r.First(), r.Next()) {
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
}
