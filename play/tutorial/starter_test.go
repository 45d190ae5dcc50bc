//go:build !js

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
)

// starter is the game that "tickback new" writes.
const starter = "github.com/tickback/tickback/cmd/cli/internal/scaffold/starter"

// Two people meet on the page of a new game and play, and hear coins that are collected, by the bots if not by them.
func TestANewGameIsPlayed(t *testing.T) {
	browsertest.Find(t) // without a browser nothing needs to be built
	dir, web := t.TempDir(), "../../cmd/cli/internal/scaffold/starter/web/"
	for to, from := range map[string]string{
		"index.html": web + "index.html", "boot.js": web + "boot.js", "wasm_exec.js": browsertest.Support(t),
		"game.wasm": browsertest.Program(t, starter+"/page"),
	} {
		b, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, to), b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	url, _ := browsertest.Serve(t, dir, rooms.Config{})
	host := visit(t, "host", url)
	link := browsertest.Until(host, "there is a room", func(s said) bool { return strings.Contains(s.Link, "#room=") }).Link
	guest := visit(t, "guest", link)
	browsertest.Until(guest, "the guest is in it", func(s said) bool { return s.Ticket != "" && s.Pictures > 5 })
	begin(t, host, host, guest)
	host.Key("ArrowRight", true)
	guest.Key("KeyW", true)
	for _, p := range []*browsertest.Page{host, guest} {
		pictures := browsertest.Now[said](p).Pictures
		s := browsertest.Until(p, "it is seen", func(s said) bool { return s.Pictures > pictures+60 })
		browsertest.Until(p, "a coin is heard", func(s said) bool { return s.Tones > 0 })
		if trouble := append(s.prints("desync"), s.prints("lost")...); len(trouble) > 0 {
			t.Errorf("%s tells of trouble: %q", p.Name, trouble)
		}
		p.Shot("new-" + p.Name)
	}
}
