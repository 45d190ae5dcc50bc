package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
)

// To build a package once for many mutants, each function gets, at its beginning, a changed copy of its body for each
// of its mutants:
//
//	func f() int {
//		if mutant__ == 7 { return 2; panic("no return") }
//		if reached__ != nil { reach__(7) }
//		return 1
//	}
//
// An environment variable says which copy runs. Another one names a file into which a run without a mutant writes
// which functions that have copies were called.

// The environment variables. No mutant of a build has number 0.
const (
	chosen  = "MUTATE_CHOSEN"
	reached = "MUTATE_REACHED"
)

// wovenFile is the code that the copies use; its arguments are the name of the package, both variables and the number
// of mutants.
const wovenFile = `package %s

import (
	"os"
	"strconv"
	"sync/atomic"
)

var (
	mutant__, _  = strconv.Atoi(os.Getenv(%q))
	reached__, _ = os.OpenFile(os.Getenv(%q), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	met__        [%d + 1]atomic.Bool
)

func reach__(mutant int) {
	if !met__[mutant].Load() && !met__[mutant].Swap(true) {
		reached__.WriteString(strconv.Itoa(mutant) + "\n")
	}
}
`

// weave returns the files, by path, that contain the mutants of one package by their numbers, from 1 in the order of
// the list.
func weave(name string, mutants []*Mutant) map[string][]byte {
	files := map[string][]byte{}
	for _, m := range mutants {
		files[m.File] = m.src
	}
	dir := filepath.Dir(mutants[0].File)
	for path, src := range files {
		files[path] = weaveFile(path, src, mutants)
	}
	files[filepath.Join(dir, "mutant__.go")] = fmt.Appendf(nil, wovenFile, name, chosen, reached, len(mutants))
	return files
}

func weaveFile(path string, src []byte, mutants []*Mutant) []byte {
	type copied struct {
		at   int
		text []byte
	}
	var copies []copied
	for i, m := range mutants {
		if m.File != path {
			continue
		}
		last := `panic("no return")`
		if m.body.void {
			last = "return"
		}
		body := slices.Concat(src[m.body.start:m.Start], []byte(m.New), src[m.End:m.body.end])
		copies = append(copies, copied{m.body.start, fmt.Appendf(nil,
			"\nif mutant__ == %d {%s\n%s }\nif reached__ != nil { reach__(%d) }\n", i+1, body, last, i+1)})
	}
	slices.SortStableFunc(copies, func(a, b copied) int { return a.at - b.at })
	var out bytes.Buffer
	from := 0
	for _, c := range copies {
		out.Write(src[from:c.at])
		out.Write(c.text)
		from = c.at
	}
	out.Write(src[from:])
	return out.Bytes()
}

// body is the body of the function around a mutant, as offsets without its braces.
type body struct {
	start, end int // 0 if there is none
	void       bool
	labels     bool // it has labels, and cannot be copied
}

// woven reports whether a mutant can be one of many in a build.
func (m *Mutant) woven() bool {
	return m.body.end > 0 && !m.body.labels && m.Start >= m.body.start && m.End <= m.body.end
}
