//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
)

// linkOf waits for the link that a server prints.
func (p *process) linkOf(t *testing.T) string {
	t.Helper()
	p.untilSaid(t, "pages join at: ")
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		_, rest, _ := strings.Cut(p.errs.String(), "pages join at: ")
		if link, _, whole := strings.Cut(rest, "\n"); whole {
			return link
		}
		if time.Now().After(end) {
			t.Fatalf("no link:\n%s", p.errs.String())
		}
	}
}

// A server in a room is killed and restarted with its file: it is back at the same link, and the players in the room
// come back by themselves.
func TestAKilledServerComesBackToItsRoom(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	page, _ := roomstest.Serve(t, rooms.Config{})
	file := filepath.Join(t.TempDir(), "room")
	serve := func() *process {
		return start(t, "tanks", "serve", "--room", page, "--room-file", file, "--players", "4")
	}
	kill := func(p *process) {
		if err := p.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = p.Wait() // it was killed
	}
	first := serve()
	link := first.linkOf(t)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
	start(t, "tanks", "bots", link, "--count", "2", "--players", "4", "--drop", "1m")
	both := func(p *process) {
		p.untilSaid(t, "joined from the room (busy 1)")
		p.untilSaid(t, "joined from the room (busy 2)")
	}
	both(first)
	kill(first)
	second := serve()
	if again := second.linkOf(t); again != link {
		t.Errorf("the link was %s, and is %s", link, again)
	}
	second.untilSaid(t, "back in the room of before, in the same place")
	both(second)
	if list, err := os.ReadDir(filepath.Dir(file)); err != nil || len(list) != 1 {
		t.Errorf("beside the file: %v, %v", list, err)
	}
}
