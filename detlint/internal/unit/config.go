package unit

import (
	"encoding/json"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/gcexportdata"

	"github.com/tickback/tickback/detlint/internal/facts"
	"github.com/tickback/tickback/detlint/internal/report"
	"github.com/tickback/tickback/detlint/internal/rules"
	"github.com/tickback/tickback/detlint/internal/std"
)

// Config describes a package, in a file from go vet.
type Config struct {
	ID          string
	ImportPath  string
	GoVersion   string
	GoFiles     []string
	ModulePath  string
	ImportMap   map[string]string // maps the paths in the source to those of packages
	PackageFile map[string]string // files of types, by the paths of packages
	PackageVetx map[string]string // files of facts, by the paths of packages
	VetxOnly    bool              // only facts are requested
	VetxOutput  string            // file for facts
	Stdout      string            // file for findings
}

// ReadConfig reads a file written by go vet.
func ReadConfig(name string) (*Config, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading what go vet says of a package: %w", err)
	}
	c := &Config{}
	if err := json.Unmarshal(b, c); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// plain returns the path of a package without the part that distinguishes variants for tests.
func plain(path string) string {
	path, _, _ = strings.Cut(path, " ")
	return path
}

// Asked has the user's options.
type Asked struct {
	Tests    bool // games in tests, too
	Unproved bool // report what is not followed as findings
	Strict   bool // floats are judged as in a strict build
	rules.Options
}

// Examine examines the package and writes its facts. Packages of the library have none.
func (c *Config) Examine(o Asked) ([]report.Finding, error) {
	set := &facts.Set{}
	if std.Known(plain(c.ImportPath)) {
		return nil, c.write(set)
	}
	for _, path := range slices.Sorted(maps.Keys(c.PackageVetx)) {
		b, err := os.ReadFile(c.PackageVetx[path])
		if err != nil {
			return nil, fmt.Errorf("reading the facts of %s: %w", path, err)
		}
		if err := set.Merge(b); err != nil {
			return nil, fmt.Errorf("reading the facts of %s: %w", path, err)
		}
	}
	u := &Unit{Fset: token.NewFileSet(), Module: c.ModulePath, Version: c.GoVersion, Imports: set, Options: o.Options, Silent: c.VetxOnly, Strict: o.Strict, Unproved: o.Unproved}
	for _, name := range c.GoFiles {
		if !o.Tests && strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(u.Fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		u.Files = append(u.Files, f)
	}
	if len(u.Files) == 0 || strings.HasSuffix(plain(c.ImportPath), ".test") {
		return nil, c.write(set)
	}
	u.Check = func(given map[string]*types.Package) (*types.Package, *types.Info, error) { return c.check(u, given) }
	var err error
	if u.Pkg, u.Info, err = c.check(u, map[string]*types.Package{}); err != nil {
		return nil, err
	}
	found, err := u.Examine()
	if err != nil {
		return nil, err
	}
	return found, c.write(set)
}

func (c *Config) write(set *facts.Set) error {
	if err := os.WriteFile(c.VetxOutput, set.Append(nil), 0o666); err != nil {
		return fmt.Errorf("writing facts: %w", err)
	}
	return nil
}

// check type-checks the package; given packages are used unchanged.
func (c *Config) check(u *Unit, given map[string]*types.Package) (*types.Package, *types.Info, error) {
	read := maps.Clone(given)
	read["unsafe"] = types.Unsafe
	t := types.Config{
		Importer: importer(func(path string) (*types.Package, error) { return c.load(u.Fset, read, path) }),
		Sizes:    types.SizesFor("gc", build.Default.GOARCH), GoVersion: c.GoVersion,
	}
	info := newInfo()
	pkg, err := t.Check(plain(c.ImportPath), u.Fset, u.Files, info)
	return pkg, info, err
}

// load reads the types of an imported package.
func (c *Config) load(fset *token.FileSet, read map[string]*types.Package, path string) (*types.Package, error) {
	variant, ok := c.ImportMap[path]
	if !ok {
		variant = path
	}
	if p := read[plain(variant)]; p != nil && p.Complete() {
		return p, nil
	}
	name, ok := c.PackageFile[variant]
	if !ok {
		return nil, fmt.Errorf("go vet has given no file with the types of %s: this detlint knows the go command of %s", path, std.Version)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	//lint:ignore SA1019 the go command of this version gives archives
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("the types of %s: %w", path, err)
	}
	return gcexportdata.Read(io.Reader(r), fset, read, plain(variant))
}
