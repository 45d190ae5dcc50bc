package skirmish

import (
	"errors"
	"hash/fnv"
	"testing"
)

// Rule: every start and every mine can be reached from every start, and there is room around them,
// whatever the seed, the size and the number of players.
func TestMapsAreFair(t *testing.T) {
	for seed := range uint64(40) {
		s := Setup{Seed: seed, Size: MinSize + int(seed%8)*16, Players: 2 + int(seed%7)}
		m, err := NewMap(s)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Starts) != s.Players || len(m.Mines) != 2*s.Players {
			t.Fatalf("seed %d: %d starts and %d mines for %d players", seed, len(m.Starts), len(m.Mines), s.Players)
		}
		for i, p := range m.Starts {
			for dy := -3; dy <= 3; dy++ {
				for dx := -3; dx <= 3; dx++ {
					if !m.At(int(p.X)+dx, int(p.Y)+dy).Open() {
						t.Errorf("seed %d: start %d has no room", seed, i)
					}
				}
			}
			if !m.reaches(m.Starts[0], p) {
				t.Errorf("seed %d: start %d cannot be reached", seed, i)
			}
		}
		for i, p := range m.Mines {
			if !m.reaches(m.Starts[0], p) {
				t.Errorf("seed %d: mine %d cannot be reached", seed, i)
			}
		}
	}
}

// Rule: maps have more than grass, and not too much of anything else.
func TestMapsHaveEverything(t *testing.T) {
	m, err := NewMap(Setup{Seed: 5, Size: 256, Players: 4})
	if err != nil {
		t.Fatal(err)
	}
	var count [4]int
	for _, g := range m.Ground {
		count[g]++
	}
	all := len(m.Ground)
	if count[Grass] < all/2 || count[Wood] < all/50 || count[Rock] < all/50 || count[Water] < all/50 {
		t.Errorf("%v of %d cells", count, all)
	}
}

// Rule: a setup always gives the same map, on every machine.
func TestFrozenMap(t *testing.T) {
	m, err := NewMap(Setup{Seed: 12345, Size: 128, Players: 5})
	if err != nil {
		t.Fatal(err)
	}
	h := fnv.New64a()
	for _, g := range m.Ground {
		h.Write([]byte{byte(g)})
	}
	for _, p := range append(m.Starts, m.Mines...) {
		h.Write([]byte{byte(p.X), byte(p.X >> 8), byte(p.Y), byte(p.Y >> 8)})
	}
	if got := h.Sum64(); got != 0xc35cb04344a99753 {
		t.Errorf("%#x", got)
	}
}

// Rule: an invalid setup is refused.
func TestSetupsAreChecked(t *testing.T) {
	good := Setup{Size: 128, Players: 4, Units: 10}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(s *Setup){
		"small":      func(s *Setup) { s.Size = MinSize - 16 },
		"large":      func(s *Setup) { s.Size = MaxSize + 16 },
		"odd":        func(s *Setup) { s.Size = 100 },
		"alone":      func(s *Setup) { s.Players = 1 },
		"crowd":      func(s *Setup) { s.Players = MaxPlayers + 1 },
		"negative":   func(s *Setup) { s.Units = -1 },
		"many units": func(s *Setup) { s.Units = MaxUnits + 1 },
		"nobody":     func(s *Setup) { s.Players = 0 },
		"too many":   func(s *Setup) { s.Players, s.Units = 8, MaxAll/8+1 },
	} {
		s := good
		change(&s)
		if _, err := NewMap(s); !errors.Is(err, ErrSetup) {
			t.Errorf("%s: %+v: %v", name, s, err)
		}
	}
}
