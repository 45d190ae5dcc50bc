package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback/cmd/cli"
)

// ended is how one player's command ended.
type ended struct {
	stdout, stderr string
	code           int
	result         map[string]any // of --json
}

// freePorts returns ports of 127.0.0.1 on which nobody listens.
func freePorts(t *testing.T, n int) (addresses []string) {
	t.Helper()
	for range n {
		c, err := net.ListenPacket("udp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		addresses = append(addresses, c.LocalAddr().String())
	}
	return addresses
}

// seats returns the arguments of each player of a match.
func seats(t *testing.T, players int, args ...string) [][]string {
	t.Helper()
	at := freePorts(t, players)
	all := make([][]string, players)
	for p := range players {
		all[p] = append([]string{"match", "--json", "--players", fmt.Sprint(players), "--player", fmt.Sprint(p + 1), "--listen", at[p]}, args...)
		for q := range players {
			if q != p {
				all[p] = append(all[p], "--peer", at[q])
			}
		}
	}
	return all
}

// player runs one player's command.
func player(ctx context.Context, t *testing.T, g cli.Game, args []string) ended {
	return playerWith(ctx, t, g, args, func(string) {})
}

// watched is output of which somebody sees each line.
type watched struct {
	bytes.Buffer
	see func(line string)
}

func (w *watched) Write(line []byte) (int, error) {
	w.see(string(line))
	return w.Buffer.Write(line)
}

func playerWith(ctx context.Context, t *testing.T, g cli.Game, args []string, see func(line string)) (e ended) {
	out, errs := bytes.Buffer{}, watched{see: see}
	e.code = cli.Run(ctx, "toybox", args, strings.NewReader(""), &out, &errs, g)
	e.stdout, e.stderr = out.String(), errs.String()
	if e.stdout != "" {
		if err := json.Unmarshal(out.Bytes(), &e.result); err != nil {
			t.Errorf("%v in %q", err, e.stdout)
		}
	}
	return e
}

// playAll runs all players' commands at once.
func playAll(t *testing.T, all [][]string) []ended {
	t.Helper()
	return playGames(t, all, func(int) cli.Game { return toyGame() })
}

func playGames(t *testing.T, all [][]string, game func(p int) cli.Game) []ended {
	t.Helper()
	ends := make([]ended, len(all))
	var wg sync.WaitGroup
	for p := range all {
		wg.Go(func() { ends[p] = player(t.Context(), t, game(p), all[p]) })
	}
	wg.Wait()
	return ends
}

// slow is for tests that take seconds.
func slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
}

// said fails unless the player's command ended with this code and one line with
// these words, the last one on stderr.
func (e ended) said(t *testing.T, code int, words string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(e.stderr), "\n")
	if last := lines[len(lines)-1]; e.code != code || !strings.HasPrefix(last, "toybox: ") || !strings.Contains(last, words) {
		t.Errorf("exit code %d, want %d, and %q in the last line:\n%s", e.code, code, words, e.stderr)
	}
	if n := strings.Count(e.stderr, "toybox: "); n != 1 {
		t.Errorf("%d error lines:\n%s", n, e.stderr)
	}
}

func playAllTables(t *testing.T, all [][]string) []string {
	t.Helper()
	text := make([]string, len(all))
	var wg sync.WaitGroup
	for p := range all {
		wg.Go(func() {
			var out, errs bytes.Buffer
			if code := cli.Run(t.Context(), "toybox", all[p], nil, &out, &errs, toyGame()); code != 0 || errs.Len() > 0 {
				t.Errorf("player %d: exit code %d, stderr %q", p+1, code, errs.String())
			}
			text[p] = out.String()
		})
	}
	wg.Wait()
	return text
}

// atOnce does something for several cases at the same time: matches mostly wait.
func atOnce[T any](cases ...T) func(func(T)) {
	return func(do func(T)) {
		var wg sync.WaitGroup
		for _, c := range cases {
			wg.Go(func() { do(c) })
		}
		wg.Wait()
	}
}

// leaver runs a player's command and interrupts it when the match has gone on for
// a while.
func leaver(t *testing.T, args []string) (e ended) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	return playerWith(ctx, t, toyGame(), args, func(line string) {
		if strings.Contains(line, "the match begins") {
			time.AfterFunc(500*time.Millisecond, cancel)
		}
	})
}
