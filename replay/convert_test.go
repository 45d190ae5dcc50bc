package replay_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/wire/agreed"
)

var duelButtons = replay.Buttons{
	Append: binary.LittleEndian.AppendUint16,
	Of:     binary.LittleEndian.Uint16,
}

// Rule: anything that RPLK can hold can be converted to RPLK and back, with the
// same frames; and is verified.
func TestRPLKAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	frames := make([]rplk.Inputs, 5000)
	for i := range frames {
		frames[i] = rplk.Inputs{uint16(r.IntN(16)), uint16(r.Uint32())}
	}
	old := must(rplk.Append(nil, rplk.Recording{Seed: 5, Frames: frames}))
	m := duelMatch(0)
	var b bytes.Buffer
	heard := uint32(0)
	err := replay.Import(t.Context(), &b, must(rplk.NewReader(bytes.NewReader(old))), m.header, m.game, duelButtons, func(n uint32) { heard = n })
	if err != nil || heard != 5000 {
		t.Fatal(err, heard)
	}
	v := verify(t, b.Bytes(), m.game, replay.VerifyOptions{})
	if !v.OK() || v.Frames != 5000 || v.Hashes != 84 || v.Keyframes != 1 {
		t.Errorf("%+v", v)
	}
	var back bytes.Buffer
	w := must(rplk.NewWriter(&back, 5))
	if err := errors.Join(replay.Export(t.Context(), w, open(t, b.Bytes()), duelButtons), w.Close()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(back.Bytes(), old) {
		t.Error("another recording came back")
	}
	damaged := bytes.Clone(old)
	damaged[50] ^= 1
	err = replay.Import(t.Context(), new(bytes.Buffer), must(rplk.NewReader(bytes.NewReader(damaged))), m.header, m.game, duelButtons, nil)
	if !errors.Is(err, rplk.ErrChecksum) {
		t.Errorf("a damaged one: %v", err)
	}
}

