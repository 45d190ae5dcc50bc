package event

import "testing"

// If nobody fetches events, the newest 256 are held, and the others counted.
func TestTheNewestEventsAreHeld(t *testing.T) {
	var q Queue
	for n := range uint32(300) {
		q.Add(Event{What: Silent, Match: n})
		if want := min(int(n)+1, 256); q.Len() != want {
			t.Fatalf("%d wait, want %d", q.Len(), want)
		}
	}
	if list := q.Take(); len(list) != 256 || list[0].Match != 44 || list[255].Match != 299 || q.Dropped() != 44 {
		t.Errorf("%d are held, from %v on, and %d dropped", len(list), list[0], q.Dropped())
	}
	if list := q.Take(); len(list) != 0 {
		t.Errorf("%d come twice", len(list))
	}
}
