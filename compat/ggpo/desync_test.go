package ggpo_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/compat/ggpo"
)

// A state that differs is told to both, with checksums, and then with a report that names the first such state.
func TestDesync(t *testing.T) {
	w, players := meet(t, plan{machines: []int{1, 1}, link: lossy, seed: 50})
	p := players[1]
	p.onStep = func() {
		if p.s.Frame == 300 {
			p.s.X[0]++
		}
	}
	w.run(10*time.Second, loopsOf(players), nil)
	for i, p := range players {
		e, r := p.event(ggpo.EventCodeDesync), p.event(ggpo.EventCodeDesyncReport)
		if p.count(ggpo.EventCodeDesync) != 1 || e.Player != p.handleOf(1-i) || e.NumFrameOfDesync < 300 || e.NumFrameOfDesync > 420 || e.LocalChecksum == e.RemoteChecksum {
			t.Errorf("machine %d: %+v", i, e)
		}
		if p.count(ggpo.EventCodeDesyncReport) != 1 || r.Report == nil || r.NumFrameOfDesync != 300 || r.Report.State != 300 {
			t.Errorf("machine %d: %+v", i, r)
			continue
		}
		if a, b := uint64(players[0].sums[299]), uint64(players[1].sums[299]); len(r.Report.Groups) != 2 || r.Report.Groups[0] != a || r.Report.Groups[1] != b {
			t.Errorf("machine %d: the report has the checksums %d, want %d and %d", i, r.Report.Groups, a, b)
		}
	}
}

// Games without checksums are not compared.
func TestWithoutChecksums(t *testing.T) {
	w, players := meet(t, plan{machines: []int{1, 1}, link: lossy, seed: 51})
	loops := loopsOf(players)
	for _, l := range loops {
		l.p.backend = zeros{l.p.backend}
	}
	players[1].onStep = func() { players[1].s.X[0]++ }
	w.run(5*time.Second, loops, nil)
	for i, p := range players {
		if len(p.sums) < 200 || p.count(ggpo.EventCodeDesync) != 0 {
			t.Errorf("machine %d: %d frames, %v", i, len(p.sums), p.events)
		}
	}
}

// zeros is a backend whose game computes no checksums.
type zeros struct{ ggpo.Backend }

func (z zeros) AdvanceFrame(uint32) error { return z.Backend.AdvanceFrame(ggpo.DefaultChecksum) }
