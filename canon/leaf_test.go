package canon

import (
	"math"
	"strings"
	"testing"
)

type title string

func (t title) String() string { return "Sir " + string(t[:1]) }

// Rule: two leaves that differ have different texts; the bits are shown as a last resort.
func TestTextsOfDifferentLeavesDiffer(t *testing.T) {
	f64 := func(b uint64) float64 { return math.Float64frombits(b) }
	long := strings.Repeat("a", 300)
	for _, c := range []struct {
		a, b         any
		textA, textB string
	}{
		{1, 2, "1", "2"},
		{true, false, "true", "false"},
		{f64(0x7FF8000000000001), f64(0x7FF8000000000002), "NaN (0x7ff8000000000001)", "NaN (0x7ff8000000000002)"},
		{
			complex(float32FromBits(0x7FC00001), 0), complex(float32FromBits(0x7FC00002), 0),
			"(NaN+0i) (0x7fc00001, 0x00000000)", "(NaN+0i) (0x7fc00002, 0x00000000)",
		},
		{
			complex(f64(0x7FF8000000000001), 1), complex(f64(0x7FF8000000000002), 1),
			"(NaN+1i) (0x7ff8000000000001, 0x3ff0000000000000)", "(NaN+1i) (0x7ff8000000000002, 0x3ff0000000000000)",
		},
		{0.0, math.Copysign(0, -1), "0", "-0"},
		{title("ab"), title("cd"), "Sir a", "Sir c"},
		{title("ab"), title("ac"), `"ab"`, `"ac"`},
		{long + "x", long + "y", `"aaaaaaaaaaaaaaaax" (bytes 284 to 301 of 301)`, `"aaaaaaaaaaaaaaaay" (bytes 284 to 301 of 301)`},
	} {
		a, b := rootValue(c.a), rootValue(c.b)
		textA, textB := leafPair(a, b, leafStringer(a))
		if textA != c.textA || textB != c.textB {
			t.Errorf("got %s != %s, want %s != %s", textA, textB, c.textA, c.textB)
		}
	}
}

// Rule: a summary is one bounded line, whatever the value.
func TestSummariesAreShort(t *testing.T) {
	type inner struct {
		A int8
		b any
		C int `canon:"-"`
		D []int
	}
	type chain struct{ next any }
	deep := chain{}
	for range 100 {
		deep = chain{deep}
	}
	for _, c := range []struct {
		v    any
		want string
	}{
		{inner{1, inner{2, nil, 0, nil}, 3, []int{1, 2}}, "{1, {2, nil, []int of length 0}, []int of length 2}"},
		{[3]struct{}{}, "{}"},
		{(*int)(nil), "nil"},
		{new(int), "*int"},
		{map[int]int{1: 1}, "map[int]int of length 1"},
		{deep, "{{{…}}}"},
	} {
		if got := summary(rootValue(c.v)); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	for _, v := range []any{[1 << 16]int8{}, strings.Repeat("é", 9999), [500]string{}} {
		if got := summary(rootValue(v)); len(got) > leafBytes+8 {
			t.Errorf("%d bytes: %s", len(got), got)
		}
	}
}
