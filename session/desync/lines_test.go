package desync

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// paths returns the paths of the lines that a text is split into.
func paths(text string) map[string]bool {
	m := map[string]bool{}
	for _, l := range newLinesView([]byte(text)).lines {
		m[string(l.path)] = true
	}
	return m
}

// Rule: a run of equal elements becomes a line for each element below 4096, and pieces up to
// multiples of 64 above that; text that only looks like a run is one line as it is.
func TestRunsAreTakenApart(t *testing.T) {
	for path, want := range map[string]string{
		"A[0:3]":             "A[0] A[1] A[2]",
		"A[7:8]":             "A[7]",
		"A[4094:4300]":       "A[4094] A[4095] A[4096:4160] A[4160:4224] A[4224:4288] A[4288:4300]",
		"A[4097:4161]":       "A[4097:4160] A[4160]",
		"A[4159:4162]":       "A[4159] A[4160:4162]",
		"A[2].B[1:3]":        "A[2].B[1] A[2].B[2]",
		"[0:2]":              "[0] [1]",
		"A[1048575:1048576]": "A[1048575]",
		"A[1048575:1048577]": "A[1048575:1048577]",
		"A[3:3]":             "A[3:3]",
		"A[3:2]":             "A[3:2]",
		"A[-1:2]":            "A[-1:2]",
		"A[1]":               "A[1]",
		"A[x:2]":             "A[x:2]",
		"A[1:x]":             "A[1:x]",
		"A[1:2].B":           "A[1:2].B",
		"A1:2]":              "A1:2]",
		"[":                  "[",
	} {
		got := paths(path + ": 0")
		for _, p := range strings.Fields(want) {
			if !got[p] {
				t.Errorf("%s: %s is missing", path, p)
			}
		}
		if len(got) != len(strings.Fields(want)) {
			t.Errorf("%s: %v", path, got)
		}
	}
	if n := len(paths("A[0:1048576]: 0")); n != 4096+(1<<20-4096)/64 {
		t.Errorf("%d lines", n)
	}
}

// Rule: of lines with the same path, each has the key of the previous one plus 1, in the
// order in which they come.
func TestLinesWithTheSamePath(t *testing.T) {
	v := newLinesView([]byte("A: 1\nB: 9\nA: 2\nA: 3"))
	keys := map[string]uint64{}
	for i, l := range v.lines {
		keys[string(l.value)] = l.key
		if i > 0 && l.key <= v.lines[i-1].key {
			t.Errorf("line %d is out of order", i)
		}
	}
	if k := xxh3.HashString("A"); keys["1"] != k || keys["2"] != k+1 || keys["3"] != k+2 || keys["9"] != xxh3.HashString("B") {
		t.Errorf("%v", keys)
	}
}

// Rule: the tree is as deep as the state needs: 64 bytes in a leaf, or 4 lines on average,
// and 64 parts of each part.
func TestTheDepthOfATree(t *testing.T) {
	for size, want := range map[int][2]int{
		0: {0, 0}, 4: {0, 0}, 5: {0, 1}, 64: {0, 1}, 65: {1, 1}, 256: {1, 1}, 257: {1, 2}, 64 * 64: {1, 2}, 64*64 + 1: {2, 2},
		64 << 12: {2, 3}, 64<<12 + 1: {3, 3}, 64 << 18: {3, 4}, 64<<18 + 1: {4, 4}, 64 << 24: {4, 5}, 64<<24 + 1: {5, 5}, math.MaxInt32: {5, 5},
	} {
		if got := [2]int{depthFor(size, leafBytes), depthFor(size, leafLines)}; got != want {
			t.Errorf("%d: %v, want %v", size, got, want)
		}
	}
}

// Rule: a leaf has as many lines as fit in 1024 bytes, each with at most 160 bytes of its
// path and its value; they are in order, and can be decoded.
func TestALeafOfLines(t *testing.T) {
	for last, want := range []int{6, 5} {
		var text strings.Builder
		size := 0
		for i := range 6 {
			value := 160
			if i == 5 {
				value = 1024 - size - 18 - 5 + last
			}
			size += 18 + 5 + value
			fmt.Fprintf(&text, "Path%d: %s\n", i, strings.Repeat("v", value))
		}
		if r, told := (reader{b: newLinesView([]byte(text.String())).leaf(nil, 0, 0)}), 0; size == 1024+last {
			for ; len(r.b) > 0; told++ {
				consumeLine(&r)
			}
			if told != want {
				t.Errorf("%d bytes: %d lines", size, told)
			}
		}
	}
	for n := range 40 { // lines of all lengths: there is room for the next one, or there is not
		var text strings.Builder
		for i := range 30 {
			fmt.Fprintf(&text, "%02d: %s\n", i, strings.Repeat("v", n+i%3))
		}
		v := newLinesView([]byte(text.String()))
		b := v.leaf([]byte("before"), 0, 0)
		r, told, used := reader{b: b[6:]}, 0, 0
		for ; len(r.b) > 0; told++ {
			l := consumeLine(&r)
			if w := v.lines[told]; r.err != nil || l.key != w.key || l.digest != w.digest || string(l.path) != string(w.path) || string(l.value) != string(w.value) {
				t.Fatalf("line %d: %+v, %v", told, l, r.err)
			}
			used += 8 + 8 + 1 + 2 + 1 + len(l.value)
		}
		if used != len(b)-6 || used > 1024 || told < 30 && used+20+len(v.lines[told].value) <= 1024 {
			t.Errorf("%d lines, %d bytes", told, used)
		}
	}
	v := newLinesView([]byte(strings.Repeat("p", 161) + ": " + strings.Repeat("v", 161)))
	if b := v.leaf(nil, 0, 0); len(b) != 18+2*160 {
		t.Errorf("%d bytes", len(b))
	}
}

// Rule: text is cut at the beginning of a character, if it is text.
func TestTextIsCut(t *testing.T) {
	for _, s := range []string{"", "abc", "abcd", "abcde", "aé", "abé", "abcé", "a€€", "ab€", "abc€", "a😀😀", "abc😀", "abcd😀"} {
		got := cutText(s, 4)
		if len(got) > 4 || !strings.HasPrefix(s, got) || !utf8.ValidString(got) {
			t.Errorf("%q becomes %q", s, got)
		}
		if _, size := utf8.DecodeRuneInString(s[len(got):]); size > 0 && len(got)+size <= 4 {
			t.Errorf("%q becomes %q, and there was room for more", s, got)
		}
	}
	if got := cutText("\x80\x80\x80\x80\x80\x80", 5); len(got) != 1 { // no character has more than four bytes
		t.Errorf("% x", got)
	}
}

// Rule: a value is found by the path of a field, and each element of a run by its own path.
func TestValuesByPath(t *testing.T) {
	text := ParseText([]byte("A: 1\nB[0:3]: 7\nC: x: y\nempty: \nbare"))
	for path, want := range map[string]string{"A": "1", "B[0]": "7", "B[2]": "7", "C": "x: y", "empty": "", "bare": ""} {
		if got, ok := text.Value(path); got != want || !ok {
			t.Errorf("%s: %q, %v", path, got, ok)
		}
	}
	for _, path := range []string{"", "B[3]", "B[0:3]", "D", "A: 1"} {
		if got, ok := text.Value(path); got != "" || ok {
			t.Errorf("%s: %q", path, got)
		}
	}
	if got, ok := ParseText(nil).Value("A"); got != "" || ok {
		t.Errorf("%q", got)
	}
	if n := len(newLinesView([]byte("x")).lines); n != 1 {
		t.Errorf("%d lines", n)
	}
}
