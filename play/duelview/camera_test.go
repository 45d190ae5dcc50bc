package duelview_test

import (
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/duelview"
	"github.com/tickback/tickback/play/look"
)

// A guest sees a picture before it knows the match. The camera does not move from there: it starts with the first state
// of the match.
func TestTheCameraBeginsWithTheMatch(t *testing.T) {
	first, err := duel.New(1)
	if err != nil {
		t.Fatal(err)
	}
	feet := func(unknown int, running bool) draw.Point {
		v, c, box := duelview.New(look.New(0, false)), draw.NewCanvas(draw.NewAtlas()), draw.Box{W: 1280, H: 720}
		for range unknown {
			v.Advance(1.0/60, tickback.View[duel.State]{Previous: new(duel.State), Current: new(duel.State), Running: running})
			v.Draw(c, box)
		}
		v.Advance(1.0/60, tickback.View[duel.State]{Previous: &first, Current: &first, Frame: 1, Running: true})
		v.Draw(c, box)
		return v.Feet(0, box)
	}
	if got, want := feet(3, false), feet(0, false); got != want {
		t.Errorf("after pictures of no match the first fighter stands at %v, want %v", got, want)
	}
	// Within a match it travels.
	if got := feet(3, true); got == feet(0, false) {
		t.Error("the camera jumps in a match")
	}
}
