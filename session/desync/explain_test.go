package desync

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/wire/agreed"
)

// flip changes some bytes of a state, once: the state that frame from leads to.
func flip(from uint32, at ...int) func(s []byte, frame uint32) {
	return func(s []byte, frame uint32) {
		if frame == from {
			for _, i := range at {
				s[i%len(s)] ^= 0x55
			}
		}
	}
}

// report returns the report that all present machines have, the same and once.
func (t *table) report() *Report {
	t.Helper()
	var first []byte
	for _, s := range t.seats {
		if s.gone {
			continue
		}
		if len(s.results) != 1 || s.results[0].report == nil {
			t.Fatalf("seat %d has %d results: %.200q", s.index, len(s.results), fmt.Sprint(s.results))
		}
		if first == nil {
			first = s.results[0].report
		}
		if !bytes.Equal(s.results[0].report, first) || !bytes.Equal(s.Report(), first) {
			t.Fatalf("seat %d has another report", s.index)
		}
	}
	r, err := Decode(first)
	if err != nil {
		t.Fatal(err)
	}
	t.check(r)
	return r
}

// none returns why there is no report, according to all present machines.
func (t *table) none() string {
	t.Helper()
	why := ""
	for _, s := range t.seats {
		if s.gone {
			continue
		}
		if len(s.results) != 1 || s.results[0].report != nil || s.Report() != nil {
			t.Fatalf("seat %d has %d results, and a report of %d bytes", s.index, len(s.results), len(s.Report()))
		}
		if why != "" && s.results[0].why != why {
			t.Fatalf("%q, and %q", s.results[0].why, why)
		}
		why = s.results[0].why
	}
	return why
}

// check compares a report with the knowledge of the table: everything that it says must be
// true.
func (t *table) check(r *Report) {
	t.Helper()
	if first := t.firstDifference(); r.State != first {
		t.Fatalf("state %d is the first that differs, and the report says %d", first, r.State)
	}
	head := Report{
		Game: "toy", Build: "1", Match: r.Match, Shape: t.cfg.Shape, TickRate: 60, HashEvery: t.cfg.HashEvery, Every: t.cfg.Every,
		Seed: 3, Content: 4, Limit: 5, Data: []byte("stage"), Whole: true,
	}
	if got := (Report{
		Game: r.Game, Build: r.Build, Match: r.Match, Shape: r.Shape, TickRate: r.TickRate, HashEvery: r.HashEvery, Every: r.Every,
		Seed: r.Seed, Content: r.Content, Limit: r.Limit, Data: r.Data, Whole: r.Whole,
	}); fmt.Sprint(got) != fmt.Sprint(head) {
		t.Errorf("the match is\n%+v, and not\n%+v", got, head)
	}
	if r.Equal%t.cfg.Every != 0 || r.Noticed%t.cfg.Every != 0 || r.Noticed-r.Equal != t.cfg.Every {
		t.Errorf("state %d was equal, and %d was not", r.Equal, r.Noticed)
	}
	known := t.checkPeers(r)
	t.checkFields(r, known)
	t.checkInputs(r)
}

// checkPeers returns the groups whose state is known: one of its seats, or nil.
func (t *table) checkPeers(r *Report) (known []*seat) {
	t.Helper()
	if len(r.Peers) != len(t.seats) {
		t.Fatalf("%d machines", len(r.Peers))
	}
	known = make([]*seat, len(r.Groups))
	for i, p := range r.Peers {
		s := t.seats[i]
		if p.Players != s.players {
			t.Errorf("machine %d has players %b, and not %b", i, p.Players, s.players)
		}
		if p.Group == None {
			if p.Origin != Unavailable || p.Why == "" {
				t.Errorf("nothing is known of machine %d, which is %v because of %q", i, p.Origin, p.Why)
			}
			continue
		}
		hash := xxh3.Hash(s.history[r.State])
		again := p.Origin == Original || p.Origin == Resimulated
		if r.Groups[p.Group] != hash || again && p.Hash != hash || p.Origin == NotReproduced && p.Hash == hash {
			t.Errorf("machine %d had the hash %x: %+v", i, hash, p)
		}
		if p.Machine != "machine "+string('A'+rune(i)) {
			t.Errorf("machine %d is %q", i, p.Machine)
		}
		switch {
		case p.Origin == Original && p.Base != r.State, p.Origin != Unavailable && p.Base > r.State, p.Origin == Resimulated && p.Base >= r.State:
			t.Errorf("machine %d is %v, from state %d", i, p.Origin, p.Base)
		case (p.Origin == Unavailable) != (p.Why != "") && s.game.refuses == nil:
			t.Errorf("machine %d is %v because of %q", i, p.Origin, p.Why)
		}
		if again {
			known[p.Group] = s
		}
	}
	return known
}

