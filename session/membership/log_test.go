package membership

import "testing"

// Rule: each entry is read once, in order; a join notes the slot from which on its member takes part.
func TestEntriesAreReadOnce(t *testing.T) {
	l := entryLog{state: Begin([]PlayerSet{1, 2}, 8)}
	entries := []Entry{pauseBy(1), {Kind: Join, Players: 8, Frame: 30, ID: 5}}
	for _, e := range entries {
		l.append(e)
	}
	for _, want := range entries {
		if e, ok := l.next(); !ok || e != want {
			t.Errorf("%v, want %v", e, want)
		}
	}
	if e, ok := l.next(); ok {
		t.Errorf("%v once more", e)
	}
	if l.state.Slot != 2 || l.since[3] != 2 || l.since[0] != 0 {
		t.Errorf("slot %d, members since %v", l.state.Slot, l.since)
	}
}
