package commands_test

import (
	"bytes"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/rollback"
)

func TestTheToyHasNothingToHide(t *testing.T) {
	for _, command := range []string{"serve", "join 127.0.0.1:1"} {
		e := clitest.Player(t.Context(), t, clitest.ToyGame(), append([]string{"toy"}, strings.Fields(command+" --sight partial")...))
		if e.Code != 2 || !strings.Contains(e.Stderr, "toy has nothing to hide") {
			t.Errorf("%s: exit code %d\n%s", command, e.Code, e.Stderr)
		}
	}
	if e := clitest.Player(t.Context(), t, clitest.ToyGame(), []string{"toy", "serve", "--seed", "13"}); e.Code != 2 || !strings.Contains(e.Stderr, "13 is bad luck") {
		t.Errorf("a bad seed: exit code %d\n%s", e.Code, e.Stderr)
	}
}

// free returns an address at which nobody listened a moment ago.
func free(t *testing.T) string {
	c, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return c.LocalAddr().String()
}

// Rule: a spectator that does not know a server's token for spectators is refused, and one that knows it can watch.
func TestAServersSpectatorsNeedItsToken(t *testing.T) {
	clitest.Slow(t)
	g, address, token := clitest.ToyGame(), free(t), tickback.NewToken().String()
	var wg sync.WaitGroup
	watch := func(e *clitest.Ended, more ...string) { // repeat until the server answers
		wg.Go(func() {
			*e = clitest.Spectator(t, g, append([]string{"--host", address, "--timeout", "2m"}, more...)...)
		})
	}
	var missing, wrong, right clitest.Ended
	watch(&missing)
	watch(&wrong, "--token", tickback.NewToken().String())
	watch(&right, "--token", token)
	served := clitest.Player(t.Context(), t, g, []string{"toy", "serve", "--listen", address, "--length", "6s", "--watch-token", token, "--json"})
	wg.Wait()
	missing.Said(t, 1, "the token is not that of the match: none was given here")
	wrong.Said(t, 1, "the token is not that of the match")
	if served.Code != 0 || right.Code != 0 || !strings.Contains(right.Stderr, "lets us watch") {
		t.Errorf("exit codes %d and %d\n%s", served.Code, right.Code, right.Stderr)
	}
}

// Rule: messages to a server that have no effect are reported, and counted in its result.
func TestAServerSaysWhatItIgnores(t *testing.T) {
	address := free(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		c, err := net.Dial("udp", address)
		if err != nil {
			return
		}
		defer c.Close()
		for range 150 {
			_, _ = c.Write([]byte("let me in")) // nobody listens yet, at first
			time.Sleep(10 * time.Millisecond)
		}
	}()
	e := clitest.Player(t.Context(), t, clitest.ToyGame(), []string{"toy", "serve", "--listen", address, "--length", "1200ms", "--status", "500ms", "--per-address", "1", "--json"})
	<-done
	if counts, _ := e.Result["counts"].(map[string]any); e.Code != 0 || counts["strangers"] == nil || counts["strangers"].(float64) < 10 || counts["broken"] != 0.0 {
		t.Errorf("exit code %d, result %v", e.Code, e.Result)
	}
	if !strings.Contains(e.Stderr, "ignored since then: ") || !strings.Contains(e.Stderr, " from strangers") {
		t.Errorf("it says %s", e.Stderr)
	}
}

// brokenToy is a toy that changes its state in one frame on its own.
func brokenToy(at rollback.Frame) cli.Game {
	spec := clitest.ToySpec()
	spec.Game = rollback.Game[clitest.Toy, clitest.Press]{Step: func(s *clitest.Toy, k *rollback.Tick[clitest.Press]) {
		if s.Step(k); k.Frame() == at {
			s.Sum += 1000
		}
	}}
	return cli.NewGame(spec)
}

// Rule: a client whose state differs from the server's writes a report, which is shown like one of peers, and can be
// replayed up to the server's state by a correct build.
func TestAClientExplainsADesync(t *testing.T) {
	clitest.Slow(t)
	address, file := free(t), filepath.Join(t.TempDir(), "a.tbd")
	var server, client clitest.Ended
	var wg sync.WaitGroup
	wg.Go(func() {
		server = clitest.Player(t.Context(), t, clitest.ToyGame(), []string{"toy", "serve", "--listen", address, "--length", "4s", "--json"})
	})
	wg.Go(func() {
		client = clitest.Player(t.Context(), t, brokenToy(150), []string{"toy", "join", address, "--json", "--desync", file})
	})
	wg.Wait()
	client.Said(t, 1, "desync: ")
	if !strings.Contains(client.Stderr, "desync show "+file) || client.Result["report"] != file || client.Result["reason"] != "desynced" {
		t.Errorf("%v\n%s", client.Result, client.Stderr)
	}
	if server.Code != 0 || !strings.Contains(server.Stderr, "desync: player 1 had another state, by frame ") {
		t.Errorf("the server ended with %d\n%s", server.Code, server.Stderr)
	}
	for _, c := range []struct{ command, want string }{
		{"show", " is the first that differs. Player 1 has another one than players 2 and 3."},
		{"show", "the server: "},
		{"show", "1 field differs."},
		{"replay", "that of players 2 and 3."},
	} {
		var out, errs bytes.Buffer
		if code := cli.Run(t.Context(), "toybox", []string{"desync", c.command, file}, nil, &out, &errs, clitest.ToyGame()); code != 0 || !strings.Contains(out.String(), c.want) {
			t.Errorf("desync %s: exit code %d, %q is not in\n%s%s", c.command, code, c.want, out.String(), errs.String())
		}
	}
}

// Rule: impossible flags are refused, with advice.
func TestServersThatCannotBe(t *testing.T) {
	taken, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, c := range []struct {
		flags, says string
		code        int
	}{
		{"--per-address 99", "--per-address 99: must be 1 to", 2},
		{"--per-address -2", "--per-address -2: must be 1 to", 2},
		{"--listen " + taken.LocalAddr().String(), "the port is in use: address already in use: end the other program, or give another port with --listen", 1},
		{"--listen 203.0.113.7:7000", "cannot listen on 203.0.113.7:7000: ", 1}, // that of nobody (RFC 5737)
	} {
		e := clitest.Player(t.Context(), t, clitest.ToyGame(), append([]string{"toy", "serve"}, strings.Fields(c.flags)...))
		if e.Code != c.code || !strings.Contains(e.Stderr, c.says) {
			t.Errorf("%s: exit code %d\n%s", c.flags, e.Code, e.Stderr)
		}
	}
}
