package detlint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint"
)

// library is a third-party module, and player is a game that uses it.
const (
	library = `package keys

import "time"

var pressed = map[int]bool{}

func Set(key int) { pressed[key] = true }

func Pressed(key int) bool { return held(key) && time.Now().Unix() > 3 }

func held(key int) bool { return pressed[key] }

func Step(n *int32) { *n += int32(len(pressed)) }

func Each(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
}

func Clean(n int32) int32 { return n + 1 }
`
	player = `package main

import (
	"example.com/keys"
	"github.com/tickback/tickback/rollback"
)

type state struct{ n int32 }

type input struct{}

type tick = rollback.Tick[input]

var game = rollback.Game[state, input]{Step: func(s *state, t *tick) {
	s.n = keys.Clean(s.n)
	if keys.Pressed(3) { // want clock
		s.n++
	}
	keys.Each(3, func(i int) {
		count += i // want globals
	})
	//detlint:ignore globals,clock nobody presses this key
	keys.Pressed(4)
	keys.Pressed(5) // want clock
}}

var count int

//tickback:deterministic
func other(n *int32) {
	keys.Step(n) // want globals
}

func main() { keys.Set(1) }
`
)

// players writes both modules, and returns the directory of the game.
func players(t *testing.T) string {
	t.Helper()
	dir := module(t)
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	write(t, filepath.Join(other, "go.mod"), "module example.com/keys\n\ngo 1.26.0\n")
	write(t, filepath.Join(other, "keys.go"), library)
	write(t, filepath.Join(dir, "go.mod"), string(mod)+"\nrequire example.com/keys v0.0.0\n\nreplace example.com/keys => "+other+"\n")
	write(t, filepath.Join(dir, "main.go"), player)
	return dir
}

// Rule: what is wrong in a third-party module is reported at each line of the game that calls into it, with the chain of
// calls, and with advice for somebody who cannot edit the module; what lies behind one call is reported once.
func TestFindingsAreAtTheUsersOwnLine(t *testing.T) {
	dir := players(t)
	r, err := detlint.Run(detlint.Options{Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")})
	if err != nil {
		t.Fatal(err)
	}
	c := readCorpus(t, dir)
	c.judge(t, r)
	for _, f := range r.Findings {
		if f.Rule != "clock" {
			continue
		}
		if f.Position.Column < 14 || f.Position.Column > 17 || filepath.Base(f.Within.Filename) != "keys.go" || f.Within.Line != 9 {
			t.Errorf("it is at %v, and in there at %v", f.Position, f.Within)
		}
		if !strings.Contains(f.Message, "it calls keys.Pressed, and there (") || !strings.Contains(f.Message, "keys.go:9): time.Now") ||
			!strings.HasSuffix(f.Message, "; more is behind this call, also of globals") || !strings.Contains(f.Fix, "do not call it in a step") {
			t.Errorf("%s\n%s", f.Message, f.Fix)
		}
		if n := len(f.Chain); n != 2 || f.Chain[1].Func != "keys.Pressed" {
			t.Errorf("the way is %+v", f.Chain)
		}
	}
	for _, p := range r.Proofs {
		if p.Role == "Step" && (p.Findings != 3 || p.Trusted != 2) {
			t.Errorf("%d findings, %d trusted, want 3 and 2: %+v", p.Findings, p.Trusted, p)
		}
	}
}

// Rule: go vet reports them there, too.
func TestGoVetIsAtTheUsersOwnLine(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command, and runs the go command")
	}
	tool := builtTool(t)
	dir := players(t)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	got, text := vetted(t, tool, dir, ".")
	if want := wanted(t, dir); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("found %v, want %v\n%s", got, want, text)
	}
}
