package programs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// Program is a program in two halves.
type Program struct {
	Seed  uint64
	Flaw  string
	Rules []string // rules; one of them must find the flaw
	Shown string   // how a run can demonstrate it: "sync" means a sync test; or ""
	Way   []string // how the step leads to the flaw: the root, and the hops
	Game  string   // an expression whose value is the game

	types string              // the name of the package with the types; "" is main
	texts map[string][]string // declarations by package; "" is main
}

// String describes the program for people.
func (p *Program) String() string {
	return fmt.Sprintf("%d: %s, by %s", p.Seed, p.Flaw, strings.Join(p.Way, ", "))
}

// maker makes a program.
type maker struct {
	*rand.Rand
	p       *Program
	own     bool
	k       int             // counts what was drawn so far
	state   string          // the name of the type
	aliases map[string]bool // packages that declare their own names of the types
	code    []string        // the packages with code, from main inwards
}

// Make makes a program. Only the seed determines what it contains.
func Make(seed uint64) *Program {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 38)), p: &Program{Seed: seed, texts: map[string][]string{}}, aliases: map[string]bool{}}
	return m.program()
}

// one returns a random element.
func one[E any](r *rand.Rand, list []E) E { return list[r.IntN(len(list))] }

func (m *maker) program() *Program {
	all := flaws()
	var f roleFlaw
	if n := m.IntN(len(all) + len(roles)); n < len(all) {
		f.flaw = all[n]
	} else {
		f = roles[n-len(all)]
	}
	m.p.Flaw, m.p.Rules, m.p.Shown = f.name, strings.Fields(f.rules), f.shown
	m.own = f.needs == "own" || f.needs != "plain" && m.IntN(2) == 0
	m.layout()
	m.state = one(m.Rand, []string{"State", "World", "Sim", "GameState"})
	m.header()
	m.place(f)
	return m.p
}

// layout selects the packages.
func (m *maker) layout() {
	m.code = []string{""}
	switch m.IntN(4) {
	case 0, 1:
		return
	case 2:
		m.code = append(m.code, "sys")
	case 3:
		m.code = append(m.code, "sys", "ai")
	}
	m.p.types = "model"
	for _, name := range m.code {
		m.aliases[name] = m.IntN(2) == 0
	}
}

// header declares the types.
func (m *maker) header() {
	fields := `	N, M  int32
	Wide  int64
	X, Y  fixed.Num
	F, G  float64
	Squad [6]Unit
	Rand  rng.Xorshift128Plus
	Flash int32 ` + "`canon:\"-\"`" + `
	Glow  int32 ` + "`canon:\"-\"`" + `
`
	setup := `	s.N, s.Wide, s.X, s.Y, s.F, s.G = 1, 3, fixed.One, fixed.One/2, 0.5, 0.25
	s.Rand = rng.New(5)
	for i := range s.Squad {
		s.Squad[i] = Unit{ID: int32(i), HP: int32(i % 3)}
	}
`
	copies := ""
	if m.own {
		fields += `	Int   int
	Units map[int32]*Unit
	Notes map[string]int32
	List  []Unit
	IDs   []int32
	Grid  [][]int32
	Name  string
	Last  []byte
`
		setup = "\t*s = $STATE{}\n" + setup + `	s.Int = 1
	s.Units = map[int32]*Unit{}
	for id := range int32(6) {
		s.Units[id+1] = &Unit{ID: id + 1, HP: id % 3}
	}
	s.Notes = map[string]int32{"a": 1, "b": 2, "c": 3, "d": 4}
`
		copies = `
// Save copies a state.
func Save(s, v *$STATE) {
	*v = *s
	v.Units = make(map[int32]*Unit, len(s.Units))
	for id, u := range s.Units {
		c := *u
		v.Units[id] = &c
	}
	v.Notes = maps.Clone(s.Notes)
	v.List = slices.Clone(s.List)
	v.IDs = slices.Clone(s.IDs)
	v.Last = slices.Clone(s.Last)
	v.Grid = nil
	for _, row := range s.Grid {
		v.Grid = append(v.Grid, slices.Clone(row))
	}
}

// Restore brings it back.
func Restore(s, v *$STATE) { Save(v, s) }
`
	}
	text := "type $STATE struct {\n" + fields + "}\n\ntype Unit struct {\n\tID, HP, Rank int32\n\tX, Y         fixed.Num\n}\n\ntype Input struct{ Move int8 }\n\ntype Tick = rollback.Tick[Input]\n\nfunc Setup(s *$STATE) {\n" + setup + "}\n" + copies
	m.add(m.p.types, strings.ReplaceAll(text, "$STATE", m.state))
	for _, name := range m.code {
		if m.aliases[name] {
			m.add(name, fmt.Sprintf("type (\n\t%s = model.%s\n\tUnit = model.Unit\n\tInput = model.Input\n\tTick = rollback.Tick[model.Input]\n)", m.state, m.state))
		}
	}
}

