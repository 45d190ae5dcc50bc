package session

import (
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

// layers are those of a Machine, each of which has the one before it inside, and knows nothing of those behind it.
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

// mixed returns the layers, besides Machine, of which a file has methods.
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

// Rule: a file has methods of one layer, besides those of Machine, which are what its users call.
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

// settled fails the test unless all that was noted in a call has been done at its end.
func (m *Machine) settled(t testing.TB) {
	if len(m.losses) > 0 || m.justFailed {
		t.Helper()
		t.Fatalf("%d losses and a failure (%v) are left to be done: %v", len(m.losses), m.justFailed, m.err)
	}
}

// What a call does, as far as that may lose a peer or fail, is done when it returns: the stream to the peer is full in each.
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
			if strings.HasPrefix(name, "U") || name == "Step" || name == "Poll" { // what others have noted is done there, too
				m.lose(m.links[0], "for a test")
			}
			if err := call(tr, m); err != nil {
				t.Fatal(err)
			}
			m.settled(t)
		})
	}
}

// A peer that is lost in the call in which the session fails is told so, as one that is lost before.
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
