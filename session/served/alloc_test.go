package served

import (
	"runtime"
	"testing"
	"time"
)

// Rule: once all clients play, a server allocates nothing: neither for received datagrams, nor for a tick,
// nor for what it sends.
func TestAServerAllocatesNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for name, look := range looks {
		c := newCrowd(t, 16, look, 50*time.Millisecond)
		c.join()
		c.run(10 * time.Second)
		f, datagrams := c.server.Frame(), c.server.Stats(nil).Datagrams
		c.counts = true
		c.run(5 * time.Second)
		ticks, told := c.server.Frame()-f, c.server.Stats(nil).Datagrams-datagrams
		if ticks < 99 || told < 16*99 || c.server.Members().Len() != 16 {
			t.Fatalf("%s: %d ticks, %d datagrams, %v play", name, ticks, told, c.server.Members())
		}
		if c.allocated > 0 {
			t.Errorf("%s: %d allocations in %d ticks", name, c.allocated, ticks)
		}
	}
}
