package detlint_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint"
)

// shape writes a program of testdata/shapes into a directory of its own in a module, and returns the directory. Each
// comment "// ---- file NAME ----" begins another file.
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

// shapesModule is a module for such programs that uses the library of this repository.
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
		t.Skip("it reads nearly two hundred programs")
	}
	list, err := os.ReadDir("testdata/shapes")
	if err != nil {
		t.Fatal(err)
	}
	for _, half := range []string{"bad", "good"} {
		t.Run(half, func(t *testing.T) {
			// All in one module, and examined at once: what they import is read once.
			module := shapesModule(t)
			for _, d := range list {
				shape(t, module, d.Name(), half)
			}
			r, err := detlint.Run(detlint.Options{Dir: module, Patterns: []string{"./..."}, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")})
			if err != nil {
				t.Fatal(err)
			}
			of := func(file string) string { // whose file it is
				in, err := filepath.Rel(module, file)
				if err != nil {
					t.Fatal(err)
				}
				name, _, _ := strings.Cut(filepath.ToSlash(in), "/")
				return name
			}
			found, unproved, roots := map[string]string{}, map[string]bool{}, map[string]bool{}
			for _, f := range r.Findings {
				found[of(f.Position.Filename)] += "\n" + f.Rule + ": " + f.Message
			}
			for _, f := range r.Unproved {
				unproved[of(f.Position.Filename)] = true
			}
			for _, p := range r.Proofs {
				roots[of(p.Position.Filename)] = true
			}
			for _, d := range list {
				name := d.Name()
				if flawed := found[name] != "" || half == "bad" && unproved[name]; flawed != (half == "bad") || !roots[name] {
					t.Errorf("%s: roots: %v, found: %s", name, roots[name], found[name])
				}
				delete(found, name)
			}
			if len(found) > 0 {
				t.Errorf("found elsewhere: %v", found)
			}
		})
	}
}
