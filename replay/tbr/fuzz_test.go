package tbr_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// readAll reads all of a file, in every possible way, and writes it again if it is
// right. For any file, errors are typed.
func readAll(t *testing.T, file []byte) {
	r, err := tbr.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		typed(t, err)
		return
	}
	for _, from := range []uint32{r.First(), r.First()/2 + r.Next()/2, r.Next()} {
		c, err := r.Frames(from)
		for n := 0; err == nil; n++ {
			if n%5 == 0 {
				_, err = c.Run(7)
			} else {
				_, err = c.Next()
			}
		}
		if err != io.EOF {
			typed(t, err)
		}
	}
	for _, err := range r.Hashes(r.First()) {
		if err != nil {
			typed(t, err)
		}
	}
	if _, _, err := r.Keyframe(r.Next()); err != nil {
		typed(t, err)
	}
	for c, err := range r.Chunks() {
		if err == nil {
			_, err = r.Payload(c)
		}
		if err != nil {
			typed(t, err)
			break
		}
	}
	switch err := r.Check(); {
	case err == nil:
		again(t, r)
	default:
		typed(t, err)
	}
}

// again writes a valid recording once more: the frames are the same.
func again(t *testing.T, r *tbr.Reader) {
	h := *r.Header()
	h.HashEvery, h.KeyframeEvery = 0, tbr.NoKeyframes
	var b bytes.Buffer
	w, err := tbr.NewWriter(&b, h)
	if err != nil {
		t.Fatal(err)
	}
	if w.WantsKeyframe() {
		if err := w.Keyframe(nil); err != nil {
			t.Fatal(err)
		}
	}
	c, err := r.Frames(r.First())
	for err == nil {
		var f *agreed.Frame
		if f, err = c.Next(); err == nil {
			err = w.Frame(f)
		}
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	if err := w.Close(tbr.End{}); err != nil {
		t.Fatal(err)
	}
	other := open(t, b.Bytes())
	if err := other.Check(); err != nil || other.Next() != r.Next() {
		t.Fatalf("written again: %v, frames up to %d of %d", err, other.Next(), r.Next())
	}
	one, errOne := r.Frames(r.First())
	two, errTwo := other.Frames(r.First())
	for errOne == nil && errTwo == nil {
		var a, b *agreed.Frame
		a, errOne = one.Next()
		b, errTwo = two.Next()
		if errOne == nil && errTwo == nil && !same(a, b) {
			t.Fatalf("written again, %+v is %+v", a, b)
		}
	}
	if errOne != io.EOF || errTwo != io.EOF {
		t.Fatalf("%v, written again %v", errOne, errTwo)
	}
}

// FuzzOpen: no file makes a reader panic, or fail with an untyped error.
func FuzzOpen(f *testing.F) {
	file, _ := small(f)
	f.Add(file)
	f.Add(file[:len(file)-1])
	f.Add(file[:100])
	f.Add(record(f, tbr.Header{Shape: agreed.Shape{Players: 1}, TickRate: 1}, nil))
	wide := agreed.Shape{Players: 16, InputSize: 1, MaxOrders: 4}
	f.Add(record(f, tbr.Header{Shape: wide, TickRate: 1}, newMatch(wide, 1, 0).frames(40)))
	f.Add(record(f, tbr.Header{Shape: wide, TickRate: 60, Rate: ntsc}, newMatch(wide, 1, 0).frames(40)))
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) > 1<<16 {
			return
		}
		readAll(t, file)
	})
}

// FuzzCursor: whatever the payload and the flags of a chunk are, if its checksum
// is right, no cursor panics, and every error is typed.
func FuzzCursor(f *testing.F) {
	file, _ := small(f)
	var chunks []tbr.Chunk
	r := open(f, file)
	for c, err := range r.Chunks() {
		if err != nil {
			f.Fatal(err)
		}
		payload, err := r.Payload(c)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(len(chunks)), byte(c.Flags), payload, true)
		chunks = append(chunks, c)
	}
	f.Fuzz(func(t *testing.T, which, flags uint8, payload []byte, cut bool) {
		changed := tbr.Replace(file, chunks[int(which)%len(chunks)], tbr.Flags(flags), payload)
		if cut { // a reader then relies on what the chunks say about themselves
			changed = changed[:len(changed)-1]
		}
		readAll(t, changed)
	})
}
