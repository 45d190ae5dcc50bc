package adopt

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"go/types"
	"maps"
	"slices"
	"strings"
)

const library = "github.com/tickback/tickback"

// Code returns a file of the game's own package, which gives the game to Tickback: a state, an input, and the step.
// What a person has to decide has the word TODO in it. The file compiles as it is, if the module requires Tickback.
func (g *Game) Code() ([]byte, error) {
	c := code{Game: g, imports: map[string]bool{library: true, library + "/canon": true, library + "/rollback": true, library + "/transport/udp": true}}
	c.input, c.state, c.game, c.pad = c.free("Input"), c.free("state"), c.free("online"), c.free("keyboard")
	c.play = c.free("play")
	body := c.body()
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport (\n", g.Package.Name())
	for i, path := range slices.SortedFunc(maps.Keys(c.imports), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	}) {
		if i > 0 && path == library {
			b.WriteByte('\n') // after those of the standard library
		}
		fmt.Fprintf(&b, "\t%q\n", path)
	}
	b.WriteString(")\n\n")
	b.WriteString(body)
	return format.Source(b.Bytes())
}

// Test returns a test of the game, for the same package.
func (g *Game) Test() []byte {
	c := code{Game: g}
	return fmt.Appendf(nil, testing, g.Package.Name(), c.free("online"), c.free("Input"))
}

const testing = `package %s

import (
	"testing"

	"github.com/tickback/tickback/tickbacktest"
)

// Two machines see the same game, whatever was predicted: "tickback test --strict" runs it.
func TestDeterminism(t *testing.T) {
	tickbacktest.Check(t, %s, tickbacktest.Options[%s]{Players: 2})
}
`

// rank orders imports: the standard library first.
func rank(path string) int {
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
		return 1
	}
	return 0
}

// code writes the file.
type code struct {
	*Game
	imports                       map[string]bool
	input, state, game, pad, play string // names that the package does not have
}

// free returns a name that the package does not have.
func (c *code) free(name string) string {
	for c.Package.Scope().Lookup(name) != nil {
		name += "_"
	}
	return name
}

// text returns a type as the package names it.
func (c *code) text(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == c.Package {
			return ""
		}
		c.imports[p.Path()] = true
		return p.Name()
	})
}

// changed are the package variables that the step changes.
func (c *code) changed() []Variable {
	return slices.DeleteFunc(slices.Clone(c.Variables), func(v Variable) bool { return !v.Changed || v.object.Pkg() != c.Package })
}

func (c *code) body() string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s is what a player does in a frame.\n//\n", c.input)
	fmt.Fprintf(&b, "// TODO: what that is in this game. At most 64 bytes, without pointers; a bool for each key is fine.\n")
	fmt.Fprintf(&b, "type %s struct{ Left, Right, Up, Down, Fire bool }\n\n", c.input)
	whole := c.members(&b)
	fmt.Fprintf(&b, "// %s is the game, as Tickback sees it: everything that can be reached from the state is saved and restored in\n// place.\n", c.game)
	fmt.Fprintf(&b, "var %s = func() rollback.OwnMemory[%s, canon.Memento[%s], %s] {\n", c.game, whole, whole, c.input)
	fmt.Fprintf(&b, "\tg, err := rollback.SaveInPlace(rollback.OwnMemory[%s, canon.Memento[%s], %s]{\n", whole, whole, c.input)
	c.begin(&b, whole)
	c.step(&b, whole)
	b.WriteString("\t\tFloats: tickback.Strict, // the same on every machine, in a program of \"tickback build --strict\"\n\t}")
	c.options(&b)
	b.WriteString(")\n\tif err != nil {\n\t\tpanic(err) // an option names something that does not exist\n\t}\n\treturn g\n}()\n\n")
	fmt.Fprintf(&b, "// %s returns what a player does now. Outside of it the step must not look at keys.\n", c.pad)
	fmt.Fprintf(&b, "func %s(p tickback.Player) %s {\n\treturn %s{} // TODO: the keys of player p, who sits here\n}\n\n", c.pad, c.input, c.input)
	fmt.Fprintf(&b, playing, c.play, c.play, whole, c.game, whole, c.input, c.pad)
	return b.String()
}

