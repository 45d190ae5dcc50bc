//go:build unix

package main

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Both processes are suspended for longer than the silence after which a peer is lost,
// as when two laptops are closed, and one wakes up before the other: neither charges
// that to the other, and both come to the same end. So it is whatever becomes of a match
// that somebody leaves.
func TestSuspendedProcessesGoOn(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, more := range [][]string{nil, {"--on-leave", "continue"}} {
		t.Run(strings.Join(more, " "), func(t *testing.T) {
			t.Parallel()
			args := duelists(freePorts(t, "udp4", "127.0.0.1", 2), slices.Concat([]string{"--frames", "240", "--drop", "2s", "--json"}, more)...)
			both := []*process{start(t, args[0]...), start(t, args[1]...)}
			for _, p := range both {
				p.untilPlaying(t)
			}
			signal := func(s syscall.Signal, apart time.Duration) {
				for _, p := range both {
					if err := p.Process.Signal(s); err != nil {
						t.Fatal(err)
					}
					time.Sleep(apart)
				}
			}
			signal(syscall.SIGSTOP, 0)
			time.Sleep(4 * time.Second)
			signal(syscall.SIGCONT, 300*time.Millisecond)
			first := both[0].ends(t)
			for _, p := range both {
				r := p.ends(t)
				if r["frames"] != 240.0 || r["health"] != "healthy" || r["checksum"] != first["checksum"] || r["reason"] != "length" {
					t.Errorf("%v\nfirst: %v", r, first)
				}
				if strings.Contains(p.errs.String(), " is lost") {
					t.Errorf("somebody is lost:\n%s", p.errs.String())
				}
			}
		})
	}
}
