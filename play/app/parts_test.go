package app

import (
	"errors"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/controls"
)

// Rule: a held direction counts again after a while, and then often; a held button does not.
func TestAHeldDirectionRepeats(t *testing.T) {
	count := func(key controls.Action) (n int) {
		var m menuInput
		for range 20 {
			in := m.take(&controls.Devices{}, key, nil, false, 0.1)
			if in.Up || in.Accept {
				n++
			}
			m.remember(&controls.Devices{}, &controls.Devices{})
		}
		return n
	}
	if up, accept := count(controls.Up), count(controls.A); up < 10 || accept != 1 {
		t.Errorf("in two seconds, up counts %d times and a button %d times", up, accept)
	}
}

// Rule: Backspace goes back, and erases while the player is typing.
func TestBackspaceErases(t *testing.T) {
	for _, typing := range []bool{false, true} {
		var m menuInput
		in := m.take(&controls.Devices{}, 0, []controls.Key{"Backspace"}, typing, 0.1)
		if in.Back == typing || !in.Erase {
			t.Errorf("typing %v: back %v, erases %v", typing, in.Back, in.Erase)
		}
	}
}

// Rule: another scene begins with no figures, but errors and ended matches remain known; an error is listed once.
func TestAReportOfAScene(t *testing.T) {
	var r report
	r.begin()
	r.picture()
	r.note(errors.New("no sound"))
	r.note(errors.New("no sound"))
	r.end(tickback.Outcome{Result: 2, Finished: true}, "0x1")
	r.score([2]int{1, 0}, 1)
	r.agree(7, "0x2")
	if s := r.fill(); s.Rounds != 1 || s.Agreed.Frame != 7 {
		t.Errorf("%+v", s)
	}
	r.begin()
	s := r.fill()
	if s.Rounds != 0 || s.Agreed.Frame != 0 || s.Seat != -1 || s.Pictures != 1 || len(s.Errors) != 1 || s.Matches != 1 || s.Outcome.Result != 2 {
		t.Errorf("after another scene has begun: %+v", s)
	}
}
