package fleet

import (
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/desync"
)

// setupOf is a fleet of the tests below.
func setupOf(players int, length session.Frame, link netem.Link, change func(peer int, c *session.Config)) Setup[field, note] {
	return Setup[field, note]{Players: players, Seed: 9, Link: link, Configure: func(peer int, c *session.Config) {
		c.Match.Frames = length
		if change != nil {
			change(peer, c)
		}
	}}
}

var steady = netem.Link{Delay: 30 * time.Millisecond}

// A difference that only shows in the summaries at the end is explained before the
// match is over, at any loss.
func TestTheEndWaitsForTheReport(t *testing.T) {
	for _, loss := range []netem.PPM{0, 5 * netem.Percent, 20 * netem.Percent} {
		for _, frame := range []session.Frame{120, 128, 129} {
			link := netem.Link{Delay: 50 * time.Millisecond, Loss: loss}
			trial := newTrial(t, setupOf(4, 130, link, nil), corruption{peers: []int{2}, frame: frame, fields: []int{3, 30}})
			trial.named(trial.run(time.Minute))
		}
	}
}

// A fifth of the datagrams may be lost.
func TestReportsUnderLoss(t *testing.T) {
	link := netem.Link{Delay: 40 * time.Millisecond, Loss: 20 * netem.Percent, Jitter: 10 * time.Millisecond, Distribution: netem.Exponential, Reorder: true}
	for seed := range uint64(5) {
		s := setupOf(3, 400, link, nil)
		s.Seed = seed
		trial := newTrial(t, s, corruption{peers: []int{0}, frame: 150, fields: []int{17}})
		trial.named(trial.run(2 * time.Minute))
	}
}

// In lockstep there are no snapshots to go back to, except those of the evidence.
func TestReportsInLockstep(t *testing.T) {
	trial := newTrial(t, setupOf(3, 200, steady, func(_ int, c *session.Config) {
		c.Lockstep = true
		for p := range c.Local.All() {
			c.Delay[p] = 4
		}
	}), corruption{peers: []int{1}, frame: 100, fields: []int{0, 13, 59}})
	trial.named(trial.run(time.Minute))
}

// With hashes at an interval, the first state that has one and differs is named.
func TestReportsWithFewHashes(t *testing.T) {
	trial := newTrial(t, setupOf(3, 300, steady, func(_ int, c *session.Config) { c.HashEvery = 20 }), corruption{peers: []int{1}, frame: 130, fields: []int{25}})
	r := trial.run(time.Minute)
	if r.State != 140 || r.Equal != 120 || r.HashEvery != 20 || len(r.Fields) != 1 || r.Fields[0].Path != "Rare[5]" {
		t.Errorf("state %d after %d, %v", r.State, r.Equal, r.Fields)
	}
}

// If comparisons are far apart, the first state is found by first comparing the hashes
// of many states.
func TestReportsOfALongInterval(t *testing.T) {
	trial := newTrial(t, setupOf(2, 2000, netem.Link{Delay: 10 * time.Millisecond}, func(_ int, c *session.Config) { c.ChainEvery = 1800 }), corruption{peers: []int{1}, frame: 777, fields: []int{0}, heals: 3})
	r := trial.run(2 * time.Minute)
	if r.State != 778 || r.Noticed != 1800 || len(r.Fields) != 1 || r.Fields[0].Path != "Bias" {
		t.Errorf("state %d, noticed at %d: %v", r.State, r.Noticed, r.Fields)
	}
}

