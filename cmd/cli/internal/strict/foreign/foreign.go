// Package foreign looks, while a program for strict floats is linked, whether the step of a game in it reaches C or assembly: nothing
// can make these the same everywhere.
//
// A program in which no package has any, but those of the standard library, costs nothing: the linker's own files say so. Where there
// is some that a package with a game imports, detlint examines that package.
package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tickback/tickback/detlint"
)

// A Build is what the linker is not told of what is built. The command that builds leaves it in the environment.
type Build struct {
	Flags []string // of the go command that choose modules and files: -mod, -modfile, -tags, -overlay
	Files []string // of the program, where files are named in the place of a package
}

// variable is the environment's, with a Build.
const variable = "TICKBACK_STRICT_BUILD"

// Environment is the variable of the environment in which the go command has to run.
func (b Build) Environment() string {
	text, err := json.Marshal(b)
	if err != nil {
		panic(err) // there are only words in it
	}
	return variable + "=" + string(text)
}

// Reached are the places where steps of games in a program reach C or assembly. The arguments are the linker's. The error is of what could not
// be looked at.
func Reached(linker string, args []string) ([]detlint.Finding, error) {
	var b Build
	if text := os.Getenv(variable); text != "" {
		if err := json.Unmarshal([]byte(text), &b); err != nil {
			return nil, fmt.Errorf("%s: %w", variable, err)
		}
	}
	main, files, err := archives(args)
	if err != nil {
		return nil, err
	}
	having := map[string]bool{}
	for path, file := range files {
		has, err := hasForeign(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if has && !ours(path) && !standard(linker, path) {
			having[path] = true
		}
	}
	if len(having) == 0 {
		return nil, nil
	}
	return b.examined(main, having)
}

// standard reports whether a package is in the source of the Go that has this linker, GOROOT/pkg/tool/GOOS_GOARCH/link.
func standard(linker, path string) bool {
	root := filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(linker))))
	_, err := os.Stat(filepath.Join(root, "src", filepath.FromSlash(path)))
	return err == nil
}

// ours reports whether a package is of Tickback, whose own do not call C in a step.
func ours(path string) bool {
	rest, ok := strings.CutPrefix(path, "github.com/tickback/tickback")
	return ok && (rest == "" || rest[0] == '/') && !strings.HasPrefix(rest, "/games/") && !strings.HasPrefix(rest, "/examples/")
}

// listed is a package, as the go command lists it.
type listed struct {
	ImportPath string
	ForTest    string
	Standard   bool
	Imports    []string
	ImportMap  map[string]string
}

// examined has detlint examine the packages of a program that know Tickback, and can reach C or assembly other than by Tickback and the
// standard library.
func (b Build) examined(main string, having map[string]bool) ([]detlint.Finding, error) {
	target, tests := strings.CutSuffix(main, ".test")
	patterns := []string{target}
	if len(b.Files) > 0 {
		patterns = b.Files
	}
	all, err := b.list(patterns, tests)
	if err != nil {
		return nil, err
	}
	var games []string
	for path, p := range all {
		if p.Standard || ours(path) || !slices.ContainsFunc(p.Imports, ours) || !reaches(all, path, having, map[string]bool{}) {
			continue
		}
		path, _, _ = strings.Cut(path, " ") // as it is compiled for a test
		if path = strings.TrimSuffix(path, "_test"); path != main && path != "command-line-arguments" {
			games = append(games, path)
		} else {
			games = append(games, patterns...)
		}
	}
	if len(games) == 0 {
		return nil, nil
	}
	slices.Sort(games)
	o := detlint.Options{Patterns: slices.Compact(games), Tests: tests, Strict: true, Env: b.environment()}
	r, err := detlint.Run(o)
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(r.Findings, func(f detlint.Finding) bool { return f.Rule != "foreign" })
	if len(found) == 0 && len(r.LeftOut) > 0 {
		return nil, errors.New(r.LeftOut[0])
	}
	return found, nil
}

// reaches reports whether a package has C or assembly, or imports one that does, other than by Tickback and the standard library.
func reaches(all map[string]listed, path string, having, seen map[string]bool) bool {
	plain, _, _ := strings.Cut(path, " ")
	p, ok := all[path]
	if seen[path] || !ok || p.Standard || ours(plain) {
		return false
	}
	seen[path] = true
	return having[plain] || slices.ContainsFunc(p.Imports, func(i string) bool {
		if as, ok := p.ImportMap[i]; ok {
			i = as
		}
		return reaches(all, i, having, seen)
	})
}

// list lists packages with all that they import.
func (b Build) list(patterns []string, tests bool) (map[string]listed, error) {
	words := []string{"list", "-deps", "-json=ImportPath,ForTest,Standard,Imports,ImportMap"}
	if tests {
		words = append(words, "-test")
	}
	cmd := exec.Command("go", append(append(words, "--"), patterns...)...)
	cmd.Env = b.environment()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, bytes.TrimSpace(errs.Bytes()))
	}
	all := map[string]listed{}
	for d := json.NewDecoder(&out); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("what go list says: %w", err)
		}
		all[p.ImportPath] = p
	}
}

// environment is the one for the go command, which has to choose what the build has chosen.
func (b Build) environment() []string {
	flags := os.Getenv("GOFLAGS")
	for _, f := range b.Flags {
		quote := "'"
		if strings.Contains(f, quote) {
			quote = `"`
		}
		flags += " " + quote + f + quote
	}
	return append(os.Environ(), "GOFLAGS="+flags)
}

// Text is what is said of a place.
func Text(f detlint.Finding) string {
	at := f.Position
	if here, err := os.Getwd(); err == nil {
		if name, err := filepath.Rel(here, at.Filename); err == nil && !strings.HasPrefix(name, "..") {
			at.Filename = name
		}
	}
	within := ""
	if f.Within.IsValid() {
		within = fmt.Sprintf(" (at %v)", f.Within)
	}
	way := make([]string, len(f.Chain))
	for i, s := range f.Chain {
		way[i] = s.Func
	}
	return fmt.Sprintf("%v: %s%s, in the %s of %s: %s", at, f.Message, within, f.Role, f.Game, strings.Join(way, " > "))
}
