package inject_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint/internal/inject"
	"github.com/tickback/tickback/detlint/internal/rules"
)

// Rule: every kind of fault names existing rules, and the lines at fault.
func TestKindsAreWellFormed(t *testing.T) {
	names := map[string]bool{}
	for _, k := range inject.Kinds {
		if names[k.Name] {
			t.Errorf("there are two kinds %q", k.Name)
		}
		names[k.Name] = true
		if !strings.Contains(k.Decl+k.Body, inject.Mark) {
			t.Errorf("%s has no line that is at fault", k.Name)
		}
		for _, r := range k.Rules {
			if rules.Get(r) == nil {
				t.Errorf("%s: there is no rule %q", k.Name, r)
			}
		}
	}
	if len(inject.Kinds) < 20 {
		t.Errorf("there are %d kinds", len(inject.Kinds))
	}
}

// Rule: every kind of fault, in every shape, compiles in a game and is found, on a line at fault; without a fault,
// nothing is found.
func TestEveryKindIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("it examines a game many times")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	game, err := inject.Open(root, "github.com/tickback/tickback", "games/duel")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 0))
	for n := range max(len(inject.Kinds), len(inject.Shapes)) {
		f, ok := inject.Draw(r, n, game.Places)
		if !ok {
			t.Errorf("%s has no place", f.Kind.Name)
			continue
		}
		if !f.Kind.Tick {
			f.Shape = &inject.Shapes[n%len(inject.Shapes)]
		}
		v, err := game.Examine(&f)
		if err != nil {
			t.Fatal(err)
		}
		if !v.Found {
			t.Errorf("%v is not found; what is: %s", &f, strings.Join(v.Near, "\n"))
		}
	}
	quiet := inject.Kind{Name: "none", Rules: []string{"clock"}, Body: "\nout = 1 " + inject.Mark}
	f, _ := inject.Draw(r, 0, game.Places)
	f.Kind = &quiet
	if v, err := game.Examine(&f); err != nil || v.Found || len(v.Near) > 0 {
		t.Errorf("without a fault: %v, %v", v, err)
	}
}
