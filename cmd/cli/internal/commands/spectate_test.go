package commands_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// A spectator sees the match to its end, with the players' checksum, whichever player is the host.
func TestSpectatorsSeeTheEnd(t *testing.T) {
	g := clitest.ToyGame()
	all := clitest.Seats(t, 2, "--frames", "90")
	var wg sync.WaitGroup
	var played [2]clitest.Ended
	var watched [2]clitest.Ended
	for p := range played {
		wg.Go(func() { played[p] = clitest.Player(t.Context(), t, g, all[p]) })
		wg.Go(func() { watched[p] = clitest.Spectator(t, g, "--host", all[p][7], "--players", "2") })
	}
	wg.Wait()
	for p, w := range watched {
		if w.Code != 0 || w.Result["checksum"] != played[0].Result["checksum"] || w.Result["health"] != "healthy" || w.Result["reason"] != "length" {
			t.Errorf("watching player %d: exit code %d, %v\n%s", p+1, w.Code, w.Result, w.Stderr)
		}
		if !strings.Contains(w.Stderr, "the match is over after 90 frames") {
			t.Errorf("watching player %d: it does not say that the match is over\n%s", p+1, w.Stderr)
		}
		if strings.Contains(w.Stderr, "the host is gone") {
			t.Errorf("watching player %d: the end in good order is told as a loss\n%s", p+1, w.Stderr)
		}
		if played[p].Code != 0 || !strings.Contains(played[p].Stderr, "a spectator watches from 127.0.0.1:") {
			t.Errorf("player %d: exit code %d\n%s", p+1, played[p].Code, played[p].Stderr)
		}
	}
}

// A spectator is told whose place is empty, which does not count as leaving, and then who is kicked. One that does not
// know the token of the match cannot watch at all.
func TestSpectatorsAreToldWhoIsThere(t *testing.T) {
	g := clitest.ToyGame()
	at := clitest.FreePorts(t, 2)
	token := tickback.NewToken().String()
	seat := func(me int, more ...string) []string {
		args := []string{"match", "--json", "--players", "3", "--player", fmt.Sprint(me + 1), "--listen", at[me], "--peer", at[1-me]}
		return append(append(args, "--on-leave", "continue", "--reserved", "3", "--frames", "240", "--watch-token", token), more...)
	}
	var wg sync.WaitGroup
	var e, stranger clitest.Ended
	wg.Go(func() { clitest.Player(t.Context(), t, g, seat(0, "--kick-at", "120,2")) })
	wg.Go(func() { clitest.Player(t.Context(), t, g, seat(1)) })
	wg.Go(func() { e = clitest.Spectator(t, g, "--host", at[0], "--token", token) })
	wg.Go(func() { stranger = clitest.Spectator(t, g, "--host", at[1]) })
	wg.Wait()
	stranger.Said(t, 1, "the token is not that of the match: none was given here")
	away, gone := strings.Index(e.Stderr, "not there: player 3\n"), strings.Index(e.Stderr, "player 2 left, at frame ")
	if e.Code != 0 || away < 0 || gone < away || strings.Contains(e.Stderr, "player 3 left") {
		t.Errorf("exit code %d, %v\n%s", e.Code, e.Result, e.Stderr)
	}
}

// If a match cannot be watched, one line names the host and the reason.
func TestSpectateSaysWhyNot(t *testing.T) {
	g := clitest.ToyGame()
	free := clitest.FreePorts(t, 1)[0]
	e := clitest.Spectator(t, g, "--host", free, "--timeout", "1s")
	if e.Code != 1 || !strings.Contains(e.Stderr, "cannot watch "+free+": it does not answer") || e.Result["reason"] != "failed" {
		t.Errorf("nobody there: exit code %d, %v\n%s", e.Code, e.Result, e.Stderr)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	alone := clitest.Seats(t, 2, "--spectators", "0")[0]
	go cli.Run(ctx, "toybox", alone, strings.NewReader(""), new(strings.Builder), new(strings.Builder), g)
	e = clitest.Spectator(t, g, "--host", alone[7], "--timeout", "1s")
	if e.Code != 1 || !strings.Contains(e.Stderr, "it does not answer") {
		t.Errorf("nobody may watch: exit code %d\n%s", e.Code, e.Stderr)
	}
}

// Rule: an encrypting spectator of a match that is not encrypted is told so during the wait and at the end.
func TestSpectateSaysThatTheHostDoesNotEncrypt(t *testing.T) {
	clitest.Slow(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	alone := clitest.Seats(t, 2)[0]
	var wg sync.WaitGroup
	wg.Go(func() { clitest.Player(ctx, t, clitest.ToyGame(), alone) })
	e := clitest.Spectator(t, clitest.ToyGame(), "--host", alone[7], "--secure", tickback.NewToken().String(), "--timeout", "3s")
	cancel()
	wg.Wait()
	const why = "does not encrypt, and we do: give everybody the same --secure"
	if !strings.Contains(e.Stderr, "the host ("+alone[7]+") "+why+"\n") {
		t.Errorf("it does not say that the host does not encrypt:\n%s", e.Stderr)
	}
	e.Said(t, 1, "the other side "+why)
}

func TestSpectateRefusesWrongUsage(t *testing.T) {
	for args, want := range map[string]string{
		"":                                  "--host is missing",
		"--host nowhere":                    "--host",
		"--host 127.0.0.1:1 --delay -1":     "--delay -1: must be 1",
		"--host 127.0.0.1:1 --hurry 0":      "--hurry 0: must be 1",
		"--host 127.0.0.1:1 --players 9":    "--players 9",
		"--host 127.0.0.1:1 --net nice":     "--net",
		"--host 127.0.0.1:1 --timeout 1ms":  "must be at least a second",
		"--host 127.0.0.1:1 --game chess":   "chess",
		"--host 127.0.0.1:1 --listen there": "--listen",
		"--host 127.0.0.1:1 more":           `has no use for "more"`,
		"--host 127.0.0.1:1 --host 127.0.0.1:1 --listen 127.0.0.1:0": "are the same",
	} {
		var out, errs strings.Builder
		if code := cli.Run(t.Context(), "toybox", append([]string{"spectate"}, strings.Fields(args)...), strings.NewReader(""), &out, &errs, clitest.ToyGame()); code != 2 || !strings.Contains(errs.String(), want) || out.Len() > 0 {
			t.Errorf("%s: exit code %d, %q%s", args, code, out.String(), errs.String())
		}
	}
	for args, want := range map[string]string{"--spectators 33": "must be 0 to 32", "--spectator-delay -1": "must be 0 to"} {
		e := clitest.Player(t.Context(), t, clitest.ToyGame(), append(clitest.Seats(t, 2)[0], strings.Fields(args)...))
		if e.Code != 2 || !strings.Contains(e.Stderr, want) {
			t.Errorf("%s: exit code %d, %s", args, e.Code, e.Stderr)
		}
	}
}
