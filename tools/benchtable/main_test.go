package main

import (
	"strings"
	"testing"
)

const output = `goos: linux
pkg: github.com/tickback/tickback/fixed
cpu: any
BenchmarkMul-2   	1000	 2.0 ns/op	 0.50 floor-ns/op	 4.00 x-floor
BenchmarkMul-2   	1000	 8.0 ns/op	 0.50 floor-ns/op	 16.0 x-floor
BenchmarkMul-2   	1000	 3.0 ns/op	 0.50 floor-ns/op	 6.00 x-floor
PASS
pkg: github.com/tickback/tickback/canon
BenchmarkHash/small-2   	10	 2500 ns/op	 44.5 GB/s	 0 allocs/op
PASS
`

// Runs of one benchmark become one row of medians, in the order of first sight.
func TestTable(t *testing.T) {
	var out strings.Builder
	if err := run(strings.NewReader(output), &out); err != nil {
		t.Fatal(err)
	}
	want := `| benchmark | time | floor | times the floor (range) | also |
|---|---|---|---|---|
| fixed Mul | 3 ns | 0.5 ns | 6.00 (4.00 to 16.00) |  |
| canon Hash/small | 2.5 us | - | - | 0 allocs/op, 44.5 GB/s |
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestNothingToShowIsAnError(t *testing.T) {
	if err := run(strings.NewReader("PASS\n"), &strings.Builder{}); err == nil {
		t.Error("an empty table")
	}
}
