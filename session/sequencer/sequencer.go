package sequencer

import (
	"cmp"
	"fmt"
	"time"

	"github.com/tickback/tickback/rollback"
)

// Sequencer holds the inputs of future ticks. Its memory is fixed: no call except [New] allocates.
type Sequencer struct {
	cfg    Config
	hold   Frame
	period time.Duration
	next   Frame         // the tick to close
	due    time.Duration // when it is due
	places [rollback.MaxPlayers]place

	closed  [rollback.MaxPlayers][]byte // the inputs of the last closed tick
	order   [rollback.MaxPlayers][]byte // the same inputs for the players that are in; nil for others
	scratch []byte
}

// New returns a sequencer of a match without players, which begins with tick 0, due at time 0.
func New(cfg Config) (*Sequencer, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	s := &Sequencer{cfg: cfg, hold: cfg.hold(), period: cmp.Or(cfg.Period, time.Second/time.Duration(cfg.Rate)), scratch: make([]byte, cfg.Width)}
	for p := range s.places {
		s.places[p] = place{
			inputs:  make([]byte, (cfg.Ahead+1)*cfg.Width),
			came:    make([]bool, cfg.Ahead+1),
			last:    make([]byte, cfg.Width),
			carried: make([]byte, cfg.Width),
		}
		s.closed[p] = make([]byte, cfg.Width)
	}
	return s, nil
}

// Begin makes the match begin with another tick, due at this time. It removes all players.
func (s *Sequencer) Begin(f Frame, due time.Duration) {
	s.next, s.due = f, due
	for p := range s.places {
		s.places[p].in = false
	}
}

// Next returns the tick to close.
func (s *Sequencer) Next() Frame { return s.next }

// Join adds a player to the match from a tick on, or from the next one to close if that is later. The player's
// counters start at zero. It returns false if there is no such player, or if it is already in.
func (s *Sequencer) Join(p Player, from Frame) bool {
	if int(p) >= len(s.places) || s.places[p].in {
		return false
	}
	s.places[p].enter(max(from, s.next))
	return true
}

// Leave removes a player from the next tick to close on. It returns false if the player is not in.
func (s *Sequencer) Leave(p Player) bool {
	if int(p) >= len(s.places) || !s.places[p].in {
		return false
	}
	s.places[p].in = false
	return true
}

// Add handles a copy of an input that arrived at a time. It keeps no reference to the bytes.
func (s *Sequencer) Add(p Player, f Frame, input []byte, at time.Duration) Verdict {
	if int(p) >= len(s.places) {
		return Absent
	}
	pl := &s.places[p]
	v := s.judge(pl, f, input)
	pl.counts[v]++
	switch v {
	case Taken:
		i := s.slot(f)
		copy(pl.inputs[i*s.cfg.Width:], input)
		pl.came[i] = true
	case Late:
		s.late(pl, f, input)
	default:
		return v
	}
	pl.margins.push(Margin{Tick: f, Early: s.dueAt(f) - at})
	return v
}

// AddLost does what Add does, for an input that has been repeated for so long that it says nothing about the path:
// it gets no margin.
func (s *Sequencer) AddLost(p Player, f Frame, input []byte, at time.Duration) Verdict {
	v := s.Add(p, f, input, at)
	if v == Taken || v == Late {
		s.places[p].margins.drop()
	}
	return v
}

// judge returns the verdict on a copy.
func (s *Sequencer) judge(pl *place, f Frame, input []byte) Verdict {
	switch {
	case !pl.in || f < pl.from:
		return Absent
	case len(input) != s.cfg.Width:
		return Misfit
	case f >= s.next && f-s.next > Frame(s.cfg.Ahead):
		return Early
	case f >= s.next && pl.came[s.slot(f)]:
		return Repeated
	case f >= s.next:
		return Taken
	case s.next-1-f >= pastTicks:
		return Stale
	case pl.past>>(s.next-1-f)&1 != 0:
		return Repeated
	}
	return Late
}

// late handles an input whose tick is closed: it is the player's newest known input, unless there is a newer one,
// and the next tick may get a part of it.
func (s *Sequencer) late(pl *place, f Frame, input []byte) {
	age := s.next - 1 - f
	pl.past |= 1 << age
	pl.remember(f, input)
	if s.cfg.Carry == nil || age >= s.hold {
		return
	}
	pl.merged++
	copy(s.scratch, input)
	if pl.carries {
		s.cfg.Carry(pl.carried, s.scratch)
	}
	copy(pl.carried, s.scratch)
	pl.carries = true
}

// Close makes the order of the next tick final: tick f, which was due at this time. It returns the input of each
// player that is in, and nil for the others; replaced are the players whose input did not arrive. The bytes are
// valid until the next call.
//
// For a tick that is run late, due is when it should have run: inputs that arrive in between are in time, and their
// margins are as if the server had kept its pace.
func (s *Sequencer) Close(f Frame, due time.Duration) (inputs [][]byte, replaced PlayerSet) {
	if f != s.next {
		panic(fmt.Sprintf("sequencer: tick %d is closed, and %d is the next", f, s.next))
	}
	for p := range s.places {
		s.order[p] = nil
		pl := &s.places[p]
		if !pl.in || f < pl.from {
			continue
		}
		s.order[p] = s.closed[p]
		if !s.fill(Player(p), pl, f, s.closed[p]) {
			replaced |= rollback.SetOf(Player(p))
		}
	}
	s.next, s.due = f+1, due+s.period
	return s.order[:], replaced
}

// fill writes the input of a player, and reports whether it arrived.
func (s *Sequencer) fill(p Player, pl *place, f Frame, input []byte) (came bool) {
	i := s.slot(f)
	came, pl.came[i] = pl.came[i], false
	pl.past <<= 1
	switch {
	case came:
		copy(input, pl.inputs[i*s.cfg.Width:])
		pl.past |= 1
		pl.remember(f, input)
	case pl.any && f-pl.lastOf <= s.hold:
		copy(input, pl.last)
	default:
		clear(input)
		if s.cfg.StandIn != nil {
			s.cfg.StandIn(p, f, input)
		}
	}
	if !came {
		pl.replaced++
	}
	if pl.carries {
		s.cfg.Carry(pl.carried, input)
		pl.carries = false
	}
	return came
}

// slot returns the index of the inputs of a tick that is not closed.
func (s *Sequencer) slot(f Frame) int { return int(f % Frame(s.cfg.Ahead+1)) }

// dueAt returns when a tick is or was due, relative to the next tick to close.
func (s *Sequencer) dueAt(f Frame) time.Duration {
	return s.due + time.Duration(int64(f)-int64(s.next))*s.period
}
