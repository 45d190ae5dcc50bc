package session

import (
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// Rule: several players on one machine play a match by themselves; each is sampled in every
// frame.
func TestSeveralPlayersAtOneMachine(t *testing.T) {
	samples := [3]uint16{}
	s, err := New(sumGame(), Config{GameID: "sum", Players: 3, Local: rollback.SetOf(0, 1, 2), Random: func() uint64 { return 7 }},
		Hooks[sum, uint16]{Sample: func(p Player) uint16 { samples[p]++; return samples[p] }})
	if err != nil {
		t.Fatal(err)
	}
	for now := time.Duration(0); now < 2*time.Second; now += 4 * time.Millisecond {
		s.Update(now)
		s.Events()
	}
	if s.Phase() != Playing || s.frame < 60 {
		t.Fatalf("%v, frame %d, %v", s.Phase(), s.frame, s.Err())
	}
	for p, n := range samples {
		if int(n) < int(s.frame) || int(n) > int(s.frame)+1 {
			t.Errorf("player %d has been sampled %d times in %d frames", p, n, s.frame)
		}
	}
}
