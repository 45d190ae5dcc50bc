package datagram

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Orders are read back with their player and frame, and have at most the documented overhead.
func TestOrdersComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawShape(t)
		var p Play
		for i := range s.Sender {
			p.Ends[i] = rapid.Uint32Range(HistoryFrames, 1<<32-1).Draw(t, "end")
			p.Counts[i] = rapid.Uint32Range(1, HistoryFrames-1).Draw(t, "count")
		}
		o := Order{Player: rapid.IntRange(0, s.Sender-1).Draw(t, "player"), Bytes: rapid.SliceOfN(rapid.Byte(), 0, 4096).Draw(t, "bytes")}
		o.Frame = p.Ends[o.Player] - rapid.Uint32Range(1, p.Counts[o.Player]).Draw(t, "back")
		b := AppendOrder(nil, o, s, p.Ends[o.Player])
		if len(b) > OrderSize+len(o.Bytes) {
			t.Fatalf("%d bytes for %d", len(b), len(o.Bytes))
		}
		got, rest, err := ConsumeOrder(append(bytes.Clone(b), "after"...), &p, s)
		if err != nil || string(rest) != "after" {
			t.Fatalf("%v, %q is left", err, rest)
		}
		if d := cmp.Diff(o, got); d != "" {
			t.Fatal(d)
		}
		for n := range b {
			if _, _, err := ConsumeOrder(b[:n], &p, s); err == nil {
				t.Fatalf("%d of %d bytes are orders", n, len(b))
			}
		}
	})
}

func TestFrozenOrders(t *testing.T) {
	o := Order{Player: 1, Frame: 90, Bytes: []byte{0xAA, 0xBB}}
	for _, c := range []struct {
		s    Shape
		end  uint32
		want []byte
	}{
		{Shape{1, 1}, 91, []byte{1, 2, 0xAA, 0xBB}},
		{Shape{2, 1}, 91, []byte{1, 1, 2, 0xAA, 0xBB}},
		{Shape{2, 1}, 290, []byte{1, 0xC8, 1, 2, 0xAA, 0xBB}},
	} {
		if b := AppendOrder(nil, o, c.s, c.end); !bytes.Equal(b, c.want) {
			t.Errorf("% x, not % x", b, c.want)
		}
	}
}

// Orders of players and frames that are not in the datagram are refused.
func TestOrdersOfOthersAreRefused(t *testing.T) {
	p := &Play{Ends: [MaxPlayers]uint32{100, 50, 70}, Counts: [MaxPlayers]uint32{8, 2, 3}}
	two := Shape{2, 1}
	for _, c := range []struct {
		name  string
		bytes []byte
		want  error
	}{
		{"player 2 of 2", []byte{2, 1, 0}, ErrRange},
		{"after the end", []byte{0, 0, 0}, ErrRange},
		{"before the first", []byte{0, 9, 0}, ErrRange},
		{"before the first of the second", []byte{1, 3, 0}, ErrRange},
		{"too long", []byte{0, 1, 3, 'a', 'b'}, ErrShort},
		{"a length of 4 GiB", []byte{0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F}, ErrShort},
		{"no length", []byte{0, 1}, ErrVarint},
		{"a long zero", []byte{0, 1, 0x80, 0x00}, ErrVarint},
		{"nothing", nil, ErrShort},
	} {
		if _, _, err := ConsumeOrder(c.bytes, p, two); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, not %v", c.name, err, c.want)
		}
	}
}

// Appending to the returned bytes cannot overwrite what follows them.
func TestOrdersDoNotReachFurther(t *testing.T) {
	p := &Play{Ends: [MaxPlayers]uint32{100}, Counts: [MaxPlayers]uint32{8}}
	b := []byte{1, 1, 'a', 'b'}
	o, _, err := ConsumeOrder(b, p, Shape{1, 1})
	if _ = append(o.Bytes, 'x'); err != nil || b[3] != 'b' {
		t.Errorf("%q, %v", b, err)
	}
}
