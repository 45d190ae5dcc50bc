package rebuild

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Suspect is a package that may compute different results in different builds.
type Suspect struct {
	Package string
	Why     string // "has assembly (dot_amd64.s) for amd64 v1"
}

// String returns a sentence about the package.
func (s Suspect) String() string { return s.Package + " " + s.Why }

// Engine reports whether a package is Tickback's own, except games and examples: the parts of these that a step calls
// are only Go, and their imports do not belong to the game.
func Engine(path string) bool {
	rest, ok := strings.CutPrefix(path, "github.com/tickback/tickback")
	return ok && (rest == "" || rest[0] == '/') && !strings.HasPrefix(rest, "/games/") && !strings.HasPrefix(rest, "/examples/")
}

// Package is a package, in the JSON of go list.
type Package struct {
	ImportPath              string
	Standard                bool
	Imports                 []string
	ImportMap               map[string]string
	GoFiles                 []string
	SFiles, SysoFiles       []string // files of assembly, and files that are already compiled
	CgoFiles                []string
	CFiles, CXXFiles        []string // files that cgo compiles
	FFiles, MFiles          []string
	SwigFiles, SwigCXXFiles []string
}

// Name returns the path of the package, without the test for which it is compiled.
func (p *Package) Name() string { return plain(p.ImportPath) }

func plain(path string) string {
	name, _, _ := strings.Cut(path, " ")
	return name
}

// ReadPackages reads the output of go list -json.
func ReadPackages(text []byte) (all []*Package, err error) {
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		p := &Package{}
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("what go list says: %w", err)
		}
		all = append(all, p)
	}
}

// foreign returns the files of the package that are not Go, and their kind.
func (p *Package) foreign() (kind string, files []string) {
	switch c := slices.Concat(p.CgoFiles, p.CFiles, p.CXXFiles, p.FFiles, p.MFiles, p.SwigFiles, p.SwigCXXFiles); {
	case len(c) > 0:
		return "C", c
	case len(p.SFiles) > 0:
		return "assembly", p.SFiles
	case len(p.SysoFiles) > 0:
		return "object code", p.SysoFiles
	}
	return "", nil
}

// Suspects returns the packages outside of the standard library that a package and its tests import, and that contain
// more than Go, or have different files for the two targets.
func (c Command) Suspects(ctx context.Context, pkg string, a, b Target) ([]Suspect, error) {
	var of [2]map[string]*Package
	for i, g := range []Target{a, b} {
		out, err := c.list(ctx, g, "-deps", "-test", "-json=ImportPath,Standard,Imports,GoFiles,SFiles,SysoFiles,CgoFiles,CFiles,CXXFiles,FFiles,MFiles,SwigFiles,SwigCXXFiles", pkg)
		if err == nil {
			of[i], err = reached(out, pkg)
		}
		if err != nil {
			return nil, err
		}
	}
	return suspects(of[0], of[1], a, b), nil
}

// reached returns the packages in a list that a package and its tests import, directly or not.
func reached(list []byte, pkg string) (map[string]*Package, error) {
	packages, err := ReadPackages(list)
	if err != nil {
		return nil, err
	}
	all := map[string][]*Package{} // by path, including variants that are recompiled for the test
	for _, p := range packages {
		all[p.Name()] = append(all[p.Name()], p)
	}
	tested := []string{pkg, pkg + "_test"}
	left := slices.Clone(tested)
	found := map[string]*Package{}
	for len(left) > 0 {
		name := left[0]
		if left = left[1:]; found[name] != nil {
			continue
		}
		for _, p := range all[name] {
			if p.Standard || Engine(name) && !slices.Contains(tested, name) {
				continue
			}
			found[name] = p
			for _, i := range p.Imports {
				left = append(left, plain(i))
			}
		}
	}
	return found, nil
}

// suspects compares the packages of two targets.
func suspects(of, other map[string]*Package, a, b Target) (list []Suspect) {
	names := map[string]bool{}
	for name := range of {
		names[name] = true
	}
	for name := range other {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if why := suspicion(of[name], other[name], a, b); why != "" {
			list = append(list, Suspect{name, why})
		}
	}
	return list
}

// suspicion returns a text about what differs in a package between the targets, or what in it is not Go; nil stands
// for a package that a target does not have.
func suspicion(p, q *Package, a, b Target) string {
	switch {
	case p == nil:
		return "is imported for " + b.String() + " only"
	case q == nil:
		return "is imported for " + a.String() + " only"
	}
	kind, files := p.foreign()
	otherKind, otherFiles := q.foreign()
	switch {
	case kind == "" && otherKind == "" && slices.Equal(p.GoFiles, q.GoFiles):
		return ""
	case kind == "" && otherKind == "":
		return "has other files for " + a.String() + " (" + names(p.GoFiles, q.GoFiles) + ") than for " + b.String() + " (" + names(q.GoFiles, p.GoFiles) + ")"
	case otherKind == "":
		return "has " + kind + " (" + names(files, nil) + ") for " + a.String() + " only"
	case kind == "":
		return "has " + otherKind + " (" + names(otherFiles, nil) + ") for " + b.String() + " only"
	case slices.Equal(files, otherFiles):
		return "has " + kind + " (" + names(files, nil) + ")"
	}
	return "has " + kind + " (" + names(files, nil) + ") for " + a.String() + ", and " + otherKind + " (" + names(otherFiles, nil) + ") for " + b.String()
}

// mostNames is the maximum number of files that are named.
const mostNames = 4

// names returns the files in a list that are not in another one.
func names(of, but []string) string {
	var list []string
	for _, f := range of {
		if !slices.Contains(but, f) {
			list = append(list, filepath.Base(f))
		}
	}
	if more := len(list) - mostNames; more > 0 {
		list = append(list[:mostNames], fmt.Sprintf("and %d more", more))
	}
	if len(list) == 0 {
		return "none of its own"
	}
	return strings.Join(list, ", ")
}
