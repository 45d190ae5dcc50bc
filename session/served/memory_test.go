package served

import (
	"runtime"
	"testing"
	"time"
)

// heap returns the memory in use after a collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Rule: a client costs its server at most 4 KiB besides its control stream, measured by what is freed
// once it is forgotten. docs/benchmarks.md has the figures that -v prints.
func TestWhatAClientKeepsOfTheMemory(t *testing.T) {
	for name, look := range looks {
		n := newCrowd(t, 16, look, 20*time.Millisecond)
		before := heap()
		n.join()
		n.run(10 * time.Second)
		s := n.server
		if got := s.Members().Len(); got != 16 {
			t.Fatalf("%d play", got)
		}
		*n = crowd{}
		with := heap()
		for _, c := range s.clients.list {
			c.pipe.Channel = nil
		}
		without := heap()
		s.clients = clients{}
		after := heap()
		client, stream := (without-after)/16, (with-without)/16
		t.Logf("%s: %d bytes for a client, %d for its control stream; the match has taken %d more, with its effects", name, client, stream, int64(after)-int64(before))
		if client > 4096 || client < 1024 {
			t.Errorf("%s: a client takes %d bytes besides its control stream", name, client)
		}
		runtime.KeepAlive(s)
	}
}
