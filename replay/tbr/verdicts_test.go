package tbr_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

var update = flag.Bool("update", false, "write testdata/verdicts.txt again")

// Rule: all versions of the reader judge a file alike, even one whose checksums are right and
// whose content no writer writes: what one refuses, the next one refuses for the same reason,
// and what one reads, the next one reads. testdata/verdicts.txt has a block for each chunk of
// a small recording, with a letter for each change of one byte: the result of Check for the
// file, closed and not.
func TestFrozenVerdicts(t *testing.T) {
	file, _ := small(t)
	var b strings.Builder
	for _, at := range chunksOf(file) {
		b.WriteString(verdicts(t, file, at))
	}
	const name = "testdata/verdicts.txt"
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got, lines := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(lines)) {
		if i >= len(got) || i >= len(lines) || got[i] != lines[i] {
			t.Fatalf("line %d of %s is another one now; the next lines are\n%s", i+1, name, strings.Join(got[min(i, len(got)):min(i+4, len(got))], "\n"))
		}
	}
}

// span is a chunk in a file.
type span struct{ kind, flags, payload, end int }

// chunksOf finds all chunks, those of the header and the end too.
func chunksOf(file []byte) (list []span) {
	for at := 8; at < len(file)-tbr.TrailerSize; {
		s := span{kind: at, flags: at + 4, payload: at + 6}
		size := int(file[at+5])
		if size >= 0x80 {
			size = size&0x7F | int(file[at+6])<<7
			s.payload++
		}
		s.end = s.payload + size + 4
		list, at = append(list, s), s.end
	}
	return list
}

// verdicts changes each byte of a chunk in three ways, takes one away, and adds one.
func verdicts(t *testing.T, file []byte, s span) string {
	var kind tbr.Kind
	copy(kind[:], file[s.kind:])
	flags, payload := file[s.flags], file[s.payload:s.end-4]
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %d bytes at byte %d\n", kind, len(payload), s.kind)
	read := fnv.New32a()
	change := func(what string, changes int, to func(i int) (byte, []byte)) {
		for _, closed := range []bool{true, false} {
			letters := make([]byte, changes)
			for i := range letters {
				flags, payload := to(i)
				out := tbr.Rechunk(file[:s.kind:s.kind], kind, flags, payload)
				if out = append(out, file[s.end:]...); !closed {
					out = out[:len(out)-1]
				}
				var detail string
				letters[i], detail = verdict(t, out)
				read.Write([]byte(detail))
			}
			fmt.Fprintf(&b, "\t%-10s %s\n", what, letters)
			what = ""
		}
	}
	change("flags", 8, func(i int) (byte, []byte) { return flags ^ 1<<i, payload })
	for _, by := range []byte{1, 0xFF, 0x80} {
		change(fmt.Sprintf("by %d", int8(by)), len(payload), func(i int) (byte, []byte) {
			p := bytes.Clone(payload)
			p[i] += by
			return flags, p
		})
	}
	change("length", 3, func(i int) (byte, []byte) {
		return flags, [][]byte{nil, payload[:max(len(payload)-1, 0)], append(bytes.Clone(payload), 0)}[i]
	})
	fmt.Fprintf(&b, "\tread: %08x\n", read.Sum32())
	return b.String()
}

// headerAsFrozen returns what a header had when the verdicts were frozen, and a rate that is no integer after it.
func headerAsFrozen(h *tbr.Header) any {
	old := struct {
		Game                     string
		Shape                    agreed.Shape
		TickRate                 int
		Seed, Content            uint64
		Length                   uint32
		Data                     []byte
		HashEvery, KeyframeEvery int
		State0                   uint64
		Info                     tbr.Info
	}{h.Game, h.Shape, h.TickRate, h.Seed, h.Content, h.Length, h.Data, h.HashEvery, h.KeyframeEvery, h.State0, h.Info}
	if h.Rate.Given() {
		return fmt.Sprint(old, h.Rate)
	}
	return old
}

// verdict returns a letter for the result of Check for a file, and for the rest that is read
// from it.
func verdict(t *testing.T, file []byte) (letter byte, read string) {
	r, err := tbr.Open(bytes.NewReader(file), int64(len(file)))
	var b strings.Builder
	if err == nil {
		err = r.Check()
		end, closed := r.End()
		fmt.Fprint(&b, headerAsFrozen(r.Header()), r.Next(), end, closed)
		c, failed := r.Frames(r.First())
		for failed == nil {
			var run *tbr.Run
			if run, failed = c.Run(100); failed == nil {
				fmt.Fprint(&b, *run)
			}
		}
		for h, failed := range r.Hashes(0) {
			fmt.Fprint(&b, h, failed == nil)
		}
		for f := range r.Keyframes() {
			at, state, failed := r.Keyframe(f)
			fmt.Fprint(&b, at, state, failed == nil)
		}
	}
	var e *tbr.Error
	if err == nil {
		return '.', b.String()
	}
	if !errors.As(err, &e) {
		t.Fatalf("an error without a type: %v", err)
	}
	fmt.Fprint(&b, e.Kind, e.Offset)
	for reason, letter := range map[error]byte{
		tbr.ErrOpen: 'u', tbr.ErrCut: 'c', tbr.ErrMagic: 'm', tbr.ErrVersion: 'v', tbr.ErrChecksum: 's', tbr.ErrRange: 'r',
		tbr.ErrOrder: 'o', tbr.ErrIndex: 'i', tbr.ErrDigest: 'd', tbr.ErrRequired: 'q', tbr.ErrNoKeyframe: 'k',
	} {
		if e.Reason == reason {
			return letter, b.String()
		}
	}
	t.Fatalf("an error of no reason: %v", err)
	return 0, ""
}
