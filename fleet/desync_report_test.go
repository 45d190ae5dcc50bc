package fleet

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/desync"
)

var corruptions = flag.Int("fleet.corruptions", 0, "how many matches with a corruption to play; 0 is few")

// many returns how many random matches to play.
func many(few int) int {
	switch {
	case *corruptions > 0:
		return *corruptions
	case testing.Short():
		return few / 10
	}
	return few
}

// A corruption of any field at any peer in any frame, which a resimulation repeats, is
// noticed at the next comparison, even if it heals before, and named to the first
// state and the fields, in the same report everywhere.
func TestEveryCorruptionIsNamed(t *testing.T) {
	first := seedOf(t, 1)
	for seed := first; seed < first+uint64(many(200)); seed++ {
		r := rand.New(rand.NewPCG(seed, 11))
		s, c := randomCorruption(r)
		trial := newTrial(t, s, c)
		report := trial.run(2 * time.Minute)
		trial.named(report)
		for _, p := range report.Peers {
			if p.Origin != desync.Original || p.Inputs != desync.Same {
				t.Fatalf("seed %d: %+v", seed, p)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// A corruption that no resimulation reproduces, and whose state no peer has kept, is
// traced to the state, and the report says what could not be reproduced.
func TestWhatIsNotReproducedIsSaidSo(t *testing.T) {
	first, lost := seedOf(t, 1), 0
	n := many(100)
	if *corruptions > 0 {
		n = max(*corruptions/10, 1)
	}
	for seed := first; seed < first+uint64(n); seed++ {
		r := rand.New(rand.NewPCG(seed, 12))
		s, c := randomCorruption(r)
		c.once, c.heals = true, 0
		configure := s.Configure
		s.Configure = func(peer int, cfg *session.Config) {
			configure(peer, cfg)
			cfg.Evidence = 32 << 10
		}
		trial := newTrial(t, s, c)
		report := trial.run(2 * time.Minute)
		trial.noticed()
		if report.State != uint32(c.frame)+1 || len(report.Groups) != 2 {
			trial.fail("state %d, %d groups", report.State, len(report.Groups))
		}
		for i, p := range report.Peers {
			bad := false
			for _, k := range c.peers {
				bad = bad || k == i
			}
			switch {
			case p.Origin == desync.Original:
			case bad:
				lost++
				if p.Origin != desync.NotReproduced || p.Hash == report.Groups[p.Group] || p.Hash != report.Groups[1-p.Group] {
					trial.fail("seed %d: peer %d: %+v of %x", seed, i, p, report.Groups)
				}
			case p.Origin != desync.Resimulated || p.Hash != report.Groups[p.Group]:
				trial.fail("seed %d: peer %d: %+v of %x", seed, i, p, report.Groups)
			}
		}
	}
	if lost < n/2 {
		t.Errorf("only %d of %d were not reproduced", lost, n)
	}
}

// If nothing is wrong, no peer is ever suspected: the negative control for everything
// else.
func TestCleanMatchesAreNeverReported(t *testing.T) {
	first := seedOf(t, 1)
	n := many(50)
	if *corruptions > 0 {
		n = max(*corruptions/10, 1)
	}
	for seed := first; seed < first+uint64(n); seed++ {
		r := rand.New(rand.NewPCG(seed, 13))
		s, c := randomCorruption(r)
		c.peers = nil
		trial := newTrial(t, s, c)
		trial.play(2 * time.Minute)
		for i, p := range trial.Peers {
			o, _ := p.Outcome()
			if p.Health() != session.Healthy || o.Health != session.Healthy || p.Report() != nil {
				trial.fail("seed %d: peer %d is %v", seed, i, p.Health())
			}
			for _, e := range p.Events {
				if e.What == session.Desync || e.What == session.Reported {
					trial.fail("seed %d: peer %d: %v", seed, i, e)
				}
			}
		}
	}
}

// A report is the same on every machine. (Its version changes with what this digest
// holds, not the machine.)
func TestFrozenReport(t *testing.T) {
	s, c := randomCorruption(rand.New(rand.NewPCG(5, 11)))
	trial := newTrial(t, s, c)
	report := trial.run(2 * time.Minute)
	b := report.Append(nil)
	got := fmt.Sprintf("state %d, %d fields, %d bytes, digest %016x", report.State, report.Total, len(b), xxh3.Hash(b))
	const want = `state 258, 2 fields, 776 bytes, digest de14a28c48f938aa`
	if got != want {
		t.Errorf("the report is another one: %s, want %s", got, want)
	}
}
