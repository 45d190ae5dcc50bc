//go:build unix

package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// joinToken is the token of these tests' matches.
const joinToken = "0410-6105-0r3g-g28a-1c60-t3gf-22af-9h5v"

// tavern is a match in the arena that continues without players who are gone, with each player in a separate process.
type tavern struct {
	at   []string
	args []string // of all players
}

// player starts a player's process, with these additional arguments.
func (b *tavern) player(t *testing.T, p int, more ...string) *process {
	t.Helper()
	args := []string{
		"match", "--game", "arena", "--json", "--on-leave", "continue", "--token", joinToken, "--drop", "2s",
		"--players", fmt.Sprint(len(b.at)), "--player", fmt.Sprint(p + 1), "--listen", b.at[p],
	}
	return start(t, slices.Concat(args, b.args, more)...)
}

// first starts a player who is there from the beginning, with these peers.
func (b *tavern) first(t *testing.T, p int, others ...int) *process {
	t.Helper()
	var args []string
	for _, q := range others {
		args = append(args, "--peer", b.at[q])
	}
	return b.player(t, p, args...)
}

// ends returns a player's result, which must say that it has seen the end of the match.
func (p *process) ends(t *testing.T) map[string]any {
	t.Helper()
	if code := p.code(); code != 0 {
		t.Fatalf("exit code %d\n%s", code, p.errs.String())
	}
	return objects(t, p.out.String())[0]
}

// logOf is the membership log of a result, an entry a line: "join [3]".
func logOf(r map[string]any) (list []string) {
	for _, e := range r["log"].([]any) {
		entry := e.(map[string]any)
		list = append(list, fmt.Sprintf("%v %v", entry["entry"], entry["players"]))
	}
	return list
}

// Four processes play. One is killed, and started again with the address of another: it comes back. One leaves. All
// players that are there at the end have the same state and the same log.
func TestAKilledProcessComesBack(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	b := tavern{at: freePorts(t, "udp4", "127.0.0.1", 4), args: []string{"--frames", "900"}}
	one, two, three, four := b.first(t, 0, 1, 2, 3), b.first(t, 1, 0, 2, 3), b.first(t, 2, 0, 1, 3), b.first(t, 3, 0, 1, 2)
	three.untilPlaying(t)
	if err := three.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	one.untilSaid(t, "the match goes on without player 3")
	back := b.player(t, 2, "--join", b.at[1]+","+b.at[0])
	for _, p := range []*process{one, back} {
		p.untilSaid(t, "player 3 joined")
	}
	if err := four.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	results := []map[string]any{one.ends(t), two.ends(t), back.ends(t)}
	first := results[0]
	for i, r := range results {
		if r["frames"] != 900.0 || r["health"] != "healthy" || r["checksum"] != first["checksum"] || r["reason"] != "length" {
			t.Errorf("result %d: %v\nfirst: %v", i, r, first)
		}
	}
	want := []string{"drop [3]", "join [3]", "leave [4]"}
	if got := logOf(first); !slices.Equal(got, want) || fmt.Sprint(results[1]["log"]) != fmt.Sprint(first["log"]) {
		t.Errorf("the logs are %v and %v, want %v", first["log"], results[1]["log"], want)
	}
	if all := first["log"].([]any); fmt.Sprint(results[2]["log"]) != fmt.Sprint(all[1:]) {
		t.Errorf("who came back has the log %v, the others %v", results[2]["log"], all)
	}
	if at := first["log"].([]any)[1].(map[string]any)["frame"]; results[2]["joined_at"] != at || first["joined_at"] != nil {
		t.Errorf("joined at %v, and the log says %v", results[2]["joined_at"], at)
	}
	if code := four.code(); code != 1 || !strings.HasSuffix(four.errs.String(), ": interrupted\n") {
		t.Errorf("who left: exit code %d\n%s", code, four.errs.String())
	}
}

