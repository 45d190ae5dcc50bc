package session

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// layers are those of a Machine. Each embeds the previous one, and knows nothing of the later ones.
var layers = []string{"base", "play", "sender", "readers", "admitting", "closing", "members", "joining", "lobbying", "Machine"}

// Rule: each layer embeds the one below, and no other.
func TestEachLayerStandsOnTheOneBelow(t *testing.T) {
	kind := reflect.TypeFor[Machine]()
	for i := len(layers) - 1; ; i-- {
		if kind.Name() != layers[i] {
			t.Fatalf("%s is where %s should be", kind.Name(), layers[i])
		}
		if i == 0 {
			return
		}
		below := reflect.Type(nil)
		for f := range kind.NumField() {
			if f := kind.Field(f); f.Anonymous && slices.Contains(layers, f.Type.Name()) {
				if below != nil {
					t.Fatalf("%s stands on %s and on %s", kind.Name(), below.Name(), f.Type.Name())
				}
				below = f.Type
			}
		}
		if below == nil {
			t.Fatalf("%s stands on nothing", kind.Name())
		}
		kind = below
	}
}

// mixed returns the layers, besides Machine, whose methods a file contains.
func mixed(f *ast.File) (found []string) {
	for _, d := range f.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Recv == nil {
			continue
		}
		star, ok := d.Recv.List[0].Type.(*ast.StarExpr)
		if !ok {
			continue
		}
		if name, ok := star.X.(*ast.Ident); ok && name.Name != "Machine" && slices.Contains(layers, name.Name) && !slices.Contains(found, name.Name) {
			found = append(found, name.Name)
		}
	}
	return found
}

// Rule: a file has methods of one layer, besides those of Machine, which are called by its users.
func TestAFileIsOfOneLayer(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil || len(paths) < 40 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if of := mixed(f); len(of) > 1 {
			t.Errorf("%s has methods of %v", path, of)
		}
	}
	// The negative control.
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p; func (m *play) a() {}; func (m *Machine) b() {}; func (m *members) c() {}; func (l *link) d() {}", 0)
	if err != nil {
		t.Fatal(err)
	}
	if of := mixed(f); !slices.Equal(of, []string{"play", "members"}) {
		t.Errorf("a file of two layers is one of %v", of)
	}
}

// fieldsOf returns the layer that each field belongs to, by the field's name. Two fields with one name are an error.
func fieldsOf(files []*ast.File) (owner map[string]string, err error) {
	owner = map[string]string{}
	for _, f := range files {
		for _, d := range f.Decls {
			d, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range d.Specs {
				s, ok := s.(*ast.TypeSpec)
				if !ok || s.Name.Name != "peers" && !slices.Contains(layers, s.Name.Name) {
					continue
				}
				for _, field := range s.Type.(*ast.StructType).Fields.List {
					for _, n := range field.Names {
						if owner[n.Name] != "" {
							err = fmt.Errorf("%s and %s both have a field %s", owner[n.Name], s.Name.Name, n.Name)
						}
						owner[n.Name] = s.Name.Name
					}
				}
			}
		}
	}
	return owner, err
}

// foreign returns the places where a method of one layer writes a field of another one.
func foreign(files []*ast.File, owner map[string]string) (found []string) {
	for _, f := range files {
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Recv == nil || len(d.Recv.List[0].Names) == 0 {
				continue
			}
			star, ok := d.Recv.List[0].Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			layer, ok := star.X.(*ast.Ident)
			if !ok || layer.Name != "peers" && !slices.Contains(layers, layer.Name) {
				continue
			}
			written := func(e ast.Expr) {
				for {
					switch x := e.(type) {
					case *ast.IndexExpr:
						e = x.X
						continue
					case *ast.ParenExpr:
						e = x.X
						continue
					case *ast.SelectorExpr:
						if base, ok := x.X.(*ast.Ident); !ok || base.Name != d.Recv.List[0].Names[0].Name {
							e = x.X
							continue
						}
						// What is inside a field may be a type of its own, which others count in.
						if o := owner[x.Sel.Name]; o != "" && o != layer.Name && e == ast.Expr(x) {
							found = append(found, fmt.Sprintf("%s.%s writes %s of %s", layer.Name, d.Name.Name, x.Sel.Name, o))
						}
					}
					return
				}
			}
			ast.Inspect(d.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.AssignStmt:
					if n.Tok != token.DEFINE {
						for _, e := range n.Lhs {
							written(e)
						}
					}
				case *ast.IncDecStmt:
					written(n.X)
				case *ast.RangeStmt:
					if n.Tok == token.ASSIGN {
						written(n.Key)
						if n.Value != nil {
							written(n.Value)
						}
					}
				}
				return true
			})
		}
	}
	return found
}