func (m *maker) add(pkg, text string) {
	if text = strings.TrimSpace(text); text != "" {
		m.p.texts[pkg] = append(m.p.texts[pkg], text)
	}
}

// place selects a random path to the flaw, and puts all of its code into the packages.
func (m *maker) place(f roleFlaw) {
	var way []hop
	var pkgs []string
	at := 0
	for range m.IntN(5) {
		h := one(m.Rand, hops)
		if strings.Contains(h.decl, "BODY") {
			at = min(at+m.IntN(2), len(m.code)-1)
		}
		way, pkgs = append(way, h), append(pkgs, m.code[at])
	}
	m.k++
	last := m.code[at]
	if f.fields != "" || f.decl != "" && f.body == "" { // it is where the game is made
		m.add("", m.text("", "", m.k, f.decl))
	} else {
		m.add(last, m.text(last, last, m.k, f.decl))
	}
	fields := f.fields
	fields = strings.ReplaceAll(fields, "$K", fmt.Sprint(m.k))
	where := last
	body := m.beside(where, m.text(where, where, m.k, f.body))
	for i, h := range slices.Backward(way) {
		m.k++
		outer := ""
		if i > 0 {
			outer = pkgs[i-1]
		}
		decl := m.text(pkgs[i], pkgs[i], m.k, h.decl)
		m.add(pkgs[i], strings.ReplaceAll(decl, "BODY", body))
		call := strings.ReplaceAll(m.text(outer, pkgs[i], m.k, h.call), "BODY", body)
		body = m.beside(outer, call)
	}
	m.game(fields, body)
	for _, h := range way {
		m.p.Way = append(m.p.Way, h.name)
	}
}

// beside puts correct code before and after other code.
func (m *maker) beside(pkg, body string) string {
	if body != "" {
		body = "{\n" + body + "\n}"
	}
	for range m.IntN(3) {
		b := one(m.Rand, benign)
		if b.needs == "own" && !m.own {
			continue
		}
		m.k++
		m.add(pkg, m.text(pkg, pkg, m.k, b.decl))
		more := "{\n" + m.text(pkg, pkg, m.k, b.body) + "\n}"
		if m.IntN(2) == 0 {
			body = more + "\n" + body
		} else {
			body = body + "\n" + more
		}
	}
	return body
}

// game adds the code that makes the game.
func (m *maker) game(fields, body string) {
	r := one(m.Rand, roots)
	m.p.Way = append([]string{r.name}, m.p.Way...)
	kind, gen := "Game", "rollback.Game[A, B]"
	list := map[string]string{"Init": "$MSetup"}
	if m.own {
		kind, gen = "OwnMemory", "rollback.OwnMemory[A, A, B]"
		list["Save"], list["Restore"] = "$MSave", "$MRestore"
	} else {
		list["AllowFloats"] = "true"
	}
	if name, value, ok := strings.Cut(fields, ": "); ok {
		list[name] = value
	}
	game := "rollback.Game[$S, $I]"
	if m.own {
		game = "rollback.OwnMemory[$S, $S, $I]"
	}
	var rest, set []string
	for _, name := range slices.Sorted(maps.Keys(list)) {
		rest = append(rest, name+": "+list[name])
		set = append(set, "g."+name+" = "+list[name])
	}
	expand := func(text string) string {
		for _, x := range [][2]string{{"$REST", strings.Join(rest, ", ")}, {"$SET", strings.Join(set, "\n")}, {"$GAME", game}, {"$GEN", gen}, {"$NAME", kind}} {
			text = strings.ReplaceAll(text, x[0], x[1])
		}
		return m.text("", "", 0, text)
	}
	m.add("", strings.ReplaceAll(expand(r.decl), "BODY", body))
	m.p.Game = "game"
	if r.game != "" {
		m.p.Game = expand(r.game)
	}
}