// A match begins with an empty place: a bot plays there until a player joins. The host, which has begun the match, is
// killed, comes back, pauses and kicks.
func TestAReservedPlaceAndAHostThatComesBack(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	b := tavern{at: freePorts(t, "udp4", "127.0.0.1", 4), args: []string{"--frames", "900"}}
	one := b.player(t, 0, "--reserved", "4", "--stand-in", "hard", "--peer", b.at[1], "--peer", b.at[2])
	two := b.player(t, 1, "--reserved", "4", "--peer", b.at[0], "--peer", b.at[2])
	three := b.player(t, 2, "--reserved", "4", "--peer", b.at[0], "--peer", b.at[1])
	two.untilPlaying(t)
	four := b.player(t, 3, "--join", b.at[0])
	two.untilSaid(t, "player 4 joined")
	if err := one.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	two.untilSaid(t, "the match goes on without player 1")
	back := b.player(t, 0, "--join", b.at[1], "--pause-at", "0,30", "--kick-at", "0,3")
	results := []map[string]any{two.ends(t), four.ends(t), back.ends(t)}
	for i, r := range results {
		if r["frames"] != 900.0 || r["health"] != "healthy" || r["checksum"] != results[0]["checksum"] {
			t.Errorf("result %d: %v\nfirst: %v", i, r, results[0])
		}
	}
	for _, want := range []string{"join [4]", "drop [1]", "join [1]", "pause [1]", "resume [1]"} {
		if got := logOf(results[0]); !slices.Contains(got, want) {
			t.Errorf("the log is %v, without %q", got, want)
		}
	}
	if code := three.code(); code != 1 || !strings.Contains(three.errs.String(), "player 1 has sent us away") {
		t.Errorf("who was kicked: exit code %d\n%s", code, three.errs.String())
	}
	if r := objects(t, three.out.String())[0]; r["reason"] != "kicked" {
		t.Errorf("who was kicked: %v", r)
	}
}

// Two play duel, one is killed, and its command is run again: it explains what has happened, and fails, instead of
// playing a match of its own to an end that nobody else has.
func TestACommandLineThatIsRunAgainPlaysNoMatchOfItsOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	for again := range 2 {
		at := freePorts(t, "udp4", "127.0.0.1", 2)
		play := func(p int) *process {
			return start(t, "duel", "--json", "--player", fmt.Sprint(p+1), "--listen", at[p], "--peer", at[1-p],
				"--frames", "600", "--on-leave", "continue", "--drop", "2s")
		}
		players := []*process{play(0), play(1)}
		players[0].untilPlaying(t)
		players[1].untilPlaying(t)
		if err := players[again].Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = players[again].Wait()
		back := play(again)
		if code := back.code(); code == 0 || !strings.Contains(back.errs.String(), "still plays the match that was begun from here before") ||
			strings.Contains(back.errs.String(), "the match begins") {
			t.Errorf("player %d, run again: exit code %d\n%s%s", again+1, code, back.out.String(), back.errs.String())
		}
		if r := players[1-again].ends(t); r["frames"] != 600.0 {
			t.Errorf("the other one: %v", r)
		}
	}
}

// A player who was kicked and is started again with the same token cannot come back, and is told why.
func TestAKickedProcessDoesNotComeBack(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	b := tavern{at: freePorts(t, "udp4", "127.0.0.1", 3), args: []string{"--frames", "600"}}
	one := b.player(t, 0, "--peer", b.at[1], "--peer", b.at[2], "--kick-at", "60,3")
	two, three := b.first(t, 1, 0, 2), b.first(t, 2, 0, 1)
	if code := three.code(); code != 1 || !strings.Contains(three.errs.String(), "sent us away") {
		t.Fatalf("who is kicked: exit code %d\n%s", code, three.errs.String())
	}
	back := b.player(t, 2, "--join", b.at[1]+","+b.at[0])
	if code := back.code(); code == 0 || !strings.Contains(back.errs.String(), "revoked") {
		t.Errorf("who was kicked is back: exit code %d\n%s", code, back.errs.String())
	}
	for _, p := range []*process{one, two} {
		if r := p.ends(t); r["frames"] != 600.0 {
			t.Errorf("%v", r)
		}
	}
}
