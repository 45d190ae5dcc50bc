package fleet

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/desync"
)

// herd is a game that owns its memory.
type herd struct {
	Sheep []*sheep
	Seen  map[uint32]uint32
	Grid  []uint16
}

type sheep struct{ Age, Wool uint32 }

func newHerd() *herd {
	h := &herd{Seen: map[uint32]uint32{}, Grid: make([]uint16, 5000)}
	for range 6 {
		h.Sheep = append(h.Sheep, &sheep{})
	}
	return h
}

func (h *herd) save(to *herd) {
	to.Sheep, to.Seen, to.Grid = nil, maps.Clone(h.Seen), slices.Clone(h.Grid)
	for _, s := range h.Sheep {
		to.Sheep = append(to.Sheep, &sheep{s.Age, s.Wool})
	}
}

// herdGame is the game; spoil is called in every step.
func herdGame(spoil func(h *herd, f rollback.Frame)) rollback.OwnMemory[herd, herd, note] {
	return rollback.OwnMemory[herd, herd, note]{
		New:  newHerd,
		Init: func(h *herd) { newHerd().save(h) },
		Step: func(h *herd, t *rollback.Tick[note]) {
			for p := range t.Players() {
				h.Sheep[p].Age++
				h.Sheep[p].Wool += uint32(t.Input(p))
				h.Seen[uint32(t.Input(p))]++
			}
			spoil(h, t.Frame())
		},
		Save:    func(h, slot *herd) { h.save(slot) },
		Restore: func(h, slot *herd) { slot.save(h) },
	}
}

func marshalHerd(b []byte, h *herd) ([]byte, error) {
	le := binary.LittleEndian
	for _, s := range h.Sheep {
		b = le.AppendUint32(le.AppendUint32(b, s.Age), s.Wool)
	}
	for _, g := range h.Grid {
		b = le.AppendUint16(b, g)
	}
	for _, k := range slices.Sorted(maps.Keys(h.Seen)) {
		b = le.AppendUint32(le.AppendUint32(b, k), h.Seen[k])
	}
	return b, nil
}

func unmarshalHerd(h *herd, b []byte) error {
	n := newHerd()
	if fixed := 8*len(n.Sheep) + 2*len(n.Grid); len(b) < fixed || (len(b)-fixed)%8 != 0 {
		return errors.New("no herd")
	}
	le := binary.LittleEndian
	for _, s := range n.Sheep {
		s.Age, s.Wool, b = le.Uint32(b), le.Uint32(b[4:]), b[8:]
	}
	for i := range n.Grid {
		n.Grid[i], b = le.Uint16(b), b[2:]
	}
	for ; len(b) > 0; b = b[8:] {
		n.Seen[le.Uint32(b)] = le.Uint32(b[4:])
	}
	*h = *n
	return nil
}

// playHerd plays a match of two in which one herd is spoiled in frame 70.
func playHerd(t *testing.T, spoil func(h *herd), change func(g *rollback.OwnMemory[herd, herd, note])) *desync.Report {
	t.Helper()
	game := func(spoiled bool) rollback.OwnMemory[herd, herd, note] {
		g := herdGame(func(h *herd, f rollback.Frame) {
			if spoiled && f == 70 {
				spoil(h)
			}
		})
		change(&g)
		return g
	}
	s := Setup[herd, note]{
		Game: game(false), Players: 2, Seats: []rollback.PlayerSet{1, 2}, Seed: 1, Link: steady,
		Input:     func(p rollback.Player, n int) note { return note(n / 20 * int(p+1)) },
		Configure: func(_ int, c *session.Config) { c.Match.Frames, c.HashEvery = 150, 1 },
	}
	f, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	s.Game = game(true)
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
	r, err := desync.Decode(f.Peers[1].Report())
	if err != nil {
		t.Fatal(err, f.Peers[1].Events)
	}
	if r.State != 71 || len(r.Groups) != 2 || r.Peers[0].Inputs != desync.Same || r.Peers[1].Inputs != desync.Same {
		t.Fatalf("state %d, %+v", r.State, r.Peers)
	}
	return r
}

