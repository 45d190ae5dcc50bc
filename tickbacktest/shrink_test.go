package tickbacktest

import (
	"testing"

	"github.com/tickback/tickback/rollback"
)

type buttons uint8

const (
	buttonX buttons = 1 << iota
	buttonY
)

// pad is what one player holds.
type pad struct {
	Stick   int16
	Buttons buttons
}

// comboState is the state of a game that breaks after Y and then X, from frame 20 on.
type comboState struct {
	Frame  uint32
	HeldY  [2]bool
	Sum    int32
	Broken uint32
}

var comboGame = rollback.Game[comboState, pad]{Step: func(s *comboState, t *rollback.Tick[pad]) {
	s.Frame++
	for p := range t.Players() {
		in := t.Input(p)
		s.Sum += int32(in.Stick)
		if p == 1 && in.Buttons&buttonX != 0 && s.HeldY[p] && t.Frame() >= 20 && t.Resimulating() {
			s.Broken++
		}
		s.HeldY[p] = s.HeldY[p] || in.Buttons&buttonY != 0
	}
}}

// A failure that needs two inputs in a certain order, in a certain frame, is shrunk to just these.
func TestShrinksToTheShortestMatch(t *testing.T) {
	o, _ := Options[pad]{Players: 2, MaxOrders: 20}.withDefaults()
	s, err := newSource(o)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := checkByID[comboState, pad](checkSync)
	h := &hunter[comboState, pad]{check: c, codec: s.codec, game: comboGame}
	h.search(t, s)
	t.Log(h.conclude(s))
	m := h.match
	if m.frames() != 21 || m.active() != 2 || m.maxOrders() != 0 {
		t.Errorf("%d frames, %d inputs, orders of %d bytes; want 21, 2, 0", m.frames(), m.active(), m.maxOrders())
	}
	if x := m.inputs[20*2+1]; x != (pad{Buttons: buttonX}) {
		t.Errorf("the last input is %+v, not X alone", x)
	}
}
