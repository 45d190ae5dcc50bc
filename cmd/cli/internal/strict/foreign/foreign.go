// Package foreign checks, while a program for strict floats is linked, whether the step of a game in it reaches C or
// assembly, whose results cannot be made the same everywhere.
//
// The check costs nothing for a program in which only packages of the standard library have any: the linker's own
// files say so. If a package with a game imports some, detlint examines that package.
package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tickback/tickback/detlint"
	"github.com/tickback/tickback/internal/rebuild"
	"github.com/tickback/tickback/portable/strict"
)

// A Build has the information about a build that the linker is not given. The command that builds passes it in the
// environment.
type Build struct {
	Dir   string   // where the go command works; the linker may work elsewhere, as for a shared library
	Flags []string // the flags of the go command that select modules and files: -mod, -modfile, -tags, -overlay
	Files []string // the files of the program, if files are given instead of a package
}

// variable is the environment variable with a Build.
const variable = "TICKBACK_STRICT_BUILD"

// Environment returns the variable for the environment in which the go command has to run.
func (b Build) Environment() string {
	text, err := json.Marshal(b)
	if err != nil {
		panic(err) // cannot happen: a Build only contains text
	}
	return variable + "=" + string(text)
}

// Reached returns the places where steps of games in a program reach C or assembly. The arguments are the linker's.
// The error is an [*UnseenError], if something could not be examined; there is none for a program without the engine,
// which has no game.
func Reached(linker string, args []string) ([]detlint.Finding, error) {
	main, files, err := archives(args)
	if err != nil {
		return nil, &UnseenError{Err: err}
	}
	if files[engine] == "" {
		return nil, nil
	}
	var b Build
	if text := os.Getenv(variable); text != "" {
		if err := json.Unmarshal([]byte(text), &b); err != nil {
			return nil, &UnseenError{Err: fmt.Errorf("%s: %w", variable, err)}
		}
	}
	having := map[string]bool{}
	for path, file := range files {
		has, err := hasForeign(file)
		if err != nil {
			return nil, &UnseenError{Err: fmt.Errorf("%s: %w", path, err)}
		}
		if isSIMD(path) || has && !rebuild.Engine(path) && !standard(linker, path) {
			having[path] = true
		}
	}
	if len(having) == 0 {
		return nil, nil
	}
	found, err := b.examined(main, having)
	if err != nil {
		return nil, &UnseenError{slices.Sorted(maps.Keys(having)), err}
	}
	return found, nil
}

// engine is the package that every game imports.
const engine = "github.com/tickback/tickback/rollback"

// UnseenError is the reason why it is not known whether a step reaches C or assembly: such a program gets no proof.
type UnseenError struct {
	Packages []string // packages that have C or assembly; none if they are not known
	Err      error
}

// Error names the packages, and says what to do.
func (e *UnseenError) Error() string {
	if len(e.Packages) == 0 {
		return fmt.Sprintf(`whether a package has C or assembly could not be looked at: %v: build again with an empty cache (GOCACHE=$(mktemp -d)); if that does not help, this version of Go is newer than this Tickback, which knows another form of compiled packages`, e.Err)
	}
	return fmt.Sprintf("whether a step reaches the C or assembly of %s could not be looked at: %v: mend what %s says is wrong there, or build without (many modules have a tag, such as -tags noasm, or purego)",
		strings.Join(e.Packages, ", "), e.Err, strict.Command("vet --strict"))
}

// Unwrap returns the underlying error.
func (e *UnseenError) Unwrap() error { return e.Err }

// isSIMD reports whether a package belongs to the standard library's experiment with processor instructions, some of
// which round twice or approximate, and which only one architecture has.
func isSIMD(path string) bool { return path == "simd" || strings.HasPrefix(path, "simd/") }

// standard reports whether a package is in the source of the Go to which this linker belongs,
// GOROOT/pkg/tool/GOOS_GOARCH/link.
func standard(linker, path string) bool {
	root := filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(linker))))
	_, err := os.Stat(filepath.Join(root, "src", filepath.FromSlash(path)))
	return err == nil
}

// examined makes detlint examine the packages of a program that use Tickback, if one of them can reach C or assembly
// other than through Tickback and the standard library.
func (b Build) examined(main string, having map[string]bool) ([]detlint.Finding, error) {
	target, tests := strings.CutSuffix(main, ".test")
	patterns, program := []string{target}, target
	if len(b.Files) > 0 { // the go command accepts either files or packages
		patterns, program = b.Files, filepath.Dir(b.Files[0])
		if !filepath.IsAbs(program) {
			program = "." + string(filepath.Separator) + program
		}
	}
	all, err := b.list(patterns, tests)
	if err != nil {
		return nil, err
	}
	knows := func(p *rebuild.Package) bool { return slices.ContainsFunc(p.Imports, rebuild.Engine) }
	has := func(p *rebuild.Package) bool { return having[p.Name()] }
	var games []string // a game may be defined in a different package than its step
	both := false
	for id, p := range all {
		if !reaches(all, id, knows, map[string]bool{}) {
			continue
		}
		both = both || reaches(all, id, has, map[string]bool{})
		path := p.Name()
		if path = strings.TrimSuffix(path, "_test"); path == main || path == "command-line-arguments" {
			path = program
		}
		games = append(games, path)
	}
	if !both {
		return nil, nil
	}
	slices.Sort(games)
	o := detlint.Options{Dir: b.Dir, Patterns: slices.Compact(games), Tests: tests, Strict: true, Env: b.environment()}
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

// reaches reports whether wanted is true for a package, or for one that it imports, other than through Tickback and
// the standard library.
func reaches(all map[string]*rebuild.Package, id string, wanted func(*rebuild.Package) bool, seen map[string]bool) bool {
	p := all[id]
	if seen[id] || p == nil || rebuild.Engine(p.Name()) {
		return false
	}
	seen[id] = true
	if p.Standard {
		return wanted(p)
	}
	return wanted(p) || slices.ContainsFunc(p.Imports, func(i string) bool {
		if as, ok := p.ImportMap[i]; ok {
			i = as
		}
		return reaches(all, i, wanted, seen)
	})
}

// list lists packages with everything that they import.
func (b Build) list(patterns []string, tests bool) (map[string]*rebuild.Package, error) {
	words := []string{"list", "-deps", "-json=ImportPath,Standard,Imports,ImportMap"}
	if tests {
		words = append(words, "-test")
	}
	cmd := exec.Command("go", append(append(words, "--"), patterns...)...)
	cmd.Dir, cmd.Env = b.Dir, b.environment()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, bytes.TrimSpace(errs.Bytes()))
	}
	list, err := rebuild.ReadPackages(out.Bytes())
	if err != nil {
		return nil, err
	}
	all := map[string]*rebuild.Package{}
	for _, p := range list {
		all[p.ImportPath] = p
	}
	return all, nil
}

// environment returns the environment for the go command, which must select the same files as the build.
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

// Text returns the message about a place where a step reaches C or assembly.
func Text(f detlint.Finding) string {
	at := f.Position
	if here, err := os.Getwd(); err == nil {
		if name, err := filepath.Rel(here, at.Filename); err == nil && !strings.HasPrefix(name, "..") {
			at.Filename = name
		}
	}
	way := make([]string, len(f.Chain))
	for i, s := range f.Chain {
		way[i] = s.Func
	}
	return fmt.Sprintf("%v: %s, in the %s of %s: %s", at, f.Message, f.Role, f.Game, strings.Join(way, " > "))
}
