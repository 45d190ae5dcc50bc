package replay

import (
	"bytes"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// Whatever a file contains, playing it causes an error at worst; and after a jump the
// player is at its target.
func FuzzPlayer(f *testing.F) {
	for _, first := range []int{0, 50} {
		c := perform(f, 1, 120, first, nil)
		f.Add(c.file, uint32(70))
		f.Add(c.file[:len(c.file)*2/3], uint32(10))
	}
	f.Add(perform(f, 2, 700, 0, nil).file, uint32(650))
	f.Fuzz(func(t *testing.T, file []byte, at uint32) {
		r, err := tbr.Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		p, err := NewPlayer(bandGame(), r, PlayerOptions[band]{Cache: 1 << 16})
		if err != nil {
			return
		}
		span := min(r.Next()-r.First(), 1000)
		for _, n := range []uint32{at, at / 2, at * 3} {
			if span > 0 {
				n %= span + 1
			} else {
				n = 0
			}
			goal := p.First() + rollback.Frame(n)
			if err := p.Seek(goal); err == nil && p.At() != goal {
				t.Fatalf("seek %d leads to %d", goal, p.At())
			}
			for range 20 {
				before := p.At()
				if err := p.Step(); err == nil && p.At() != before+1 || err != nil && p.At() != before {
					t.Fatalf("from %d to %d: %v", before, p.At(), err)
				}
			}
			p.Effects()
		}
	})
}

// Whatever a complete file says about the match, its state and its frames, the game gets
// it, and the player is at the frame that it reports.
func FuzzPlayedFrames(f *testing.F) {
	state := bandPlan.Append(nil, &band{Frame: 9, Sum: 3})
	f.Add(uint8(0), []byte{}, []byte("inputs of some frames, and who is gone in them"))
	f.Add(uint8(9), state, []byte{1, 0, 1, 0, 0, 1, 0, 1, 0, 3, 7, 7, 7, 7, 255})
	f.Fuzz(func(t *testing.T, first uint8, state, frames []byte) {
		var file bytes.Buffer
		w, err := tbr.NewWriter(&file, tbr.Header{
			Game: "band", Shape: agreed.Shape{Players: 2, InputSize: 2, MaxOrders: 20}, TickRate: 1, HashEvery: 3, Info: tbr.Info{First: uint32(first)},
		})
		if err == nil && w.WantsKeyframe() {
			err = w.Keyframe(state)
		}
		for n := uint32(first); err == nil && len(frames) >= 5; n++ {
			g := agreed.Frame{Number: n, Inputs: frames[:4], Gone: uint16(frames[4] & 3)}
			if frames[4]&4 != 0 {
				g.Orders = [][]byte{frames[:min(int(frames[4]>>4), 5)], nil}
			}
			g.Finished = len(frames) < 10 && frames[4]&8 != 0
			if err = w.Frame(&g); err == nil && (n+1)%3 == 0 {
				err = w.Hash(n+1, uint64(frames[0]))
			}
			frames = frames[5:]
		}
		if err == nil {
			err = w.Close(tbr.End{})
		}
		if err != nil {
			t.Fatal(err)
		}
		r, err := tbr.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewPlayer(bandGame(), r, PlayerOptions[band]{})
		if err != nil {
			if first == 0 {
				t.Fatal(err)
			}
			return // the state is none
		}
		for p.Step() == nil {
		}
		last := *p.State()
		if p.At() != p.Next() {
			t.Fatalf("it stops at %d of %d", p.At(), p.Next())
		}
		if err := p.Seek(p.First()); err != nil {
			t.Fatal(err)
		}
		if err := p.Seek(p.Next()); err != nil || *p.State() != last {
			t.Fatalf("the second time %+v, the first %+v: %v", *p.State(), last, err)
		}
	})
}
