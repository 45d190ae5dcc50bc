package agreed

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// match makes frames as a match has them: most like the one before.
type match struct {
	shape Shape
	r     *rand.Rand
	frame Frame
}

func newMatch(s Shape, seed uint64) *match {
	return &match{shape: s, r: rand.New(rand.NewPCG(seed, 1)), frame: Frame{Inputs: make([]byte, s.Players*s.InputSize)}}
}

func (m *match) next() Frame {
	f := &m.frame
	for i := range f.Inputs {
		if m.r.IntN(12) == 0 {
			f.Inputs[i] = byte(m.r.Uint32())
		}
	}
	if m.r.IntN(100) == 0 {
		f.Gone ^= 1 << m.r.IntN(m.shape.Players)
	}
	f.Orders = nil
	if m.shape.MaxOrders > 0 && m.r.IntN(10) == 0 {
		f.Orders = make([][]byte, m.shape.Players)
		f.Orders[m.r.IntN(m.shape.Players)] = make([]byte, 1+m.r.IntN(m.shape.MaxOrders))
	}
	if f.Marked, f.Mark = f.Number%60 == 59, (Mark{}); f.Marked {
		f.Mark = Mark{m.r.Uint64(), m.r.Uint64()}
	}
	if f.Finished, f.Result = m.r.IntN(500) == 0, 0; f.Finished {
		f.Result = m.r.Uint64()
	}
	c := m.frame
	c.Inputs = slices.Clone(f.Inputs)
	f.Number++
	return c
}

func same(a, b *Frame) bool {
	return a.Number == b.Number && bytes.Equal(a.Inputs, b.Inputs) && a.Gone == b.Gone &&
		slices.EqualFunc(full(a.Orders), full(b.Orders), bytes.Equal) &&
		a.Marked == b.Marked && a.Mark == b.Mark && a.Finished == b.Finished && a.Result == b.Result
}

func full(orders [][]byte) [][]byte {
	return append(slices.Clone(orders), make([][]byte, MaxPlayers-len(orders))...)
}

var shapes = []Shape{{1, 0, 0}, {2, 2, 0}, {3, 8, 20}, {8, 1, 0}, {8, 64, 4096}, {4, 9, 1}, {9, 2, 4}, {16, 64, 4096}, {16, 4, 0}}

// Any frames can be read back, from the beginning of every block, in pieces of any size.
func TestALogGivesBackItsFrames(t *testing.T) {
	for seed, s := range shapes {
		var log Log
		if err := log.Init(s, 0); err != nil {
			t.Fatal(err)
		}
		m := newMatch(s, uint64(seed))
		var frames []Frame
		for range 500 {
			f := m.next()
			frames = append(frames, f)
			if err := log.Append(&f); err != nil {
				t.Fatal(err)
			}
		}
		for _, from := range []uint32{0, 1, 63, 64, 130, 499} {
			readBack(t, &log, frames, from, m.r)
		}
	}
}

func readBack(t *testing.T, log *Log, frames []Frame, from uint32, r *rand.Rand) {
	t.Helper()
	var reader Reader
	at, err := log.Start(from)
	if err != nil || at > from || from-at >= BlockFrames {
		t.Fatalf("Start(%d) is %d, %v", from, at, err)
	}
	if err := reader.Init(log.Shape(), at); err != nil {
		t.Fatal(err)
	}
	for at < log.Next() {
		most := r.IntN(200)
		b, next := log.Bytes(at, log.Next(), most)
		if len(b) == 0 || next <= at || len(b) > most && next != at+1 {
			t.Fatalf("Bytes(%d) of at most %d has %d and goes on at %d", at, most, len(b), next)
		}
		for ; at < next; at++ {
			var f *Frame
			if f, b, err = reader.Read(b); err != nil {
				t.Fatalf("frame %d: %v", at, err)
			}
			if !same(f, &frames[at]) {
				t.Fatalf("frame %d: %+v, want %+v", at, f, &frames[at])
			}
		}
		if len(b) != 0 {
			t.Fatalf("%d bytes after frame %d", len(b), at)
		}
	}
}