func marshalling(g *rollback.OwnMemory[herd, herd, note]) {
	g.Marshal, g.Unmarshal = marshalHerd, unmarshalHerd
}

// The fields of a game with its own memory are named by resimulation, whether they
// were changed, added or removed.
func TestReportsOfOwnMemory(t *testing.T) {
	for path, c := range map[string]struct {
		spoil func(h *herd)
		want  [2]desync.Value
	}{
		"Sheep[3].Age":  {func(h *herd) { h.Sheep[3].Age = 99 }, [2]desync.Value{{Text: "0", Kind: desync.Present}, {Text: "99", Kind: desync.Present}}},
		"Grid[700]":     {func(h *herd) { h.Grid[700] = 5 }, [2]desync.Value{{Text: "0", Kind: desync.Present}, {Text: "5", Kind: desync.Present}}},
		"Seen[1000000]": {func(h *herd) { h.Seen[1_000_000] = 1 }, [2]desync.Value{{Kind: desync.Missing}, {Text: "1", Kind: desync.Present}}},
		"Seen[0]":       {func(h *herd) { delete(h.Seen, 0) }, [2]desync.Value{{Text: "40", Kind: desync.Present}, {Kind: desync.Missing}}},
	} {
		r := playHerd(t, c.spoil, marshalling)
		for _, p := range r.Peers {
			if p.Origin != desync.Resimulated || p.Base != 60 && p.Base != 0 {
				t.Errorf("%s: %+v", path, p)
			}
		}
		found := false
		for _, f := range r.Fields {
			if f.Path == path {
				found = f.Values[0] == c.want[0] && f.Values[1] == c.want[1]
			}
		}
		// A map's own line has its length.
		if !found || r.AtLeast || int(r.Total) != len(r.Fields) || len(r.Fields) > 2 {
			t.Errorf("%s is not in %v", path, r.Fields)
		}
	}
}

// Describe says what is shown.
func TestReportsOfDescriptions(t *testing.T) {
	type shown struct{ Oldest uint32 }
	r := playHerd(t, func(h *herd) { h.Sheep[3].Age = 99 }, func(g *rollback.OwnMemory[herd, herd, note]) {
		marshalling(g)
		g.Describe = func(h *herd) any {
			s := shown{}
			for _, x := range h.Sheep {
				s.Oldest = max(s.Oldest, x.Age)
			}
			return s
		}
	})
	if len(r.Fields) != 1 || r.Fields[0].Path != "Oldest" || r.Fields[0].Values[1].Text != "99" {
		t.Error(r.Fields)
	}
}

// Data that the game does not provide is reported as missing: the report still has the
// state and the inputs.
func TestReportsWithoutCapabilities(t *testing.T) {
	for why, change := range map[string]func(g *rollback.OwnMemory[herd, herd, note]){
		"no snapshots are kept": func(*rollback.OwnMemory[herd, herd, note]) {},
		"the game gives no New, so that nothing can be simulated beside the match": func(g *rollback.OwnMemory[herd, herd, note]) {
			marshalling(g)
			g.New = nil
		},
		"the game panicked: no": func(g *rollback.OwnMemory[herd, herd, note]) {
			marshalling(g)
			g.Describe = func(*herd) any { panic("no") }
		},
	} {
		r := playHerd(t, func(h *herd) { h.Sheep[3].Age = 99 }, change)
		for _, p := range r.Peers {
			if p.Origin != desync.Unavailable || p.Why != why {
				t.Errorf("%s: %+v", why, p)
			}
		}
		if len(r.Fields) != 0 || len(r.Inputs) == 0 {
			t.Errorf("%s: %v, %d bytes of inputs", why, r.Fields, len(r.Inputs))
		}
	}
}
