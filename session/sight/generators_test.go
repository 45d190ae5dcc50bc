package sight

import (
	"errors"
	"strings"
	"testing"

	"github.com/tickback/tickback/rng"
)

// lottery is a state with generators in several places, beside other fields.
type lottery struct {
	Round uint32
	Main  rng.Xorshift128Plus
	Desks [3]struct {
		Open bool
		Own  rng.Xorshift128Plus
	}
	None  [0]rng.Xorshift128Plus
	Drawn uint32
	Last  foreign
}

// foreign is a generator of another package.
type foreign struct{ A, B uint64 }

func (f *foreign) Uint64() uint64 { f.A += f.B; return f.A }

// blanked shows a player everything except the generators.
func blanked(s *lottery, _ Player) PlayerSet {
	s.Main, s.Last = rng.Xorshift128Plus{}, foreign{}
	for i := range s.Desks {
		s.Desks[i].Own = rng.Xorshift128Plus{}
	}
	return 0
}

// Rule: each generator of a state is found, of package rng and of others, wherever it is; a Sight that blanks all of them
// is accepted, and one that leaves any, or anything that follows from one, is refused with the player and the path.
func TestGeneratorsAreFoundWhereverTheyLie(t *testing.T) {
	g, err := GeneratorsOf[lottery]()
	if err != nil {
		t.Fatal(err)
	}
	if path, any := g.First(); path != "Main" || !any {
		t.Errorf("the first one is %q, %v", path, any)
	}
	s := lottery{Round: 7, Drawn: 9, Last: foreign{3, 5}}
	before := s
	for what, c := range map[string]struct {
		sight func(s *lottery, p Player) PlayerSet
		told  string // empty: it is right
	}{
		"all are blanked": {blanked, ""},
		"nothing is":      {func(*lottery, Player) PlayerSet { return 0 }, "Main"},
		"the main one is left": {func(s *lottery, p Player) PlayerSet {
			own := s.Main
			blanked(s, p)
			s.Main = own
			return 0
		}, "Main"},
		"one of a desk is left": {func(s *lottery, p Player) PlayerSet {
			own := s.Desks[2].Own
			blanked(s, p)
			s.Desks[2].Own = own
			return 0
		}, "Desks[2].Own"},
		"one of another package is left": {func(s *lottery, p Player) PlayerSet {
			own := s.Last
			blanked(s, p)
			s.Last = own
			return 0
		}, "Last"},
		"what one draws is told": {func(s *lottery, p Player) PlayerSet {
			s.Drawn = uint32(s.Last.Uint64())
			return blanked(s, p)
		}, "Drawn"},
		"what one draws is told to another player": {func(s *lottery, p Player) PlayerSet {
			if p != 2 {
				s.Drawn = uint32(s.Last.Uint64())
			}
			return blanked(s, p)
		}, ""},
	} {
		for range 2 { // the memory of a check is used again
			err := g.Check(c.sight, &s, 2)
			var leak *GeneratorError
			if c.told == "" && err != nil || c.told != "" && (!errors.As(err, &leak) || leak.Player != 2 || !strings.HasPrefix(leak.Told, c.told)) {
				t.Errorf("%s: %v", what, err)
			}
		}
		if s != before {
			t.Fatalf("%s: the state was changed", what)
		}
	}
	if err := (&GeneratorError{2, "Drawn"}).Error(); !strings.Contains(err, `player 2 is told "Drawn"`) {
		t.Error(err)
	}
}

// shell is a generator around another one, and coin one of a single byte.
type (
	shell struct{ foreign }
	coin  struct{ N uint8 }
)

func (c *coin) Uint64() uint64 { c.N = c.N*5 + 1; return uint64(c.N) }

// only is a state with nothing else than a generator.
type only[G any] struct{ Own G }

// leaks checks that a sight which leaves the only generator of a state is refused, and one that blanks it is not.
func leaks[G any](t *testing.T, made G) {
	t.Helper()
	g, err := GeneratorsOf[only[G]]()
	if err != nil {
		t.Fatal(err)
	}
	s, leak := only[G]{made}, (*GeneratorError)(nil)
	err = g.Check(func(*only[G], Player) PlayerSet { return 0 }, &s, 1)
	if path, any := g.First(); !any || !strings.HasPrefix(path, "Own") || !errors.As(err, &leak) || !strings.HasPrefix(leak.Told, "Own") {
		t.Errorf("%T, of which %q is found, is left: %v", made, path, err)
	}
	if err := g.Check(func(s *only[G], _ Player) PlayerSet { *s = only[G]{}; return 0 }, &s, 1); err != nil {
		t.Errorf("%T is blanked: %v", made, err)
	}
}

// Rule: a generator is found if it is the only one of a state, if it takes a single byte, and if another one is around it.
func TestAnOnlyGeneratorIsFound(t *testing.T) {
	leaks(t, foreign{3, 5})
	leaks(t, shell{foreign{3, 5}})
	leaks(t, coin{7})
}

// Rule: a state without generators is accepted, whatever the Sight leaves.
func TestAStateWithoutGenerators(t *testing.T) {
	type plain struct {
		A uint64
		B [2]struct{ C uint32 }
	}
	g, err := GeneratorsOf[plain]()
	if err != nil {
		t.Fatal(err)
	}
	if path, any := g.First(); path != "" || any {
		t.Errorf("it has %q", path)
	}
	if err := g.Check(func(*plain, Player) PlayerSet { return 0 }, &plain{A: 1}, 0); err != nil {
		t.Error(err)
	}
	if _, err := GeneratorsOf[struct{ P *int }](); err == nil {
		t.Error("a state that cannot be encoded has generators")
	}
}
