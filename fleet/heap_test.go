package fleet_test

import (
	"flag"
	"runtime"
	"testing"

	"github.com/tickback/tickback/session"
)

var idleMatches = flag.Int("fleet.idle", 100, "how many matches TestManyIdleMatches holds, and prints the memory of")

// liveBytes returns how many bytes of the heap are in use.
func liveBytes() int {
	var s runtime.MemStats
	runtime.GC()
	runtime.GC() // what the first one has found in pools
	runtime.ReadMemStats(&s)
	return int(s.HeapAlloc)
}

// heapOfPeers returns the bytes that a peer of a match of so many players takes once it has played for a minute: those
// of some matches, without the network between them. Each peer holds extra bytes besides.
func heapOfPeers(tb testing.TB, players, extra int) int {
	matches := 40 / players
	before := liveBytes()
	all, held := make([]*mesh, matches), make([][]byte, 0, matches*players)
	for i := range all {
		all[i] = newMesh(tb, players, 1)
		for range 3000 {
			all[i].tick()
		}
		all[i].boxes = nil
		for range players {
			held = append(held, make([]byte, extra))
		}
	}
	after := liveBytes()
	runtime.KeepAlive(all)
	runtime.KeepAlive(held)
	return (after - before) / (matches * players)
}

// Rule: a peer of a match for two takes at most 42 KB of heap after a minute, and another player little more. What -v
// prints is in docs/reference/performance.md.
func TestWhatAPeerKeepsOfTheMemory(t *testing.T) {
	for _, c := range []struct{ players, most int }{{2, 42_000}, {4, 59_000}, {8, 93_000}, {16, 162_000}} {
		if testing.Short() && c.players > 4 {
			continue
		}
		got := heapOfPeers(t, c.players, 0)
		t.Logf("%d players: %d bytes", c.players, got)
		if got > c.most {
			t.Errorf("%d players: a peer takes %d bytes, more than %d", c.players, got, c.most)
		}
	}
	// What it measures is what a peer holds: 4 KiB more are seen.
	const extra = 4 << 10
	if less, more := heapOfPeers(t, 2, 0), heapOfPeers(t, 2, extra); more-less < extra*9/10 || more-less > extra*11/10 {
		t.Errorf("a peer that holds %d bytes more takes %d bytes, and another one %d", extra, more, less)
	}
}

// Rule: a process with a peer of each of many matches takes less than twice what their peers hold. For 10,000 of them
// in less than a gibibyte: -fleet.idle 10000.
func TestManyIdleMatches(t *testing.T) {
	before := liveBytes()
	all := make([]*session.Session[tinyState, uint32], *idleMatches)
	for i := range all {
		m := newMesh(t, 2, 1)
		all[i] = m.peers[0]
		m.peers, m.boxes = nil, nil // the other one is in another process
	}
	live := liveBytes() - before
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	t.Logf("%d matches: %d bytes each, and the process has taken %d MiB", len(all), live/len(all), s.Sys>>20)
	if each := live / len(all); each > 45_000 {
		t.Errorf("a match takes %d bytes", each)
	}
	if *idleMatches >= 10_000 && s.Sys > 1<<30*uint64(*idleMatches)/10_000 {
		t.Errorf("the process has taken %d MiB", s.Sys>>20)
	}
	runtime.KeepAlive(all)
}
