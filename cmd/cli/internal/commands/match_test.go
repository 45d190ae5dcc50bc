package commands_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/rollback"
)

// All players of a match end with the same checksum, and report how it went.
func TestMatchOfThree(t *testing.T) {
	t.Parallel()
	ends := clitest.PlayAll(t, clitest.Seats(t, 3, "--seed", "7", "--frames", "40", "--delay", "1"))
	for i, e := range ends {
		if e.Code != 0 {
			t.Fatalf("player %d: exit code %d\n%s", i+1, e.Code, e.Stderr)
		}
		for key, want := range map[string]any{
			"game": "toy", "wire": "tickback", "player": float64(i + 1), "players": 3.0, "bot": "fidget", "seed": 7.0,
			"frames": 40.0, "checksum": ends[0].Result["checksum"], "health": "healthy", "reason": "length",
			"result": "", "error": "", "fairness": ends[0].Result["fairness"],
		} {
			if got := e.Result[key]; got != want {
				t.Errorf("player %d: %s is %v, want %v", i+1, key, got, want)
			}
		}
		for _, key := range []string{"rollbacks", "resimulated", "max_depth", "stalls", "ping_ms", "bytes_per_frame", "packets_per_frame", "fairness"} {
			if _, ok := e.Result[key].(float64); !ok {
				t.Errorf("player %d: %s is %v, no number", i+1, key, e.Result[key])
			}
		}
		if n := e.Result["packets_per_frame"].(float64); n < 1 || n > 4 {
			t.Errorf("player %d sends %v datagrams in a frame to two others", i+1, n)
		}
		if peers := e.Result["peers"].([]any); len(peers) != 2 {
			t.Errorf("player %d has the peers %v", i+1, peers)
		}
		if !strings.Contains(e.Stderr, "the match begins: seed 7, 40 frames") || strings.Contains(e.Stderr, "player 0") || strings.Contains(e.Stderr, "left") {
			t.Errorf("player %d heard:\n%s", i+1, e.Stderr)
		}
	}
	if sum := ends[0].Result["checksum"].(string); len(sum) != 10 || sum == "0x00000000" {
		t.Errorf("the checksum is %q", sum)
	}
}

// The summary for people has the same numbers, and with --quiet nothing else is printed.
func TestSummaryOfAMatch(t *testing.T) {
	clitest.Slow(t)
	all := clitest.Seats(t, 2, "--frames", "30", "--quiet")
	all[0] = append(all[0], "--json=false")
	ends := clitest.PlayAllTables(t, all)
	for _, word := range []string{"CHECKSUM", "HEALTH", "PING", "FAIRNESS", "healthy", "toy", "1 of 2", " %"} {
		if !strings.Contains(ends[0], word) {
			t.Errorf("no %q in:\n%s", word, ends[0])
		}
	}
}

// The host's seed and length are used; other players are told if theirs differ.
func TestHostSaysWhatIsPlayed(t *testing.T) {
	clitest.Slow(t)
	all := clitest.Seats(t, 2)
	all[0] = append(all[0], "--seed", "5", "--frames", "30")
	all[1] = append(all[1], "--frames", "3600")
	ends := clitest.PlayAll(t, all)
	if got := ends[1].Result; ends[1].Code != 0 || got["seed"] != 5.0 || got["frames"] != 30.0 || got["checksum"] != ends[0].Result["checksum"] {
		t.Errorf("%d, %v\n%s", ends[1].Code, got, ends[1].Stderr)
	}
	line := "--frames 3600 is not used: player 1 is the host"
	if !strings.Contains(ends[1].Stderr, line) || strings.Contains(ends[0].Stderr, line) {
		t.Errorf("%q: player 1 heard:\n%splayer 2 heard:\n%s", line, ends[0].Stderr, ends[1].Stderr)
	}
}

// A game can end a match that has no limit.
func TestGameEndsTheMatch(t *testing.T) {
	clitest.Slow(t)
	for i, e := range clitest.PlayAll(t, clitest.Seats(t, 2, "--bot", "quitter", "--net", "wifi", "--delay", "auto")) {
		if r := e.Result; e.Code != 0 || r["reason"] != "finished" || r["result"] != "42" || r["checksum"] == "" {
			t.Errorf("player %d: %d, %v\n%s", i+1, e.Code, r, e.Stderr)
		}
	}
}

// Lockstep predicts nothing.
func TestLockstepMatch(t *testing.T) {
	clitest.Slow(t)
	for i, e := range clitest.PlayAll(t, clitest.Seats(t, 2, "--lockstep", "--frames", "60")) {
		if r := e.Result; e.Code != 0 || r["health"] != "healthy" || r["rollbacks"] != 0.0 {
			t.Errorf("player %d: %d, %v\n%s", i+1, e.Code, r, e.Stderr)
		}
	}
}

