package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
)

// An equivalent mutant behaves like the source in everything that is promised.
type equivalent struct {
	Key
	reason string
	line   int // the line in the list
}

// readEquivalents reads a list of blocks with blank lines between them:
//
//	package function
//	the line of the source
//	the change
//	the reason, on one line or more
//
// Lines that begin with # are comments.
func readEquivalents(path string) ([]equivalent, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var all []equivalent
	var block []string
	number, begin := 0, 0
	flush := func() error {
		if len(block) == 0 {
			return nil
		}
		if len(block) < 4 {
			return fmt.Errorf("%s:%d: a block has at least four lines: package and function, source, change, reason", path, begin)
		}
		pkg, fn, ok := strings.Cut(block[0], " ")
		if !ok {
			return fmt.Errorf("%s:%d: %q is no package and function", path, begin, block[0])
		}
		e := equivalent{Key: Key{pkg, fn, block[1], block[2]}, reason: strings.Join(block[3:], " "), line: begin}
		if slices.ContainsFunc(all, func(o equivalent) bool { return o.Key == e.Key }) {
			return fmt.Errorf("%s:%d: listed twice", path, begin)
		}
		all, block = append(all, e), nil
		return nil
	}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		number++
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			if err := flush(); err != nil {
				return nil, err
			}
			continue
		}
		if strings.HasPrefix(text, "# ") || text == "#" {
			continue
		}
		if len(block) == 0 {
			begin = number
		}
		block = append(block, text)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return all, flush()
}

// split separates the equivalents from the other mutants. It is an error in the list if an entry for a loaded package
// matches no mutant.
func split(mutants []*Mutant, list []equivalent, packages []string) (rest, out []*Mutant, err error) {
	listed := map[Key]int{}
	for _, e := range list {
		if slices.Contains(packages, e.Package) {
			listed[e.Key] = e.line
		}
	}
	for _, m := range mutants {
		if _, ok := listed[m.Key]; ok {
			delete(listed, m.Key)
			out = append(out, m)
		} else {
			rest = append(rest, m)
		}
	}
	var stale []string
	for k, line := range listed {
		stale = append(stale, fmt.Sprintf("line %d: %s %s: %q: %s", line, k.Package, k.Func, k.Source, k.Change))
	}
	slices.Sort(stale)
	if len(stale) > 0 {
		err = fmt.Errorf("equivalent mutants that do not exist any more; look whether the reason still holds, and mend or remove them:\n  %s",
			strings.Join(stale, "\n  "))
	}
	return rest, out, err
}
