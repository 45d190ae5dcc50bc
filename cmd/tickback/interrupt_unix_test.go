//go:build unix

package main

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// Rule: signals that arrive at the same time count as one interrupt, so that the work ends cleanly: timeout(1) sends
// its signal to the process and then to its group.
func TestSignalsAtATimeAreOneInterrupt(t *testing.T) {
	t.Parallel()
	at := freePorts(t, "udp4", "127.0.0.1", 2)
	p := start(t, duelists(at)[0]...)
	p.untilSaid(t, "waiting for player 2")
	for begin := time.Now(); time.Since(begin) < 100*time.Millisecond; {
		if err := p.Process.Signal(syscall.SIGTERM); err != nil {
			break // it has ended
		}
	}
	if code := p.code(); code != 1 || !strings.HasSuffix(p.errs.String(), ": interrupted\n") {
		t.Errorf("exit code %d (-1 for a signal), %q", code, p.errs.String())
	}
}