// The classic protocol gives the same match: only the inputs determine it.
func TestMatchOverRBN1(t *testing.T) {
	clitest.Slow(t)
	var ends, same []clitest.Ended
	clitest.AtOnce(true, false)(func(rbn1 bool) {
		args := []string{"--seed", "3", "--frames", "60"}
		if !rbn1 {
			same = clitest.PlayAll(t, clitest.Seats(t, 2, args...))
			return
		}
		ends = clitest.PlayAll(t, clitest.Seats(t, 2, append(args, "--wire", "rbn1")...))
	})
	for i, e := range ends {
		r := e.Result
		if e.Code != 0 || r["health"] != "healthy" || r["reason"] != "length" || r["wire"] != "rbn1" || r["frames"] != 60.0 {
			t.Errorf("player %d: %d, %v\n%s", i+1, e.Code, r, e.Stderr)
		}
		if r["checksum"] != same[0].Result["checksum"] {
			t.Errorf("player %d: checksum %v, over tickback's own protocol %v", i+1, r["checksum"], same[0].Result["checksum"])
		}
		if r["ping_ms"] != nil || r["fairness"] != nil {
			t.Errorf("player %d knows what nobody can: %v", i+1, r)
		}
		if n := r["packets_per_frame"].(float64); n < 0.8 || n > 1.5 {
			t.Errorf("player %d: %v datagrams in a frame", i+1, n)
		}
	}
}

// A desync of players whose games differ is noticed, reported, and a failure.
func TestDesync(t *testing.T) {
	clitest.Slow(t)
	clitest.AtOnce("tickback", "rbn1")(func(wire string) {
		all, reports := clitest.Seats(t, 2, "--frames", "90", "--wire", wire), t.TempDir()
		for p := range all {
			if wire == "tickback" { // otherwise there is no report
				all[p] = append(all[p], "--desync", filepath.Join(reports, fmt.Sprint(p)))
			}
		}
		ends := clitest.PlayGames(t, all, func(p int) cli.Game {
			spec := clitest.ToySpec()
			spec.Game = rollback.Game[clitest.Toy, clitest.Press]{Step: func(s *clitest.Toy, k *rollback.Tick[clitest.Press]) {
				s.Step(k)
				if p == 1 && k.Frame() == 20 {
					s.Sum++
				}
			}}
			return cli.NewGame(spec)
		})
		for i, e := range ends {
			e.Said(t, 1, "desync")
			if r := e.Result; r["health"] != "desynced" || r["reason"] != "desynced" {
				t.Errorf("%s, player %d: %v", wire, i+1, r)
			}
			if _, err := os.Stat(filepath.Join(reports, fmt.Sprint(i))); wire == "tickback" && err != nil {
				t.Errorf("player %d has no report: %v", i+1, err)
			}
		}
	})
}

// When a player leaves, the others notice, and both sides print what they know. Leaving a match without a limit is no
// failure for those who stay.
func TestLeaving(t *testing.T) {
	clitest.Slow(t)
	exitCodes := map[string]int{"0": 0, "3000": 1}
	clitest.AtOnce("0", "3000")(func(frames string) {
		all := clitest.Seats(t, 2, "--frames", frames)
		var stayed clitest.Ended
		var wg sync.WaitGroup
		wg.Go(func() { stayed = clitest.Player(t.Context(), t, clitest.ToyGame(), all[1]) })
		left := clitest.Leaver(t, all[0])
		wg.Wait()
		left.Said(t, 1, "interrupted")
		if r := left.Result; r["reason"] != "interrupted" || r["frames"] == 0.0 {
			t.Errorf("who left: %v", r)
		}
		if r := stayed.Result; stayed.Code != exitCodes[frames] || r["reason"] != "left" || r["checksum"] == "" || r["frames"] == 0.0 {
			t.Errorf("who stayed: %d, %v", stayed.Code, r)
		}
		if !strings.Contains(stayed.Stderr, "player 1 left, at frame") {
			t.Errorf("who stayed heard:\n%s", stayed.Stderr)
		}
	})
}

// With --on-leave continue the match goes on to its end.
func TestGoingOnAlone(t *testing.T) {
	clitest.Slow(t)
	all := clitest.Seats(t, 2, "--frames", "120", "--on-leave", "continue")
	var stayed clitest.Ended
	var wg sync.WaitGroup
	wg.Go(func() { stayed = clitest.Player(t.Context(), t, clitest.ToyGame(), all[0]) })
	clitest.Leaver(t, all[1])
	wg.Wait()
	if r := stayed.Result; stayed.Code != 0 || r["reason"] != "length" || r["frames"] != 120.0 {
		t.Errorf("%d, %v\n%s", stayed.Code, r, stayed.Stderr)
	}
}

// A game that panics ends the match with one error line; the other side is notified.
func TestPanicOfTheGameEndsTheMatch(t *testing.T) {
	clitest.Slow(t)
	all := clitest.Seats(t, 2, "--frames", "300", "--drop", "2s")
	all[0] = append(all[0], "--bot", "crasher")
	ends := clitest.PlayAll(t, all)
	ends[0].Said(t, 1, "the game panicked: out of fuel (toy.go:")
	ends[1].Said(t, 1, "player 1")
}
