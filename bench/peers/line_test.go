package main

import (
	"slices"
	"strings"
	"testing"
)

// Rule: each line is a name, a value and a unit; anything else is an error that shows the line.
func TestLines(t *testing.T) {
	got, err := parseLines("time 365.25 ns\nbare/tiny/2 b1b332f4a3e22cca hash\nstalls 0 percent\n")
	want := []value{
		{name: "time", number: 365.25, unit: "ns"}, {name: "bare/tiny/2", unit: "hash", hash: "b1b332f4a3e22cca"}, {name: "stalls", unit: "percent"},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, line := range []string{
		"time 3", "time 3 ns or so", "time x ns", "time NaN ns", "time -1 ns", "time +Inf ns", "s b1b332f4 hash", "s b1b332f4a3e22ccx hash",
	} {
		if _, err := parseLines("time 1 ns\n" + line + "\n"); err == nil || !strings.Contains(err.Error(), line) {
			t.Errorf("%q: %v", line, err)
		}
	}
}
