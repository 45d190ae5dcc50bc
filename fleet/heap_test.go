package fleet_test

import (
	"runtime"
	"testing"
)

// heapOfPeers returns the bytes that a peer of a match of so many players takes once it has played for ten
// seconds: those of some matches, without the network between them.
func heapOfPeers(tb testing.TB, players int) int {
	const matches = 20
	heap := func() uint64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	before := heap()
	var all [matches]*mesh
	for i := range all {
		all[i] = newMesh(tb, players, 1)
		all[i].boxes = nil
	}
	after := heap()
	runtime.KeepAlive(&all)
	return int(int64(after)-int64(before)) / (matches * players)
}

// Rule: a peer of a match for two takes at most 60 KB of heap, and another player little more. What -v
// prints is in docs/benchmarks.md.
func TestWhatAPeerKeepsOfTheMemory(t *testing.T) {
	for _, c := range []struct{ players, most int }{{2, 60_000}, {4, 85_000}, {8, 130_000}, {16, 240_000}} {
		got := heapOfPeers(t, c.players)
		t.Logf("%d players: %d bytes", c.players, got)
		if got > c.most {
			t.Errorf("%d players: a peer takes %d bytes, more than %d", c.players, got, c.most)
		}
	}
}