// A log never takes much more than its limit, and always holds the newest frames.
func TestALogForgetsTheOldestFrames(t *testing.T) {
	s := Shape{2, 2, 0}
	var log Log
	if err := log.Init(s, 10_000); err != nil {
		t.Fatal(err)
	}
	m := newMatch(s, 1)
	for i := range 20_000 {
		f := m.next()
		if err := log.Append(&f); err != nil {
			t.Fatal(err)
		}
		if log.Size() > 11_000 {
			t.Fatalf("%d bytes after %d frames", log.Size(), i)
		}
	}
	first := log.First()
	if first == 0 || first%BlockFrames != 0 || log.Next()-first < 2*BlockFrames {
		t.Errorf("it holds %d to %d", first, log.Next())
	}
	if _, err := log.Start(first - 1); !errors.Is(err, ErrGone) {
		t.Errorf("a frame that is gone: %v", err)
	}
	if b, _ := log.Bytes(first-1, log.Next(), 100); b != nil {
		t.Error("bytes of a frame that is gone")
	}
	log.Forget(log.Next() - 1)
	if n := log.Next() - log.First(); n > BlockFrames || n == 0 {
		t.Errorf("%d frames are left of a log of which all but one were forgotten", n)
	}
	allocations := testing.AllocsPerRun(100, func() {
		for range 10 * BlockFrames {
			m.frame.Marked, m.frame.Finished, m.frame.Number = false, false, log.Next()
			if err := log.Append(&m.frame); err != nil {
				t.Fatal(err)
			}
		}
	})
	if allocations > 0 {
		t.Errorf("%v allocations for ten blocks", allocations)
	}
}

// The size of a log is its bytes, and for each block 304 bytes: for the ends of its frames, and for the block itself.
func TestWhatALogTakes(t *testing.T) {
	var log Log
	if err := log.Init(shapes[0], 0); err != nil {
		t.Fatal(err)
	}
	m := newMatch(shapes[0], 1)
	for n := 1; n <= 130; n++ {
		frame := m.next()
		if err := log.Append(&frame); err != nil {
			t.Fatal(err)
		}
		bytes := 0
		for at := uint32(0); at < log.Next(); {
			var b []byte
			b, at = log.Bytes(at, log.Next(), 1<<20)
			bytes += len(b)
		}
		if want := bytes + (n+BlockFrames-1)/BlockFrames*304; log.Size() != want {
			t.Fatalf("%d frames take %d bytes, want %d", n, log.Size(), want)
		}
	}
	if log.Forget(128); log.Size() > 304+130 {
		t.Errorf("two frames take %d bytes", log.Size())
	}
}

// A log drops whole blocks, if all of their frames are before the given one, and never the block that is not full yet.
func TestALogForgetsWhatIsBeforeAFrame(t *testing.T) {
	for _, next := range []uint32{300, 320} {
		for _, f := range []uint32{0, 1, 63, 64, 65, 128, 200, 255, 256, 299, 300, 319, 320, 1000} {
			var log Log
			if err := log.Init(shapes[1], 0); err != nil {
				t.Fatal(err)
			}
			m := newMatch(shapes[1], 1)
			for range next {
				frame := m.next()
				if err := log.Append(&frame); err != nil {
					t.Fatal(err)
				}
			}
			want := min(f/BlockFrames, next/BlockFrames) * BlockFrames
			if log.Forget(f); log.First() != want || log.Next() != next {
				t.Errorf("before %d of %d it has forgotten all before %d, want %d", f, next, log.First(), want)
			}
		}
	}
}

func TestALogRefusesWhatIsNotTheNextFrame(t *testing.T) {
	var log Log
	if err := log.Init(Shape{Players: 17}, 0); !errors.Is(err, ErrShape) {
		t.Errorf("seventeen players: %v", err)
	}
	if err := log.Init(Shape{2, 2, 0}, 0); err != nil {
		t.Fatal(err)
	}
	if err := log.Append(&Frame{Number: 1, Inputs: make([]byte, 4)}); !errors.Is(err, ErrGap) {
		t.Errorf("a frame ahead: %v", err)
	}
	if err := log.Append(&Frame{Inputs: make([]byte, 3)}); !errors.Is(err, ErrShape) {
		t.Errorf("inputs that are too short: %v", err)
	}
	if log.First() != 0 || log.Next() != 0 || log.Size() != 0 {
		t.Error("a refused frame is held")
	}
}

