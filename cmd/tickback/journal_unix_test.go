//go:build unix

package main

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// untilMore waits until a text has been said that often.
func (p *process) untilMore(t *testing.T, text string, times int) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); strings.Count(p.errs.String(), text) < times; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%q is not said %d times:\n%s", text, times, p.errs.String())
		}
	}
}

// A server that is killed again and again, at any moment, goes on with its match: its clients come back by themselves,
// all end with its last state, and its last recording has the whole match, which verifies.
func TestAMatchOutlivesItsServer(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	at := freePorts(t, "udp4", "127.0.0.1", 1)[0]
	dir := t.TempDir()
	record, kept := filepath.Join(dir, "m.tbr"), filepath.Join(dir, "m.journal")
	serve := func() *process {
		return start(t, "tanks", "serve", "--listen", at, "--players", "4", "--journal", kept, "--record", record,
			"--length", "14s", "--status", "20ms", "--drop", "1m", "--json")
	}
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1)) // any moment will do
	p := serve()
	p.untilSaid(t, "listening on")
	bots := start(t, "tanks", "bots", at, "--count", "3", "--players", "4", "--drop", "1m", "--json")
	const kills = 5
	for range kills {
		p.untilMore(t, " joined from ", 3)
		p.untilMore(t, "frame ", 10+random.IntN(40))
		time.Sleep(time.Duration(random.IntN(50)) * time.Millisecond)
		if err := p.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = p.Wait() // it was killed
		p = serve()
		p.untilSaid(t, "the match goes on at frame ")
	}
	if code := p.code(); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, p.errs.String())
	}
	if code := bots.code(); code != 0 {
		t.Errorf("the bots: exit code %d:\n%s", code, bots.errs.String())
	}
	r := objects(t, p.out.String())[0]
	sum, _ := r["checksum"].(string)
	if r["frames"] != 14*20.0 || sum == "" {
		t.Errorf("%v", r)
	}
	if n := strings.Count(bots.out.String(), sum); n != 3 {
		t.Errorf("%d of 3 bots end with %s:\n%s", n, sum, bots.out.String())
	}
	out, errs, code := run(t, "replay", "verify", record, "--expect", sum)
	if code != 0 || !strings.Contains(out, "280") {
		t.Errorf("exit code %d:\n%s%s", code, out, errs)
	}
}
