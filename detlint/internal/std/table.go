// Package std says what a step may use of the standard library. This is in two tables: one is written by people, the
// other by the analyzer, which reads the source of the library (go run ./cmd/stdtable). Functions in neither are not
// allowed.
package std

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/tickback/tickback/detlint/internal/flow"
)

// Version is the version of Go whose library the tables describe.
const Version = "go1.26"

//go:embed curated.txt
var curatedText string

//go:embed generated.txt
var generatedText string

// Kind is a table's judgement about a function.
type Kind uint8

// The kinds.
const (
	Unlisted Kind = iota
	Allowed
	Refused
	Judged // a rule examines each call
)

// Verdict is what the tables say about a function.
type Verdict struct {
	Kind   Kind
	Rule   string // if refused or judged
	Reason string
}

// entry is what is known about a function from the source of the library.
type entry struct {
	verdict Verdict
	traits  flow.Traits
}

type tables struct {
	curated   map[string]Verdict
	generated map[string]entry
	packages  map[string]bool
	traits    map[string]flow.Traits // as written by people
}

var load = sync.OnceValue(func() *tables {
	t := &tables{map[string]Verdict{}, map[string]entry{}, map[string]bool{}, map[string]flow.Traits{}}
	for n, line := range strings.Split(curatedText, "\n") {
		if err := t.curate(line); err != nil {
			panic(fmt.Sprintf("curated.txt:%d: %v", n+1, err)) // the text is embedded, and a test reads it
		}
	}
	for line := range strings.Lines(generatedText) {
		t.generate(strings.TrimSuffix(line, "\n"))
	}
	return t
})

// curate reads a line of the table written by people.
func (t *tables) curate(line string) error {
	if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
		return nil
	}
	head, reason, _ := strings.Cut(line, " : ")
	words := strings.Fields(head)
	v := Verdict{Reason: strings.TrimSpace(reason)}
	names := words[1:]
	switch words[0] {
	case "allow":
		v.Kind = Allowed
	case "package":
		for _, path := range names {
			t.packages[path] = true
		}
		return nil
	case "traits":
		for _, n := range words[2:] {
			t.traits[n] = parseTraits(words[1])
		}
		return nil
	case "refuse", "judge":
		v.Kind, v.Rule, names = Refused, words[1], words[2:]
		if words[0] == "judge" {
			v.Kind = Judged
		} else if v.Reason == "" {
			return fmt.Errorf("no reason in %q", line)
		}
	default:
		return fmt.Errorf("what is %q?", words[0])
	}
	if len(names) == 0 {
		return fmt.Errorf("no name in %q", line)
	}
	for _, n := range names {
		t.curated[n] = v
	}
	return nil
}

// generate reads a line of the generated table: one made by Line, or "package" and a path, which makes the package
// known.
func (t *tables) generate(line string) {
	if line == "" || strings.HasPrefix(line, "#") {
		return
	}
	if path, ok := strings.CutPrefix(line, "package "); ok {
		t.packages[path] = true
		return
	}
	fields := strings.Split(line, "\t")
	var e entry
	if fields[1] == "ok" {
		e.verdict.Kind = Allowed
	} else {
		e.verdict = Verdict{Refused, fields[1], fields[3]}
	}
	e.traits = parseTraits(fields[2])
	t.generated[fields[0]] = e
}

// Line returns a function's line of the generated table.
func Line(name string, v Verdict, t flow.Traits) string {
	rule := "ok"
	if v.Kind == Refused {
		rule = v.Rule
	}
	return strings.TrimRight(name+"\t"+rule+"\t"+formatTraits(t)+"\t"+v.Reason, "\t ")
}

func formatTraits(t flow.Traits) string {
	var b strings.Builder
	for _, part := range []struct {
		letter byte
		bits   uint64
	}{{'w', t.Writes}, {'k', t.Keeps}, {'r', t.Returns}} {
		if part.bits != 0 {
			fmt.Fprintf(&b, "%c%x", part.letter, part.bits)
		}
	}
	if t.Effects {
		b.WriteString("E")
	}
	if t.Dynamic {
		b.WriteString("D")
	}
	if b.Len() == 0 {
		return "-"
	}
	return b.String()
}

func parseTraits(s string) (t flow.Traits) {
	for i := 0; i < len(s); {
		c := s[i]
		i++
		j := i
		for j < len(s) && strings.IndexByte("0123456789abcdef", s[j]) >= 0 {
			j++
		}
		bits, _ := strconv.ParseUint(s[i:j], 16, 64) // "-" has none
		i = j
		switch c {
		case 'w':
			t.Writes = bits
		case 'k':
			t.Keeps = bits
		case 'r':
			t.Returns = bits
		case 's':
			t.Sums = bits
		case 'E':
			t.Effects = true
		case 'D':
			t.Dynamic = true
		}
	}
	return t
}

// Known reports whether a package is one of the standard library.
func Known(path string) bool { return load().packages[path] || path == "unsafe" || path == "C" }

// Trusted reports whether a package outside of the library has lines in the table: it is part of the code that runs
// the step, and is not examined as a part of the step.
func Trusted(path string) bool {
	_, ok := load().curated[path]
	return ok && !Known(path)
}

// Packages returns how many packages and functions are known.
func Packages() (packages, functions int) { return len(load().packages), len(load().generated) }

// Curated returns what the table written by people says about a function, or about its package.
func Curated(pkg, name string) Verdict {
	t := load()
	if v, ok := t.curated[pkg+"."+name]; ok {
		return v
	}
	typ, _, method := strings.Cut(name, ".")
	if v, ok := t.curated[pkg+"."+typ+".*"]; ok && method {
		return v
	}
	return t.curated[pkg]
}

// Lookup returns what the tables say about a function; a method is named with its type. The table written by people
// takes precedence, and in it the more specific name.
func Lookup(pkg, name string) Verdict {
	if v := Curated(pkg, name); v.Kind != Unlisted {
		return v
	}
	return load().generated[pkg+"."+name].verdict
}

// receiver returns the type of a method by its name, or "".
func receiver(name string) string {
	typ, _, method := strings.Cut(name, ".")
	if !method {
		return ""
	}
	return typ
}

// Traits returns what a function of the library does to memory.
func Traits(pkg, name string) (flow.Traits, bool) {
	for _, key := range []string{pkg + "." + name, pkg + "." + receiver(name) + ".*"} {
		if t, ok := load().traits[key]; ok {
			return t, true
		}
	}
	e, ok := load().generated[pkg+"."+name]
	return e.traits, ok
}
