package datagram

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// known reports whether an error is one of the reasons for a rejection.
func known(err error) bool {
	for _, e := range []error{ErrShort, ErrKind, ErrMagic, ErrVarint, ErrRange, ErrPlayers, ErrTrailing, ErrGap, ErrConflict, ErrInputCode} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// bounded truncates what no socket would pass on.
func bounded(b []byte) []byte { return b[:min(len(b), MaxSize)] }

// Bytes that are read as a Hello are its encoding, except for the padding.
func FuzzConsumeHello(f *testing.F) {
	f.Add(Hello{Version: 1, Nonce: 2, Attempt: 3}.Append(nil))
	f.Add(Hello{Version: 1, Nonce: 2, Attempt: 3}.AppendPadded(nil, MinSize))
	f.Add([]byte{KindHello, 'T', 'K', 'B'})
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := ConsumeHello(b)
		if err != nil {
			if !known(err) {
				t.Fatal(err)
			}
			return
		}
		if again := h.AppendPadded(nil, len(b)); !bytes.Equal(again[:14], b[:14]) || len(again) != len(b) {
			t.Fatalf("% x, not % x", again[:14], b[:14])
		}
	})
}

func FuzzConsumeChallenge(f *testing.F) {
	f.Add(Challenge{KindChallenge, 5}.Append(nil))
	f.Add(Challenge{KindAnswer, 6}.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ConsumeChallenge(b)
		if err != nil {
			if !known(err) {
				t.Fatal(err)
			}
		} else if again := c.Append(nil); !bytes.Equal(again, b) {
			t.Fatalf("% x, not % x", again, b)
		}
	})
}

