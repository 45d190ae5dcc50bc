package fleet

import (
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/desync"
)

// large is a state of a megabyte.
type large struct {
	Cells [1 << 17]uint64
	Sum   uint64
}

// playLarge plays a match of two, and corrupts cells of one of them; it returns how many bytes both have
// sent, and the longest time that one has worked without a break.
func playLarge(t *testing.T, cells int, step uint64) (f *Fleet[large, note], bytes uint64) {
	t.Helper()
	game := func(spoil bool) rollback.Game[large, note] {
		return rollback.Game[large, note]{Step: func(s *large, k *rollback.Tick[note]) {
			for p := range k.Players() {
				s.Sum = (s.Sum ^ uint64(k.Input(p))) * prime
			}
			s.Cells[s.Sum>>47]++
			if spoil && k.Frame() == 70 {
				for i := range cells {
					s.Cells[uint64(i)*step] ^= 1 << 63
				}
			}
		}}
	}
	s := Setup[large, note]{
		Game: game(false), Players: 2, Seats: []rollback.PlayerSet{1, 2}, Seed: 1, Link: steady,
		Input: func(p rollback.Player, n int) note { return note(n / 9 * int(p+1)) },
		// Every state is hashed: at the interval for a state of this size, the first one found to differ
		// would be 120 and not 71.
		Configure: func(_ int, c *session.Config) { c.Match.Frames, c.HashEvery = 240, 1 },
	}
	f, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	s.Game = game(cells > 0)
	if f.Peers[1], err = newPeer(&s, 1); err != nil {
		t.Fatal(err)
	}
	if !f.RunUntil(time.Minute, func() bool {
		_, a := f.Peers[0].Outcome()
		_, b := f.Peers[1].Outcome()
		return a && b
	}) {
		t.Fatal("the match has not ended")
	}
	for _, p := range f.Peers {
		bytes += p.Stats(nil).Links[0].SentBytes
	}
	return f, bytes
}

// A difference in a megabyte is narrowed down by digests: it takes some kilobytes, and
// stalls nobody.
func TestALargeStateIsNarrowedDown(t *testing.T) {
	if testing.Short() {
		t.Skip("copies gigabytes")
	}
	_, clean := playLarge(t, 0, 0)
	for _, c := range []struct {
		cells int
		step  uint64
		named int
		most  uint64 // bytes, of both together
	}{
		{1, 1, 1, 40_000},
		{3, 40_000, 3, 80_000},
		{1 << 17, 1, desync.MaxFields, 80_000},
	} {
		f, bytes := playLarge(t, c.cells, c.step)
		r, err := desync.Decode(f.Peers[0].Report())
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d cells: %d bytes more, %d fields named of %d", c.cells, bytes-clean, len(r.Fields), r.Total)
		exact := c.cells <= desync.MaxFields
		if r.State != 71 || len(r.Fields) != c.named || exact && (int(r.Total) != c.cells || r.AtLeast) || !exact && (!r.AtLeast || int(r.Total) < c.named) {
			t.Errorf("%d cells: state %d, %d fields of %d", c.cells, r.State, len(r.Fields), r.Total)
		}
		if bytes-clean > c.most {
			t.Errorf("%d cells: %d bytes", c.cells, bytes-clean)
		}
		for i, p := range f.Peers {
			if s := p.Stats(nil); s.Stalls > 0 {
				t.Errorf("peer %d: %d stalls", i, s.Stalls)
			}
		}
	}
}