var tokens = regexp.MustCompile(`\$(any|i32|[STUIKPM])`)

// text adapts code for a package: names from another package are qualified, and types are spelled in any of the ways
// that are possible there.
func (m *maker) text(pkg, from string, k int, code string) string {
	named := func(name string) string {
		if pkg == m.p.types || m.aliases[pkg] && m.IntN(3) > 0 {
			return name
		}
		return "model." + name
	}
	return tokens.ReplaceAllStringFunc(code, func(token string) string {
		switch token {
		case "$any":
			return one(m.Rand, []string{"any", "interface{}"})
		case "$i32":
			return one(m.Rand, []string{"int32", "int32", "rune"})
		case "$S":
			return named(m.state)
		case "$U":
			return named("Unit")
		case "$I":
			return named("Input")
		case "$T":
			if m.IntN(3) == 0 {
				return "rollback.Tick[" + named("Input") + "]"
			}
			return named("Tick")
		case "$K":
			return fmt.Sprint(k)
		case "$M":
			if pkg == m.p.types {
				return ""
			}
			return "model."
		default: // $P
			if from == pkg {
				return ""
			}
			return from + "."
		}
	})
}

var choice = regexp.MustCompile(`«([^«»¦]*)¦([^«»¦]*)»`)

// Package is the source of a package.
type Package struct {
	Path, Name string
	Source     string
}

// Sources returns the packages of one half, each after those that it imports. The path of the first is base, and its
// name main or another one.
func (p *Program) Sources(base, name string, flawed bool) (list []Package) {
	half := "$2"
	if flawed {
		half = "$1"
	}
	order := []string{"model", "ai", "sys", ""}
	for _, pkg := range order {
		if len(p.texts[pkg]) == 0 {
			continue
		}
		x := Package{Path: base, Name: name}
		if pkg != "" {
			x.Path, x.Name = base+"/"+pkg, pkg
		}
		text := choice.ReplaceAllString(strings.Join(p.texts[pkg], "\n\n"), half)
		if x.Name == "main" {
			text += "\n\nfunc main() {}"
		}
		x.Source = withImports(base, x.Name, text+"\n")
		list = append(list, x)
	}
	return list
}

// paths are the packages that code may use, by the names under which it uses them.
var paths = func() map[string]string {
	named := map[string]string{
		"randv2": "math/rand/v2", "crand": "crypto/rand", "tickback": module, "model": "$/model", "sys": "$/sys", "ai": "$/ai",
	}
	for _, path := range append(Library(), module+"/rollback", module+"/fixed", module+"/rng", module+"/canon", module+"/portable", module+"/portable/math32") {
		if name := path[strings.LastIndexByte(path, '/')+1:]; path != "math/rand/v2" && path != "crypto/rand" {
			named[name] = path
		}
	}
	return named
}()

const module = "github.com/tickback/tickback"

// Library returns the packages of the standard library that programs may import.
func Library() []string {
	return strings.Fields(`bufio bytes cmp container/heap container/list context crypto/rand encoding/binary encoding/gob encoding/json errors
		flag fmt hash/fnv hash/maphash io iter log log/slog maps math math/bits math/rand math/rand/v2 os path/filepath reflect regexp runtime
		runtime/debug slices sort strconv strings sync sync/atomic text/template time unsafe weak`)
}

// withImports adds the package clause and the imports.
func withImports(base, name, text string) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package "+name+"\n"+text, 0)
	if err != nil {
		return "package " + name + "\n" + text // the compiler will report what is wrong
	}
	used := map[string]bool{}
	open := map[*ast.Ident]bool{}
	for _, id := range f.Unresolved {
		open[id] = true
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && open[id] && paths[id.Name] != "" {
				used[id.Name] = true
			}
		}
		return true
	})
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n", name)
	for _, id := range slices.Sorted(maps.Keys(used)) {
		path := strings.Replace(paths[id], "$", base, 1)
		if path[strings.LastIndexByte(path, '/')+1:] != id {
			fmt.Fprintf(&b, "\t%s %q\n", id, path)
		} else {
			fmt.Fprintf(&b, "\t%q\n", path)
		}
	}
	return b.String() + ")\n\n" + text
}
