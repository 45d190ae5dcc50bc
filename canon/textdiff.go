package canon

import "math"

// DiffTexts compares two texts of states by the paths in them. The states may be those of two builds, with different
// fields: what only one of them has is shown as "(missing)" for the other. It lists at most max differences (none if
// max is negative), in the order of the first text, and counts all. Neighbours in an array that differ in the same way
// are one difference.
func DiffTexts(a, b []byte, max int) Report {
	first, second := parseText(a), parseText(b)
	var r Report
	add := func(path, x, y string) {
		if r.Total++; len(r.Differences) < max {
			r.Differences = append(r.Differences, Difference{Path: path, A: x, B: y})
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

// textKey identifies the lines of a text: the path, without the index at its end. A pointer and what it points to may
// have the same path: number distinguishes them.
type textKey struct {
	array   string
	indexed bool
	number  int
}

// path returns the path of some elements.
func (k textKey) path(from, to int) string {
	if !k.indexed {
		return k.array
	}
	return string(AppendElements(nil, []byte(k.array), from, to))
}

// textRun is one line: the elements from from to before to, and their value. A line without an index is element 0.
type textRun struct {
	from, to int
	value    string
}

// text is a state, by path.
type text struct {
	order []textKey
	runs  map[textKey][]textRun // the runs of each key, in ascending order
}

func parseText(b []byte) text {
	t := text{runs: map[textKey][]textRun{}}
	numbers := map[textKey]int{}
	for line := range TextLines(b) {
		k := textKey{array: string(line.Path)}
		run := textRun{0, 1, string(line.Value)}
		if array, from, to, ok := line.Elements(); ok {
			k.array, k.indexed, run.from, run.to = string(array), true, from, to
		}
		zero := k
		k.number = numbers[zero]
		if list := t.runs[k]; len(list) > 0 && list[len(list)-1].to > run.from {
			numbers[zero]++ // the same elements again: another array with the same path
			k.number++
		}
		if t.runs[k] == nil {
			t.order = append(t.order, k)
		}
		t.runs[k] = append(t.runs[k], run)
	}
	return t
}

// diffRuns compares the lines of one path, from one boundary to the next.
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

// valueAt returns the value of an element, and the first element after it that may have another one.
func valueAt(list *[]textRun, at int) (value string, end int) {
	switch l := *list; {
	case len(l) == 0:
		return missing, math.MaxInt
	case at < l[0].from:
		return missing, l[0].from
	default:
		return l[0].value, l[0].to
	}
}
