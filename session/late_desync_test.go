package session

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/desync"
)

// late plays a match of two, on a bad link, whose second machine diverges at a state in the
// middle. It returns the report, which both have, and how often the first one had encoded a
// state until then.
func late(t *testing.T, wrong uint64, change func(c *Config), game func(step func(*sum, *rollback.Tick[uint16]), count *int) rollback.Definition[sum, uint16]) (r *desync.Report, encoded int) {
	t.Helper()
	m := newMesh(t, 0, 0, func(_ int, c *Config) { c.Match.Frames, c.ChainEvery = 400, 10; change(c) })
	m.loss = 10
	var counts [2]int
	for i := range 2 {
		good := sumGame()
		m.game = game(func(s *sum, t *rollback.Tick[uint16]) {
			if good.Step(s, t); i == 1 && s.Frame == wrong {
				s.Total++
			}
		}, &counts[i])
		m.add(addrOf(i), i, Config{Players: 2, Peers: []Peer{{PlayerSet(1) << (1 - i), addrOf(1 - i)}}})
	}
	m.playing()
	m.until("the desync", 20*time.Second, func() bool { _, n := m.nodes[0].saw(Desync); return n > 0 })
	encoded = counts[0]
	m.until("the reports", 20*time.Second, func() bool { return m.nodes[0].Report() != nil && m.nodes[1].Report() != nil })
	if string(m.nodes[0].Report()) != string(m.nodes[1].Report()) {
		t.Error("the reports differ")
	}
	r, err := desync.Decode(m.nodes[0].Report())
	if err != nil {
		t.Fatal(err)
	}
	return r, encoded
}

// A desync in the middle of a match is explained from a state shortly before it that all had: a
// state of the game if it can be encoded, otherwise the beginning. A game whose states are
// expensive to encode encodes one per second at most.
func TestALateDesyncIsExplainedFromAStateBeforeIt(t *testing.T) {
	const wrong = 305
	none := func(*Config) {}
	plain := func(step func(*sum, *rollback.Tick[uint16]), _ *int) rollback.Definition[sum, uint16] {
		return rollback.Game[sum, uint16]{Step: step}
	}
	own := func(marshals bool) func(step func(*sum, *rollback.Tick[uint16]), count *int) rollback.Definition[sum, uint16] {
		return func(step func(*sum, *rollback.Tick[uint16]), count *int) rollback.Definition[sum, uint16] {
			g := rollback.OwnMemory[sum, sum, uint16]{
				New: func() *sum { return new(sum) }, Init: func(s *sum) { *s = sum{} }, Step: step,
				Save: func(s, slot *sum) { *slot = *s }, Restore: func(s, slot *sum) { *s = *slot },
				Hash: func(s *sum) uint64 { return s.Total*3 + s.Frame },
			}
			if marshals {
				g.Marshal = func(b []byte, s *sum) ([]byte, error) {
					*count++
					b, err := binary.Append(b, binary.LittleEndian, s)
					return b, err
				}
				g.Unmarshal = func(s *sum, b []byte) error {
					_, err := binary.Decode(b, binary.LittleEndian, s)
					return err
				}
			}
			return g
		}
	}
	for _, c := range []struct {
		what   string
		change func(c *Config)
		game   func(step func(*sum, *rollback.Tick[uint16]), count *int) rollback.Definition[sum, uint16]
		state  uint32 // the first that is known to differ
		first  uint32 // at least the first one in the report
		begin  int    // bytes of it
	}{
		{"a plain state", none, plain, wrong, wrong - 64, 16},
		{"with few hashes", func(c *Config) { c.HashEvery = 10 }, plain, 310, 240, 16},
		{"in little memory", func(c *Config) { c.Evidence = 4000 }, plain, wrong, 240, 16},
		{"a state of its own", none, own(true), wrong, 240, 16},
		{"one that cannot be encoded", none, own(false), wrong, wrong - 64, 0},
	} {
		r, encoded := late(t, wrong, c.change, c.game)
		if r.State != c.state || r.First < c.first || r.First >= c.state {
			t.Errorf("%s: it is explained by state %d, from %d on; want %d, and %d at least", c.what, r.State, r.First, c.state, c.first)
		}
		if len(r.Begin) != c.begin || c.begin > 0 && binary.LittleEndian.Uint64(r.Begin) != uint64(r.First) {
			t.Errorf("%s: it begins with % x, as state %d", c.what, r.Begin, r.First)
		}
		if most := wrong/60 + 2; encoded > most {
			t.Errorf("%s: %d states are encoded", c.what, encoded)
		}
	}
}

// To explain a desync, the inputs of four comparisons and more are kept, in a quarter of the
// allowed memory; and nothing if no memory is allowed, or no state is hashed.
func TestHowMuchIsKept(t *testing.T) {
	for _, c := range []struct {
		every, evidence, hashes int
		on                      bool
		least, most             int // frames of inputs
	}{
		{60, 4 << 20, 1, true, 4*60 + 1024, 1 << 20},
		{1000, 4 << 20, 1, true, 4*1000 + 1024, 1 << 20},
		{1000, 4 << 20, 1000, true, 4*1000 + 1024, 1 << 20},
		{1 << 15, 100_000, 1, true, 1024, 100_000 / 4 / 5},
		{60, 1, 1, true, 1, 64},
		{60, -1, 1, false, 0, 0},
		{60, 4 << 20, -1, false, 0, 1 << 20},
	} {
		tr := newTrio(t, 2, func(cfg *Config) { cfg.ChainEvery, cfg.Evidence, cfg.HashEvery = c.every, c.evidence, c.hashes })
		m, frames := tr.peers[0], 0
		if past := m.sim.agreed; past != nil {
			frames = past.rows
		}
		if m.inquiry.evidence.On() != c.on || frames < c.least || frames > c.most {
			t.Errorf("%+v: inputs of %d frames are kept, and evidence: %v", c, frames, m.inquiry.evidence.On())
		}
	}
}
