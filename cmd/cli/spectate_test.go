package cli_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/tickback/tickback/cmd/cli"
)

// Who watches sees the match to its end, with the players' checksum, whoever of them
// is the host.
func TestSpectatorsSeeTheEnd(t *testing.T) {
	g := toyGame()
	all := seats(t, 2, "--frames", "90")
	var wg sync.WaitGroup
	var played [2]ended
	var watched [2]ended
	for p := range played {
		wg.Go(func() { played[p] = player(t.Context(), t, g, all[p]) })
		wg.Go(func() { watched[p] = spectator(t, g, "--host", all[p][7], "--players", "2") })
	}
	wg.Wait()
	for p, w := range watched {
		if w.code != 0 || w.result["checksum"] != played[0].result["checksum"] || w.result["health"] != "healthy" || w.result["reason"] != "length" {
			t.Errorf("watching player %d: exit code %d, %v\n%s", p+1, w.code, w.result, w.stderr)
		}
		if !strings.Contains(w.stderr, "the match is over after 90 frames") {
			t.Errorf("watching player %d: it does not say that the match is over\n%s", p+1, w.stderr)
		}
		if strings.Contains(w.stderr, "the host is gone") {
			t.Errorf("watching player %d: the end in good order is told as a loss\n%s", p+1, w.stderr)
		}
		if played[p].code != 0 || !strings.Contains(played[p].stderr, "a spectator watches from 127.0.0.1:") {
			t.Errorf("player %d: exit code %d\n%s", p+1, played[p].code, played[p].stderr)
		}
	}
}

// Who watches is told whose place is empty, which is nobody's leaving, and then who is sent away.
func TestSpectatorsAreToldWhoIsThere(t *testing.T) {
	g := toyGame()
	at := freePorts(t, 2)
	seat := func(me int, more ...string) []string {
		args := []string{"match", "--json", "--players", "3", "--player", fmt.Sprint(me + 1), "--listen", at[me], "--peer", at[1-me]}
		return append(append(args, "--on-leave", "continue", "--reserved", "3", "--frames", "240"), more...)
	}
	var wg sync.WaitGroup
	var e ended
	wg.Go(func() { player(t.Context(), t, g, seat(0, "--kick-at", "120,2")) })
	wg.Go(func() { player(t.Context(), t, g, seat(1)) })
	wg.Go(func() { e = spectator(t, g, "--host", at[0]) })
	wg.Wait()
	away, gone := strings.Index(e.stderr, "not there: player 3\n"), strings.Index(e.stderr, "player 2 left, at frame ")
	if e.code != 0 || away < 0 || gone < away || strings.Contains(e.stderr, "player 3 left") {
		t.Errorf("exit code %d, %v\n%s", e.code, e.result, e.stderr)
	}
}

// What cannot be watched is one line that names the host and the reason.
func TestSpectateSaysWhyNot(t *testing.T) {
	g := toyGame()
	free := freePorts(t, 1)[0]
	e := spectator(t, g, "--host", free, "--timeout", "1s")
	if e.code != 1 || !strings.Contains(e.stderr, "cannot watch "+free+": it does not answer") || e.result["reason"] != "failed" {
		t.Errorf("nobody there: exit code %d, %v\n%s", e.code, e.result, e.stderr)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	alone := seats(t, 2, "--spectators", "0")[0]
	go cli.Run(ctx, "toybox", alone, strings.NewReader(""), new(strings.Builder), new(strings.Builder), g)
	e = spectator(t, g, "--host", alone[7], "--timeout", "1s")
	if e.code != 1 || !strings.Contains(e.stderr, "it does not answer") {
		t.Errorf("nobody may watch: exit code %d\n%s", e.code, e.stderr)
	}
}

func TestSpectateRefusesWrongUsage(t *testing.T) {
	for args, want := range map[string]string{
		"":                                  "--host is missing",
		"--host nowhere":                    "--host",
		"--host 127.0.0.1:1 --delay 0":      "--delay 0: must be 1",
		"--host 127.0.0.1:1 --hurry 0":      "--hurry 0: must be 1",
		"--host 127.0.0.1:1 --players 9":    "--players 9",
		"--host 127.0.0.1:1 --net nice":     "--net",
		"--host 127.0.0.1:1 --timeout 1ms":  "must be at least a second",
		"--host 127.0.0.1:1 --game chess":   "chess",
		"--host 127.0.0.1:1 --listen there": "--listen",
		"--host 127.0.0.1:1 more":           "unknown command",
		"--host 127.0.0.1:1 --host 127.0.0.1:1 --listen 127.0.0.1:0": "are the same",
	} {
		var out, errs strings.Builder
		if code := cli.Run(t.Context(), "toybox", append([]string{"spectate"}, strings.Fields(args)...), strings.NewReader(""), &out, &errs, toyGame()); code != 2 || !strings.Contains(errs.String(), want) || out.Len() > 0 {
			t.Errorf("%s: exit code %d, %q%s", args, code, out.String(), errs.String())
		}
	}
	for args, want := range map[string]string{"--spectators 33": "must be 0 to 32", "--spectator-delay -1": "must be 0 to"} {
		e := player(t.Context(), t, toyGame(), append(seats(t, 2)[0], strings.Fields(args)...))
		if e.code != 2 || !strings.Contains(e.stderr, want) {
			t.Errorf("%s: exit code %d, %s", args, e.code, e.stderr)
		}
	}
}
