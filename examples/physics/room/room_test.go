//go:build !js

package room

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/portable/strict"

	"github.com/tickback/tickback/examples/physics/rules"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Run(m)) }

// unseen is a screen of nobody: it begins when two are there, and rolls to and fro.
type unseen struct {
	text  string
	held  int
	trace []string // all that was said
}

func (b *unseen) Say(text string) { b.text, b.trace = text, append(b.trace, text) }
func (b *unseen) Hint(string)     {}
func (b *unseen) Struck() bool    { return strings.HasPrefix(b.text, "2 of") }

func (b *unseen) Held() rules.Input {
	b.held++
	return rules.Input{Left: b.held/40%2 == 0, Right: b.held/40%2 == 1, Jump: b.held%90 == 0, Dash: b.held%70 == 0}
}

// Rule: a page plays with a program of this machine: their proofs are the same, and so are their states.
func TestAPagePlaysWithAProgram(t *testing.T) {
	if _, err := strict.Proof(); err != nil {
		t.Skip("this is not a strict build: in the checkout, it is make test-strict")
	}
	browsertest.Find(t)
	dir := t.TempDir()
	for _, name := range []string{"index.html", "boot.js"} {
		b, err := os.ReadFile(filepath.Join("..", "web", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	pack := exec.Command("go", "run", "./pack", dir)
	pack.Dir = ".."
	if out, err := pack.CombinedOutput(); err != nil {
		t.Fatalf("go run ./pack: %v\n%s", err, out)
	}
	url, _ := browsertest.Serve(t, dir, rooms.Config{})

	here := &unseen{}
	game, err := Open(url, here)
	if err != nil {
		t.Fatal(err)
	}
	defer game.Close()
	page := browsertest.Shared(t).Open(t, game.Link())
	page.Name = "page"
	page.Key("KeyD", true)
	const frames = 600
	for end := time.Now().Add(5 * time.Minute); game.View().Frame < frames; time.Sleep(time.Millisecond) {
		if err := game.Update(); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(end) {
			t.Fatalf("frame %d; what was said here: %q", game.View().Frame, here.trace[max(len(here.trace)-5, 0):])
		}
	}
	var there string
	page.Eval("document.getElementById('text').textContent", &there)
	if !strings.HasPrefix(there, "You are player") || !strings.HasPrefix(here.text, "You are player") {
		t.Errorf("after %d frames the page says %q, and the program %q", frames, there, here.text)
	}
	page.Shot("physics")
}
