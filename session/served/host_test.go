package served

import (
	"testing"
	"time"
)

// Rule: a server that is over is done once all clients know it, and otherwise after
// Linger.
func TestAServerIsDoneWhenAllKnow(t *testing.T) {
	for _, hear := range []bool{true, false} {
		f := newFixture(t)
		f.server.Leave("it closes")
		over := f.server.now
		for !f.server.Done() && f.server.now < over+time.Minute {
			if hear {
				f.run(time.Millisecond)
				continue
			}
			f.now += time.Millisecond
			f.server.Update(f.now)
		}
		took := f.server.now - over
		if hear && (took == 0 || took > 50*time.Millisecond) || !hear && took != DefaultLinger {
			t.Errorf("it takes %v; they hear it: %v", took, hear)
		}
	}
}