// Every frame has one encoding, and every encoding that is truncated or has a part that no frame has is refused.
func TestAReaderRefusesWhatNoWriterWrites(t *testing.T) {
	s := Shape{3, 2, 4}
	for name, c := range map[string]struct {
		bytes []byte
		want  error
	}{
		"nothing":                 {nil, ErrShort},
		"an unknown part":         {[]byte{0x20}, ErrRange},
		"inputs of nobody":        {[]byte{0x01, 0}, ErrRange},
		"inputs of a stranger":    {[]byte{0x01, 0x08, 1, 1}, ErrRange},
		"inputs without a change": {[]byte{0x01, 0x01, 0}, ErrRange},
		"a byte too many":         {[]byte{0x01, 0x01, 4, 1}, ErrRange},
		"a change to the same":    {[]byte{0x01, 0x01, 1, 0}, ErrRange},
		"inputs cut off":          {[]byte{0x01, 0x01, 3, 1}, ErrShort},
		"the same are gone":       {[]byte{0x02, 0}, ErrRange},
		"a stranger is gone":      {[]byte{0x02, 0x80}, ErrRange},
		"orders too long":         {[]byte{0x04, 1, 5, 1, 2, 3, 4, 5}, ErrRange},
		"orders without bytes":    {[]byte{0x04, 1, 0}, ErrRange},
		"orders cut off":          {[]byte{0x04, 1, 3, 1, 2}, ErrShort},
		"a mark cut off":          {append([]byte{0x08}, make([]byte, 15)...), ErrShort},
		"a result cut off":        {append([]byte{0x10}, make([]byte, 7)...), ErrShort},
	} {
		var r Reader
		if err := r.Init(s, 5); err != nil {
			t.Fatal(err)
		}
		if _, _, err := r.Read(c.bytes); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if _, _, err := r.Read([]byte{0}); !errors.Is(err, c.want) {
			t.Errorf("%s: then %v", name, err)
		}
	}
}

// Rule: a truncated frame gives ErrShort, wherever it ends and whatever it contains.
func TestAFrameIsWholeOrNone(t *testing.T) {
	for seed, s := range shapes {
		m, w := newMatch(s, uint64(seed)), Writer{}
		var r Reader
		w.Init(s)
		if err := r.Init(s, 0); err != nil {
			t.Fatal(err)
		}
		for range 200 {
			f := m.next()
			b := w.Append(nil, &f)
			for n := range b {
				cut := r
				if _, _, err := cut.Read(b[:n:n]); !errors.Is(err, ErrShort) {
					t.Fatalf("%+v, frame %d: %d bytes of %d: %v", s, f.Number, n, len(b), err)
				}
			}
			if got, rest, err := r.Read(b); err != nil || len(rest) > 0 || !same(got, &f) {
				t.Fatalf("%+v, frame %d: %+v, %d bytes are left, %v", s, f.Number, got, len(rest), err)
			}
		}
	}
}

// Rule: an impossible shape is refused by readers and logs.
func TestShapesAreChecked(t *testing.T) {
	for _, s := range []Shape{{0, 1, 0}, {MaxPlayers + 1, 1, 0}, {2, -1, 0}, {2, 65, 0}, {2, 1, -1}} {
		var r Reader
		var l Log
		if r.Init(s, 0) == nil || l.Init(s, 0) == nil {
			t.Errorf("%+v is taken", s)
		}
	}
}

// FuzzReader: no bytes make a reader panic, and a writer writes the same bytes for the frames that it accepts.
func FuzzReader(f *testing.F) {
	for seed, s := range shapes {
		m, w := newMatch(s, uint64(seed)), Writer{}
		w.Init(s)
		var b []byte
		for range 70 {
			fr := m.next()
			b = w.Append(b, &fr)
		}
		f.Add(byte(seed), uint32(0), b[:min(len(b), 4000)])
	}
	f.Fuzz(func(t *testing.T, shape byte, first uint32, b []byte) {
		s := shapes[int(shape)%len(shapes)]
		var r Reader
		var w Writer
		if err := r.Init(s, first); err != nil {
			t.Fatal(err)
		}
		w.Init(s)
		for len(b) > 0 {
			frame, rest, err := r.Read(b)
			if err != nil {
				return
			}
			if again := w.Append(nil, frame); !bytes.Equal(again, b[:len(b)-len(rest)]) {
				t.Fatalf("frame %d: % x is written again as % x", frame.Number, b[:len(b)-len(rest)], again)
			}
			b = rest
		}
	})
}