// Peers that differ in different ways form separate groups.
func TestSeveralGroups(t *testing.T) {
	trial := newTrial(t, setupOf(5, 200, steady, nil), corruption{peers: []int{1, 2}, frame: 90, fields: []int{0}})
	other := *trial
	other.c = corruption{peers: []int{4}, frame: 90, fields: []int{5}}
	other.corrupt(4)
	r := trial.run(time.Minute)
	if len(r.Groups) != 3 || r.Members(0) != 0b01001 || r.Members(1) != 0b00110 || r.Members(2) != 0b10000 || len(r.Fields) != 2 {
		t.Fatalf("%d groups: %b, %b, %b; %v", len(r.Groups), r.Members(0), r.Members(1), r.Members(2), r.Fields)
	}
	for _, f := range r.Fields {
		odd := map[string]int{"Bias": 1, "Units[4].X": 2}[f.Path]
		for g := range 3 {
			if same := f.Values[g] == f.Values[0]; g > 0 && same != (g != odd) {
				t.Errorf("%v", f)
			}
		}
	}
}

// When the coordinator is gone in the middle, the next one begins again.
func TestTheNextOneCoordinates(t *testing.T) {
	for _, after := range []time.Duration{0, 20 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond} {
		trial := newTrial(t, setupOf(4, 600, netem.Link{Delay: 40 * time.Millisecond}, func(_ int, c *session.Config) {
			c.DropAfter = 2 * time.Second
		}), corruption{peers: []int{2}, frame: 100, fields: []int{21}})
		noticed := func() bool { return trial.Peers[0].Health() == session.Desynced }
		if !trial.RunUntil(30*time.Second, noticed) {
			trial.fail("nobody has noticed")
		}
		trial.Run(after)
		trial.Peers[0].Down = true
		r := trial.run(time.Minute)
		if r.State != 101 || len(r.Fields) != 1 || len(r.Groups) != 2 {
			trial.fail("after %v: state %d, %v", after, r.State, r.Fields)
		}
		if p := r.Peers[0]; p.Players != 1 || p.Origin != desync.Unavailable && p.Group == desync.None {
			trial.fail("%+v", p)
		}
	}
}

// A match that continues after a report is unchanged, and is not explained again.
func TestThePeersPlayOn(t *testing.T) {
	trial := newTrial(t, setupOf(2, 600, steady, nil), corruption{peers: []int{1}, frame: 100, fields: []int{0}})
	trial.named(trial.run(time.Minute))
	for i, p := range trial.Peers {
		if o, _ := p.Outcome(); o.Frames != 600 || o.Health != session.Desynced {
			t.Errorf("peer %d: %+v", i, o)
		}
		if s := p.Stats(nil); s.Stalls > 0 {
			t.Errorf("peer %d: %d stalls", i, s.Stalls)
		}
	}
	// The next one is clean, and says so.
	trial.c.peers, trial.c.frame = nil, session.NoFrame
	if err := trial.Peers[0].Propose(session.Parameters{Frames: 200}); err != nil {
		t.Fatal(err)
	}
	if !trial.RunUntil(trial.Now+time.Minute, func() bool {
		o, _ := trial.Peers[1].Outcome()
		return o.Match == 2
	}) {
		trial.fail("the second match has not ended")
	}
	trial.Run(time.Second)
	for i, p := range trial.Peers {
		if o, _ := p.Outcome(); o.Health != session.Healthy || p.Report() != nil {
			t.Errorf("peer %d: %+v", i, o)
		}
	}
}

// Without evidence, here or elsewhere, a desync is detected, and the reason why it is
// not explained is reported.
func TestWithoutEvidence(t *testing.T) {
	for off := range 2 {
		trial := newTrial(t, setupOf(2, 200, steady, func(peer int, c *session.Config) {
			if peer == off {
				c.Evidence = -1
			}
		}), corruption{peers: []int{1}, frame: 100, fields: []int{0}})
		trial.play(time.Minute)
		for i, p := range trial.Peers {
			told := 0
			for _, e := range p.Events {
				if e.What == session.Reported && e.Data == nil && e.Text != "" {
					told++
				}
			}
			if p.Health() != session.Desynced || p.Report() != nil || told != 1 {
				trial.fail("off at %d: peer %d has %d events", off, i, told)
			}
		}
	}
}