// playing is a match of two machines: the name of the function, twice, the state, the game, the state, the input, and
// the function that samples it.
const playing = `// %s plays a match against the machine at the address other, such as "192.0.2.1:7001", and shows each picture, until
// show has had enough. Player 0 is the host. The state that is shown belongs to the match: do not change or keep it.
//
// TODO: call it in place of your own loop. For a loop that somebody else has, such as that of an engine, see
// docs/sessions.md.
func %s(me tickback.Player, listen, other string, show func(g *%s) (more bool)) error {
	conn, others, err := udp.Open(listen, other)
	if err != nil {
		return err
	}
	m, err := tickback.P2P(%s, tickback.Options[%s, %s]{
		Transport: conn, Peers: tickback.Mesh(me, others...), Sample: %s,
		// TODO: Match and Start, for a seed that is another one in each match: docs/existing-game.md.
	})
	if err != nil {
		return err
	}
	defer m.Close()
	for {
		wait, err := m.Update() // runs what is due, at the pace of both
		if _, over := m.Outcome(); over {
			return nil
		}
		if err != nil {
			return err // says who is missing, and why
		}
		if v := m.View(); v.Current != nil && !show(v.Current) {
			return nil
		}
		m.Wait(wait)
	}
}
`

// single reports whether the state is one member, which needs no struct around it.
func (c *code) single() bool { return len(c.Members) == 1 && len(c.changed()) == 0 }

// members writes the type of the state, unless it is a member, and returns its name.
func (c *code) members(b *strings.Builder) string {
	if c.single() {
		return c.text(c.Members[0].Type)
	}
	fmt.Fprintf(b, "// %s is everything that a step changes.\ntype %s struct {\n", c.state, c.state)
	for _, m := range c.Members {
		fmt.Fprintf(b, "\t%s *%s\n", m.Name, c.text(m.Type))
	}
	for _, v := range c.changed() {
		fmt.Fprintf(b, "\t%s *%s // TODO: better a field of the game, so that two matches can run in one process\n", c.field(v), c.text(v.Type))
	}
	b.WriteString("}\n\n")
	return c.state
}

// field returns the name of the field for a variable.
func (c *code) field(v Variable) string {
	name := lower(v.Name)
	for slices.ContainsFunc(c.Members, func(m Member) bool { return m.Name == name }) {
		name += "_"
	}
	return name
}

// made returns an expression for a pointer to a new member, and a remark if a person has to look at it.
func (c *code) made(m Member) (expression, remark string) {
	fn := c.beginning[m.Type.(*types.Named).Obj()]
	if fn == nil {
		return "new(" + c.text(m.Type) + ")", " // TODO: as it is at the start of a match"
	}
	if _, is := types.Unalias(fn.Signature().Results().At(0).Type()).(*types.Pointer); is {
		return fn.Name() + "()", ""
	}
	return "func() *" + c.text(m.Type) + " { v := " + fn.Name() + "(); return &v }()", ""
}

// begin writes what makes state 0: New alone. An Init that copies a new game into the old one would leave behind
// whatever in the new one refers to it.
func (c *code) begin(b *strings.Builder, whole string) {
	if c.single() {
		one, remark := c.made(c.Members[0])
		if fn, ok := strings.CutSuffix(one, "()"); ok && !strings.ContainsAny(fn, " (") {
			fmt.Fprintf(b, "\t\tNew: %s,\n", fn)
		} else {
			fmt.Fprintf(b, "\t\tNew: func() *%s { return %s },%s\n", whole, one, remark)
		}
		return
	}
	fmt.Fprintf(b, "\t\tNew: func() *%s {\n", whole)
	for _, v := range c.changed() {
		fmt.Fprintf(b, "\t\t\t// TODO: give %s the value that it has at the start of a match.\n", v.Name)
	}
	fmt.Fprintf(b, "\t\t\treturn &%s{\n", whole)
	for _, m := range c.Members {
		one, remark := c.made(m)
		fmt.Fprintf(b, "\t\t\t\t%s: %s,%s\n", m.Name, one, remark)
	}
	for _, v := range c.changed() {
		fmt.Fprintf(b, "\t\t\t\t%s: &%s,\n", c.field(v), v.Name)
	}
	b.WriteString("\t\t\t}\n\t\t},\n")
}

