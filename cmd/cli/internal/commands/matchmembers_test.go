package commands_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// gathering is a match of some players who are there at first, and others who join when certain lines are printed.
type gathering struct {
	*testing.T
	ends map[string]clitest.Ended
	mu   sync.Mutex
	wg   sync.WaitGroup
}

func gather(t *testing.T) *gathering { return &gathering{T: t, ends: map[string]clitest.Ended{}} }

// play runs a player's command. When a line contains the words for the first time, it calls then.
func (g *gathering) play(name string, args []string, words string, then func(line string)) {
	var once sync.Once
	g.wg.Go(func() {
		e := clitest.PlayerWith(g.Context(), g.T, clitest.ToyGame(), args, func(line string) {
			if words != "" && strings.Contains(line, words) {
				once.Do(func() { then(line) })
			}
		})
		g.mu.Lock()
		defer g.mu.Unlock()
		g.ends[name] = e
	})
}

// entries returns the log of a result: "join [3]", without frames.
func entries(e clitest.Ended) (list []string) {
	for _, entry := range e.Result["log"].([]any) {
		m := entry.(map[string]any)
		list = append(list, fmt.Sprintf("%v %v", m["entry"], m["players"]))
	}
	return list
}

// A player takes a reserved place with the invitation that another player's command has printed; the match pauses, and
// continues to its end. All players report the same.
func TestSomebodyJoinsByInvitation(t *testing.T) {
	clitest.Slow(t)
	at := clitest.FreePorts(t, 2)
	first := func(me int, more ...string) []string {
		args := []string{"match", "--json", "--players", "3", "--player", fmt.Sprint(me + 1), "--listen", at[me], "--peer", at[1-me]}
		return append(append(args, "--on-leave", "continue", "--reserved", "3", "--frames", "200"), more...)
	}
	g := gather(t)
	way := regexp.MustCompile(`--join (\S+) --token (\S+)`)
	g.play("one", first(0, "--stand-in", "fidget", "--pause-at", "100,10"), "who comes later joins with: toybox match --game toy --players 3 --player N --join", func(line string) {
		m := way.FindStringSubmatch(line)
		if m == nil || m[1] != at[0] {
			t.Errorf("the invitation is %q", line)
			return
		}
		g.play("three", []string{"match", "--json", "--players", "3", "--player", "3", "--join", m[1], "--token", m[2], "--frames", "9"}, "", nil)
	})
	g.play("two", first(1), "", nil)
	g.wg.Wait()
	one := g.ends["one"]
	for name, e := range g.ends {
		if r := e.Result; e.Code != 0 || r["health"] != "healthy" || r["reason"] != "length" || r["frames"] != 200.0 || r["checksum"] != one.Result["checksum"] {
			t.Errorf("%s: %d, %v\n%s", name, e.Code, r, e.Stderr)
			continue
		}
		if got, want := entries(e), []string{"join [3]", "pause [1]", "resume [1]"}; !slices.Equal(got, want) || e.Result["on_leave"] != "continue" {
			t.Errorf("%s: the log is %v, want %v", name, got, want)
		}
		for _, line := range []string{"player 3 joined, from frame", "player 1 wants a pause, from frame", "goes on, after a pause of"} {
			if !strings.Contains(e.Stderr, line) {
				t.Errorf("%s: no %q in:\n%s", name, line, e.Stderr)
			}
		}
		if strings.Contains(e.Stderr, "spectator") {
			t.Errorf("%s: a newcomer is told as a spectator:\n%s", name, e.Stderr)
		}
	}
	if e := g.ends["three"]; e.Result["joined_at"] == nil || !strings.Contains(e.Stderr, "--frames 9 is not used: the match has begun without it") {
		t.Errorf("who joined: %v\n%s", e.Result["joined_at"], e.Stderr)
	}
	if len(g.ends) != 3 || one.Result["joined_at"] != nil {
		t.Errorf("%d players, the first one joined at %v", len(g.ends), one.Result["joined_at"])
	}
}

// Three play, the host kicks one of them, and the others continue; a player who may not join is told why.
func TestAKickAndNewcomersWhoMayNot(t *testing.T) {
	clitest.Slow(t)
	const token, other = "0410-6105-0r3g-g28a-1c60-t3gf-22af-9h5v", "v9z8-rae5-tdpa-g9vm-sn6r-fdnq-tptc-fa5h"
	all := clitest.Seats(t, 3, "--on-leave", "continue", "--token", token, "--frames", "400")
	host := all[0][7]
	g := gather(t)
	join := func(player, token string, more ...string) []string {
		args := []string{"match", "--json", "--players", "3", "--player", player, "--join", host, "--token", token, "--timeout", "2s"}
		return append(args, more...)
	}
	g.play("one", append(all[0], "--kick-at", "300,3"), "the match begins", func(string) {
		g.play("stranger", join("2", other), "", nil)
		g.play("twin", join("2", token), "", nil)
		g.play("late", []string{"match", "--json", "--player", "2", "--join", host, "--token", token, "--timeout", "2s"}, "", nil)
	})
	g.play("two", all[1], "", nil)
	g.play("three", all[2], "", nil)
	g.wg.Wait()
	for _, name := range []string{"one", "two"} {
		e := g.ends[name]
		if r := e.Result; e.Code != 0 || r["reason"] != "length" || r["checksum"] != g.ends["one"].Result["checksum"] || !slices.Equal(entries(e), []string{"leave [3]"}) {
			t.Errorf("%s: %d, %v\n%s", name, e.Code, r, e.Stderr)
		}
		if strings.Contains(e.Stderr, token) {
			t.Errorf("%s prints a token that it was given:\n%s", name, e.Stderr)
		}
	}
	g.ends["three"].Said(t, 1, "player 1 has sent us away, at frame")
	if r := g.ends["three"].Result; r["reason"] != "kicked" {
		t.Errorf("who was kicked: %v", r)
	}
	g.ends["stranger"].Said(t, 1, "cannot join "+host+": the token is not that of the match")
	g.ends["twin"].Said(t, 1, "cannot join "+host+": it says: the place is taken")
	g.ends["late"].Said(t, 1, "the number of players differs: here 2, there 3")
}

// A player who tries to join where no host is gives up.
func TestNobodyToJoin(t *testing.T) {
	clitest.Slow(t)
	at := clitest.FreePorts(t, 1)[0]
	args := []string{"match", "--json", "--player", "2", "--join", at, "--token", "0410-6105-0r3g-g28a-1c60-t3gf-22af-9h5v", "--timeout", "1s"}
	e := clitest.Player(t.Context(), t, clitest.ToyGame(), args)
	e.Said(t, 1, "cannot join "+at+": it does not answer")
}

// The summary for people has the log.
func TestSummaryHasTheLog(t *testing.T) {
	clitest.Slow(t)
	all := clitest.Seats(t, 2, "--frames", "100", "--on-leave", "continue", "--pause-at", "30,5")
	var out, errs strings.Builder
	var wg sync.WaitGroup
	wg.Go(func() {
		cli.Run(context.WithoutCancel(t.Context()), "toybox", append(all[0], "--json=false"), nil, &out, &errs, clitest.ToyGame())
	})
	wg.Go(func() { clitest.Player(t.Context(), t, clitest.ToyGame(), all[1]) })
	wg.Wait()
	for _, want := range []string{`(?m)^FRAME +ENTRY +PLAYERS$`, `(?m)^\d+ +pause +[12]$`, `(?m)^\d+ +resume +[12]$`} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("no %s in:\n%s", want, out.String())
		}
	}
}
