package recording

import (
	"testing"
	"time"
)

// Rule: a writer is late if it has been busy for long, and not if it had nothing to do.
func TestAWriterWithNothingToDoIsNotLate(t *testing.T) {
	q := newQueue(false, time.Minute)
	q.made = time.Now().Add(-time.Hour)
	if q.late() {
		t.Error("nothing waits, and it is late")
	}
	if q.bytes.Add(1); q.late() {
		t.Error("something has just come, and it is late")
	}
	if q.moved.Store(0); !q.late() {
		t.Error("it has been busy for an hour, and is not late")
	}
}
