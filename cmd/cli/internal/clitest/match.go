package clitest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback/cmd/cli"
)

// Ended is the result of one player's command.
type Ended struct {
	Stdout, Stderr string
	Code           int
	Result         map[string]any // the output of --json
}

// FreePorts returns free UDP addresses of 127.0.0.1.
func FreePorts(t *testing.T, n int) (addresses []string) {
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

// Seats returns the command-line arguments of each player of a match.
func Seats(t *testing.T, players int, args ...string) [][]string {
	t.Helper()
	at := FreePorts(t, players)
	all := make([][]string, players)
	for p := range players {
		all[p] = append([]string{"match", "--json", "--players", fmt.Sprint(players), "--player", fmt.Sprint(p + 1), "--listen", at[p]}, args...)
		if i := slices.Index(all[p], "--seed"); i >= 0 && p > 0 && !slices.Contains(args, "rbn1") {
			all[p] = slices.Delete(all[p], i, i+2) // only the host decides this
		}
		for q := range players {
			if q != p {
				all[p] = append(all[p], "--peer", at[q])
			}
		}
	}
	return all
}

// Player runs one player's command.
func Player(ctx context.Context, t *testing.T, g cli.Game, args []string) Ended {
	return PlayerWith(ctx, t, g, args, func(string) {})
}

// watched is a writer that passes each line to a function.
type watched struct {
	bytes.Buffer
	see func(line string)
}

// Write calls see with a line, and then keeps it. A command writes each line with one call.
func (w *watched) Write(line []byte) (int, error) {
	w.see(string(line))
	return w.Buffer.Write(line)
}

// PlayerWith runs one player's command, and calls see with each line that it writes to stderr.
func PlayerWith(ctx context.Context, t *testing.T, g cli.Game, args []string, see func(line string)) (e Ended) {
	out, errs := bytes.Buffer{}, watched{see: see}
	e.Code = cli.Run(ctx, "toybox", args, strings.NewReader(""), &out, &errs, g)
	e.Stdout, e.Stderr = out.String(), errs.String()
	if e.Stdout != "" {
		if err := json.Unmarshal(out.Bytes(), &e.Result); err != nil {
			t.Errorf("%v in %q", err, e.Stdout)
		}
	}
	return e
}

// PlayAll runs all players' commands at once.
func PlayAll(t *testing.T, all [][]string) []Ended {
	t.Helper()
	return PlayGames(t, all, func(int) cli.Game { return ToyGame() })
}

// PlayGames runs all players' commands at once, each with its own game.
func PlayGames(t *testing.T, all [][]string, game func(p int) cli.Game) []Ended {
	t.Helper()
	ends := make([]Ended, len(all))
	var wg sync.WaitGroup
	for p := range all {
		wg.Go(func() { ends[p] = Player(t.Context(), t, game(p), all[p]) })
	}
	wg.Wait()
	return ends
}

// Slow skips a test that takes seconds with -short, and otherwise runs it in parallel with others.
func Slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
}

// Said fails the test unless the player's command ended with this exit code, and with exactly one error line, the last
// on stderr, that contains words.
func (e Ended) Said(t *testing.T, code int, words string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(e.Stderr), "\n")
	if last := lines[len(lines)-1]; e.Code != code || !strings.HasPrefix(last, "toybox: ") || !strings.Contains(last, words) {
		t.Errorf("exit code %d, want %d, and %q in the last line:\n%s", e.Code, code, words, e.Stderr)
	}
	if n := strings.Count(e.Stderr, "toybox: "); n != 1 {
		t.Errorf("%d error lines:\n%s", n, e.Stderr)
	}
}

// PlayAllTables runs all players' commands at once, without --json, and returns their output.
func PlayAllTables(t *testing.T, all [][]string) []string {
	t.Helper()
	text := make([]string, len(all))
	var wg sync.WaitGroup
	for p := range all {
		wg.Go(func() {
			var out, errs bytes.Buffer
			if code := cli.Run(t.Context(), "toybox", all[p], nil, &out, &errs, ToyGame()); code != 0 || errs.Len() > 0 {
				t.Errorf("player %d: exit code %d, stderr %q", p+1, code, errs.String())
			}
			text[p] = out.String()
		})
	}
	wg.Wait()
	return text
}

// AtOnce runs a function for several cases at the same time, since matches spend most of their time waiting.
func AtOnce[T any](cases ...T) func(func(T)) {
	return func(do func(T)) {
		var wg sync.WaitGroup
		for _, c := range cases {
			wg.Go(func() { do(c) })
		}
		wg.Wait()
	}
}

// Leaver runs a player's command and interrupts it when the match has been running for a while.
func Leaver(t *testing.T, args []string) (e Ended) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	return PlayerWith(ctx, t, ToyGame(), args, func(line string) {
		if strings.Contains(line, "the match begins") {
			time.AfterFunc(500*time.Millisecond, cancel)
		}
	})
}
