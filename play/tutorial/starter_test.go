//go:build !js

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
)

// programs is the folder of what is built once for all tests; empty if there is none.
var programs string

// command builds the program tickback once.
var command = sync.OnceValues(func() (program string, err error) {
	if programs, err = os.MkdirTemp("", "tickback-tutorial-"); err != nil {
		return "", err
	}
	program = filepath.Join(programs, "tickback")
	return program, told("", "go", "build", "-o", program, "github.com/tickback/tickback/cmd/tickback")
})

// told runs a program in the folder of a module, or here if that is "". The error has what it said.
func told(dir, program string, args ...string) error {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	if dir != "" {
		cmd.Env = append(os.Environ(), "GOWORK=off", "PWD="+dir)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%q: %w\n%s", cmd.Args, err, out)
	}
	return nil
}

// potato makes a game as "tickback new" does, and builds and serves its page.
func potato(t *testing.T, form ...string) (dir, url string) {
	t.Helper()
	browsertest.Find(t) // without a browser nothing needs to be built
	tickback, err := command()
	if err != nil {
		t.Fatal(err)
	}
	checkout, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "potato")
	if err := told("", tickback, append([]string{"new", "potato", "--dir", dir, "--checkout", checkout}, form...)...); err != nil {
		t.Fatal(err)
	}
	if err := told(dir, "go", "run", "./pack"); err != nil {
		t.Fatal(err)
	}
	url, _ = browsertest.Serve(t, filepath.Join(dir, "web"), rooms.Config{})
	return dir, url
}

// played looks at pages of a match: their pictures go on, coins are heard, and nothing is wrong.
func played(t *testing.T, pages ...*browsertest.Page) {
	t.Helper()
	for _, p := range pages {
		pictures := browsertest.Now[said](p).Pictures
		s := browsertest.Until(p, "it is seen", func(s said) bool { return s.Pictures > pictures+60 })
		browsertest.Until(p, "a coin is heard", func(s said) bool { return s.Tones > 0 })
		if trouble := append(s.prints("desync"), s.prints("lost")...); len(trouble) > 0 {
			t.Errorf("%s tells of trouble: %q", p.Name, trouble)
		}
		p.Shot(strings.ReplaceAll(t.Name(), "/", "-") + "-" + p.Name)
	}
}

// Two people meet on the page of a new game and play, and hear coins that are collected, by the bots if not by them:
// with a plain state, and with a world.
func TestANewGameIsPlayed(t *testing.T) {
	for _, form := range []string{"--world=false", "--world"} {
		t.Run(form, func(t *testing.T) {
			_, url := potato(t, form)
			host := visit(t, "host", url)
			link := browsertest.Until(host, "there is a room", func(s said) bool { return strings.Contains(s.Link, "#room=") }).Link
			guest := visit(t, "guest", link)
			browsertest.Until(guest, "the guest is in it", func(s said) bool { return s.Ticket != "" && s.Pictures > 5 })
			begin(t, host, host, guest)
			host.Key("ArrowRight", true)
			guest.Key("KeyW", true)
			played(t, host, guest)
		})
	}
}

// server runs the server of a new game, in a room at a page, and returns the link to it.
func server(t *testing.T, dir, url string) (link string, kill func()) {
	t.Helper()
	cmd := exec.Command("./potato", "serve", "--room", url, "--room-file", "room.txt")
	cmd.Dir = dir
	out, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	kill = sync.OnceFunc(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	t.Cleanup(kill)
	var said []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said = append(said, lines.Text())
		if _, link, found := strings.Cut(lines.Text(), "pages join at: "); found {
			go func() { _, _ = io.Copy(io.Discard, out) }() // it must not wait for a reader
			return link, kill
		}
	}
	t.Fatalf("the server has no link: %q", said)
	return "", nil
}

// Two people open the link of a server of their own game, play and hear coins: with a plain state, and with a world.
// The server is killed and started again, and they play on without doing anything. The page without a link says what to
// do.
func TestANewGameIsServed(t *testing.T) {
	for _, form := range []string{"--world=false", "--world"} {
		t.Run(form, func(t *testing.T) {
			dir, url := potato(t, "--server", form)
			if err := told(dir, "go", "build", "-o", "potato", "."); err != nil {
				t.Fatal(err)
			}
			lost := visit(t, "lost", url)
			browsertest.Until(lost, "it is loaded", func(s said) bool { return s.Pictures > 5 && !strings.Contains(text(lost), "loading") })
			if s := text(lost); !strings.Contains(s, "go run . serve --room") {
				t.Errorf("without a link the page says %q", s)
			}
			link, kill := server(t, dir, url)
			ada, bo := visit(t, "ada", link), visit(t, "bo", link)
			for _, p := range []*browsertest.Page{ada, bo} {
				browsertest.Until(p, "it plays", func(said) bool { return strings.Contains(text(p), "You are player ") })
			}
			ada.Key("ArrowRight", true)
			bo.Key("KeyW", true)
			played(t, ada, bo)
			kill()
			if again, _ := server(t, dir, url); again != link {
				t.Errorf("the link was %s, and is %s", link, again)
			}
			for _, p := range []*browsertest.Page{ada, bo} {
				browsertest.Until(p, "it plays again", func(s said) bool { return len(s.prints(" started")) > 1 })
			}
		})
	}
}

// text returns the line that a page of a new game shows.
func text(p *browsertest.Page) (text string) {
	p.Eval(`document.getElementById("text").textContent`, &text)
	return text
}
