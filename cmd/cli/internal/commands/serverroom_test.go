package commands_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
)

// linkIn returns the link that a server has printed.
func linkIn(e clitest.Ended) string {
	_, rest, _ := strings.Cut(e.Stderr, "pages join at: ")
	link, _, _ := strings.Cut(rest, "\n")
	return link
}

// Rule: a server that is restarted with its file gets its previous place, or says why not; then it has another place or
// another room, and the file is updated. A file that is not such a file is left unchanged.
func TestAServerComesBackToItsRoom(t *testing.T) {
	clitest.Slow(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	g, file := clitest.ToyGame(), filepath.Join(t.TempDir(), "room")
	serve := func() clitest.Ended {
		t.Helper()
		return clitest.Player(t.Context(), t, g, []string{"toy", "serve", "--room", page, "--room-file", file, "--length", "50ms", "--json"})
	}
	keep := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept := func() string {
		t.Helper()
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	first := serve()
	link := linkIn(first)
	if first.Code != 0 || strings.Contains(first.Stderr, "of before") || online.RoomOf(link) == "" || !strings.HasPrefix(kept(), link+"&") {
		t.Fatalf("exit code %d\n%s%s", first.Code, first.Stderr, kept())
	}
	if e := serve(); e.Code != 0 || linkIn(e) != link || !strings.Contains(e.Stderr, "back in the room of before, in the same place") {
		t.Errorf("again: exit code %d, not at %s\n%s", e.Code, link, e.Stderr)
	}

	// The room no longer exists.
	keep(page + "#room=AAAA&place=BBBB\n")
	if e := serve(); e.Code != 0 || linkIn(e) == link || !strings.Contains(e.Stderr, "the room is gone; a new one is opened") || !strings.HasPrefix(kept(), linkIn(e)+"&") {
		t.Errorf("a room that is gone: exit code %d\n%s%s", e.Code, e.Stderr, kept())
	}
	// Another member has the seat: the place in the file is no longer known.
	keep(strings.Split(link, "&")[0] + "&place=BBBB\n")
	if e := serve(); e.Code != 0 || linkIn(e) == link || !strings.Contains(e.Stderr, "the seat is taken") {
		t.Errorf("a seat that is taken: exit code %d\n%s", e.Code, e.Stderr)
	}

	// The place was given up, and others are still in the room.
	cfg := online.Config{GameID: "toy", Build: "test", Name: "Ada", Seats: 1, Spectators: 4, Loopback: true}
	owner, err := online.Create(t.Context(), page, cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Name, cfg.Role = "Bo", rooms.Spectator
	guest, err := online.Join(t.Context(), owner.Link(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer guest.Close()
	keep(online.PlaceLink(owner) + "\n")
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	for _, ok := guest.Owner(); ok; _, ok = guest.Owner() {
		<-guest.Notify()
		guest.Receive()
	}
	if e := serve(); e.Code != 0 || linkIn(e) != guest.Link() || !strings.Contains(e.Stderr, "the link is the same") {
		t.Errorf("a place that was given up: exit code %d\n%s", e.Code, e.Stderr)
	}

	// A file that was not written by such a server is neither used nor overwritten.
	cfg.GameID = "pong"
	pong, err := online.Create(t.Context(), page, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer pong.Close()
	for text, want := range map[string]string{
		"my diary":                         "this is no file that --room-file has written",
		"http://h/#room=AAAA&place=BBBB\n": "it is for a room at http://h/",
		online.PlaceLink(guest) + "\n":     "its place in the room is that of a player",
		online.PlaceLink(pong) + "\n":      "its room is for pong",
	} {
		keep(text)
		if e := serve(); e.Code == 0 || !strings.Contains(e.Stderr, "--room-file "+file+": "+want) || strings.Contains(e.Stderr, "pages join") || kept() != text {
			t.Errorf("%q: exit code %d\n%s", text, e.Code, e.Stderr)
		}
	}
	if e := clitest.Player(t.Context(), t, g, []string{"toy", "serve", "--room-file", file}); e.Code != 2 || !strings.Contains(e.Stderr, "--room-file goes with --room") {
		t.Errorf("without --room: exit code %d\n%s", e.Code, e.Stderr)
	}
	if e := clitest.Player(t.Context(), t, g, []string{"toy", "serve", "--room", page, "--room-file", filepath.Dir(file)}); e.Code != 2 || !strings.Contains(e.Stderr, "no regular file") {
		t.Errorf("a folder: exit code %d\n%s", e.Code, e.Stderr)
	}
}
