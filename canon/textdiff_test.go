package canon

import (
	"strings"
	"testing"
)

// Two texts are compared by the names of their fields, however they are divided into runs; a field that only one of
// them has is missing in the other.
func TestTextsAreComparedByName(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"A: 1\nB: 2\n", "A: 1\nB: 2\n", "no difference"},
		{"A: 1\nB: 2\n", "B: 3\nA: 1\n", "B: 2 != 3"},
		{"A: 1\n", "A: 1\nNew: 0\n", "New: (missing) != 0"},
		{"Old: x\nA: 1\n", "A: 1\n", "Old: x != (missing)"},
		{"G[0:64]: 0\n", "G[0:5]: 0\nG[5]: 7\nG[6:64]: 0\n", "G[5]: 0 != 7"},
		{"G[0:3]: 0\nG[3:9]: 1\n", "G[0:9]: 1\n", "G[0:3]: 0 != 1"},
		{"G[0:3]: 0\n", "G[0:5]: 0\n", "G[3:5]: (missing) != 0"},
		{"G[0:9]: 0\n", "G[0]: 1\nG[1:8]: 0\nG[8]: 2\n", "G[0]: 0 != 1\nG[8]: 0 != 2"},
		{"P: T #1\nP: 5\n", "P: T #1\nP: 6\n", "P: 5 != 6"},
		{"P[1].X: 1\nP[2].X: 1\n", "P[1].X: 1\nP[2].X: 3\n", "P[2].X: 1 != 3"},
		{"X[0:2]: 1\nX[0:2]: 5\n", "X[0:2]: 1\nX[0:2]: 6\n", "X[0:2]: 5 != 6"},
		{"", "(value): 1\n", "(value): (missing) != 1"},
		{"M[\"a\"]: 1\n", "M[\"a\"]: 2\n", "M[\"a\"]: 1 != 2"},
		{"A: 1: 2\n", "A: 1: 3", "A: 1: 2 != 1: 3"},
		{"A: 1\n", "A: 1\nA: 1\n", "A: (missing) != 1"},
		{"here\n", "there\n", "here:  != (missing)\nthere: (missing) != "},
		{"A: 1\nB: 1\nC: 1\n", "A: 2\nB: 2\nC: 2\n", "A: 1 != 2\nB: 1 != 2\nand 1 more"},
	} {
		if got := DiffTexts([]byte(c.a), []byte(c.b), 2).String(); got != c.want {
			t.Errorf("%q and %q: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

// Texts come from another program: whatever they contain, the comparison ends, and finds equal texts equal.
func FuzzDiffTexts(f *testing.F) {
	f.Add("A: 1\nG[0:9]: 1\nG[3:5]: 2\n", "G[0:9223372036854775807]: 1\nG[9223372036854775807]: 0\n")
	f.Add("[: 1\n[]: 1\n[0:]: 1\n[-1]: 2\n", "]: 1\n: \n\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		r := DiffTexts([]byte(a), []byte(b), 10)
		if a == b && r.Total > 0 {
			t.Errorf("%q differs from itself: %v", a, r)
		}
		if limit := 3 * (strings.Count(a, "\n") + strings.Count(b, "\n") + 2); r.Total > limit {
			t.Errorf("%d differences, more than %d", r.Total, limit)
		}
		if DiffTexts([]byte(b), []byte(a), 10).Total > 0 != (r.Total > 0) {
			t.Errorf("%q and %q differ in one direction only", a, b)
		}
	})
}
