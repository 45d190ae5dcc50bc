package sight_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/sight"
)

// walkers are how many there are in the small game.
const walkers = 4

// act is what a walker does.
type act struct {
	Dir  int8
	Jump bool
	Aim  uint16
}

// walk is the state of the small game: walkers on a line, who see each other when they are near, and
// dice that nobody sees.
type walk struct {
	Frame uint32
	Who   [walkers]walker
	Dice  uint64
}

type walker struct {
	At     int16
	Here   bool
	Veiled bool // only in what sight leaves
	Aim    uint16
	Heard  uint32 // of orders
	Secret uint8  // known to itself
}

// walkGame has orders, players that come and go, and a jump decided by the hidden dice.
func walkGame() rollback.Game[walk, act] {
	return rollback.Game[walk, act]{
		Init: func(s *walk) { s.Dice = 1 },
		Step: func(s *walk, t *rollback.Tick[act]) {
			s.Frame++
			if s.Dice != 0 {
				s.Dice = s.Dice*6364136223846793005 + 1442695040888963407
			}
			for p := range t.Players() {
				w := &s.Who[p]
				if w.Here = t.Status(p) != rollback.Disconnected; !w.Here {
					*w = walker{}
				}
				if w.Veiled || !w.Here {
					continue
				}
				in := t.Input(p)
				if w.At += int16(in.Dir); in.Jump {
					w.At += int16(s.Dice >> 60)
				}
				w.At, w.Aim = min(max(w.At, -300), 300), in.Aim
				for _, b := range t.Orders(p) {
					w.Heard = w.Heard*31 + uint32(b)
					w.Secret += b
				}
			}
		},
	}
}

func walkSight(s *walk, p rollback.Player) rollback.PlayerSet {
	s.Dice = 0
	told, me := rollback.SetOf(p), s.Who[p]
	for q := range rollback.Player(walkers) {
		w := &s.Who[q]
		switch far := int(w.At) - int(me.At); {
		case q == p || !w.Here:
		case me.Here && !w.Veiled && far > -100 && far < 100:
			w.Secret = 0
			told |= rollback.SetOf(q)
		default:
			*w = walker{Here: true, Veiled: true}
		}
	}
	return told
}

// tape is all that a server has done.
type tape struct {
	states []walk
	inputs [][]act
	orders [][][]byte
	gone   []rollback.PlayerSet
}

