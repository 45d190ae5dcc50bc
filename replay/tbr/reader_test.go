package tbr_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"runtime"
	"sync"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
)

// Several goroutines may read one recording at the same time.
func TestCursorsAreIndependent(t *testing.T) {
	frames := newMatch(shapes[2], 1, 0).frames(1000)
	r := open(t, record(t, tbr.Header{Shape: shapes[2], TickRate: 2, HashEvery: 1}, frames))
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			from := uint32(i * 200)
			c, err := r.Frames(from)
			for at := from; err == nil; at++ {
				f, next := c.Next()
				if err = next; err == nil && !same(f, frames[at]) {
					t.Errorf("frame %d differs", at)
				}
			}
			if err != io.EOF {
				t.Error(err)
			}
			if err := r.Check(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

// Neither side starts a goroutine, not even for compression.
func TestNothingStartsAGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	file := record(t, tbr.Header{Shape: orderlyShape, TickRate: 1, HashEvery: 1}, orderly(130, false))
	r := open(t, file)
	for _, k := range []tbr.Kind{tbr.KindKeyframe, tbr.KindOrders} {
		if c := first(t, file, k); c.Flags&0x10 == 0 {
			t.Errorf("%s is not compressed", k)
		}
	}
	if err := r.Check(); err != nil {
		t.Fatal(err)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines, there were %d", after, before)
	}
}

// Files are the same on all machines, and with all versions of the compression
// library: peers of a match may have different ones.
func TestFrozenDigest(t *testing.T) {
	all := sha256.New()
	for seed, s := range shapes[:6] {
		h := tbr.Header{Shape: s, TickRate: 2, HashEvery: 3}
		all.Write(record(t, h, newMatch(s, uint64(seed), 290).frames(290)))
	}
	all.Write(record(t, duelHeader(60, 0), duelFrames(t, 9000)))
	all.Write(record(t, tbr.Header{Shape: orderlyShape, TickRate: 20}, orderly(50, false)))
	if got := fmt.Sprintf("%x", all.Sum(nil)); got != frozenDigest {
		t.Errorf("the digest of all files is %s", got)
	}
}

// Files of matches with more than 8 players, whose sets of players have two bytes.
func TestFrozenDigestOfManyPlayers(t *testing.T) {
	all := sha256.New()
	for seed, s := range shapes[6:] {
		if s.Players <= 8 {
			t.Fatalf("%+v is not such a match", s)
		}
		h := tbr.Header{Shape: s, TickRate: 2, HashEvery: 3}
		all.Write(record(t, h, newMatch(s, uint64(seed), 290).frames(290)))
	}
	if got := fmt.Sprintf("%x", all.Sum(nil)); got != frozenDigestOfMany {
		t.Errorf("the digest of all files is %s", got)
	}
}

const frozenDigestOfMany = "7bc2cfa857f409c64d750ce4b20caf2f04c2a4ddd4162f2d03d81d4049a4a264"

const frozenDigest = "844f90edbde5539b612c653412c56f5794e1986e22792dc87dde4ebbaac75f7c"

// Rule: a run has at least one frame, however few are requested, and no more than
// there are.
func TestARunHasAtLeastOneFrame(t *testing.T) {
	file, frames := small(t)
	c, err := open(t, file).Frames(60)
	if err != nil {
		t.Fatal(err)
	}
	for i, most := range []int{0, -1, 1, 0} {
		r, err := c.Run(most)
		if err != nil || !bytes.Equal(r.Inputs, frames[i].Inputs) {
			t.Fatalf("a run of %d frames from frame %d on: %+v, %v", most, 60+i, r, err)
		}
	}
}
