package tickbacktest

import (
	"pgregory.net/rapid"

	"github.com/tickback/tickback/rollback"
)

// longestHold is the maximum number of frames for which a random input is held: half a second.
const longestHold = 30

var (
	holds  = rapid.OneOf(rapid.IntRange(1, 3), rapid.IntRange(1, longestHold))
	depths = rapid.SampledFrom([]int{7, 7, 7, 1, 2, 12})
)

// source makes matches.
type source[I comparable] struct {
	Options[I]
	codec[I]
	holds *rapid.Generator[int]
	pool  map[I]struct{} // values that Generate has made, for use in shrinking
}

// maxPool is the maximum number of values that are kept.
const maxPool = 256

func newSource[I comparable](o Options[I]) (*source[I], error) {
	c, err := newCodec[I]()
	return &source[I]{o, c, holds, map[I]struct{}{}}, err
}

// given returns the match defined by Options.Inputs.
func (s *source[I]) given() *match[I] {
	m := newMatch[I](s.Players, s.Frames)
	for i := range m.inputs {
		m.inputs[i] = s.Inputs(rollback.Player(i%s.Players), rollback.Frame(i/s.Players))
	}
	if m.depth = s.Depth; m.depth == 0 {
		m.depth = 7
	}
	return m
}

// random returns a random match.
func (s *source[I]) random(t *rapid.T) *match[I] {
	m := newMatch[I](s.Players, s.Frames)
	if m.depth = s.Depth; m.depth == 0 {
		m.depth = depths.Draw(t, "depth")
	}
	for p := range s.Players {
		s.play(t, m, p)
		if s.MaxOrders > 0 {
			s.command(t, m, p)
		}
		if !s.Stay && rapid.Bool().Draw(t, "leaves") {
			s.leave(t, m, rollback.Player(p))
		}
	}
	m.tidy()
	return m
}

// play fills in the inputs of a player, each held for a while.
func (s *source[I]) play(t *rapid.T, m *match[I], p int) {
	for f := 0; f < m.frames(); {
		in := s.input(t)
		for end := min(f+s.holds.Draw(t, "held for"), m.frames()); f < end; f++ {
			m.inputs[f*m.players+p] = in
		}
	}
}

func (s *source[I]) input(t *rapid.T) I {
	if s.Generate == nil {
		return s.draw(t)
	}
	in := s.Generate.Draw(t, "input")
	if len(s.pool) < maxPool {
		s.pool[in] = struct{}{}
	}
	return in
}

// command fills in a player's orders: in about every 20th frame.
func (s *source[I]) command(t *rapid.T, m *match[I], p int) {
	orders := s.Orders
	if orders == nil {
		orders = rapid.SliceOfN(rapid.Byte(), 1, min(s.MaxOrders, 16))
	}
	for f := -1; ; {
		if f += rapid.IntRange(1, 40).Draw(t, "frames to orders"); f >= m.frames() {
			return
		}
		o := orders.Draw(t, "orders")
		m.orders[f*m.players+p] = o[:min(len(o), s.MaxOrders)]
	}
}

// leave makes a player leave, and in most cases come back.
func (s *source[I]) leave(t *rapid.T, m *match[I], p rollback.Player) {
	from := rapid.IntRange(0, m.frames()-1).Draw(t, "leaves at")
	away := rapid.IntRange(1, m.frames()).Draw(t, "is away for")
	for f := from; f < min(from+away, m.frames()); f++ {
		m.gone[f] |= rollback.SetOf(p)
	}
}
