package tickback

import (
	"testing"
	"time"
)

// Rule: a writer is late if it has been busy for long, and not if it had nothing to do.
func TestAWriterWithNothingToDoIsNotLate(t *testing.T) {
	r := recording{made: time.Now().Add(-time.Hour), patience: time.Minute}
	if r.late() {
		t.Error("nothing waits, and it is late")
	}
	if r.queued.Add(1); r.late() {
		t.Error("something has just come, and it is late")
	}
	if r.moved.Store(0); !r.late() {
		t.Error("it has been busy for an hour, and is not late")
	}
}
