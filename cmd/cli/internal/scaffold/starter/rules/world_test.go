//go:build starter_world

package rules

import (
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/world"
)

// begun returns the state in which a match with this seed begins.
func begun(t *testing.T, seed uint64) *State {
	t.Helper()
	s, err := world.New[State]()
	if err != nil {
		t.Fatal(err)
	}
	start, err := Start(tickback.Parameters{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	start(s)
	return s
}

// A match with another seed begins with other coins, and another match with the same seed with the same ones.
func TestStart(t *testing.T) {
	a, b, other := begun(t, 1), begun(t, 1), begun(t, 2)
	if a.Coins.Len() != CoinCount || world.Hash(a) != world.Hash(b) || world.Hash(a) == world.Hash(other) {
		t.Errorf("%d coins, hashes %x, %x and %x", a.Coins.Len(), world.Hash(a), world.Hash(b), world.Hash(other))
	}
}

// A state without a seed, which another machine could send, is refused.
func TestCheck(t *testing.T) {
	s := begun(t, 1)
	if err := check(s); err != nil {
		t.Error(err)
	}
	world.Update(s, world.Clear)
	if check(s) == nil {
		t.Error("an empty world is accepted")
	}
}
