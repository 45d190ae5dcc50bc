package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// asCommand makes this test binary act as the command, for tests that need separate processes.
const asCommand = "TICKBACK_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// process is a command in a separate process.
type process struct {
	*exec.Cmd
	out, errs output
}

// output is the output of a process so far.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// untilPlaying waits until the match has been running for a moment.
func (p *process) untilPlaying(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !strings.Contains(p.errs.String(), "the match begins"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no match begins:\n%s", p.errs.String())
		}
	}
	time.Sleep(500 * time.Millisecond)
}

func start(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], args...)}
	p.Env = append(os.Environ(), asCommand+"=1")
	p.Stdout, p.Stderr = &p.out, &p.errs
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill() })
	return p
}

// code waits for the end of the process.
func (p *process) code() int {
	_ = p.Wait() // the code says all
	return p.ProcessState.ExitCode()
}

// freePorts returns addresses at which nobody listens.
func freePorts(t *testing.T, network, host string, n int) (addresses []string) {
	t.Helper()
	for range n {
		c, err := net.ListenPacket(network, net.JoinHostPort(host, "0"))
		if err != nil {
			t.Skip("no such network here: ", err)
		}
		defer c.Close()
		addresses = append(addresses, c.LocalAddr().String())
	}
	return addresses
}

// duelists returns the arguments of both players.
func duelists(at []string, args ...string) [2][]string {
	seat := func(player, here, there int) []string {
		return append([]string{"duel", "--json", "--player", fmt.Sprint(player), "--listen", at[here], "--peer", at[there]}, args...)
	}
	both := [2][]string{seat(1, 0, 1), seat(2, 1, 0)}
	if i := slices.Index(both[1], "--seed"); i >= 0 {
		both[1] = slices.Delete(both[1], i, i+2) // the host decides
	}
	return both
}

// Two processes play a match over UDP, with IPv4 and IPv6, and end with the same checksum.
func TestDuelOfTwoProcesses(t *testing.T) {
	t.Parallel()
	frames := "240"
	if testing.Short() {
		frames = "60"
	}
	for _, at := range [][]string{freePorts(t, "udp4", "127.0.0.1", 2), freePorts(t, "udp6", "::1", 2)} {
		both := duelists(at, "--frames", frames, "--seed", "7", "--bot", "brawler", "--net", "wifi")
		one, two := start(t, both[0]...), start(t, both[1]...)
		codes := [2]int{one.code(), two.code()}
		if codes != [2]int{0, 0} {
			t.Fatalf("exit codes %v\n%s%s", codes, one.errs.String(), two.errs.String())
		}
		a, b := objects(t, one.out.String())[0], objects(t, two.out.String())[0]
		if a["checksum"] != b["checksum"] || len(a["checksum"].(string)) != 10 || a["health"] != "healthy" || b["health"] != "healthy" {
			t.Errorf("player 1: %v\nplayer 2: %v", a, b)
		}
		if testing.Short() {
			return
		}
	}
}

// If a process is killed, the other one loses it: one error line, exit code 1, and the match until then.
func TestKilledPlayer(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	for _, wire := range []string{"tickback", "rbn1"} {
		both := duelists(freePorts(t, "udp4", "127.0.0.1", 2), "--frames", "3600", "--drop", "1s", "--wire", wire)
		one, two := start(t, both[0]...), start(t, both[1]...)
		two.untilPlaying(t)
		one.Process.Kill()
		if code := two.code(); code != 1 || !strings.Contains(two.errs.String(), ": lost player 1") {
			t.Errorf("%s: exit code %d\n%s", wire, code, two.errs.String())
		}
		if r := objects(t, two.out.String())[0]; r["reason"] != "lost" || r["frames"] == 0.0 {
			t.Errorf("%s: %v", wire, r)
		}
	}
}

// An interrupt is a goodbye.
func TestInterruptedPlayer(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	if runtime.GOOS == "windows" {
		t.Skip("no signals here")
	}
	t.Parallel()
	both := duelists(freePorts(t, "udp4", "127.0.0.1", 2), "--frames", "0")
	one, two := start(t, both[0]...), start(t, both[1]...)
	two.untilPlaying(t)
	if err := one.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := one.code(); code != 1 || !strings.HasSuffix(one.errs.String(), ": interrupted\n") {
		t.Errorf("who left: exit code %d\n%s", code, one.errs.String())
	}
	if code := two.code(); code != 0 || !strings.Contains(two.errs.String(), "player 1 left") {
		t.Errorf("who stayed: exit code %d\n%s", code, two.errs.String())
	}
}

// Four play in the arena, over a bad network.
func TestArenaOfFour(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	at := freePorts(t, "udp4", "127.0.0.1", 4)
	outs := make([]string, 4)
	var wg sync.WaitGroup
	for p := range at {
		args := []string{
			"match", "--game", "arena", "--json", "--players", "4", "--player", fmt.Sprint(p + 1), "--listen", at[p],
			"--frames", "200", "--net", "mobile", "--bot", []string{"easy", "normal", "hard", "hard"}[p],
		}
		for q := range at {
			if q != p {
				args = append(args, "--peer", at[q])
			}
		}
		wg.Go(func() {
			stdout, stderr, code := run(t, args...)
			if outs[p] = stdout; code != 0 {
				t.Errorf("player %d: exit code %d\n%s", p+1, code, stderr)
			}
		})
	}
	wg.Wait()
	var first map[string]any
	for p, out := range outs {
		r := objects(t, out)[0]
		if first == nil {
			first = r
		}
		if r["checksum"] != first["checksum"] || len(r["checksum"].(string)) != 18 || r["health"] != "healthy" || r["frames"] != 200.0 {
			t.Errorf("player %d: %v", p+1, r)
		}
	}
}

// The duel refuses seeds that are out of its range.
func TestSeedsOfTheDuel(t *testing.T) {
	for _, seed := range []string{"0", "4294967296"} {
		for _, args := range [][]string{
			{"duel", "--player", "1", "--listen", "127.0.0.1:0", "--peer", "127.0.0.1:9"},
			{"sim"},
		} {
			_, stderr, code := run(t, append(args, "--seed", seed)...)
			if code != 2 || !strings.Contains(stderr, "--seed "+seed+": the seed of a duel ") {
				t.Errorf("%s --seed %s: exit code %d, %q", args[0], seed, code, stderr)
			}
		}
	}
}
