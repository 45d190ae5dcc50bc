package pace

import (
	"slices"
	"testing"
	"time"
)

// Rule: the delay is chosen when a match begins, grows immediately, and shrinks by one frame when
// a shorter one has been enough at five checks in a row.
func TestADelayGrowsAtOnceAndShrinksSlowly(t *testing.T) {
	for _, c := range []struct {
		what         string
		wanted, used []int
	}{
		{"it is chosen", []int{1, 1}, []int{1, 1}},
		{"it grows", []int{1, 4, 9}, []int{1, 4, 9}},
		{"it shrinks", []int{5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, []int{5, 5, 5, 5, 5, 4, 4, 4, 4, 4, 3}},
		{"as much is wanted once", []int{5, 1, 1, 1, 5, 1, 1, 1, 1, 1}, []int{5, 5, 5, 5, 5, 5, 5, 5, 5, 4}},
		{"more is wanted once", []int{5, 1, 1, 1, 6, 1, 1, 1, 1, 1}, []int{5, 5, 5, 5, 6, 6, 6, 6, 6, 5}},
	} {
		var d Delay
		used := 7
		var got []int
		for _, wanted := range c.wanted {
			used = d.Follow(used, wanted)
			got = append(got, used)
		}
		if !slices.Equal(got, c.used) {
			t.Errorf("%s: %v, want %v", c.what, got, c.used)
		}
	}
}

// Rule: the delay is checked when a match begins, and every second after that.
func TestWhenTheDelayIsLookedAt(t *testing.T) {
	var d Delay
	for _, c := range []struct {
		now time.Duration
		due bool
	}{{10 * time.Second, true}, {10 * time.Second, false}, {11*time.Second - 1, false}, {11 * time.Second, true}, {11*time.Second + 1, false}} {
		if d.Due(c.now) != c.due {
			t.Errorf("at %v: %v", c.now, !c.due)
		}
	}
}
