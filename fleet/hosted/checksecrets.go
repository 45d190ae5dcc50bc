package hosted

import (
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/sight"
)

// secrets looks for data that reveals to a client what is hidden from it.
type secrets[S any] struct {
	generators *sight.Generators[S]
	sight      func(s *S, p Player) PlayerSet // nil if everybody may know everything
	places     int
}

func newSecrets[S any, I comparable](game *Game[S, I], plan *Plan) (*secrets[S], error) {
	c := &secrets[S]{places: plan.Places}
	if !plan.Partial {
		return c, nil
	}
	c.sight = game.Sight
	var err error
	c.generators, err = sight.GeneratorsOf[S]()
	return c, err
}

// state checks a state of the server, for one player after the other.
func (c *secrets[S]) state(f Frame, s *S) error {
	if c.sight == nil {
		return nil
	}
	return c.generators.Check(c.sight, s, Player(f%Frame(c.places)))
}

// startAt makes state 0 at a client, which must not be told the seed. From then on the client plays another match.
func (g *clientRun[S, I]) startAt(p session.Parameters) (func(*S), error) {
	if g.r.plan.Partial && p.Seed != 0 {
		g.r.violate(checkSecrets, g.number, "it is told the seed, %d", p.Seed)
	}
	t, process := truthOf(g.r, p)
	g.naive.truth = t
	seated(g.r, g, process)
	return g.r.start(p)
}
