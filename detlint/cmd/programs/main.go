// Command programs makes pairs of programs with and without a flaw, and measures what the analyzer finds in them. See
// package programs.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tickback/tickback/detlint/internal/programs"
)

func main() {
	n := flag.Int("n", 200, "how many programs")
	seed := flag.Uint64("seed", 1, "the first of their seeds, which go up by one")
	show := flag.Bool("show", false, "print the sources of those that are judged wrongly")
	root := flag.String("root", ".", "the repository")
	flag.Parse()
	if err := run(*n, *seed, *root, *show); err != nil {
		fmt.Fprintln(os.Stderr, "programs:", err)
		os.Exit(1)
	}
}

func run(n int, seed uint64, root string, show bool) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	c, err := programs.NewChecker(root)
	if err != nil {
		return err
	}
	start := time.Now()
	missed, accused, broken := map[string]int{}, map[string]int{}, 0
	found, clean := 0, 0
	for i := range uint64(n) {
		p := programs.Make(seed + i)
		v, err := c.Check(p)
		if err != nil {
			broken++
			fmt.Println("BROKEN", err)
			continue
		}
		if len(v.Flawed) > 0 {
			found++
		} else {
			missed[p.Flaw]++
			fmt.Printf("MISSED %v\n", p)
			if show {
				print(p, true)
			}
		}
		if len(v.Twin) == 0 {
			clean++
		} else {
			accused[v.Twin[0].Rule+" in the twin of "+p.Flaw]++
			fmt.Printf("ACCUSED %v: %v\n", p, v.Twin)
			if show {
				print(p, false)
			}
		}
	}
	for _, l := range []map[string]int{missed, accused} {
		for _, k := range slices.SortedFunc(maps.Keys(l), func(a, b string) int { return l[b] - l[a] }) {
			fmt.Println(l[k], k)
		}
		fmt.Println("--")
	}
	fmt.Printf("%d programs from seed %d: %d found, %d twins clean, %d do not compile; %v for each\n", n, seed, found, clean, broken, time.Since(start)/time.Duration(n))
	return nil
}

func print(p *programs.Program, flawed bool) {
	for _, x := range p.Sources("example.com/m", "main", flawed) {
		fmt.Printf("--- %s\n%s\n", x.Path, x.Source)
	}
}
