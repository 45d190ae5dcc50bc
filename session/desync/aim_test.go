package desync

import (
	"testing"
)

// The next state that is wanted is the first one after a frame that is a multiple of the
// unit and the stride.
func TestTheNextStateThatIsWanted(t *testing.T) {
	for _, unit := range []uint32{1, 2, 60} {
		for _, stride := range []uint64{1, 2, 8} {
			for _, after := range []uint32{0, 1, 59, 60, 61, 479, 480, None - 3} {
				s := snapshots{unit: unit, stride: stride}
				s.aim(after)
				step := uint64(unit) * stride
				want := uint64(after) + 1
				for want%step != 0 {
					want++
				}
				if got, want := s.next, uint32(min(want, None)); got != want {
					t.Errorf("unit %d, stride %d, behind %d: %d, want %d", unit, stride, after, got, want)
				}
			}
		}
	}
}
