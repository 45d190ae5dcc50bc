package match

import (
	"testing"

	"github.com/tickback/tickback/session/stream"
)

// Rule: the log keeps the newest 256 entries, in their order; all are counted, and those after the last frame are
// for newcomers only.
func TestTheLogIsBounded(t *testing.T) {
	m := New(Rules{}, nil)
	m.Begin(1, NoFrame)
	for n := range 400 {
		m.entries.note(stream.EntryPause, 0b01, Frame(n))
		log := m.Entries()
		if first := max(0, n+1-MaxEntries); len(log) != n+1-first || log[0].Frame != Frame(first) || log[len(log)-1].Frame != Frame(n) {
			t.Fatalf("after %d entries there are %d, from %v to %v", n+1, len(log), log[0], log[len(log)-1])
		}
	}
	if m.Changes() != 400 {
		t.Errorf("%d changes", m.Changes())
	}
	m.EndBefore(300)
	if log := m.Entries(); len(log) != 300-(400-MaxEntries) || log[len(log)-1].Frame != 299 || len(m.AllEntries()) != MaxEntries {
		t.Errorf("of a match of 300 frames there are %d, of all %d", len(log), len(m.AllEntries()))
	}
	if m.Begin(2, NoFrame); len(m.AllEntries()) != 0 || m.Changes() != 0 {
		t.Errorf("the next match begins with %d entries, %d changes", len(m.AllEntries()), m.Changes())
	}
}
