package server_test

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

func TestTheToyHasNothingToHide(t *testing.T) {
	for _, command := range []string{"serve", "join 127.0.0.1:1"} {
		e := clitest.Player(t.Context(), t, clitest.ToyGame(), append([]string{"toy"}, strings.Fields(command+" --sight partial")...))
		if e.Code != 2 || !strings.Contains(e.Stderr, "toy has nothing to hide") {
			t.Errorf("%s: exit code %d\n%s", command, e.Code, e.Stderr)
		}
	}
	if e := clitest.Player(t.Context(), t, clitest.ToyGame(), []string{"toy", "serve", "--seed", "13"}); e.Code != 2 || !strings.Contains(e.Stderr, "13 is bad luck") {
		t.Errorf("a bad seed: exit code %d\n%s", e.Code, e.Stderr)
	}
}