// step writes the step.
func (c *code) step(b *strings.Builder, whole string) {
	fmt.Fprintf(b, "\t\tStep: func(g *%s, t *rollback.Tick[%s]) {\n", whole, c.input)
	fmt.Fprintf(b, "\t\t\t// TODO: hand over the inputs, t.Input(0), t.Input(1) and so on, in place of what the step reads from devices.\n")
	var args []string
	call := c.fn.Name()
	for i, p := range c.fn.Params {
		arg, remark := c.argument(i, p.Name(), p.Type())
		if remark != "" {
			fmt.Fprintf(b, "\t\t\t// TODO: %s\n", remark)
		}
		if i == 0 && c.fn.Signature.Recv() != nil {
			call = receiver(arg) + "." + call
			continue
		}
		args = append(args, arg)
	}
	fmt.Fprintf(b, "\t\t\t%s(%s)\n\t\t},\n", call, strings.Join(args, ", "))
}

// receiver puts an expression into parentheses if a selector needs them.
func receiver(expression string) string {
	if strings.HasPrefix(expression, "*") {
		return "(" + expression + ")"
	}
	return expression
}

// argument returns what a step gets for a parameter, and what a person has to decide about it.
func (c *code) argument(i int, name string, t types.Type) (expression, remark string) {
	for _, m := range c.Members {
		if m.param == i {
			if c.single() {
				return "g", ""
			}
			return "g." + m.Name, ""
		}
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && packageOf(named) == "time" && named.Obj().Name() == "Duration" {
		c.imports["time"] = true
		return "time.Second / 60", ""
	}
	if basic, ok := t.Underlying().(*types.Basic); ok && basic.Info()&types.IsFloat != 0 {
		return "1.0 / 60", "" // the time since the last frame
	}
	zero := "*new(" + c.text(t) + ")"
	if i == 0 && c.fn.Signature.Recv() != nil {
		return zero, "the game that the step works on, made once"
	}
	return zero, fmt.Sprintf("%s, the parameter %s of the step", strings.TrimPrefix(zero, "*new"), name)
}

// options writes what is left out of the state.
func (c *code) options(b *strings.Builder) {
	functions := false
	for _, r := range c.Refused {
		if r.Func {
			functions = true
			continue
		}
		fmt.Fprintf(b, ",\n\t\tcanon.Leave(%q) /* %s: TODO: is it no part of a match? */", r.Place, r.What)
	}
	if functions {
		// No other machine knows a function that is made while the match runs, so such states are not encoded.
		b.WriteString(",\n\t\tcanon.Functions() /* TODO: is all that these functions have captured, and that changes, reached by the state in another way, too? */")
	}
	if !functions {
		fmt.Fprintf(b, ",\n\t\tcanon.Encoded(%s) /* states can be sent: to late joiners, and into recordings */", strings.Join(c.examples(), ", "))
	}
	if strings.Contains(b.String(), ",\n\t\tcanon.") {
		b.WriteString(",\n\t")
	}
}

// examples returns values of the types that may be behind interfaces of the state, as far as the package can name them:
// each type, and the pointer to it.
func (c *code) examples() (list []string) {
	for _, n := range c.behind {
		if n.Obj().Pkg() == c.Package || n.Obj().Exported() {
			name := c.text(n)
			list = append(list, name+"{}", "(*"+name+")(nil)")
		}
	}
	return list
}
