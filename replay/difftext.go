package replay

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tickback/tickback/canon"
)

// Missing is the value of a field that only the other state has.
const Missing = "(missing)"

// DiffTexts compares the texts of two states ([Sim.Text]) by the names of the fields,
// which may be those of two builds with different ones. It lists at most so many
// differences, in the order of the first text, and counts all. Neighbours in an array
// that differ in the same way are one difference.
func DiffTexts(a, b []byte, most int) canon.Report {
	first, second := parseText(a), parseText(b)
	var r canon.Report
	add := func(path, x, y string) {
		if r.Total++; len(r.Differences) < most {
			r.Differences = append(r.Differences, canon.Difference{Path: path, A: x, B: y})
		}
	}
	for _, k := range first.order {
		diffRuns(k, first.runs[k], second.runs[k], add)
	}
	for _, k := range second.order {
		if _, both := first.runs[k]; !both {
			diffRuns(k, nil, second.runs[k], add)
		}
	}
	return r
}

// textKey is what the lines of a text are known by: the path, without the index at its
// end. A pointer and what it points to may have the same path: number tells them apart.
type textKey struct {
	stem    string
	indexed bool
	number  int
}

// path is that of elements.
func (k textKey) path(from, to int) string {
	switch {
	case !k.indexed:
		return k.stem
	case to == from+1:
		return fmt.Sprintf("%s[%d]", k.stem, from)
	}
	return fmt.Sprintf("%s[%d:%d]", k.stem, from, to)
}

// textRun is one line: the elements from on, before to, and their value. A line
// without an index is element 0.
type textRun struct {
	from, to int
	value    string
}

// text is a state by path.
type text struct {
	order []textKey
	runs  map[textKey][]textRun // in ascending order
}

func parseText(b []byte) text {
	t := text{runs: map[textKey][]textRun{}}
	numbers := map[textKey]int{}
	for line := range strings.Lines(string(b)) {
		path, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		k := textKey{stem: path}
		run := textRun{0, 1, value}
		if stem, from, to, ok := parseIndex(path); ok {
			k.stem, k.indexed, run.from, run.to = stem, true, from, to
		}
		zero := k
		k.number = numbers[zero]
		if list := t.runs[k]; len(list) > 0 && list[len(list)-1].to > run.from {
			numbers[zero]++ // the same elements again: another array of the same path
			k.number++
		}
		if t.runs[k] == nil {
			t.order = append(t.order, k)
		}
		t.runs[k] = append(t.runs[k], run)
	}
	return t
}

// parseIndex takes an index [3], or a range of them [3:9], off the end of a path.
func parseIndex(path string) (stem string, from, to int, ok bool) {
	open := strings.LastIndexByte(path, '[')
	if open < 0 || path[len(path)-1] != ']' {
		return "", 0, 0, false
	}
	first, last, isRange := strings.Cut(path[open+1:len(path)-1], ":")
	from, err := strconv.Atoi(first)
	if err != nil || from < 0 {
		return "", 0, 0, false
	}
	if to = from + 1; isRange {
		if to, err = strconv.Atoi(last); err != nil {
			return "", 0, 0, false
		}
	}
	return path[:open], from, to, from < to
}

// diffRuns compares the lines of one path, from boundary to boundary.
func diffRuns(k textKey, a, b []textRun, add func(path, x, y string)) {
	for at := 0; len(a) > 0 || len(b) > 0; {
		x, endX := valueAt(&a, at)
		y, endY := valueAt(&b, at)
		end := min(endX, endY)
		if x != y {
			add(k.path(at, end), x, y)
		}
		at = end
		for len(a) > 0 && a[0].to <= at {
			a = a[1:]
		}
		for len(b) > 0 && b[0].to <= at {
			b = b[1:]
		}
	}
}

// valueAt returns the value of an element, and the first element behind it that may
// have another one.
func valueAt(list *[]textRun, at int) (value string, end int) {
	const never = int(^uint(0) >> 1)
	switch l := *list; {
	case len(l) == 0:
		return Missing, never
	case at < l[0].from:
		return Missing, l[0].from
	default:
		return l[0].value, l[0].to
	}
}