// Rule: in a game with orders, with players that come and go, whatever is lost and reordered, a
// client gets the inputs and orders of the players that it sees, in every tick, and of nobody else,
// and each state is what it may know, to the bit.
func TestAClientIsToldOfThoseThatItSees(t *testing.T) {
	seeds := uint64(30)
	if testing.Short() {
		seeds = 6
	}
	applied, ordered, hidden := 0, 0, 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 4))
		c := sight.Config[walk, act]{Game: walkGame(), Players: walkers, MaxOrders: 9, Sight: walkSight}
		truth, err1 := sight.NewTruth(c)
		run, err2 := rollback.NewStepper[walk, act](c.Game, walkers, 9)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		log := tape{states: []walk{*run.State()}}
		truth.Begin(0, run.State(), 0)
		type letter struct {
			state, due rollback.Frame
			bytes      []byte
		}
		var mirrors [walkers]*sight.Decoder[walk, act]
		var ways [walkers][]letter
		var acked [walkers]rollback.Frame
		for p := range mirrors {
			m, err := sight.NewMirror(c, rollback.Player(p))
			if err != nil {
				t.Fatal(err)
			}
			mirrors[p] = m
		}
		in, gone := make([]act, walkers), rollback.PlayerSet(0)
		for tick := range rollback.Frame(400) {
			var orders [][]byte
			for p := range in {
				if r.IntN(3) == 0 {
					in[p] = act{Dir: int8(r.IntN(31) - 15), Jump: r.IntN(6) == 0, Aim: uint16(r.Uint32N(3)) << (8 * r.IntN(2))}
				}
			}
			if r.IntN(20) == 0 {
				gone ^= 1 << r.IntN(walkers)
			}
			if r.IntN(4) == 0 {
				orders = make([][]byte, walkers)
				for i := range orders {
					orders[i] = []byte("order 123")[:r.IntN(10)]
				}
			}
			given := append([]act(nil), in...)
			if err := run.Step(given, orders, gone); err != nil {
				t.Fatal(err)
			}
			truth.Add(in, orders, gone, run.State(), 0)
			log.states, log.inputs = append(log.states, *run.State()), append(log.inputs, append([]act(nil), in...))
			log.orders, log.gone = append(log.orders, orders), append(log.gone, gone)
			for p, m := range mirrors {
				who := rollback.Player(p)
				b, err := truth.Append(nil, who, acked[p], r.IntN(5) == 0, 1000)
				if _, any := m.Newest(); !any || errors.Is(err, sight.ErrBaseline) {
					m.Forget()
					whole, err := truth.AppendWhole(nil, who, nil)
					if err != nil {
						t.Fatal(err)
					}
					u, err := m.Whole(tick+1, whole)
					if err != nil || *u.Value != blankWalk(log.states[tick+1], who) {
						t.Fatalf("seed %d, player %d: whole state %d: %v", seed, p, tick+1, err)
					}
					acked[p], ways[p] = tick+1, nil
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if r.IntN(5) > 0 {
					ways[p] = append(ways[p], letter{tick + 1, tick + rollback.Frame(r.IntN(6)), b})
				}
				var later []letter
				for _, l := range ways[p] {
					if l.due > tick {
						later = append(later, l)
						continue
					}
					u, err := m.Apply(l.state, l.bytes)
					if errors.Is(err, sight.ErrBaseline) {
						continue // it was overtaken
					}
					if err != nil {
						t.Fatalf("seed %d, player %d, state %d: %v", seed, p, l.state, err)
					}
					applied++
					o, h := log.check(t, u, who)
					ordered, hidden = ordered+o, hidden+h
				}
				ways[p] = later
				if newest, _ := m.Newest(); r.IntN(3) > 0 {
					acked[p] = newest
				}
			}
		}
	}
	if applied < int(seeds)*600 || ordered < 1000 || hidden < 1000 {
		t.Errorf("%d updates, %d orders told, %d inputs not told", applied, ordered, hidden)
	}
}

func blankWalk(s walk, p rollback.Player) walk {
	walkSight(&s, p)
	return s
}

// check compares an update with what happened, and counts the orders and the inputs that are hidden.
func (l *tape) check(t *testing.T, u *sight.Update[walk, act], p rollback.Player) (ordered, hidden int) {
	t.Helper()
	if *u.Value != blankWalk(l.states[u.State], p) || int(u.State-u.From) != len(u.Ticks) {
		t.Fatalf("player %d: state %d from %d, with %d ticks, is another one", p, u.State, u.From, len(u.Ticks))
	}
	for i, k := range u.Ticks {
		f := int(u.From) + i
		view := l.states[f]
		told := walkSight(&view, p) &^ l.gone[f]
		if k.Told != told || k.Gone != l.gone[f] {
			t.Fatalf("player %d, tick %d: told of %v, gone %v; want %v, %v", p, f, k.Told, k.Gone, told, l.gone[f])
		}
		if k.Orders != nil && len(k.Orders) != walkers {
			t.Fatalf("player %d, tick %d: orders of %d players", p, f, len(k.Orders)) // a step would refuse them
		}
		for q := range rollback.Player(walkers) {
			var in act
			var orders, got []byte
			if told.Has(q) {
				if in = l.inputs[f][q]; l.orders[f] != nil {
					orders = l.orders[f][q]
				}
			} else if l.inputs[f][q] != in {
				hidden++
			}
			if k.Orders != nil {
				got = k.Orders[q]
			}
			if k.Inputs[q] != in || !bytes.Equal(got, orders) {
				t.Fatalf("player %d, tick %d: player %d does %v %q; want %v %q", p, f, q, k.Inputs[q], got, in, orders)
			}
			if len(got) > 0 {
				ordered++
			}
		}
	}
	return ordered, hidden
}
