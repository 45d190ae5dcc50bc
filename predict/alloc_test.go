package predict_test

import (
	"testing"

	"github.com/tickback/tickback/predict"
)

// Once there is a predictor, nothing is allocated: not by moves, nor by updates, nor by reading what is pending, nor by a
// silent server.
func TestNoAllocations(t *testing.T) {
	p, u, pending := newClient(t, 16).Predictor, predict.Update[pose]{Player: 3}, 0
	held := stick{Turn: 1, Throttle: 2}
	var made, full, taken int
	advance := func() {
		for _, err := range p.Advance(120*ms, func() stick { return held }) {
			if made++; err != nil {
				full++
			}
		}
	}
	want(t, "allocations", testing.AllocsPerRun(1000, func() {
		advance()
		m, _ := p.Do(held, 120*ms)
		for range p.Pending() {
			pending++
		}
		if p.Len() > 8 {
			u.Frame, u.Acked = u.Frame+1, m.Tick-3
		}
		for range 2 { // the second is a repetition
			if c, err := p.Accept(&u); err == nil && c.Taken {
				taken++
			}
		}
		p.Rebuild()
	}), 0)
	if made < 2000 || taken < 100 || full > 0 || pending == 0 {
		t.Errorf("%d moves were made, %d updates taken, %d were too many", made, taken, full)
	}
	want(t, "allocations of a silent server", testing.AllocsPerRun(100, advance), 0)
	want(t, "it was too many", full > 50, true)
}
