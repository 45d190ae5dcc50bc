package canon

import (
	"bytes"
	"iter"
	"math"
	"strconv"
)

// TextLine is one line of the text of a state, as [Plan.AppendText] and [AppendTextAny] write
// it: "P[1].Vy: 460". Both point into the text.
type TextLine struct {
	Path  []byte // such as P[1].Vy, or Grid[0:1024] for equal neighbours
	Value []byte // everything after the first ": "; nil if there is none
}

// TextLines yields the lines of a text in order. It accepts any text: a line without ": " is a path without a value. A
// pointer and what it points to may have the same path.
func TextLines(text []byte) iter.Seq[TextLine] {
	return func(yield func(TextLine) bool) {
		for len(text) > 0 {
			var line []byte
			line, text, _ = bytes.Cut(text, []byte("\n"))
			path, value, _ := bytes.Cut(line, []byte(": "))
			if !yield(TextLine{path, value}) {
				return
			}
		}
	}
}

// Elements splits an index, Grid[3], or a range, Grid[3:9], off the end of the path: the line is about the elements of
// the array from from to before to. It returns false for any other path, including those with indices that this package
// does not write: with leading zeros, in the wrong order, or above 2,147,483,647, which is the maximum of an int on
// some machines.
func (l TextLine) Elements() (array []byte, from, to int, ok bool) {
	open := bytes.LastIndexByte(l.Path, '[')
	if open < 0 || l.Path[len(l.Path)-1] != ']' {
		return nil, 0, 0, false
	}
	first, last, several := bytes.Cut(l.Path[open+1:len(l.Path)-1], []byte(":"))
	from, ok = parseIndex(first)
	if to = from + 1; ok && several {
		to, ok = parseIndex(last)
	}
	if !ok || from >= to || to > math.MaxInt32 {
		return nil, 0, 0, false
	}
	return l.Path[:open], from, to, true
}

// parseIndex is the reverse of strconv.AppendInt, for numbers from 0 on.
func parseIndex(b []byte) (n int, ok bool) {
	i, err := strconv.ParseInt(string(b), 10, 32)
	return int(i), err == nil && b[0] >= '0' && b[0] <= '9' && (b[0] != '0' || len(b) == 1)
}

// AppendElements appends the path of elements of an array to b: Grid[3:9], or Grid[3] if there
// is only one.
func AppendElements(b, array []byte, from, to int) []byte {
	return appendRange(append(b, array...), uintptr(from), uintptr(to))
}
