package inject

import (
	"fmt"
	"go/format"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Fault is a kind in a shape at a place.
type Fault struct {
	N     int
	Kind  *Kind
	Shape *Shape
	Place *Place
	Sink  string
}

// OtherDir is the directory of the other package, below that of the module.
const OtherDir = "games/elsewhere"

// Draw selects a fault at random: each kind and each shape is equally likely. It returns false if no place suits the
// kind.
func Draw(r *rand.Rand, n int, places []Place) (Fault, bool) {
	f := Fault{N: n, Kind: &Kinds[n%len(Kinds)], Shape: &Shapes[r.IntN(len(Shapes))]}
	fitting := places
	if f.Kind.Tick {
		f.Shape = &Shapes[r.IntN(2)]
		fitting = slices.DeleteFunc(slices.Clone(places), func(p Place) bool { return p.Tick == "" })
	}
	if len(fitting) == 0 {
		return f, false
	}
	f.Place = &fitting[r.IntN(len(fitting))]
	f.Sink = f.Place.Sinks[r.IntN(len(f.Place.Sinks))]
	return f, true
}

// String describes the fault for people.
func (f *Fault) String() string {
	return fmt.Sprintf("%d: %s, %s, in %s (%s:%d)", f.N, f.Kind.Name, f.Shape.Name, f.Place.Func, filepath.Base(f.Place.File), f.Place.Line)
}

// Patch collects faults in one program.
type Patch struct {
	root    string              // directory of the module
	module  string              // path of the module
	read    func(string) string // returns the source of a file
	inserts map[string][]insert
	imports map[string][]string // lines, by file
	decls   map[string][]string
}

type insert struct {
	at   int
	text string
}

// NewPatch makes an empty patch of a module.
func NewPatch(root, module string, read func(name string) string) *Patch {
	return &Patch{root, module, read, map[string][]insert{}, map[string][]string{}, map[string][]string{}}
}

var imported = regexp.MustCompile(`\{([a-z][a-zA-Z0-9/._-]*)\}\.`)

// resolve inserts names of packages into code for a file, and adds the imports.
func (p *Patch) resolve(file string, n int, code string) string {
	code = strings.ReplaceAll(code, "#", fmt.Sprintf("Zf%d", n))
	code = strings.ReplaceAll(code, "{other}.", "{"+p.module+"/"+OtherDir+"}.")
	return imported.ReplaceAllStringFunc(code, func(m string) string {
		path := m[1 : len(m)-2]
		alias := "zf_" + strings.Map(func(r rune) rune {
			if r == '/' || r == '.' || r == '-' {
				return '_'
			}
			return r
		}, path)
		line := fmt.Sprintf("import %s %q", alias, path)
		if !slices.Contains(p.imports[file], line) {
			p.imports[file] = append(p.imports[file], line)
		}
		return alias + "."
	})
}

// Add adds a fault. If guard is not empty, it is a condition under which the fault is active.
func (p *Patch) Add(f *Fault, guard string) {
	beside := filepath.Join(filepath.Dir(f.Place.File), fmt.Sprintf("zz_fault%d.go", f.N))
	other := filepath.Join(p.root, OtherDir, fmt.Sprintf("fault%d.go", f.N))
	body := "{\n" + strings.ReplaceAll(f.Kind.Body, "TICK", f.Place.Tick) + "\n}"
	declared := false
	for _, part := range []struct{ file, code string }{{beside, f.Shape.Decl}, {other, f.Shape.Other}} {
		if part.code == "" {
			continue
		}
		code := strings.ReplaceAll(part.code, "BODY", body)
		if strings.Contains(part.code, "BODY") && f.Kind.Decl != "" {
			code, declared = f.Kind.Decl+"\n\n"+code, true
		}
		p.decls[part.file] = append(p.decls[part.file], p.resolve(part.file, f.N, code))
	}
	if f.Kind.Decl != "" && !declared {
		p.decls[beside] = append(p.decls[beside], p.resolve(beside, f.N, f.Kind.Decl))
	}
	call := strings.ReplaceAll(f.Shape.Call, "BODY", body)
	text := "{\nvar out# int64\n{\nvar out int64\n" + call + "\nout# = out\n}\n" + f.Sink + "\n}\n"
	if guard != "" {
		text = "if " + guard + " " + text
	}
	p.inserts[f.Place.File] = append(p.inserts[f.Place.File], insert{f.Place.Offset, p.resolve(f.Place.File, f.N, text)})
}

// Files returns the contents of all files that are changed or new.
func (p *Patch) Files(packageOf func(dir string) string) map[string]string {
	files := map[string]string{}
	for name, list := range p.inserts {
		slices.SortStableFunc(list, func(a, b insert) int { return b.at - a.at })
		source := p.read(name)
		for _, in := range list {
			source = source[:in.at] + "\n" + in.text + source[in.at:]
		}
		files[name] = p.withImports(name, source)
	}
	for name, decls := range p.decls {
		pkg := packageOf(filepath.Dir(name))
		if pkg == "" {
			pkg = filepath.Base(filepath.Dir(name))
		}
		source := p.withImports(name, "package "+pkg+"\n\n"+strings.Join(decls, "\n\n")+"\n")
		if pretty, err := format.Source([]byte(source)); err == nil {
			source = string(pretty)
		}
		files[name] = source
	}
	return files
}

var clause = regexp.MustCompile(`(?m)^package \w+`)

// withImports inserts imports after the package clause, on its line.
func (p *Patch) withImports(name, source string) string {
	at := clause.FindStringIndex(source)
	text := ""
	for _, line := range p.imports[name] {
		text += "; " + line
	}
	return source[:at[1]] + text + source[at[1]:]
}

// Lines returns the lines at fault, by file.
func Lines(files map[string]string) map[string]map[int]bool {
	list := map[string]map[int]bool{}
	for name, source := range files {
		for i, line := range strings.Split(source, "\n") {
			if strings.HasSuffix(strings.TrimRight(line, " \t"), Mark) {
				if list[name] == nil {
					list[name] = map[int]bool{}
				}
				list[name][i+1] = true
			}
		}
	}
	return list
}
