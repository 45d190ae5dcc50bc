package commands_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/rollback"
)

// Rule: an error that prevents a match is reported before the invitation is printed.
func TestAMatchThatCannotBeginIsNotAnnounced(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old.tbr")
	if err := os.WriteFile(old, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	strict := clitest.ToySpec()
	strict.Classic = nil
	strict.Game = rollback.Game[clitest.Toy, clitest.Press]{
		Step:   func(s *clitest.Toy, k *rollback.Tick[clitest.Press]) { s.Add(k.Input(0), k.Input(1)) },
		Floats: rollback.Strict,
	}
	for _, c := range []struct {
		game cli.Game
		args []string
		says string
	}{
		{clitest.ToyGame(), []string{"--record", filepath.Join(dir, "missing", "a.tbr")}, "no such file"},
		{clitest.ToyGame(), []string{"--record", old}, "file exists"},
		{cli.NewGame(strict), nil, "Strict"},
	} {
		args := append(clitest.Seats(t, 2, "--on-leave", "continue", "--watch-token", "new", "--timeout", "300ms")[0], c.args...)
		e := clitest.Player(t.Context(), t, c.game, args)
		e.Said(t, 1, c.says)
		if strings.Count(e.Stderr, "\n") != 1 {
			t.Errorf("%v: it says\n%s", c.args, e.Stderr)
		}
	}
}

// Rule: the line for spectators is a command that works when it is pasted.
func TestTheLineForSpectatorsIsACommand(t *testing.T) {
	all := clitest.Seats(t, 2, "--watch-token", "new", "--quiet", "--timeout", "300ms")
	e := clitest.Player(t.Context(), t, clitest.ToyGame(), all[0])
	line, _, _ := strings.Cut(e.Stderr, "\n")
	at, token, ok := strings.Cut(line, " --token ")
	if _, err := tickback.ParseToken(token); !ok || err != nil || at != "this player's spectators watch with: toybox spectate --host "+all[0][7]+" --game toy" {
		t.Errorf("%v: it says\n%s", err, e.Stderr)
	}
}