// Every Welcome has only one encoding.
func FuzzConsumeWelcome(f *testing.F) {
	f.Add(sampleWelcome(nil).Append(nil))
	f.Add(sampleWelcome(&Offer{Match: 1, Frames: 60, Data: []byte("stage")}).Append(nil))
	f.Add(append(sampleWelcome(nil).Append(nil), 0))
	f.Add(wideWelcome().Append(nil))
	f.Add(atRate(sampleWelcome(&Offer{Match: 1}), consoleRate).Append(nil))
	f.Add(atRate(welcomeOf(7), consoleRate).Append(nil))
	f.Add([]byte{KindWelcome, 'T', 'K', 'B', Version + 1, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Fuzz(func(t *testing.T, b []byte) {
		b = bounded(b)
		w, err := ConsumeWelcome(b)
		switch {
		case err != nil:
			if !known(err) {
				t.Fatal(err)
			}
		case w.Version == Version:
			if w.Items.Players > MaxPlayers || uint32(w.Items.Own)>>w.Items.Players != 0 {
				t.Fatalf("%b of %d players", w.Items.Own, w.Items.Players)
			}
			if again := w.Append(nil); !bytes.Equal(again, b) {
				t.Fatalf("% x, not % x", again, b)
			}
		case !cmp.Equal(w.Items, Items{}) || w.Offer != nil:
			t.Fatalf("of version %d: %+v", w.Version, w)
		}
	})
}

func FuzzConsumeOffer(f *testing.F) {
	f.Add((&Offer{Match: 1, State: 2, Seed: 3, Frames: 4, Content: 5, Data: []byte("6")}).Append(nil))
	f.Add([]byte("short"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var o Offer
		if err := o.Consume(b); err != nil {
			if !known(err) {
				t.Fatal(err)
			}
		} else if again := o.Append(nil); !bytes.Equal(again, b) {
			t.Fatalf("% x, not % x", again, b)
		}
	})
}

// fuzzSets is the encoding of sets in a match with 1 to 16 players.
func fuzzSets(seed byte) Sets { return SetsOf(1 + int(seed)%MaxPlayers) }

// A set that is read has the same encoding when it is written, and has only players of the match.
func FuzzConsumeSet(f *testing.F) {
	f.Add([]byte{1, 2}, byte(1))
	f.Add([]byte{4}, byte(1))
	f.Add([]byte{0, 0x80, 9}, byte(15))
	f.Add([]byte{0, 0x80}, byte(14))
	f.Fuzz(func(t *testing.T, b []byte, players byte) {
		sets := fuzzSets(players)
		set, rest, err := sets.Consume(b)
		switch {
		case err != nil:
			if !known(err) || set != 0 || !bytes.Equal(rest, b) {
				t.Fatalf("%b, % x, %v", set, rest, err)
			}
		case uint32(set)>>sets.players != 0:
			t.Fatalf("%b of %d players", set, sets.players)
		case !bytes.Equal(append(sets.Append(nil, set), rest...), b):
			t.Fatalf("%b is written as % x", set, sets.Append(nil, set))
		}
	})
}

// fuzzShape returns one of all shapes.
func fuzzShape(seed byte) Shape {
	n := 1 + int(seed)%(MaxPlayers-1)
	return Shape{Sender: n, Receiver: 1 + int(seed>>4)%(MaxPlayers-n)}
}

// Every header has only one encoding: a header that was read has the same encoding when it is written, up to the low
// bits of its numbers.
func FuzzConsumeHeader(f *testing.F) {
	s := Shape{2, 2}
	h := Header{Sequence: 7, Match: 1, HasPlay: true, HasSample: true, HasOrders: true, HasControl: true}
	h.Play = Play{Ends: [MaxPlayers]uint32{100, 101}, Counts: [MaxPlayers]uint32{3, 4}, Acks: [MaxPlayers]uint32{99, 300}, Confirmed: 98}
	f.Add(h.Append(nil, s), byte(0x11), uint32(100))
	f.Add((&Header{}).Append(nil, s), byte(0), uint32(0))
	f.Add([]byte{0xC8, 0, 0, 10, 0, 0, 0, 0}, byte(0), uint32(1<<32-1))
	f.Fuzz(func(t *testing.T, b []byte, seed byte, near uint32) {
		s, b := fuzzShape(seed), bounded(b)
		sameAsAny(t, b, near)
		var h Header
		rest, err := h.Consume(b, s, near)
		if err != nil {
			if !known(err) {
				t.Fatal(err)
			}
			return
		}
		for i := range s.Sender {
			if h.HasPlay && (h.Play.Counts[i] > h.Play.Ends[i] || h.Play.Confirmed > h.Play.Ends[i]) {
				t.Fatalf("%+v", h.Play)
			}
		}
		if again := append(h.Append(nil, s), rest...); !bytes.Equal(again, b) {
			t.Fatalf("% x, not % x", again, b)
		}
	})
}

// Every entry of orders has only one encoding, and belongs to its datagram.
func FuzzConsumeOrder(f *testing.F) {
	f.Add([]byte{1, 2, 'o', 'k', 9}, byte(0), uint32(100), uint32(8))
	f.Add([]byte{1, 1, 0}, byte(1), uint32(100), uint32(8))
	f.Add([]byte{1, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F}, byte(0), uint32(9), uint32(9))
	f.Fuzz(func(t *testing.T, b []byte, seed byte, end, count uint32) {
		s, b := fuzzShape(seed), bounded(b)
		var p Play
		for i := range s.Sender {
			p.Ends[i], p.Counts[i] = end+uint32(i), min(count%HistoryFrames, end+uint32(i))
		}
		o, rest, err := ConsumeOrder(b, &p, s)
		if err != nil {
			if !known(err) {
				t.Fatal(err)
			}
			return
		}
		if back := p.Ends[o.Player] - o.Frame; back == 0 || back > p.Counts[o.Player] {
			t.Fatalf("%+v of %+v", o, p)
		}
		if again := append(AppendOrder(nil, o, s, p.Ends[o.Player]), rest...); !bytes.Equal(again, b) {
			t.Fatalf("% x, not % x", again, b)
		}
	})
}

func FuzzConsumeNumber(f *testing.F) {
	f.Add([]byte{0x80, 0x00})
	f.Add([]byte{0xFF, 0xFF, 0xFF, 0xFF, 0x0F})
	f.Fuzz(func(t *testing.T, b []byte) {
		v, n := ConsumeUint(b)
		want, size := binary.Uvarint(b)
		shortest := size == 1 || size > 1 && b[size-1] != 0
		if ok := shortest && want < 1<<32; ok != (n > 0) || ok && (n != size || uint64(v) != want) {
			t.Fatalf("% x is %d, %d bytes; not %d, %d", b, v, n, want, size)
		}
		if d, m := ConsumeInt(b); m != n || n > 0 && !bytes.Equal(AppendInt(nil, d), b[:n]) {
			t.Fatalf("% x is %d, %d bytes", b, d, m)
		}
	})
}

// A datagram with a wrong tag cannot be opened.
func FuzzOpen(f *testing.F) {
	f.Add(Key(1).Seal([]byte("datagram"), 0, 2), uint64(1), uint64(2))
	f.Add([]byte("12345678"), uint64(1), uint64(0))
	f.Fuzz(func(t *testing.T, b []byte, key, sequence uint64) {
		body, ok := Key(key).Open(b, sequence)
		if again := Key(key).Seal(bytes.Clone(body), 0, sequence); ok && !bytes.Equal(again, b) {
			t.Fatalf("% x, not % x", again, b)
		}
	})
}

// A history reads a block like the naive reader, with the same errors.
func FuzzConsumeBlock(f *testing.F) {
	f.Add([]byte{0x31, 5, 0x23, 1, 0x80}, byte(3), uint16(20), uint16(2), uint16(8))
	f.Add([]byte{0xF0, 0xF0, 0x01, 7}, byte(0), uint16(0), uint16(0), uint16(40))
	f.Add([]byte{255, 0, 3, 1, 9}, byte(4), uint16(600), uint16(0), uint16(400))
	f.Add([]byte{0, 1, 8, 0xAA, 0xBB}, byte(11), uint16(3), uint16(1), uint16(2))
	f.Fuzz(func(t *testing.T, b []byte, w byte, filled, back, count uint16) {
		b, width := bounded(b), 1+int(w)%MaxWidth
		n := int(filled) % (2 * HistoryFrames)
		var h History
		h.Init(width)
		l := naiveLog{width: width}
		for i := range n {
			in := make([]byte, width)
			in[i/7%width] = byte(i / 3)
			h.Push(in)
			l.inputs = append(l.inputs, in)
		}
		start, count32 := uint32(n-min(int(back)%600, n)), int(count)%HistoryFrames
		fresh, err := h.ConsumeBlock(b, start, count32)
		want, wantErr := l.consume(b, start, count32)
		if fresh != want || err != wantErr || h.Next() != uint32(len(l.inputs)) {
			t.Fatalf("%d are read, %v; naively %d, %v", fresh, err, want, wantErr)
		}
		for f := max(n+fresh, HistoryFrames) - HistoryFrames; f < n+fresh; f++ {
			if !bytes.Equal(h.At(uint32(f)), l.inputs[f]) {
				t.Fatalf("frame %d is %x, not %x", f, h.At(uint32(f)), l.inputs[f])
			}
		}
		if from := uint32(max(n+fresh, HistoryFrames-1) - (HistoryFrames - 1)); fresh > 0 {
			if again, end := h.AppendBlock(nil, from, h.Next(), 1<<20); end != h.Next() || !bytes.Equal(again, l.block(from, end)) {
				t.Fatalf("it is written as % x", again)
			}
		}
	})
}