// Rule: a layer writes its own fields only. What another one should become, its methods say.
func TestALayerWritesItsOwnFieldsOnly(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil || len(paths) < 40 {
		t.Fatal(paths, err)
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	owner, err := fieldsOf(files)
	if err != nil || len(owner) < 30 {
		t.Fatal(len(owner), err)
	}
	if found := foreign(files, owner); len(found) > 0 {
		t.Errorf("%d writes from outside:\n%s", len(found), strings.Join(found, "\n"))
	}
	// The negative control.
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", `package p
func (m *members) a() { m.phase, m.news = Over, nil; m.links[0] = nil; (m.frame)++; for m.err = range list {} }
func (m *base) b() { m.phase = Over; x := m.frame; x++; m.counts.sent++ }
func (m *members) c(l *link) { l.frame = 1; phase := 1; phase++ }`, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"members.a writes phase of base", "members.a writes links of peers", "members.a writes frame of play", "members.a writes err of base"}
	if found := foreign([]*ast.File{f}, owner); !slices.Equal(found, want) {
		t.Errorf("the writes of a file that has four are %q", found)
	}
}

// settled fails the test unless everything noted during a call has been handled at its end.
func (m *Machine) settled(t testing.TB) {
	if len(m.losses) > 0 || m.justFailed {
		t.Helper()
		t.Fatalf("%d losses and a failure (%v) are left to be done: %v", len(m.losses), m.justFailed, m.err)
	}
}

// If a call loses a peer or fails, the consequences are handled when it returns: the stream to the peer is full in each
// case.
func TestEachCallSettlesWhatItNotes(t *testing.T) {
	calls := map[string]func(tr *trio, m *Machine) error{
		"Propose": func(tr *trio, m *Machine) error { return m.Propose(Parameters{}) },
		"Accept":  func(_ *trio, m *Machine) error { return m.Accept() },
		"Ready":   func(_ *trio, m *Machine) error { return m.Ready() },
		"Refuse":  func(_ *trio, m *Machine) error { return m.Refuse("no") },
		"Kick":    func(_ *trio, m *Machine) error { return m.Kick(1<<1, "go") },
		"Pause":   func(_ *trio, m *Machine) error { return m.Pause() },
		"Unpause": func(_ *trio, m *Machine) error { return m.Unpause() },
		"Leave":   func(_ *trio, m *Machine) error { m.Leave("bye"); return nil },
		"Update":  func(tr *trio, m *Machine) error { m.Update(tr.now); return nil },
		"Step":    func(tr *trio, m *Machine) error { m.Step(tr.now); return nil },
		"Poll":    func(tr *trio, m *Machine) error { m.Poll(tr.now); return nil },
		"Receive": func(tr *trio, m *Machine) error { m.Receive(tr.now, addrOf(1), []byte{0}); return nil },
		"SetToken": func(_ *trio, m *Machine) error {
			return m.SetToken([]byte("another token, for others"))
		},
	}
	// These post nothing, and change nothing that can fail.
	calm := []string{
		"Deciding", "Done", "Err", "Events", "Health", "Log", "Outcome", "Outgoing", "Paused", "Phase", "Progress", "Proposal", "Record",
		"Recorded", "Report", "Send", "SetDelay", "Stats", "StopRecording", "Urgent",
	}
	all := reflect.TypeFor[*Machine]()
	for i := range all.NumMethod() {
		if name := all.Method(i).Name; calls[name] == nil && !slices.Contains(calm, name) {
			t.Errorf("does %s settle what it notes?", name)
		}
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			tr := newTrio(t, 3, func(c *Config) {
				c.OnLeave, c.Lobby, c.Token = Continue, true, []byte("everybody may come in")
			})
			who := 0
			switch name {
			case "Propose":
				tr.reach(Lobby)
			case "Accept", "Refuse", "Ready":
				who = 1
				tr.reach(Starting)
				if name == "Ready" {
					if err := tr.peers[1].Accept(); err != nil {
						t.Fatal(err)
					}
				}
			default:
				tr.reach(Playing)
			}
			m := tr.peers[who].Machine
			for _, l := range m.links {
				for l.Channel.Send(make([]byte, MaxMessage)) == nil || l.Channel.Send([]byte{0}) == nil {
				}
			}
			if strings.HasPrefix(name, "U") || name == "Step" || name == "Poll" { // things noted by others are handled there, too
				m.lose(m.links[0], "for a test")
			}
			if err := call(tr, m); err != nil {
				t.Fatal(err)
			}
			m.settled(t)
		})
	}
}

// A peer that is lost in the call in which the session fails is notified, like one that is lost before.
func TestWhoIsLostAsTheSessionFailsIsTold(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby = true })
	tr.reach(Lobby)
	m := tr.peers[0].Machine
	lost, other := m.links[0], m.links[1]
	m.lose(lost, "for a test")
	m.fail(ErrClosed)
	m.handleLosses()
	if lost.state != gone || lost.farewells == 0 || lost.Channel.Pending() == 0 || other.state != connected || other.Channel.Pending() == 0 {
		t.Errorf("who was lost is %v with %d bytes to come, the other %v with %d", lost.state, lost.Channel.Pending(), other.state, other.Channel.Pending())
	}
	tr.run(time.Second)
	if err := tr.peers[1].Err(); err == nil {
		t.Error("who was lost does not know it")
	}
}