// These bytes are the format. They change with the protocol version, never alone.
func TestFrozenFrames(t *testing.T) {
	var w Writer
	w.Init(Shape{2, 9, 300})
	long := make([]byte, 9)
	long[0], long[8] = 1, 0xFE
	var b []byte
	for _, f := range []Frame{
		{Number: 62, Inputs: make([]byte, 18)},
		{Number: 63, Inputs: append(long, 0, 0, 0, 5, 0, 0, 0, 0, 0), Gone: 2},
		{Number: 64, Inputs: append(long, make([]byte, 9)...), Gone: 2, Orders: [][]byte{nil, {7, 8}}},
		{Number: 65, Inputs: append(long, make([]byte, 9)...), Marked: true, Mark: Mark{Hash: 1, Chain: 0x0203}},
		{Number: 66, Inputs: append(long, make([]byte, 9)...), Finished: true, Result: 513},
	} {
		b = w.Append(b, &f)
	}
	const want = "00" + "03030101" + "01fe" + "0800" + "05" + "02" +
		"07010101" + "01fe" + "02" + "02020708" +
		"0a00" + "0100000000000000" + "0302000000000000" + "10" + "0102000000000000"
	if got := hex.EncodeToString(b); got != want {
		t.Errorf("the frames are\n%s, want\n%s", got, want)
	}
}

// In a match with more than 8 players a set of them has two bytes, and in one with 8 it has one.
func TestFrozenFramesOfManyPlayers(t *testing.T) {
	for players, want := range map[int]string{
		8:  "07" + "81" + "0101" + "0107" + "80" + "80" + "0109",
		9:  "07" + "8100" + "0101" + "0107" + "8000" + "8000" + "0109",
		16: "07" + "8180" + "0101" + "0107" + "010f" + "0081" + "0080" + "0109",
	} {
		s := Shape{Players: players, InputSize: 1, MaxOrders: 1}
		f := Frame{Inputs: make([]byte, players), Gone: 0x80, Orders: make([][]byte, players)}
		f.Inputs[0], f.Inputs[7] = 1, 7
		order := 7
		if players == 16 {
			f.Inputs[15], f.Gone, order = 15, 0x8100, 15
		}
		f.Orders[order] = []byte{9}
		var w Writer
		w.Init(s)
		if got := hex.EncodeToString(w.Append(nil, &f)); got != want {
			t.Errorf("%d players: %s, want %s", players, got, want)
		}
		b, _ := hex.DecodeString(want)
		var r Reader
		if err := r.Init(s, 0); err != nil {
			t.Fatal(err)
		}
		if got, rest, err := r.Read(b); err != nil || len(rest) > 0 || !same(got, &f) {
			t.Errorf("%d players: %+v, %d bytes are left, %v", players, got, len(rest), err)
		}
	}
}

// A player that does not exist, in the second byte of a set, is refused.
func TestStrangersBeyondTheFirstEight(t *testing.T) {
	for name, c := range map[string]struct {
		bytes []byte
		want  error
	}{
		"inputs of a stranger": {[]byte{0x01, 0x00, 0x02, 1, 1}, ErrRange},
		"half a set":           {[]byte{0x01, 0x01}, ErrShort},
		"a stranger is gone":   {[]byte{0x02, 0x00, 0x02}, ErrRange},
		"the same are gone":    {[]byte{0x02, 0x00, 0x00}, ErrRange},
		"orders of a stranger": {[]byte{0x04, 0x00, 0x80, 1, 1}, ErrRange},
		"orders of half a set": {[]byte{0x04, 0x01}, ErrShort},
	} {
		var r Reader
		if err := r.Init(Shape{9, 1, 4}, 0); err != nil {
			t.Fatal(err)
		}
		if _, _, err := r.Read(c.bytes); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
