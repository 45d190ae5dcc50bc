//go:build unix

package main

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// untilSaid waits until a process has printed something.
func (p *process) untilSaid(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !strings.Contains(p.errs.String(), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%q is not said:\n%s", text, p.errs.String())
		}
	}
}

// A hard test: three processes play in the arena over an awful network, and two watch. One spectator is killed, and one
// player is stopped for a second. All that are left end with the same checksum.
func TestProcessesUnderFire(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	at := freePorts(t, "udp4", "127.0.0.1", 3)
	var players []*process
	for p := range at {
		args := []string{
			"match", "--game", "arena", "--json", "--players", "3", "--player", fmt.Sprint(p + 1), "--listen", at[p],
			"--frames", "600", "--net", "awful", "--net-seed", fmt.Sprint(p),
		}
		for q := range at {
			if q != p {
				args = append(args, "--peer", at[q])
			}
		}
		players = append(players, start(t, args...))
	}
	watch := func(hosts ...int) *process {
		args := []string{"spectate", "--game", "arena", "--json", "--net", "awful", "--listen", "127.0.0.1:0"}
		for _, h := range hosts {
			args = append(args, "--host", at[h])
		}
		return start(t, args...)
	}
	doomed, lasting := watch(0), watch(1, 2)
	players[2].untilPlaying(t)
	doomed.untilSaid(t, "up to date")
	if err := doomed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := players[2].Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second)
	if err := players[2].Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	checksums := map[any][]string{}
	for i, p := range append(players, lasting) {
		if code := p.code(); code != 0 {
			t.Errorf("process %d: exit code %d\n%s", i, code, p.errs.String())
			continue
		}
		r := objects(t, p.out.String())[0]
		checksums[r["checksum"]] = append(checksums[r["checksum"]], fmt.Sprint(i))
		if r["health"] != "healthy" || r["frames"] != 600.0 {
			t.Errorf("process %d: %v", i, r)
		}
	}
	if len(checksums) != 1 {
		t.Errorf("the checksums differ: %v", checksums)
	}
}
