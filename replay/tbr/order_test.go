package tbr_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
)

// unclosed splits a recording that was not closed into its header and its chunks.
func unclosed(t *testing.T, file []byte) (header []byte, kinds []tbr.Kind, chunks [][]byte) {
	t.Helper()
	for c, err := range open(t, file).Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if header == nil {
			header = file[:c.Offset]
		}
		kinds, chunks = append(kinds, c.Kind), append(chunks, file[c.Offset:c.End()])
	}
	return header, kinds, chunks
}

// Rule: a recording that was not closed ends before the first chunk that is out of place,
// whichever it is, and has everything before that.
func TestWhatIsOutOfPlaceEndsAnUnclosedRecording(t *testing.T) {
	file, frames := small(t)
	header, kinds, chunks := unclosed(t, file)
	with := func(k tbr.Kind) func(all [][]byte) [][]byte {
		return func(all [][]byte) [][]byte {
			return slices.Insert(slices.Clone(all), 3, tbr.Rechunk(nil, k, byte(tbr.Required), []byte("x")))
		}
	}
	// The first five blocks begin with 60, 64, 72, 80 and 88.
	for _, c := range []struct {
		name   string
		change func(all [][]byte) [][]byte
		next   uint32
		other  bool // frames written for another position cannot be decoded
	}{
		{"nothing", func(all [][]byte) [][]byte { return all }, 141, false},
		{"no keyframe at a late beginning", func(all [][]byte) [][]byte { return all[1:] }, 60, false},
		{"hashes first", func(all [][]byte) [][]byte { return all[2:] }, 60, false},
		{"the first keyframe twice", func(all [][]byte) [][]byte { return slices.Insert(slices.Clone(all), 1, all[0]) }, 60, false},
		{"another keyframe twice", func(all [][]byte) [][]byte { return slices.Insert(slices.Clone(all), 4, all[3]) }, 64, false},
		{"a keyframe after the orders", func(all [][]byte) [][]byte { return swapped(all, 3, 4) }, 64, false},
		{"a keyframe within a segment", func(all [][]byte) [][]byte { return slices.Insert(slices.Clone(all), 7, all[3]) }, 72, false},
		{"what belongs into the header", with(tbr.KindGame), 64, false},
		{"what belongs into the header, too", with(tbr.KindInfo), 64, false},
		{"an end", with(tbr.KindEnd), 64, false},
		{"an index", with(tbr.KindIndex), 64, false},
		{"hashes twice", func(all [][]byte) [][]byte { return slices.Insert(slices.Clone(all), 7, all[6]) }, 72, false},
		{"no hashes", func(all [][]byte) [][]byte { return slices.Delete(slices.Clone(all), 6, 7) }, 72, false},
		{"hashes before their frames", func(all [][]byte) [][]byte { return swapped(all, 5, 6) }, 64, false},
		{"frames after a block that is short", func(all [][]byte) [][]byte {
			last := len(all) - 2 // which ends with frame 140, and finishes the match
			return append(slices.Clone(all), all[last])
		}, 141, false},
		{"frames after the end within the match", func(all [][]byte) [][]byte {
			last := len(all) - 2
			return slices.Insert(slices.Clone(all), 7, all[last], all[last+1])
		}, 77, true},
	} {
		built := slices.Concat(header, bytes.Join(c.change(chunks), nil))
		r, err := tbr.Open(bytes.NewReader(built), int64(len(built)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if r.Next() != c.next {
			t.Errorf("%s: frames up to %d, want %d (%v)", c.name, r.Next(), c.next, kinds[:8])
		}
		if err := r.Check(); !errors.Is(err, tbr.ErrOpen) && !c.other {
			t.Errorf("%s: what is there is wrong: %v", c.name, err)
		}
		if c.next <= 64 {
			continue
		}
		if cursor, err := r.Frames(60); err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if f, err := cursor.Next(); err != nil || !same(f, frames[0]) {
			t.Errorf("%s: the first frame is %+v (%v)", c.name, f, err)
		}
	}
}

func swapped(all [][]byte, i, j int) [][]byte {
	all = slices.Clone(all)
	all[i], all[j] = all[j], all[i]
	return all
}

// Rule: with a chunk of an unknown required kind, an unclosed recording cannot be read at
// all, rather than ending there.
func TestWhatMustBeUnderstoodIsNoEnd(t *testing.T) {
	file, _ := small(t)
	header, kinds, chunks := unclosed(t, file)
	at := slices.Index(kinds, tbr.KindStats)
	whole := slices.Concat(header, bytes.Join(chunks, nil))
	r := open(t, whole)
	for c, err := range r.Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if c.Kind != tbr.KindStats {
			continue
		}
		c.Kind = tbr.Kind{'N', 'E', 'W', '1'}
		built := tbr.Replace(whole, c, tbr.Required, []byte("statistics"))
		if _, err := tbr.Open(bytes.NewReader(built), int64(len(built))); !errors.Is(err, tbr.ErrRequired) {
			t.Errorf("chunk %d must be understood: %v", at, err)
		}
		if built = tbr.Replace(whole, c, 0, []byte("statistics")); open(t, built).Next() != 141 {
			t.Error("one that need not be understood ends the recording")
		}
		return
	}
	t.Fatal("no statistics")
}

// broken is a file whose reads fail from an offset on, with an error of its own.
type broken struct {
	file []byte
	from int64
	err  error
}

func (b broken) ReadAt(p []byte, at int64) (int, error) {
	n := copy(p, b.file[min(at, int64(len(b.file))):])
	if at+int64(n) > b.from {
		return max(0, int(b.from-at)), b.err
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Rule: if something cannot be read because of the file, the error is the file's own,
// wherever it happens, and it is not taken for the end of an unclosed recording.
func TestAReadErrorIsNoEndOfARecording(t *testing.T) {
	file, _ := small(t)
	disk := errors.New("the disk fails")
	header, _, chunks := unclosed(t, file)
	for _, file := range [][]byte{file, slices.Concat(header, bytes.Join(chunks, nil))} {
		for from := range int64(len(file)) {
			r, err := tbr.Open(broken{file, from, disk}, int64(len(file)))
			if err == nil {
				err = r.Check()
			}
			if !errors.Is(err, disk) {
				t.Fatalf("%d bytes of %d can be read: %v", from, len(file), err)
			}
		}
	}
}

// atEnd is a file that reports its end with the last bytes, as an io.ReaderAt may.
type atEnd []byte

func (f atEnd) ReadAt(p []byte, at int64) (int, error) {
	n := copy(p, f[min(at, int64(len(f))):])
	if at+int64(n) == int64(len(f)) {
		return n, io.EOF
	}
	return n, nil
}

// Rule: a chunk that is larger than what is read at once is read completely, even at the
// end of the file; a file that has become shorter in the meantime is truncated.
func TestLargeChunksAreReadWhole(t *testing.T) {
	large := bytes.Repeat([]byte("0123456789abcdef"), 1<<10)
	var b bytes.Buffer
	w, err := tbr.NewWriter(&b, tbr.Header{TickRate: 1, Shape: shapes[0]})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Optional(tbr.KindStats, large); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes() // not closed: the chunk is the last thing
	r, err := tbr.Open(atEnd(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for c, err := range r.Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.Payload(c); err != nil || !bytes.Equal(got, large) {
			t.Errorf("%d bytes of %d: %v", len(got), len(large), err)
		}
		short, err := tbr.Open(&shrinking{file: file}, int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := short.Payload(c); !errors.Is(err, tbr.ErrCut) {
			t.Errorf("the file was cut: %v", err)
		}
	}
}

// shrinking is a file whose large reads return only a part.
type shrinking struct{ file []byte }

func (s *shrinking) ReadAt(p []byte, at int64) (int, error) {
	return atEnd(s.file[:len(s.file)-len(p)/5000]).ReadAt(p, at)
}

// Rule: an error names the reason, the chunk, its position, and the values.
func TestErrorsSayWhereItIs(t *testing.T) {
	for _, c := range []struct {
		err  tbr.Error
		rest string
	}{
		{tbr.Error{}, ""},
		{tbr.Error{Offset: 1}, ": at byte 1"},
		{tbr.Error{Kind: tbr.KindStats}, ": chunk STAT at byte 0"},
		{tbr.Error{Kind: tbr.KindStats, Offset: 7, Detail: "8 bytes"}, ": chunk STAT at byte 7: 8 bytes"},
	} {
		c.err.Reason = tbr.ErrCut
		if got, want := c.err.Error(), "tbr: "+tbr.ErrCut.Error()+c.rest; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Rule: a chunk of a known kind with flags that its writer does not set is not read; one
// of an optional kind may have any flags.
func TestFlagsThatNoWriterGivesAreRefused(t *testing.T) {
	file, _ := small(t)
	header, _, chunks := unclosed(t, file)
	whole := slices.Concat(header, bytes.Join(chunks, nil))
	seen := map[tbr.Kind]bool{}
	for c, err := range open(t, whole).Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if seen[c.Kind] {
			continue
		}
		seen[c.Kind] = true
		payload, err := open(t, whole).Payload(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, flag := range []tbr.Flags{4, 8} { // neither general ones nor of a kind
			r := open(t, tbr.Replace(whole, c, c.Flags|flag, payload))
			if read := r.Next() == 141; read != (c.Kind == tbr.KindStats) {
				t.Errorf("%v at frame %d with flag %d: frames up to %d are read", c.Kind, c.Frame, flag, r.Next())
			}
		}
	}
	if len(seen) != 5 {
		t.Errorf("%d kinds", len(seen))
	}
}

// Rule: reading the payload of something that is not a chunk of the recording is an
// error.
func TestNoChunkHasNoPayload(t *testing.T) {
	file, _ := small(t)
	r := open(t, file)
	if _, err := r.Payload(tbr.Chunk{}); !errors.Is(err, tbr.ErrRange) {
		t.Errorf("the zero chunk: %v", err)
	}
	for c, err := range r.Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if c.Size = len(file); !errors.Is(payloadError(r, c), tbr.ErrRange) {
			t.Errorf("a chunk beyond the end: %v", payloadError(r, c))
		}
		break
	}
}

func payloadError(r *tbr.Reader, c tbr.Chunk) error {
	_, err := r.Payload(c)
	return err
}
