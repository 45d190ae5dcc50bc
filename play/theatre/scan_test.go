package theatre_test

import (
	"bytes"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/theatre"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

func scan(t *testing.T, f *theatre.File) *theatre.Scan {
	t.Helper()
	s := f.Scan()
	for n := 0; !s.Work(0); n++ {
		if n > 1_000_000 {
			t.Fatal("it does not end")
		}
	}
	return s
}

// Events are marked in the frame in which they happen.
func TestWhatHappensIsMarked(t *testing.T) {
	f := open(t, renamed(t))
	s := scan(t, f)
	if s.Err() != nil || s.Until() != f.Reader.Next() {
		t.Fatalf("until %d of %d: %v", s.Until(), f.Reader.Next(), s.Err())
	}
	var hits, outs int
	state, err := duel.New(1)
	if err != nil {
		t.Fatal(err)
	}
	inputs := f.Inputs()
	for frame := uint32(0); frame < f.Reader.Next(); frame++ {
		before := state.P
		held, gone, ok := inputs.At(frame)
		if !ok || gone != 0 {
			t.Fatalf("frame %d: %v, gone %b", frame, ok, gone)
		}
		var in [2]duel.Input
		for p := range in {
			for action, button := range map[controls.Action]duel.Input{
				controls.Left: duel.Left, controls.Right: duel.Right, controls.Up: duel.Jump, controls.A: duel.Attack,
			} {
				if held[p]&action != 0 {
					in[p] |= button
				}
			}
		}
		duel.Step(&state, in)
		for p := range before {
			if state.P[p].Hp < before[p].Hp && !marked(s, theatre.Mark{Frame: frame, What: theatre.Hit, Player: 1 - p}) {
				t.Errorf("frame %d: player %d is hit, and it is not marked", frame, p+1)
			}
			if state.P[p].Hp < before[p].Hp {
				hits++
			}
			if state.P[p].Hp == 0 && before[p].Hp > 0 {
				outs++
				if !marked(s, theatre.Mark{Frame: frame, What: theatre.KnockOut, Player: p}) {
					t.Errorf("frame %d: player %d is knocked out, and it is not marked: %v", frame, p+1, s.Marks())
				}
			}
		}
	}
	if hits+outs != len(s.Marks()) || outs == 0 {
		t.Errorf("%d hits, %d knock-outs and %d marks", hits, outs, len(s.Marks()))
	}
}

func marked(s *theatre.Scan, m theatre.Mark) bool {
	for _, got := range s.Marks() {
		if got == m {
			return true
		}
	}
	return false
}

// Hashes are compared during the scan, and rounds are marked, and so are players who leave and come back.
func TestRoundsAndWhoLeaves(t *testing.T) {
	s := scan(t, open(t, arenaFile(t, 9000, tickback.RecordOptions{})))
	var kinds [5]int
	for _, m := range s.Marks() {
		kinds[m.What]++
	}
	if compared, wrong := s.Checked(); compared < 100 || wrong != rollback.NoFrame {
		t.Errorf("%d hashes, wrong at %d", compared, wrong)
	}
	if kinds[theatre.Round] < 3 || kinds[theatre.KnockOut] < 3 || kinds[theatre.Hit] < 30 || kinds[theatre.Leave]+kinds[theatre.Join] != 0 {
		t.Errorf("marks: %v", kinds)
	}
	if _, wrong := scan(t, open(t, tampered(t, tickback.RecordOptions{HashEvery: 1}))).Checked(); wrong != 151 {
		t.Errorf("the first wrong state is %d", wrong)
	}
	var leaves, joins int
	for _, m := range scan(t, open(t, left(t))).Marks() {
		switch {
		case m.What == theatre.Leave && m.Player == 1 && m.Frame == 100:
			leaves++
		case m.What == theatre.Join && m.Player == 1 && m.Frame == 200:
			joins++
		}
	}
	if leaves != 1 || joins != 1 {
		t.Errorf("%d leave and %d come back", leaves, joins)
	}
}

// left is a recording in which player 2 is absent for a while.
func left(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := tbr.NewWriter(&b, tbr.Header{Game: arena.ID, TickRate: 60, KeyframeEvery: tbr.NoKeyframes, Shape: agreed.Shape{Players: 3, InputSize: 3}})
	if err != nil {
		t.Fatal(err)
	}
	f := agreed.Frame{Inputs: make([]byte, 9)}
	for f.Number < 300 {
		if f.Gone = 0; f.Number >= 100 && f.Number < 200 {
			f.Gone = 2
		}
		if err := w.Frame(&f); err != nil {
			t.Fatal(err)
		}
		f.Number++
	}
	if err := w.Close(tbr.End{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
