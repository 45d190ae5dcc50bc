package desync

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/wire/agreed"
)

// aWideReport is a report of a match with more than 8 players, whose sets have two
// bytes.
func aWideReport() *Report {
	r := aReport()
	var w agreed.Writer
	r.Shape, r.First, r.Inputs = agreed.Shape{Players: 16, InputSize: 1}, 119, nil
	w.Init(r.Shape)
	r.Inputs = w.Append(nil, &agreed.Frame{Number: 119, Inputs: make([]byte, 16), Gone: 0x8100})
	r.Peers[2].Players = 0x8004
	return r
}

func aReport() *Report {
	shape := agreed.Shape{Players: 3, InputSize: 2, MaxOrders: 8}
	var w agreed.Writer
	w.Init(shape)
	var inputs []byte
	for n := uint32(100); n < 120; n++ {
		f := agreed.Frame{Number: n, Inputs: []byte{byte(n / 3), 0, 1, 2, 0, 0}}
		if n == 110 {
			f.Orders, f.Gone = [][]byte{nil, []byte("go")}, 0b100
		}
		inputs = w.Append(inputs, &f)
	}
	return &Report{
		Game: "duel", Build: "7", Match: 2, Shape: shape, TickRate: 60, HashEvery: 1, Every: 60,
		Seed: 1 << 40, Content: 9, Limit: 3600, Data: []byte("stage"), Whole: true,
		Equal: 60, Noticed: 120, State: 120, Groups: []uint64{5, 6},
		Peers: []Peer{
			{Players: 0b001, Machine: "linux/amd64", Group: 0, Origin: Original, Base: 120, Hash: 5, Inputs: Same},
			{Players: 0b010, Machine: "windows", Group: 1, Origin: NotReproduced, Base: 100, Hash: 7, Inputs: Different},
			{Players: 0b100, Group: None, Origin: Unavailable, Why: "it is gone"},
		},
		Fields: []Field{
			{"P[0].X", []Value{{"1", Present}, {"2", Present}}},
			{"P[1].Name", []Value{{"", Missing}, {"", Untold}}},
		},
		Total: 9, AtLeast: true, First: 100, Inputs: inputs, Begin: []byte{1, 2, 3},
	}
}

// A report is decoded as it was encoded. With any bit changed, or cut at any length, it
// is refused.
func TestReportsAreWholeOrNone(t *testing.T) {
	want := aReport()
	b := want.Append(nil)
	got, err := Decode(b)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%v\n%+v\n%+v", err, got, want)
	}
	if !bytes.Equal(got.Append(nil), b) {
		t.Error("it is written otherwise a second time")
	}
	for i := range b {
		c := bytes.Clone(b)
		c[i] ^= 0x10
		if _, err := Decode(c); !errors.Is(err, ErrReport) && !errors.Is(err, ErrVersion) {
			t.Errorf("byte %d: %v", i, err)
		}
		if _, err := Decode(b[:i]); !errors.Is(err, ErrReport) {
			t.Errorf("%d bytes: %v", i, err)
		}
	}
	if _, err := Decode(make([]byte, MaxReport+1)); !errors.Is(err, ErrReport) {
		t.Error(err)
	}
	if got.Name() != "desync-2-120.tbd" || got.Members(0) != 1 || got.Members(1) != 2 {
		t.Error(got.Name(), got.Members(0), got.Members(1))
	}
}

