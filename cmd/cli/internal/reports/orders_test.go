package reports_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/rollback"
)

// Rule: a report of a game with inputs of zero bytes is replayed with the orders of its players.
func TestADesyncOfAGameWithOrders(t *testing.T) {
	clitest.Slow(t)
	file := filepath.Join(t.TempDir(), "till.tbd")
	all := clitest.Seats(t, 2, "--frames", "120")
	all[0] = append(all[0], "--desync", file)
	all[1] = append(all[1], "--desync", file+"2")
	ends := clitest.PlayGames(t, all, func(p int) cli.Game {
		spec := clitest.TillSpec()
		if p == 1 {
			spec.Game = rollback.Game[clitest.Till, clitest.TillInput]{Step: func(s *clitest.Till, k *rollback.Tick[clitest.TillInput]) {
				if s.Step(k); k.Frame() == 70 {
					s.Sum++
				}
			}}
		}
		return cli.NewGame(spec)
	})
	for _, e := range ends {
		e.Said(t, 1, "desync: ")
	}
	var out, errs bytes.Buffer
	code := cli.Run(t.Context(), "toybox", []string{"desync", "replay", file}, nil, &out, &errs, clitest.TillGame())
	if code != 0 || !strings.Contains(out.String(), "State 71, the first that differed") || !strings.Contains(out.String(), "here: that of player 1") {
		t.Errorf("exit code %d\n%s%s", code, out.String(), errs.String())
	}
}
