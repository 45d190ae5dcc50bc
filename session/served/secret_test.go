package served_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/served"
	"github.com/tickback/tickback/session/stream"
)

type (
	config = served.ServerConfig
	hooks  = served.ServerHooks[tanks.State, tanks.Input]
)

// guesses returns how many of the spawns of a match equal those drawn by a generator with a given seed.
func guesses(h *house, seed uint64) (right, of int) {
	gen := tanks.New(seed).Rng
	var deaths [tanks.MaxPlayers]uint16
	for i := range h.states {
		for p := range h.states[i].Tanks {
			tank := &h.states[i].Tanks[p]
			if tank.Deaths == deaths[p] {
				continue
			}
			deaths[p] = tank.Deaths
			if of++; tank.Spawn == uint8(rng.Must(gen.Bounded(tanks.Spawns)))+1 {
				right++
			}
		}
	}
	return right, of
}

// Rule: the data that a client with partial sight gets does not help it to guess where others will
// appear; the seed of the server would.
func TestGuessesAtWhatIsHiddenAreNoBetterThanChance(t *testing.T) {
	h := newHouse(t, 7, 6, netem.Link{Delay: 20 * ms}, tanks.Sight, nil)
	for node := 1; node <= 6; node++ {
		h.join(node)
	}
	h.run(3 * time.Minute)
	secret, _ := h.server.Proposal()
	right, of := guesses(h, secret.Seed)
	if of < 60 || right < of*9/10 { // those destroyed in the same tick may have drawn in another order
		t.Fatalf("of %d spawns, the true seed explains %d", of, right)
	}
	chance := float64(of) / tanks.Spawns
	most := int(chance + 4*math.Sqrt(chance))
	for node, g := range h.clients {
		told, match := g.Proposal()
		if right, _ := guesses(h, told.Seed); match != 1 || right > most {
			t.Errorf("client %d is told seed %d: it guesses %d of %d spawns, and by chance it would be %.0f", node+1, told.Seed, right, of, chance)
		}
	}
}

// Rule: with partial sight the seed is one that nobody can guess, unless it is given; with full sight it
// is the given one.
func TestASecretSeedIsRandom(t *testing.T) {
	seed := func(look func(*tanks.State, rollback.Player) rollback.PlayerSet, given uint64) uint64 {
		h := newHouse(t, 1, 1, clean, look, func(c *config, k *hooks) { c.Match.Seed, k.Start = given, start })
		p, _ := h.server.Proposal()
		if want := tanks.New(p.Seed); h.states[0] != want {
			t.Errorf("seed %d: state 0 is another one", given)
		}
		return p.Seed
	}
	if a, b := seed(tanks.Sight, 0), seed(tanks.Sight, 0); a < 1<<32 || a != b { // the test's random numbers are the same
		t.Errorf("seeds %d and %d", a, b)
	}
	if a, b := seed(tanks.Sight, 9), seed(nil, 0); a != 9 || b != 0 {
		t.Errorf("seeds %d and %d", a, b)
	}
}

// Rule: a game that reveals its generator is refused: through a state 0 that clients can make as well, or
// through a Sight that leaves the generator, or anything derived from it.
func TestASightThatGivesAwayAGeneratorIsRefused(t *testing.T) {
	sight := func(more func(s *tanks.State, r rng.Xorshift128Plus)) func(*tanks.State, rollback.Player) rollback.PlayerSet {
		return func(s *tanks.State, p rollback.Player) rollback.PlayerSet {
			r := s.Rng
			told := tanks.Sight(s, p)
			if p == 3 {
				more(s, r)
			}
			return told
		}
	}
	for want, k := range map[string]hooks{
		"":                               {Sight: tanks.Sight, Start: start},
		"Start is required with a Sight": {Sight: tanks.Sight},
		`player 3 is told "Rng.S0"`:      {Start: start, Sight: sight(func(s *tanks.State, r rng.Xorshift128Plus) { s.Rng = r })},
		`player 3 is told "Rng.S1"`:      {Start: start, Sight: sight(func(s *tanks.State, r rng.Xorshift128Plus) { s.Rng.S1 = r.S1 })},
		`player 3 is told "Tanks[5].Deaths", which`: {Start: start, Sight: sight(func(s *tanks.State, r rng.Xorshift128Plus) { s.Tanks[5].Deaths = uint16(r.Next()) })},
	} {
		_, err := served.NewServer(tanks.Game(1), config{
			Game: served.Game{ID: "tanks", Players: 16}, Match: stream.Parameters{Seed: 5}, Random: func() uint64 { return 1 },
		}, k)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
