package std_test

import (
	"testing"

	"github.com/tickback/tickback/detlint/internal/std"
)

// Rule: the most specific name wins, an entry for a package covers what is not named, and what is in no table is
// unlisted.
func TestLookup(t *testing.T) {
	for _, c := range []struct {
		pkg, name, rule string
		kind            std.Kind
	}{
		{"time", "Now", "clock", std.Refused},
		{"time", "Duration.Seconds", "", std.Allowed},
		{"math", "Sin", "mathfunc", std.Refused},
		{"math", "Sqrt", "", std.Allowed},
		{"math/rand/v2", "IntN", "random", std.Refused},
		{"math/rand/v2", "Rand.IntN", "", std.Allowed},
		{"slices", "Sort", "", std.Allowed},
		{"slices", "SortFunc", "sorttie", std.Judged},
		{"strings", "Builder.WriteString", "", std.Allowed},
		{"debug/elf", "Open", "", std.Unlisted},
	} {
		if v := std.Lookup(c.pkg, c.name); v.Kind != c.kind || v.Rule != c.rule {
			t.Errorf("%s.%s: %+v", c.pkg, c.name, v)
		}
	}
}
