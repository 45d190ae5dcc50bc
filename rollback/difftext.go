package rollback

import (
	"strings"

	"github.com/tickback/tickback/canon"
)

// missing is the value of a path that only the other text has.
const missing = "(missing)"

// diffText compares two texts of canon.AppendTextAny, whose lines are a path and
// a value, and lists at most so many differences.
func diffText(a, b []byte, most int) canon.Report {
	var r canon.Report
	add := func(path, x, y string) {
		if r.Total++; len(r.Differences) < most {
			r.Differences = append(r.Differences, canon.Difference{Path: path, A: x, B: y})
		}
	}
	first, second := valuesByPath(a), valuesByPath(b)
	for line := range strings.Lines(string(a)) {
		path, x := splitLine(line)
		if y, ok := second[path]; !ok {
			add(path, x, missing)
		} else if x != y {
			add(path, x, y)
		}
	}
	for line := range strings.Lines(string(b)) {
		if path, y := splitLine(line); first[path] == "" {
			add(path, missing, y)
		}
	}
	return r
}

func valuesByPath(text []byte) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(string(text)) {
		path, value := splitLine(line)
		values[path] = value
	}
	return values
}

func splitLine(line string) (path, value string) {
	path, value, _ = strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
	return path, value
}
