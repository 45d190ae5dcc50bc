package served

import "testing"

// Rule: a client that asks for a whole state is told no updates until it holds a newer one, whatever arrives
// late; and one cannot ask by what it was not told.
func TestAClientAsksForAWholeState(t *testing.T) {
	says := func(v *view, state uint32, anew bool) bool {
		return v.acknowledge(&upward{any: true, state: state, anew: anew})
	}
	var v view
	for f := range Frame(8) {
		v.told.add(f)
	}
	if says(&v, 9, true) || v.any || v.anew {
		t.Errorf("by state 9, which it was not told: %+v", v)
	}
	for _, c := range []struct {
		what  string
		state uint32
		anew  bool
		any   bool
	}{
		{"it holds a state", 4, false, true},
		{"it asks", 5, true, false},
		{"a datagram from before", 4, false, false},
		{"another one", 5, false, false},
		{"it asks again", 5, true, false},
		{"it asks later, with an older state", 4, true, false},
		{"it holds a newer one", 6, false, true},
		{"a request from before", 5, true, true},
		{"it holds the newest one", 7, false, true},
		{"it asks again", 7, true, false},
	} {
		if !says(&v, c.state, c.anew) || v.any != c.any {
			t.Errorf("%s: %+v", c.what, v)
		}
	}
}
