package portable

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/tickback/tickback/portable/internal/wide"
)

// Rule: results close to the middle between two floats, or to a float, are rounded as another library rounds them (mpmath, 900
// bits). The first lines are published worst cases (V. Lefèvre and J.-M. Muller; CORE-MATH); the others were found by
// internal/findhard, and are closer than 2^-13 of a unit in the last place. Many need the slow phase.
func TestHard(t *testing.T) {
	f, err := os.Open("testdata/hard.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := map[string]int{}
	for s := bufio.NewScanner(f); s.Scan(); {
		var name string
		var in, out uint64
		if _, err := fmt.Sscanf(s.Text(), "%s %x %x", &name, &in, &out); err != nil {
			t.Fatal(err)
		}
		x, want := math.Float64frombits(in), math.Float64frombits(out)
		if got := one[name][0](x); got != want {
			t.Errorf("%s(%b) = %b, must be %b", name, x, got, want)
		}
		if n, ok := wide.Round(slow[name](x), wide.Float64, wide.Sure); n != want || !ok {
			t.Errorf("the slow phase of %s(%b) says %b, must be %b", name, x, n, want)
		}
		seen[name]++
	}
	for name := range one {
		if seen[name] < 5 {
			t.Errorf("%d hard points of %s", seen[name], name)
		}
	}
}
