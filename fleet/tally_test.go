package fleet

import (
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// The digest of what was played ends with how often each machine has waited, once; the other digest goes on.
func TestWhatWasPlayedIsCompletedOnce(t *testing.T) {
	waits := func(n uint64) []session.Stats { return []session.Stats{{Stalls: n}, {Blocked: n}} }
	var a, b tally
	for _, x := range []*tally{&a, &b} {
		x.datagram(7, 100, time.Second)
	}
	if a.total.Played == 0 || a.total.Played != b.total.Played {
		t.Error("the same datagram gives different digests")
	}
	before := a.total.Played
	a.complete(slices.Values(waits(1)), time.Second)
	b.complete(slices.Values(waits(2)), time.Second)
	if a.total.Played == before || a.total.Played == b.total.Played {
		t.Error("how often machines have waited makes no difference")
	}
	before = a.total.Played
	a.complete(slices.Values(waits(3)), 2*time.Second)
	a.datagram(8, 50, 3*time.Second)
	a.mix(8, 3*time.Second)
	if a.total.Played != before || a.total.Datagrams != 2 || a.total.Bytes != 150 || a.total.Digest == 0 {
		t.Errorf("%+v", a.total)
	}
}

// The matches of all machines are added up; the deepest rollback is that of one.
func TestMatchesAreAddedUp(t *testing.T) {
	var a tally
	for n := range uint64(3) {
		a.match(&session.Stats{Engine: rollback.Stats{Ticks: 10, Resimulated: n, Rollbacks: 1, Deepest: 5 - int(n)}, Stalls: n, Blocked: 2})
	}
	if c := &a.total; c.Frames != 30 || c.Resimulated != 3 || c.Rollbacks != 3 || c.Deepest != 5 || c.Stalls != 3 || c.Blocked != 6 {
		t.Errorf("%+v", *c)
	}
}
