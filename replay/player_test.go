package replay

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/wire/agreed"
)

// band is a game with effects, whose state depends on inputs, orders and statuses.
type band struct {
	Frame, Sum uint64
	Held       [2]uint32 // how many frames a player has held the lowest button
	Pad        [4]uint64
}

var (
	clap = effects.OneShot[uint8](1, "clap")
	note = effects.Sustained[uint32](2, "note")
)

func playBand(s *band, t *rollback.Tick[uint16]) {
	s.Frame++
	for p := range t.Players() {
		in := t.Input(p)
		s.Sum = s.Sum*31 + uint64(in) + uint64(len(t.Orders(p)))<<20
		if t.Status(p) == rollback.Disconnected {
			s.Sum ^= 0xABCDEF
		}
		if in&1 == 0 {
			s.Held[p] = 0
		} else {
			s.Held[p]++
			note.Emit(t.Effects(), uint32(p), s.Held[p]/40)
		}
	}
	if s.Sum%11 == 0 {
		clap.Emit(t.Effects(), 0, uint8(s.Sum))
	}
}

var bandEffects = []effects.Declaration{clap, note}

func bandGame() rollback.Game[band, uint16] {
	return rollback.Game[band, uint16]{Init: func(s *band) { s.Sum = 5 }, Step: playBand, Effects: bandEffects}
}

// ownBand is bandGame with memory of its own; it saves and marshals if it can.
func ownBand(saves, marshals bool) rollback.OwnMemory[band, []band, uint16] {
	g := rollback.OwnMemory[band, []band, uint16]{
		Init: func(s *band) { *s = band{Sum: 5} }, Step: playBand, Effects: bandEffects,
		Hash: bandPlan.Hash,
	}
	if saves {
		g.Save = func(s *band, slot *[]band) { *slot = append((*slot)[:0], *s) }
		g.Restore = func(s *band, slot *[]band) { *s = (*slot)[0] }
	}
	if marshals {
		g.Marshal = func(b []byte, s *band) ([]byte, error) { return bandPlan.Append(b, s), nil }
		g.Unmarshal = func(s *band, b []byte) error { return bandPlan.Decode(s, b) }
	}
	return g
}

var bandPlan, _ = canon.PlanFor[band]()

// concert is a recorded match, and what happened in it.
type concert struct {
	file   []byte
	states []band // by number, from the first on
	first  int
	gone   []byte
	on     [][2]bool         // notes, in the frame before a state
	events [][]effects.Event // live, after each frame
}

// perform records a number of frames, in a file from frame first on.
func perform(t testing.TB, seed uint64, frames, first int, change func(h *tbr.Header)) *concert {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	h := tbr.Header{Game: "band", Shape: agreed.Shape{Players: 2, InputSize: 2, MaxOrders: 20}, TickRate: 5, HashEvery: 5, Seed: seed, Info: tbr.Info{Build: "1", First: uint32(first)}}
	if change != nil {
		change(&h)
	}
	c := &concert{first: first}
	var file bytes.Buffer
	e, err := rollback.New(bandGame(), rollback.Config{Players: 2, MaxOrders: 20})
	if err != nil {
		t.Fatal(err)
	}
	if h.State0 == 0 {
		h.State0, _ = e.Hash()
	}
	w, err := tbr.NewWriter(&file, h)
	if err != nil {
		t.Fatal(err)
	}
	in, gone := make([]uint16, 2), rollback.PlayerSet(0)
	for f := range frames {
		if f >= first {
			c.states = append(c.states, *e.State())
		}
		if f >= first && w.WantsKeyframe() {
			state, _ := e.Marshal(nil, e.Frame())
			if err := w.Keyframe(state); err != nil {
				t.Fatal(err)
			}
		}
		if r.IntN(200) == 0 {
			gone = rollback.PlayerSet(r.IntN(4))
		}
		g := agreed.Frame{Number: uint32(f), Gone: uint16(gone)}
		for p := range in {
			if r.IntN(12) == 0 {
				in[p] = uint16(r.IntN(16))
			}
			if v := in[p]; gone.Has(rollback.Player(p)) {
				g.Inputs = append(g.Inputs, 0, 0)
			} else {
				g.Inputs = binary.LittleEndian.AppendUint16(g.Inputs, v)
			}
		}
		if r.IntN(50) == 0 && gone == 0 {
			g.Orders = [][]byte{nil, make([]byte, r.IntN(20))}
		}
		if err := e.Feed(in, g.Orders, gone); err != nil {
			t.Fatal(err)
		}
		events := slices.Clone(e.Effects())
		if f < first {
			continue
		}
		hash, _ := e.Hash()
		if err := errors.Join(w.Frame(&g), w.Hash(uint32(f+1), hash)); err != nil {
			t.Fatal(err)
		}
		c.gone, c.events = append(c.gone, byte(gone)), append(c.events, events)
		s := e.State()
		c.on = append(c.on, [2]bool{s.Held[0] > 0, s.Held[1] > 0})
	}
	c.states = append(c.states, *e.State())
	hash, _ := e.Hash()
	if err := w.Close(tbr.End{Hashed: true, Hash: hash}); err != nil {
		t.Fatal(err)
	}
	c.file = file.Bytes()
	return c
}

