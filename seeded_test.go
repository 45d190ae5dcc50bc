package tickback_test

import (
	"testing"

	"github.com/tickback/tickback"
)

// State 0 is made from the seed of the match.
func TestSeededBeginsWithTheSeed(t *testing.T) {
	m, _, _ := local(t, tickback.Options[counter, uint32]{
		Match: tickback.Parameters{Seed: 71, Frames: 1},
		Start: tickback.Seeded(func(seed uint64) counter { return counter{Sum: seed} }),
	})
	defer m.Close()
	if s := *m.View().Current; s != (counter{Sum: 71}) {
		t.Errorf("the match begins with %+v", s)
	}
}
