package server_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
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

// free is an address at which nobody listens, a moment ago.
func free(t *testing.T) string {
	c, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return c.LocalAddr().String()
}

// Rule: what comes to a server and gains nobody anything is said, and counted in its result.
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

// Rule: what cannot be is refused with what helps.
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
