package main

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A Mutant is one small change of a source file: the bytes from Start to End
// become New.
type Mutant struct {
	Key
	File       string // the absolute path
	Line       int    // counts from 1
	Start, End int    // bytes of the file
	New        string
	src        []byte // the contents of the file when the mutants were found
	pkg        *packages.Package
	body       body
}

// A Key identifies a mutant by the source at its place, so that it is unaffected by changes elsewhere in the file.
// Within one build no two mutants have the same.
type Key struct {
	Package string // as a path from the root, such as session/peer
	Func    string // such as (*Machine).Poll; declarations outside of functions have -
	Source  string // the first line that changes, without its indentation
	Change  string // such as "< to <="; a second equal one in the function ends in "#2"
}

// ID returns a short text to type, which is the same wherever the Key is.
func (k Key) ID() string {
	h := fnv.New32a()
	fmt.Fprintf(h, "%q", []string{k.Package, k.Func, k.Source, k.Change})
	return fmt.Sprintf("%08x", h.Sum32())
}

// apply returns the changed file.
func (m *Mutant) apply() []byte {
	return slices.Concat(m.src[:m.Start], []byte(m.New), m.src[m.End:])
}

// diff returns the lines that change, before and after.
func (m *Mutant) diff() string {
	from := bytes.LastIndexByte(m.src[:m.Start], '\n') + 1
	to := len(m.src)
	if i := bytes.IndexByte(m.src[m.End:], '\n'); i >= 0 {
		to = m.End + i
	}
	after := string(m.src[from:m.Start]) + m.New + string(m.src[m.End:to])
	return prefixed("-", string(m.src[from:to])) + prefixed("+", after)
}

// prefixed marks each line that is not blank, at most six of them.
func prefixed(mark, text string) string {
	const most = 6
	var out strings.Builder
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if i == most && len(lines) > most+1 {
			fmt.Fprintf(&out, "    %s ... %d more lines\n", mark, len(lines)-most)
			break
		}
		if strings.TrimSpace(line) != "" {
			fmt.Fprintf(&out, "    %s %s\n", mark, line)
		}
	}
	return out.String()
}
