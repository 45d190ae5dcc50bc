package fleet

import (
	"testing"
	"time"

	"github.com/tickback/tickback/session"
)

// In plans of the profile arrivals machines join all matches, including half of the
// machines after the first two, and something happens while one is joining.
func TestPlansOfArrivals(t *testing.T) {
	machines, joins, meanwhile := 0, 0, 0
	for seed := range uint64(200) {
		p := drawn(t, seed, Arrivals, 2+int(seed)%7, time.Minute)
		if p.OnLeave != session.Continue || p.Matches != 1 {
			t.Fatalf("seed %d: %v", seed, p)
		}
		var comings []time.Duration
		for i, m := range p.Machines {
			if m.Joins {
				comings = append(comings, m.Late)
			}
			machines += btoi(i >= 2)
			joins += btoi(m.Joins)
		}
		for _, f := range p.Faults {
			if f.Kind == Return && f.Machine == 1 {
				comings = append(comings, f.At)
			}
		}
		if len(comings) == 0 {
			t.Errorf("seed %d: nobody comes", seed)
		}
		during := false
		for _, f := range p.Faults {
			for _, at := range comings {
				during = during || f.Kind != Return && f.At >= at && f.At <= at+3*time.Second
			}
		}
		meanwhile += btoi(during)
	}
	if 3*joins < machines || 3*joins > 2*machines || meanwhile < 190 {
		t.Errorf("%d of %d machines join; in %d of 200 plans something happens meanwhile", joins, machines, meanwhile)
	}
}
