package detlint_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/tickback/tickback/detlint"
)

// Rule: a package whose C headers are missing, and a third-party package that does not compile, are left out and named;
// a step that calls them counts as proved except for that, and the rest is examined.
func TestAPackageThatCannotBeReadIsLeftOut(t *testing.T) {
	dir, other := module(t), t.TempDir()
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(other, "go.mod"), "module example.com/other\n\ngo 1.26.0\n")
	write(t, filepath.Join(other, "window", "window.go"), "package window\n\n// #include <there_is_no_such_header.h>\nimport \"C\"\n\nfunc Width() int32 { return int32(C.width()) }\n")
	write(t, filepath.Join(other, "broken", "broken.go"), "package broken\n\nfunc Height() int32 { return missing }\n")
	write(t, filepath.Join(dir, "go.mod"), string(mod)+"\nrequire example.com/other v0.0.0\n\nreplace example.com/other => "+other+"\n")
	write(t, filepath.Join(dir, "sound", "sound.go"), "package sound\n\n// #include <there_is_no_such_header.h>\nimport \"C\"\n\nfunc Play() { C.play() }\n")
	write(t, filepath.Join(dir, "main.go"), `package main

import (
	"time"

	"example.com/other/broken"
	"example.com/other/window"
	"example/sound"
	"github.com/tickback/tickback/rollback"
)

type state struct {
	n int32
	l int64
}

type input struct{}

type tick = rollback.Tick[input]

var game = rollback.Game[state, input]{
	Init: func(s *state) { s.n = window.Width() }, // want unproved
	Step: func(s *state, t *tick) {
		s.n += broken.Height() // want unproved
		s.l = time.Now().Unix() // want clock
	},
}

func main() { sound.Play() }
`)
	o := detlint.Options{Dir: dir, Unproved: true, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "CGO_ENABLED=1")}
	r, err := detlint.Run(o)
	if err != nil {
		t.Fatal(err)
	}
	c := readCorpus(t, dir)
	c.judge(t, r)
	if left := strings.Join(r.LeftOut, "\n"); len(r.LeftOut) != 3 || !strings.Contains(left, "example.com/other/broken: ") || !strings.Contains(left, "undefined: missing") ||
		!strings.Contains(left, "example.com/other/window: cgo could not be run: ") || !strings.Contains(left, "example/sound: cgo could not be run: ") {
		t.Errorf("left out:\n%s", left)
	}
	for _, f := range r.Findings {
		if strings.Contains(f.Message, "window.Width") && !strings.Contains(f.Message, "its package was not examined: cgo could not be run") {
			t.Error(f.Message)
		}
	}
	o.Patterns = []string{"./..."} // now the package with C is asked for
	if r, err = detlint.Run(o); err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, f := range r.Findings {
		if f.Rule == "unproved" && strings.HasPrefix(f.Message, "package example/sound was not examined: cgo could not be run") {
			asked++
		}
	}
	if asked != 1 {
		t.Errorf("the package that was asked for is said to be left out %d times", asked)
	}
	write(t, filepath.Join(dir, "own", "own.go"), "package own\n\nimport _ \"github.com/tickback/tickback/rollback\"\n\nvar x = missing\n")
	if _, err := detlint.Run(o); err == nil || !strings.Contains(err.Error(), "own.go:5:9: undefined: missing") {
		t.Errorf("a package of the module that does not compile: %v", err)
	}
}

// Rule: an editor gets the findings of a package even if it imports one that does not compile or uses C: while somebody
// is typing, that is common.
func TestAnEditorGoesOnWithoutWhatItCannotRead(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "broken", "broken.go"), "package broken\n\nfunc Height() int32 { return missing }\n")
	write(t, filepath.Join(dir, "main.go"), `package main

import (
	"time"

	"example/broken"
)

//tickback:deterministic
func step(n *int64) {
	*n += int64(broken.Height())
	*n += time.Now().Unix()
}

func main() {}
`)
	list, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")}, ".")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{detlint.Analyzer}, list, nil)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, a := range graph.Roots {
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		for _, d := range a.Diagnostics {
			found = append(found, d.Category)
		}
	}
	if len(found) != 1 || found[0] != "clock" {
		t.Errorf("found %v, want clock", found)
	}
}
