package detlint_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint"
)

// shape writes a program of testdata/shapes into a directory of its own in a module, and returns the directory.
// Comments behind "// ---- file NAME ----" are another file.
func shape(t *testing.T, module, name, half string) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata", "shapes", name, half+".go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(module, name, half)
	file := "main.go"
	texts := map[string]*strings.Builder{file: new(strings.Builder)}
	for line := range strings.Lines(string(source)) {
		if next, ok := strings.CutPrefix(line, "// ---- file "); ok {
			file, _, _ = strings.Cut(next, " ")
			texts[file] = new(strings.Builder)
			continue
		}
		if file != "main.go" {
			line = strings.TrimPrefix(strings.TrimPrefix(line, "//"), " ")
		}
		texts[file].WriteString(line)
	}
	for name, text := range texts {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// shapesModule is a module for programs, which uses the library of this repository.
func shapesModule(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mod := "module example.com/m\n\ngo 1.26\n\nrequire github.com/tickback/tickback v0.0.0\n\nreplace github.com/tickback/tickback => " + root + "\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Rule: of two programs that differ by one expression, the one that can diverge has a finding, and its twin has
// none, in all the shapes in which people write games.
func TestGamesInTheShapesThatPeopleWrite(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads more than fifty programs, twice")
	}
	module := shapesModule(t)
	list, err := os.ReadDir("testdata/shapes")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		for _, half := range []string{"bad", "good"} {
			t.Run(d.Name()+"/"+half, func(t *testing.T) {
				t.Parallel()
				dir := shape(t, module, d.Name(), half)
				r, err := detlint.Run(detlint.Options{Dir: dir, Patterns: []string{"./..."}, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")})
				if err != nil {
					t.Fatal(err)
				}
				var found []string
				for _, f := range r.Findings {
					found = append(found, f.Rule+": "+f.Message)
				}
				if flawed := len(r.Findings) > 0 || half == "bad" && len(r.Unproved) > 0; flawed != (half == "bad") || r.Roots == 0 {
					t.Errorf("%d roots, %d findings: %s", r.Roots, len(r.Findings), strings.Join(found, "\n"))
				}
			})
		}
	}
}
