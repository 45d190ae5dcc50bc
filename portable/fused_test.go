package portable

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// Rule: no product is fused with a sum, on a processor for which the compiler fuses, except in FMA itself. Nor is a product of the
// caller's, if the compiler inlines a function.
func TestNothingIsFused(t *testing.T) {
	if testing.Short() || runtime.GOARCH == "wasm" {
		t.Skip("it compiles for another processor")
	}
	for _, dir := range []string{".", "./math32", "./testdata/calls"} {
		cmd := exec.Command("go", "build", "-gcflags=-S", "-o", os.DevNull, dir)
		cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "GOFLAGS=-trimpath")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		fused := regexp.MustCompile(`FN?M(ADD|SUB)[DS]`)
		seen := 0
		for line := range strings.Lines(string(out)) {
			switch {
			case !fused.MatchString(line):
			case strings.Contains(line, "exact.go"):
				seen++
			default:
				t.Error(line)
			}
		}
		if dir == "." && seen == 0 {
			t.Error("FMA is not compiled to the processor's instruction: it may have another name now")
		}
	}
}

// Rule: nothing allocates, even in the slow phase.
func TestNoAllocation(t *testing.T) {
	for name, f := range one {
		at := 0.7
		if name == "Acosh" {
			at = 1.7
		}
		if n := testing.AllocsPerRun(10, func() { sink += f[0](at) + rounded(slow[name](at)) }); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
	for name, f := range two {
		if n := testing.AllocsPerRun(10, func() { sink += f[0](0.7, 3.3) + slow2[name](3.3, 0.7) }); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
