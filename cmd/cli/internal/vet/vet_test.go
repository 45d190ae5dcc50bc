package vet_test

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// Rule: tickback vet examines the named packages, as detlint does, with the same exit codes.
func TestVetExaminesTheModuleHere(t *testing.T) {
	stdout, stderr, code := clitest.Run(t, nil, "vet", "rules")
	if code != 0 || stderr != "" || !strings.Contains(stdout, "maporder") {
		t.Errorf("the rules: %d, %q, %q", code, stdout, stderr)
	}
	if stdout, stderr, code := clitest.Run(t, nil, "vet", "-floats", "few"); code != 2 || stdout != "" || strings.Count(stderr, "Add --help") > 0 {
		t.Errorf("a wrong flag: %d, %q, %q", code, stdout, stderr)
	}
	if _, stderr, code := clitest.Run(t, nil, "vet", "-unprovd"); code != 2 || !strings.Contains(stderr, "there is no flag -unprovd; there are: -baseline, ") || !strings.Contains(stderr, "-unproved") || strings.Count(stderr, "\n") > 2 {
		t.Errorf("an unknown flag: %d, %q", code, stderr)
	}
	if stdout, _, code := clitest.Run(t, nil, "vet", "--help"); code != 0 || !strings.Contains(stdout, "Step, Save and Hash") || !strings.Contains(stdout, "-baseline") {
		t.Errorf("help: %d, %q", code, stdout)
	}
	if testing.Short() {
		t.Skip("the rest reads packages")
	}
	const mixed = "../../../../detlint/testdata/strict/mixed"
	if stdout, stderr, code := clitest.Run(t, nil, "vet", "--strict", mixed); code != 0 || !strings.Contains(stdout, "in a strict build") {
		t.Errorf("floats of a strict build: %d, %q, %q", code, stdout, stderr)
	}
	if stdout, _, code := clitest.Run(t, nil, "vet", mixed); code != 1 || !strings.Contains(stdout, "fusedfloat") || !strings.Contains(stdout, "build with --strict") {
		t.Errorf("floats of any build: %d, %q", code, stdout)
	}
	stdout, stderr, code = clitest.Run(t, nil, "vet", "../../../../detlint/testdata/spread/moves")
	if code != 1 || !strings.Contains(stdout, "tick.go:7:") || !strings.Contains(stderr, " roots, ") {
		t.Errorf("a game with mistakes: %d, %q, %q", code, stdout, stderr)
	}
}
