package commands_test

import (
	"strings"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// Only the player who begins a match chooses the seed.
func TestRefusesASeedOfOthers(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--player", "2", "--listen", "127.0.0.1:0", "--peer", "127.0.0.1:9"}, "--seed 1: player 1 is the host, and decides"},
		{[]string{"--player", "1", "--join", "127.0.0.1:9", "--token", tickback.NewToken().String()}, "--seed 1: the match that is joined has a seed already"},
	} {
		args := append([]string{"match", "--seed", "1"}, c.args...)
		if e := clitest.Player(t.Context(), t, clitest.ToyGame(), args); e.Code != 2 || !strings.Contains(e.Stderr, c.want) {
			t.Errorf("exit code %d, want %q:\n%s", e.Code, c.want, e.Stderr)
		}
	}
}