func (c *concert) reader(t testing.TB) *tbr.Reader {
	t.Helper()
	r, err := tbr.Open(bytes.NewReader(c.file), int64(len(c.file)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func player[I comparable](t testing.TB, game rollback.Definition[band, I], c *concert, o PlayerOptions[band]) *Player[band, I] {
	t.Helper()
	p, err := NewPlayer(game, c.reader(t), o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Rule: played from the beginning to the end, states, statuses and effects are those of
// the match, and all hashes are compared.
func TestARecordingIsPlayedAsItWas(t *testing.T) {
	for _, first := range []int{0, 333, 640} {
		c := perform(t, 3, 1500, first, nil)
		p := player(t, bandGame(), c, PlayerOptions[band]{Game: "band", Build: "1"})
		for i := range c.gone {
			if *p.State() != c.states[i] || int(p.At()) != first+i {
				t.Fatalf("state %d of frame %d is %+v, want %+v", p.At(), first+i, *p.State(), c.states[i])
			}
			if err := p.Step(); err != nil {
				t.Fatal(err)
			}
			if p.Gone() != rollback.PlayerSet(c.gone[i]) {
				t.Fatalf("frame %d: gone are %v", first+i, p.Gone())
			}
			if got := p.Effects(); first == 0 && !slices.Equal(got, c.events[i]) {
				t.Fatalf("frame %d: effects %v, want %v", first+i, got, c.events[i])
			}
		}
		if err := p.Step(); err != io.EOF {
			t.Errorf("behind the end: %v", err)
		}
		n, wrong := p.Checked()
		if *p.State() != c.states[len(c.states)-1] || n != uint64(300-first/5) || wrong != rollback.NoFrame || len(p.Differences()) != 0 {
			t.Errorf("from %d: at the end %+v; %d hashes, wrong from %d; %v", first, *p.State(), n, wrong, p.Differences())
		}
	}
}

// Rule: from any frame, one can seek to any other; the state is that of the match, so
// is the previous one, and sustained effects are those that are on, whatever the
// application did in between. It does not matter whether there are keyframes, whether
// the game can marshal or save, or how much is kept.
func TestSeeking(t *testing.T) {
	c := perform(t, 4, 2500, 0, nil)
	without := perform(t, 4, 2500, 0, func(h *tbr.Header) { h.KeyframeEvery = tbr.NoKeyframes })
	late := perform(t, 4, 2500, 700, nil)
	for name, p := range map[string]*Player[band, uint16]{
		"plain":                 player(t, bandGame(), c, PlayerOptions[band]{}),
		"plain, nothing kept":   player(t, bandGame(), c, PlayerOptions[band]{Cache: -1}),
		"plain, no keyframes":   player(t, bandGame(), without, PlayerOptions[band]{}),
		"plain, little kept":    player(t, bandGame(), without, PlayerOptions[band]{Cache: 2000}),
		"plain, one byte":       player(t, bandGame(), without, PlayerOptions[band]{Cache: 1}),
		"own":                   player(t, ownBand(true, true), c, PlayerOptions[band]{}),
		"own, nothing kept":     player(t, ownBand(true, true), c, PlayerOptions[band]{Cache: -1}),
		"own, without Marshal":  player(t, ownBand(true, false), c, PlayerOptions[band]{Cache: 4000}),
		"own, with Step alone":  player(t, ownBand(false, false), c, PlayerOptions[band]{}),
		"own, without Save":     player(t, ownBand(false, true), c, PlayerOptions[band]{}),
		"late, plain":           player(t, bandGame(), late, PlayerOptions[band]{}),
		"late, nothing is kept": player(t, bandGame(), late, PlayerOptions[band]{Cache: -1}),
	} {
		t.Run(name, func(t *testing.T) { seeks(t, p, c, strings.Contains(name, "plain")) })
	}
}

func seeks(t *testing.T, p *Player[band, uint16], c *concert, plain bool) {
	r := rand.New(rand.NewPCG(8, 9))
	playing := map[uint32]effects.Event{} // notes, at the application
	listen := func(jumped bool) {
		for _, e := range p.Effects() {
			if clap.Is(&e) && jumped {
				t.Fatalf("a jump to %d sounds: %v", p.At(), &e)
			}
			if !note.Is(&e) {
				continue
			}
			old, on := playing[e.Key]
			switch e.What {
			case effects.Started:
				if on {
					t.Fatalf("%v, and %v is on", &e, &old)
				}
				playing[e.Key] = e
			case effects.Ended, effects.Cancelled:
				if !on || old.Frame != e.From {
					t.Fatalf("%v, and what is on is %v", &e, &old)
				}
				delete(playing, e.Key)
			default:
				if !on || e.From != old.Frame {
					t.Fatalf("%v, and what is on is %v", &e, &old)
				}
				playing[e.Key] = e
			}
		}
		for k := range uint32(2) {
			e, on := playing[k]
			held := c.states[p.At()].Held[k]
			if on != (held > 0) || on && (note.Payload(&e) != held/40) {
				t.Fatalf("at %d note %d is on: %v, and held for %d frames; %v", p.At(), k, on, held, &e)
			}
		}
	}
	at := p.At()
	for n := range 150 {
		switch r.IntN(4) {
		case 0:
			at = p.First() + rollback.Frame(r.IntN(int(p.Next()-p.First()+1)))
		case 1:
			at = max(p.First(), at-min(at, rollback.Frame(r.IntN(5))))
		case 2:
			at = min(p.Next(), at+rollback.Frame(r.IntN(100)))
		}
		jumps := at != p.At()
		if err := p.Seek(at); err != nil {
			t.Fatal(err)
		}
		if *p.State() != c.states[at] || p.At() != at {
			t.Fatalf("seek %d to %d: state %d is %+v, want %+v", n, at, p.At(), *p.State(), c.states[at])
		}
		if at > p.First() && plain && *p.StateAt(at - 1) != c.states[at-1] {
			t.Fatalf("the state before %d is %+v", at, *p.StateAt(at - 1))
		}
		if r.IntN(3) == 0 {
			listen(jumps)
		}
		for range r.IntN(300) {
			if err := p.Step(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if at = p.At(); *p.State() != c.states[at] {
				t.Fatalf("after a jump state %d is %+v, want %+v", at, *p.State(), c.states[at])
			}
		}
		if r.IntN(2) == 0 {
			listen(false)
		}
		if p.cache.size > max(p.cache.budget, 0) {
			t.Fatalf("%d bytes are kept, more than %d", p.cache.size, p.cache.budget)
		}
	}
}
