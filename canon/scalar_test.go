package canon

import (
	"fmt"
	"strings"
	"testing"
)

// Rule: the scalars of an encoding, one after the other, are its bytes, and have the texts of AppendText.
func TestScalarsAreTheTextOfAnEncoding(t *testing.T) {
	p, w := planFor[world](t), aWorld()
	encoded := p.Append(nil, w)
	values := map[string]string{}
	for off := 0; off < p.Size(); {
		s := p.ScalarAt(off)
		if s.Offset != off || s.Len < 1 {
			t.Fatalf("byte %d is in %+v", off, s)
		}
		for i := range s.Len {
			if got := p.ScalarAt(off + i); got.Path != s.Path || got.Offset != off {
				t.Fatalf("byte %d is in %+v, and not in %+v", off+i, got, s)
			}
		}
		values[s.Path] = string(s.AppendText(nil, encoded[off:off+s.Len]))
		off += s.Len
	}
	lines := 0
	for line := range strings.Lines(string(p.AppendText(nil, w))) {
		path, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if strings.Contains(path, ":") {
			continue // a run; its elements are scalars
		}
		if lines++; values[path] != value {
			t.Errorf("%s: %q, and the text has %q", path, values[path], value)
		}
	}
	if lines < 15 || values["Grid[3]"] != "0" || values["Grid[63]"] != "0" || values["Grid[5]"] != "48879" {
		t.Errorf("%d lines, %v", lines, values)
	}
}

// Rule: bytes that are not a valid scalar are shown unchanged, in hexadecimal.
func TestScalarsShowBytesThatTheyCannotBe(t *testing.T) {
	type mixed struct {
		Alive bool
		Speed float64
		Loud  loud
		Wave  complex128
	}
	p := planFor[mixed](t, AllowFloats)
	for _, c := range []struct {
		offset    int
		bytes     string
		text, raw string
	}{
		{0, "\x01", "true", "0x01"},
		{0, "\x07", "0x07", "0x07"},
		{0, "\x01\x02", "0x0102", "0x0102"},
		{3, "\x00\x00\x00\x00\x00\x00\x00\x80", "-0", "0x8000000000000000"},
		{3, "", "0x", "0x"},
		{9, "\x00", `"two\nlines"`, "0"},
		{9, "\x09", "9", "9"}, // its String panics
		{12, strings.Repeat("\x00", 16), "(0+0i)", "0x0000000000000000, 0x0000000000000000"},
	} {
		s := p.ScalarAt(c.offset)
		text, raw := string(s.AppendText(nil, []byte(c.bytes))), string(s.AppendRaw(nil, []byte(c.bytes)))
		if text != c.text || raw != c.raw {
			t.Errorf("%s: %q is %s and %s, want %s and %s", s.Path, c.bytes, text, raw, c.text, c.raw)
		}
	}
	if got := fmt.Sprint(string(Scalar{}.AppendText(nil, []byte{1}))); got != "0x01" {
		t.Errorf("the zero Scalar says %s", got)
	}
}