// checkFields compares the fields with a naive comparison of the states.
func (t *table) checkFields(r *Report, known []*seat) {
	t.Helper()
	wanted := map[string][]string{}
	for off, g := 0, t.seats[0].game; off < g.size; {
		c := g.scalar(off)
		values, different := make([]string, len(known)), map[string]bool{}
		for i, s := range known {
			if s != nil {
				values[i] = g.text(s.history[r.State], c)
				different[values[i]] = true
			}
		}
		if len(different) > 1 {
			wanted[c.Path] = values
		}
		off += c.Len
	}
	if len(r.Fields) != min(len(wanted), MaxFields) && !r.AtLeast || !r.AtLeast && int(r.Total) != len(wanted) || int(r.Total) > len(wanted) {
		t.Errorf("%d fields differ, at least: %v, %d are named; in truth %d", r.Total, r.AtLeast, len(r.Fields), len(wanted))
	}
	before := ""
	for _, f := range r.Fields {
		values := wanted[f.Path]
		if values == nil || len(values) != len(f.Values) || f.Path <= before {
			t.Fatalf("%v comes after %s, and is %v", f, before, values)
		}
		for g, v := range f.Values {
			silent := v.Kind == Untold && (r.AtLeast || known[g] == nil) // who speaks for the group has stopped
			if !silent && (v.Kind != Present || v.Text != values[g]) {
				t.Errorf("%s of group %d is %v, and not %s", f.Path, g, v, values[g])
			}
		}
		before = f.Path
	}
}

// checkInputs compares the inputs, and the state before them, with those of the match.
func (t *table) checkInputs(r *Report) {
	t.Helper()
	s := t.seats[0]
	if r.Begin != nil && !bytes.Equal(r.Begin, s.history[r.First]) {
		t.Errorf("it begins with another state %d", r.First)
	}
	n := r.First
	err := r.Frames(func(f *agreed.Frame) error {
		if f.Number != n || !bytes.Equal(f.Inputs, s.past.frames[n].Inputs) {
			t.Errorf("frame %d has other inputs", n)
		}
		n++
		return nil
	})
	if err != nil || n != r.State {
		t.Errorf("the inputs end with frame %d: %v", n, err)
	}
}

// Rule: whatever differs, at any time, with any number of machines, layout and budget, all
// soon have the same report, and what it says is true.
func TestAnyDifferenceIsExplained(t *testing.T) {
	seeds := uint64(40)
	if testing.Short() {
		seeds = 12
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 6))
		players := [][]uint16{{1, 2}, {1, 2, 4}, {0b101, 0b010}, {0b1001, 0b0010, 0b0100}}[r.IntN(4)]
		every := []uint32{10, 20, 60}[r.IntN(3)]
		c := Config{HashEvery: []uint32{1, 2, 5}[r.IntN(3)], Every: every, Budget: []int{1 << 16, 1 << 20}[r.IntN(2)], Slow: r.IntN(3) == 0}
		g := toy{size: []int{40, 700, 5000}[r.IntN(3)], width: []int{1, 3, 8, 16}[r.IntN(4)], lines: r.IntN(2) == 0}
		g.parted = g.lines && r.IntN(2) == 0
		tb := newTable(t, c, g, players...)
		at := uint32(r.IntN(200))
		for _, s := range tb.seats[1:] {
			for range r.IntN(3) {
				wrong := flip(at+uint32(r.IntN(3)), r.IntN(5000), r.IntN(5000))
				if r.IntN(3) > 0 {
					s.game.wrong = wrong
				} else {
					s.glitch = wrong
				}
			}
		}
		tb.seats[0].glitch = flip(at, 4+r.IntN(36))
		if tb.run(260 + 120); tb.firstDifference() == None {
			continue
		}
		tb.report()
		if t.Failed() {
			t.Fatalf("seed %d: %+v, %d bytes in cells of %d, lines %v, at %d", seed, c, g.size, g.width, g.lines, at)
		}
	}
}