// Anything that RPLK cannot hold is refused by name.
func TestWhatRPLKCannotHold(t *testing.T) {
	for want, change := range map[string]func(m *match){
		"replay: RPLK v1 cannot hold the recording: it has 3 players, not 2":                                                  func(m *match) { *m = worldMatch(3) },
		"replay: RPLK v1 cannot hold the recording: its seed is 4294967301, not 1 to 4294967295":                              func(m *match) { m.header.Seed = 1<<32 + 5 },
		"replay: RPLK v1 cannot hold the recording: its match has parameters besides the seed: content 0 and 1 bytes of data": func(m *match) { m.header.Data = []byte{1} },
		"replay: RPLK v1 cannot hold the recording: it begins with frame 9, not 0":                                            func(m *match) { m.header.First = 9 },
		"replay: RPLK v1 cannot hold the recording: a player is gone in frame 2":                                              func(m *match) { *m = altered(*m, 2, func(f *agreed.Frame) { f.Gone = 1 }) },
		"replay: RPLK v1 cannot hold the recording: there are orders in frame 2": func(m *match) {
			m.header.Shape.MaxOrders = 4
			*m = altered(*m, 2, func(f *agreed.Frame) { f.Orders = [][]byte{{1}} })
		},
	} {
		m := duelMatch(5)
		change(&m)
		err := replay.Export(t.Context(), must(rplk.NewWriter(new(bytes.Buffer), 1)), open(t, record(t, m)), duelButtons)
		if !errors.Is(err, replay.ErrNoRPLK) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	lossy := replay.Buttons{Append: duelButtons.Append, Of: func(in []byte) uint16 { return duelButtons.Of(in) & 3 }}
	if err := replay.Export(t.Context(), must(rplk.NewWriter(new(bytes.Buffer), 1)), open(t, record(t, duelMatch(100))), lossy); !errors.Is(err, replay.ErrNoRPLK) {
		t.Errorf("inputs that are more than buttons: %v", err)
	}
}

// Rows have the frames, the recorded hashes and, with a game, the states.
func TestRows(t *testing.T) {
	m := worldMatch(2000)
	file := open(t, record(t, m))
	whole := must(replay.At(t.Context(), file, m.game, 0))
	at := uint32(0)
	for row, err := range replay.Rows(t.Context(), file, m.game, 0, 2000) {
		if err != nil {
			t.Fatal(err)
		}
		if err := whole.Step(row.Frame); err != nil {
			t.Fatal(err)
		}
		hash := must(row.Sim.Hash())
		if at++; row.Frame.Number+1 != at || row.Sim.State() != at || hash != must(whole.Hash()) {
			t.Fatalf("frame %d: %d", at, row.Frame.Number)
		}
		if due := at%10 == 0; due != (row.Recorded.Bits > 0) || due && !row.Recorded.Matches(hash) {
			t.Fatalf("state %d: the hash is %+v", at, row.Recorded)
		}
	}
	if at != 2000 {
		t.Errorf("%d rows", at)
	}
	for _, err := range replay.Rows(t.Context(), file, nil, 1990, 2005) {
		at++
		if err != nil {
			break
		}
	}
	if at != 2011 {
		t.Errorf("%d rows, of which the last is an error", at-2000)
	}
	fields := whole.Fields()
	inputs := must(whole.Inputs([]byte{0xFF, 1}))
	if len(fields) != 7 || fields[1].Path != "Score[0]" || !fields[1].Plain || fields[6].Path != "Kind" || fields[6].Plain {
		t.Errorf("%v", fields)
	}
	if len(inputs) != 2 || inputs[0] != (replay.Field{Path: "Stick", Text: "-1", Plain: true}) || inputs[1] != (replay.Field{Path: "Fire", Text: "true", Plain: true}) {
		t.Errorf("%v", inputs)
	}
	if _, err := whole.Inputs([]byte{1, 2}); err == nil {
		t.Error("a bool of 2 is an input")
	}
}

// Measure counts what players did, and what each kind of chunk takes.
func TestMeasure(t *testing.T) {
	m := worldMatch(2000)
	file := open(t, record(t, m))
	s, err := replay.Measure(t.Context(), file)
	if err != nil || s.Damage != nil || s.Hashes != 200 || s.Keyframes != 3 || s.Next != 2000 {
		t.Fatalf("%+v, %v", s, err)
	}
	var want [3]replay.PlayerStats
	var held [6]byte
	departures, gone := 0, uint16(0)
	for row, err := range replay.Rows(t.Context(), file, nil, 0, 2000) {
		if err != nil {
			t.Fatal(err)
		}
		f := row.Frame
		if f.Gone != gone {
			if d := s.Departures[departures]; d.Frame != f.Number || uint16(d.Gone) != f.Gone {
				t.Errorf("departure %d is %+v", departures, d)
			}
			departures++
			gone = f.Gone
		}
		for p := range want {
			w := &want[p]
			if f.Gone>>p&1 != 0 {
				w.Away++
			}
			if n := len(ordersOf(f, p)); n > 0 {
				w.Orders++
				w.OrderBytes += uint64(n)
			}
			changed := false
			for i := 2 * p; i < 2*p+2; i++ {
				changed = changed || f.Inputs[i] != held[i]
				for bit := range 8 {
					if f.Inputs[i]>>bit&1 > held[i]>>bit&1 {
						w.Presses++
					}
				}
			}
			if changed {
				w.Changes++
			}
		}
		copy(held[:], f.Inputs)
	}
	for p := range want {
		if s.Players[p] != want[p] {
			t.Errorf("player %d: %+v, want %+v", p, s.Players[p], want[p])
		}
	}
	if departures != len(s.Departures) || departures == 0 {
		t.Errorf("%d departures, %d are listed", departures, len(s.Departures))
	}
	total := int64(0)
	for _, k := range s.Kinds {
		total += k.Payload
	}
	if total != s.Bytes || total == 0 {
		t.Errorf("%d bytes in kinds, %d in all", total, s.Bytes)
	}
}
