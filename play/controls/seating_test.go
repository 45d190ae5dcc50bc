package controls_test

import (
	"slices"
	"testing"

	"github.com/tickback/tickback/play/controls"
)

// A player with a gamepad keeps it, whichever others come and go; a new gamepad takes the first free place.
func TestGamepadsKeepTheirPlayers(t *testing.T) {
	const gone = controls.NoPad
	var s controls.Seating
	for i, step := range []struct {
		there, want []int
		lost        bool
	}{
		{nil, nil, false},
		{[]int{4, 7}, []int{4, 7}, false},
		{[]int{7}, []int{gone, 7}, true},
		{[]int{7}, []int{gone, 7}, false},
		{[]int{2, 7}, []int{2, 7}, false},
		{[]int{2, 3, 7}, []int{2, 7, 3}, false},
		{nil, []int{gone, gone, gone}, true},
		{[]int{9}, []int{9, gone, gone}, false},
	} {
		if lost := s.Update(step.there); lost != step.lost || !slices.Equal(s.Pads(), step.want) {
			t.Errorf("step %d: %v, lost %v; want %v, %v", i, s.Pads(), lost, step.want, step.lost)
		}
	}
}
