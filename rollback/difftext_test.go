package rollback

import (
	"slices"
	"testing"

	"github.com/tickback/tickback/canon"
)

// Texts of states are compared by their lines, in order; a line that one of them has alone
// is missing from the other, and lines of one name are told apart by their place.
func TestTextsOfStatesAreCompared(t *testing.T) {
	d := func(path, a, b string) canon.Difference { return canon.Difference{Path: path, A: a, B: b} }
	for name, c := range map[string]struct {
		a, b string
		want []canon.Difference
	}{
		"the same":        {"x: 1\ny: 2\n", "x: 1\ny: 2\n", nil},
		"no last break":   {"x: 1\ny: 2", "x: 1\ny: 2\n", nil},
		"a value":         {"x: 1\ny: 2\n", "x: 1\ny: 3\n", []canon.Difference{d("y", "2", "3")}},
		"a colon in it":   {"x: 1: 2\n", "x: 1: 3\n", []canon.Difference{d("x", "1: 2", "1: 3")}},
		"only in one":     {"x: 1\ny: 2\n", "x: 1\n", []canon.Difference{d("y", "2", "(missing)")}},
		"only in another": {"x: 1\n", "y: 2\nx: 1\n", []canon.Difference{d("y", "(missing)", "2")}},
		"one name twice":  {"x: 1\nx: 2\n", "x: 1\nx: 3\n", []canon.Difference{d("x", "2", "3")}},
		"one more of it":  {"x: 1\n", "x: 1\nx: 1\n", []canon.Difference{d("x", "(missing)", "1")}},
		"no value":        {"here\n", "there\n", []canon.Difference{d("here", "", "(missing)"), d("there", "(missing)", "")}},
	} {
		r := diffText([]byte(c.a), []byte(c.b), 10)
		if !slices.Equal(r.Differences, c.want) || r.Total != len(c.want) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := diffText([]byte("a: 1\nb: 1\nc: 1\n"), nil, 2); r.Total != 3 || len(r.Differences) != 2 {
		t.Errorf("of three, two of which are wanted: %+v", r)
	}
}
