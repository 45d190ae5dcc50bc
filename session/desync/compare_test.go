package desync

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/wire/agreed"
)

// compared is a report on states that one machine has from all sides, decoded again.
func compared(t *testing.T, g *toy, data []byte, sides ...Side) *Report {
	t.Helper()
	r := Report{
		Game: "toy", Shape: agreed.Shape{Players: 4, InputSize: 1}, TickRate: 20, HashEvery: 1, Every: 1,
		Equal: 6, Noticed: 7, State: 7, First: 7, Data: data, Whole: true,
	}
	if err := r.Compare(g.scalar, g.size, sides); err != nil {
		t.Fatal(err)
	}
	read, err := Decode(r.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// Rule: a machine that has the states of all sides finds every field in which they differ, and says which players
// have which value.
func TestStatesOfAllSidesAreCompared(t *testing.T) {
	for _, size := range []int{16, 64, 65, 5000, 300_000} {
		g := &toy{size: size, width: 4}
		one := bytes.Repeat([]byte{9}, size)
		other := bytes.Clone(one)
		var want []string
		for _, at := range []int{4, 5, size / 2, size - 1} {
			other[at] ^= 0x40
			if path := g.scalar(at).Path; !slices.Contains(want, path) {
				want = append(want, path)
			}
		}
		r := compared(t, g, nil, Side{6, "b", other}, Side{1, strings.Repeat("a", maxMachine+1), one}, Side{8, "c", other})
		var got []string
		for _, f := range r.Fields {
			got = append(got, f.Path)
			if len(f.Values) != 2 || f.Values[0].Text == f.Values[1].Text {
				t.Errorf("%d bytes: %+v", size, f)
			}
		}
		if !slices.Equal(got, want) || r.Total != uint32(len(want)) || r.AtLeast {
			t.Errorf("%d bytes: fields %v, want %v, of %d", size, got, want, r.Total)
		}
		if !slices.Equal(r.Groups, []uint64{xxh3.Hash(one), xxh3.Hash(other)}) || r.Members(0) != 1 || r.Members(1) != 14 {
			t.Errorf("%d bytes: groups %x, %b and %b", size, r.Groups, r.Members(0), r.Members(1))
		}
		for i, want := range []Peer{{Players: 1, Machine: strings.Repeat("a", maxMachine)}, {Players: 6, Machine: "b"}, {Players: 8, Machine: "c"}} {
			p := r.Peers[i]
			if p.Players != want.Players || p.Machine != want.Machine || p.Origin != Original || p.Base != 7 || p.Hash != r.Groups[p.Group] {
				t.Errorf("%+v, want %+v", p, want)
			}
		}
	}
}

// Rule: a report has room for a limited number of fields, and says if there are more.
func TestAComparisonIsBounded(t *testing.T) {
	g := &toy{size: 40_000, width: 1}
	r := compared(t, g, make([]byte, maxData+1), Side{1, "", make([]byte, g.size)}, Side{2, "", bytes.Repeat([]byte{1}, g.size)})
	if len(r.Fields) != MaxFields || !r.AtLeast || r.Total < MaxFields || len(r.Data) != maxData || r.Whole {
		t.Errorf("%d fields of %d, %v; %d bytes of data, %v", len(r.Fields), r.Total, r.AtLeast, len(r.Data), r.Whole)
	}
	if r := compared(t, g, make([]byte, maxData), Side{1, "", make([]byte, g.size)}, Side{2, "", bytes.Repeat([]byte{1}, g.size)}); len(r.Data) != maxData || !r.Whole {
		t.Errorf("%d bytes of data, %v", len(r.Data), r.Whole)
	}
}

// Rule: equal states, and bytes that are not states of the game, are not compared.
func TestWhatIsNotCompared(t *testing.T) {
	g, r := &toy{size: 16, width: 4}, Report{}
	a, b := make([]byte, 16), make([]byte, 17)
	for _, c := range []struct {
		sides []Side
		want  error
	}{{[]Side{{1, "", a}, {2, "", a}}, errEqual}, {[]Side{{1, "", a}}, errEqual}, {[]Side{{1, "", a}, {2, "", b}}, errSizes}, {[]Side{{1, "", b}, {2, "", b}}, errSizes}} {
		if err := r.Compare(g.scalar, g.size, c.sides); !errors.Is(err, c.want) || r.Peers != nil {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
}

// Rule: the frames that led to the state are in the report as far as there is room, with the state before them if
// all of it fits.
func TestWhatHasLedToAState(t *testing.T) {
	frame := func(n uint32) *agreed.Frame {
		if n < 10 {
			return nil
		}
		return &agreed.Frame{Number: n, Inputs: binary.LittleEndian.AppendUint32(nil, n*2654435761)}
	}
	for _, c := range []struct {
		begin       int
		first, want uint32
		whole       bool
	}{{20, 30, 30, true}, {maxState, 30, 30, true}, {maxState + 1, 30, 36, false}, {20, 5, 68, false}} {
		r := Report{Shape: agreed.Shape{Players: 4, InputSize: 1}, State: 100}
		if c.first < 10 { // some are not held: those after them are there
			c.want = r.State
		}
		r.Retrace(c.first, bytes.Repeat([]byte{1}, c.begin), frame)
		n := r.First
		err := r.Frames(func(f *agreed.Frame) error {
			if f.Number != n || !bytes.Equal(f.Inputs, frame(n).Inputs) {
				return fmt.Errorf("frame %d has %x", f.Number, f.Inputs)
			}
			n++
			return nil
		})
		if err != nil || n != 100 || c.whole != (len(r.Begin) == c.begin) || !c.whole && r.Begin != nil {
			t.Errorf("%+v: from %d, %v; to %d; a state of %d bytes", c, r.First, err, n, len(r.Begin))
		}
		if c.first >= 10 && r.First != c.want {
			t.Errorf("%+v: from %d", c, r.First)
		}
	}
}
