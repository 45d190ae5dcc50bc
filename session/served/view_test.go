package served

import "testing"

// Rule: a client that requests a whole state gets no updates until it holds a newer state, whatever arrives late; and
// a client cannot request one by naming a state that it was not sent.
func TestAClientAsksForAWholeState(t *testing.T) {
	says := func(v *view, state uint32, anew bool) bool {
		return v.acknowledge(&clientBody{any: true, state: state, anew: anew}, false)
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

// Rule: a client may want states as such for a while, which is no reason to forget what it holds; in a datagram that
// others have overtaken it does not count. One that holds nothing then, or an older state than before, has had
// another state than the server: it is told from the next one that it names, always as such, and has forgotten once at
// most.
func TestAClientChangesHowItIsTold(t *testing.T) {
	var v view
	for f := range Frame(12) {
		v.told.add(f)
	}
	for _, c := range []struct {
		what   string
		u      clientBody
		late   bool
		plain  bool
		any    bool
		newest Frame
	}{
		{"it holds a state", clientBody{any: true, state: 2}, false, false, true, 2},
		{"it has no time", clientBody{plain: true, any: true, state: 3}, false, true, true, 3},
		{"a datagram from before", clientBody{any: true, state: 2}, true, true, true, 3},
		{"it has time again", clientBody{any: true, state: 4}, false, false, true, 4},
		{"a datagram from before", clientBody{plain: true, any: true, state: 3}, true, false, true, 4},
		{"it has forgotten all", clientBody{plain: true}, false, true, false, 0},
		{"it holds another state", clientBody{plain: true, any: true, state: 5}, false, true, true, 5},
		{"it wants differences all the same", clientBody{any: true, state: 6}, false, true, true, 5},
		{"it wants to have forgotten again", clientBody{plain: true}, false, true, true, 5},
		{"it holds a newer state", clientBody{plain: true, any: true, state: 7}, false, true, true, 7},
	} {
		if !v.acknowledge(&c.u, c.late) || v.plain != c.plain || v.any != c.any || v.newest != c.newest {
			t.Errorf("%s: %+v", c.what, v)
		}
	}
	v = view{any: true, newest: 9, told: v.told}
	if !v.acknowledge(&clientBody{plain: true, any: true, state: 8}, false) || !v.wrong || v.newest != 8 {
		t.Errorf("it holds a state from before: %+v", v)
	}
}
