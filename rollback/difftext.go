package rollback

import (
	"strings"

	"github.com/tickback/tickback/canon"
)

// missing is the value of a line that only the other text has.
const missing = "(missing)"

// textLine is a line of canon.AppendTextAny: a path, and a value. A pointer and
// what it points to can have the same path, so the lines of a path are counted.
type textLine struct {
	path   string
	number int
}

// text is such a text: its lines in order, and their values.
type text struct {
	lines  []textLine
	values map[textLine]string
}

func parseText(b []byte) text {
	t := text{values: map[textLine]string{}}
	seen := map[string]int{}
	for line := range strings.Lines(string(b)) {
		path, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		l := textLine{path, seen[path]}
		seen[path]++
		t.lines, t.values[l] = append(t.lines, l), value
	}
	return t
}

// diffText compares two such texts line by line, and lists at most so many
// differences.
func diffText(a, b []byte, most int) canon.Report {
	var r canon.Report
	add := func(path, x, y string) {
		if r.Total++; len(r.Differences) < most {
			r.Differences = append(r.Differences, canon.Difference{Path: path, A: x, B: y})
		}
	}
	first, second := parseText(a), parseText(b)
	for _, l := range first.lines {
		x := first.values[l]
		if y, ok := second.values[l]; !ok {
			add(l.path, x, missing)
		} else if x != y {
			add(l.path, x, y)
		}
	}
	for _, l := range second.lines {
		if _, ok := first.values[l]; !ok {
			add(l.path, missing, second.values[l])
		}
	}
	return r
}
