package served

import (
	"testing"
	"time"

	"github.com/tickback/tickback/session"
)

// Rule: a client that has left is done as soon as the server has said that it knows, which takes a round trip,
// and otherwise after a second.
func TestAClientThatHasLeftIsDone(t *testing.T) {
	for _, heard := range []bool{true, false} {
		f := newFixture(t)
		f.other.Leave("")
		if f.other.Done() || f.other.Phase() != session.Over {
			t.Errorf("it has just left, is %v, and done", f.other.Phase())
		}
		left := f.other.now
		for !f.other.Done() && f.other.now < left+time.Minute {
			if heard {
				f.run(time.Millisecond)
				continue
			}
			f.now += time.Millisecond
			f.other.Update(f.now)
		}
		if n := f.other.Stats(nil).Strangers; n != 0 {
			t.Errorf("what the server says to it is counted %d times as a stranger's", n)
		}
		took := f.other.now - left
		if heard && took > 50*time.Millisecond || !heard && took != farewell {
			t.Errorf("it takes %v; the server hears it: %v", took, heard)
		}
	}
}
