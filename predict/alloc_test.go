package predict_test

import (
	"testing"

	"github.com/tickback/tickback/predict"
)

// Once there is a predictor, nothing is allocated: not by moves, nor by updates, nor
// by reading what is pending, nor by a silent server.
func TestNoAllocations(t *testing.T) {
	p := newClient(t, 16)
	u := predict.Update[pose]{Player: 3}
	held := stick{Turn: 1, Throttle: 2}
	sample := func() stick { return held }
	pending := 0
	round := func() {
		for _, err := range p.Advance(120*ms, sample) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := p.Do(held, 120*ms); err != nil {
			t.Fatal(err)
		}
		for range p.Pending() {
			pending++
		}
		if p.Len() > 8 {
			u.Frame, u.Acked = u.Frame+1, p.Newest()-3
		}
		for range 2 { // the second is a repetition
			if _, err := p.Accept(&u); err != nil {
				t.Fatal(err)
			}
		}
		p.Rebuild()
	}
	want(t, "allocations", testing.AllocsPerRun(1000, round), 0)
	if pending == 0 || p.Stats().Accepted < 100 {
		t.Errorf("%+v", p.Stats())
	}

	for p.Len() < 16 {
		do(t, p, held, cadence)
	}
	failed := 0
	want(t, "allocations of a silent server", testing.AllocsPerRun(100, func() {
		for _, err := range p.Advance(120*ms, sample) {
			if err != nil {
				failed++
			}
		}
	}), 0)
	if failed < 100 {
		t.Error(failed)
	}
}