// Bytes that no writer produces are refused even with the right checksum.
func TestReportsThatCannotBeAreRefused(t *testing.T) {
	for name, change := range map[string]func(r *Report){
		"no players":             func(r *Report) { r.Shape.Players = 0 },
		"seventeen players":      func(r *Report) { r.Shape.Players = 17 },
		"a player who is nobody": func(r *Report) { r.Peers[2].Players = 8 },
		"a player at two peers":  func(r *Report) { r.Peers[2].Players = 6 },
		"peers out of order":     func(r *Report) { r.Peers[0], r.Peers[1] = r.Peers[1], r.Peers[0] },
		"a single peer":          func(r *Report) { r.Peers = r.Peers[:1] },
		"a single group":         func(r *Report) { r.Groups, r.Fields, r.Peers[1].Group = r.Groups[:1], nil, 0 },
		"a group too many":       func(r *Report) { r.Peers[1].Group = 2 },
		"equal where it differs": func(r *Report) { r.Equal = 120 },
		"noticed before":         func(r *Report) { r.Noticed = 119 },
		"an unknown source":      func(r *Report) { r.Peers[0].Origin = 9 },
		"fewer inputs":           func(r *Report) { r.First = 99 },
		"more inputs":            func(r *Report) { r.First = 101 },
		"inputs that are none":   func(r *Report) { r.Inputs[0] = 0xFF },
		"more fields than there": func(r *Report) { r.Total = 1 },
		"no tick rate":           func(r *Report) { r.TickRate = 0 },
		"no hashes":              func(r *Report) { r.HashEvery = 0 },
		"a long path":            func(r *Report) { r.Fields[0].Path = string(make([]byte, maxItem+1)) },
		"an unknown value":       func(r *Report) { r.Fields[0].Values[0].Kind = 3 },
	} {
		r := aReport()
		change(r)
		if _, err := Decode(r.Append(nil)); !errors.Is(err, ErrReport) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzDecode: no bytes make the decoder of reports panic, and accepted bytes are
// encoded again in the same way.
func FuzzDecode(f *testing.F) {
	b := aReport().Append(nil)
	f.Add(b[:len(b)-sumSize])
	wide := aWideReport().Append(nil)
	f.Add(wide[:len(wide)-sumSize])
	console := aReport()
	atRate(console, 60, ntsc)
	b = console.Append(nil)
	f.Add(b[:len(b)-sumSize])
	f.Fuzz(func(t *testing.T, b []byte) {
		b = appendSum(b)
		r, err := Decode(b)
		if err != nil {
			return
		}
		if !bytes.Equal(r.Append(nil), b) {
			t.Fatalf("% x is written otherwise", b)
		}
	})
}

func appendSum(b []byte) []byte {
	h := xxh3.Hash(b)
	for range sumSize {
		b, h = append(b, byte(h)), h>>8
	}
	return b
}

// FuzzMessages: decoded messages are encoded again in the same way.
func FuzzMessages(f *testing.F) {
	for _, a := range someAsks() {
		f.Add(byte(Ask), a.append(nil))
	}
	for _, a := range someAnswers() {
		f.Add(byte(Answer), a.append(nil))
	}
	for _, p := range []piece{{bytes: []byte("why")}, {size: 9, offset: 3, bytes: []byte("piece")}} {
		f.Add(byte(Piece), p.append(nil))
	}
	f.Fuzz(func(t *testing.T, kind byte, b []byte) {
		var again []byte
		var err error
		switch Kind(kind) {
		case Ask:
			var a ask
			if err = a.consume(b); err == nil {
				again = a.append(nil)
			}
		case Answer:
			var a answer
			if err = a.consume(b); err == nil {
				again = a.append(nil)
			}
		case Piece:
			var p piece
			if err = p.consume(b); err == nil {
				again = p.append(nil)
			}
		default:
			return
		}
		if err == nil && !bytes.Equal(again, b) {
			t.Fatalf("% x is written again as % x", b, again)
		}
		if err != nil && !errors.Is(err, ErrShort) && !errors.Is(err, ErrRange) {
			t.Fatal(err)
		}
	})
}

func someAsks() []ask {
	return []ask{
		{number: 1, step: askHashes, from: 60, count: 61},
		{number: 2, step: askState, state: 77, inputs: 60},
		{number: 3, step: askParts, depth: 2, level: 1, nodes: []uint64{0, 63}},
		{number: 4, step: askParts, depth: 2, level: 2, nodes: []uint64{4095}},
	}
}

func someAnswers() []answer {
	return []answer{
		{number: 1, step: askHashes, machine: []byte("pc"), entries: []uint64{1, 2}},
		{number: 2, step: askState, source: Resimulated, base: 60, hash: 5, depth: 1, inputs: 9},
		{number: 2, step: askState, source: Unavailable, why: []byte("no New")},
		{number: 3, step: askParts, parts: [][]byte{make([]byte, fan*digestSize), make([]byte, fan*digestSize)}},
		{number: 4, step: askParts, parts: [][]byte{{1, 2}, nil}},
	}
}

// Messages of every kind are decoded as they were encoded. Cut at any length they are
// refused, or end where another message does.
func TestMessagesComeBack(t *testing.T) {
	for _, want := range someAsks() {
		var got ask
		if err := got.consume(want.append(nil)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %+v, want %+v", err, got, want)
		}
		for n := range len(want.append(nil)) {
			if got.consume(want.append(nil)[:n]) == nil {
				t.Errorf("%+v is whole with %d bytes", want, n)
			}
		}
	}
	for _, want := range someAnswers() {
		var got answer
		b := want.append(nil)
		if err := got.consume(b); err != nil || !bytes.Equal(got.append(nil), b) {
			t.Errorf("%v: %+v, want %+v", err, got, want)
		}
		for n := range len(b) {
			if got.consume(b[:n]) == nil {
				t.Errorf("%+v is whole with %d bytes", want, n)
			}
		}
	}
	for _, bad := range []ask{
		{step: askHashes, from: 0, count: 1},
		{step: askHashes, from: 2, count: 0},
		{step: askHashes, from: 1, count: maxEntries + 1},
		{step: askState},
		{step: askState, state: 1, inputs: 2},
		{step: askParts, depth: 1, level: 2},
		{step: askParts, depth: 6},
		{step: askParts, depth: 2, level: 1, nodes: []uint64{64}},
		{step: askParts, depth: 2, level: 1, nodes: []uint64{7, 8, 7}},
		{step: askParts, nodes: []uint64{0, 0}},
		{step: 0},
		{step: 4},
		{step: askParts, depth: 1, nodes: make([]uint64, maxNodes+1)},
	} {
		if err := new(ask).consume(bad.append(nil)); !errors.Is(err, ErrRange) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}
