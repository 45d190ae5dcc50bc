package tickback_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback"
)

// The settled state results from the inputs of all, on both peers, although the shown states are often mispredicted:
// here no player ever does the same twice.
func TestSettledStatesAreNeverWrong(t *testing.T) {
	var asked [2]uint32
	peers, _, w := pair(t, func(me int, o *tickback.Options[counter, uint32]) {
		o.Match.Frames = 300
		o.Advanced.Snapshots = 32
		o.Sample = func(tickback.Player) uint32 { asked[me]++; return asked[me] * uint32(me+1) }
	})
	truth := func(f tickback.Frame) uint64 { return 3 * uint64(f) * uint64(f+1) / 2 }
	before, wrong, seen := 0, 0, [2]tickback.Frame{}
	for i := range 4000 {
		m := peers[i%2]
		if i%40 < 30 || i%2 == 0 { // one of them often comes late
			update(t, m)
		}
		if v := m.View(); v.Current.Sum != truth(v.Frame) {
			wrong++
		}
		s, f := m.Settled()
		if v := m.View(); !v.Running && v.Frame == 0 { // the states of a match that has not begun belong to no match
			if s != nil {
				t.Fatalf("peer %d has %+v in common before the match", i%2, s)
			}
			before++
			continue
		}
		if s == nil || f < seen[i%2] || s.Frames != uint64(f) || s.Sum != truth(f) {
			t.Fatalf("peer %d after frame %d: %+v at %d, want the sum %d", i%2, seen[i%2], s, f, truth(f))
		}
		seen[i%2] = f
		w.advance(2 * time.Millisecond)
	}
	if before == 0 || wrong == 0 || seen != [2]tickback.Frame{300, 300} {
		t.Errorf("%d looks were before the match, %d predictions were wrong, and frames %d are settled at the end", before, wrong, seen)
	}
}
