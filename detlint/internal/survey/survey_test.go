package survey_test

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint/internal/std"
	"github.com/tickback/tickback/detlint/internal/survey"
)

// Rule: the table is what the analyzer derives from the named version of the standard library.
func TestTheTableIsCurrent(t *testing.T) {
	if testing.Short() || !strings.HasPrefix(runtime.Version(), std.Version) {
		t.Skip("it reads the library of " + std.Version)
	}
	want, err := survey.Table()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile("../std/generated.txt")
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(string(b)), "\n")[1:]
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("go run ./cmd/stdtable: missing %s", line)
		}
	}
	if len(got) != len(want) {
		t.Errorf("go run ./cmd/stdtable: %d lines, want %d", len(got), len(want))
	}
}
