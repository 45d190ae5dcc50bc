// Command inject puts faults into the games of this repository, one at a time, and measures how many of them the
// analyzer finds. See package inject.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tickback/tickback/detlint/internal/inject"
)

const module = "github.com/tickback/tickback"

// games are the games into which faults are put.
var games = []string{"games/duel", "games/arena", "games/tanks", "games/skirmish", "examples/robots"}

// row is a fault and the analyzer's result.
type row struct {
	N                              int
	Game, Kind, Shape, Func, Place string
	Found                          bool
}

func main() {
	n := flag.Int("n", 1000, "how many faults")
	seed := flag.Uint64("seed", 1, "of the random choice of games, places and shapes")
	only := flag.Int("only", -1, "this fault alone, with all that is found")
	root := flag.String("root", ".", "the repository")
	out := flag.String("out", "", "write a row for each fault to this file, as JSON")
	show := flag.Bool("show", false, "with -only: print the files of the fault")
	build := flag.String("build", "", "examine nothing; write to this directory an overlay of the go command in which all faults are, each to be switched on, and their list")
	flag.Parse()
	if err := run(*n, *seed, *only, *root, *out, *build, *show); err != nil {
		fmt.Fprintln(os.Stderr, "inject:", err)
		os.Exit(1)
	}
}

func run(n int, seed uint64, only int, root, out, build string, show bool) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	var targets []*inject.Target
	for _, g := range games {
		t, err := inject.Open(root, module, g)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "inject: %s has %d places\n", g, len(t.Places))
		targets = append(targets, t)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	var rows []row
	faults := map[*inject.Target][]inject.Fault{}
	found, start := 0, time.Now()
	for i := range n {
		t := targets[r.IntN(len(targets))]
		f, ok := inject.Draw(r, i, t.Places)
		for !ok {
			t = targets[r.IntN(len(targets))]
			f, ok = inject.Draw(r, i, t.Places)
		}
		faults[t] = append(faults[t], f)
		if only >= 0 && i != only {
			continue
		}
		rel, _ := filepath.Rel(root, f.Place.File)
		x := row{i, t.Dir, f.Kind.Name, f.Shape.Name, f.Place.Func, fmt.Sprintf("%s:%d", filepath.ToSlash(rel), f.Place.Line), false}
		if build != "" {
			rows = append(rows, x)
			continue
		}
		v, err := t.Examine(&f)
		if err != nil {
			return err
		}
		if show {
			print(t, &f)
		}
		x.Found = v.Found
		rows = append(rows, x)
		if v.Found {
			found++
		}
		if !v.Found || only >= 0 {
			fmt.Printf("%v: found %v\n\t%s\n", &f, v.Found, strings.Join(v.Near, "\n\t"))
		}
	}
	if build != "" {
		return overlay(root, build, targets, faults, rows)
	}
	fmt.Printf("seed %d: %d of %d faults found, %v for each\n", seed, found, len(rows), time.Since(start)/time.Duration(max(len(rows), 1)))
	if out != "" {
		b, err := json.MarshalIndent(rows, "", "\t")
		if err != nil {
			return err
		}
		if err := os.WriteFile(out, b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// print prints the files of a fault.
func print(t *inject.Target, f *inject.Fault) {
	p := t.Patch()
	p.Add(f, "")
	for name, source := range p.Files(t.PackageOf) {
		fmt.Printf("--- %s\n%s\n", name, source)
	}
}
