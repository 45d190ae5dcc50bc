package load

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"
)

const engine = "github.com/tickback/tickback/rollback"

// imported reports whether one package imports another, directly or through packages that through allows.
func imported(from *packages.Package, to string, through func(path string) bool) bool {
	if from.PkgPath == to {
		return true
	}
	for _, i := range from.Imports {
		if through(i.PkgPath) && imported(i, to, through) {
			return true
		}
	}
	return false
}

// Rule: the source of a package is read if it was asked for, or is imported by one that was, and the engine can be
// reached from it; the library's own source is never read, nor that of packages that only the library imports.
func TestWhatCanBeAPartOfAStepIsRead(t *testing.T) {
	read := 0
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 3))
		paths := []string{"fmt", engine}
		for i := range 9 {
			paths = append(paths, fmt.Sprint("example.com/p", i))
		}
		var all []*packages.Package
		for i, path := range paths {
			p := &packages.Package{PkgPath: path, ID: path, Imports: map[string]*packages.Package{}}
			for _, q := range all {
				if i > 1 && r.IntN(6) == 0 {
					p.Imports[q.PkgPath] = q
				}
			}
			all = append(all, p)
		}
		asked := slices.DeleteFunc(slices.Clone(all[2:]), func(*packages.Package) bool { return r.IntN(3) > 0 })
		every := r.IntN(4) == 0
		var want []string
		for _, path := range paths[1:] {
			if slices.ContainsFunc(asked, func(p *packages.Package) bool {
				return imported(p, path, func(i string) bool { return i != "fmt" }) && (every || imported(p, engine, func(string) bool { return true }))
			}) {
				want = append(want, path)
			}
		}
		slices.Sort(want)
		if got := choose(asked, every); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
		read += len(want)
	}
	if read < 500 || read > 4000 {
		t.Errorf("%d packages are read in all: the programs are not of the right kind", read)
	}
}
