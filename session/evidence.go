package session

import (
	"errors"
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/wire/agreed"
)

// DefaultEvidence is how many bytes of states and inputs are kept, unless told, to
// explain a desync.
const DefaultEvidence = 4 << 20

// The inputs reach back over some comparisons, and as many frames as these can be
// late, so that there is a snapshot to begin with.
const pastIntervals, pastFrames = 4, 1024

// keepEvidence sets up what is needed to explain a desync.
func (m *Machine) keepEvidence() {
	if len(m.links) == 0 {
		return // nor for a newcomer, which has not seen all
	}
	c := &m.cfg
	m.evidence.Init(desync.Config{
		Shape:     m.shape(),
		HashEvery: uint32(max(c.HashEvery, 0)), Every: uint32(c.ChainEvery),
		Budget: max(c.Evidence, 0), Marshals: m.sim.Marshals(), Slow: m.sim.slow(),
	}, m.sim.remember(pastIntervals*c.ChainEvery+pastFrames, (c.Evidence+desync.InputShare-1)/desync.InputShare))
	if m.evidence.On() {
		m.stream.Evidence = &m.evidence
	}
	m.seatInquiry()
}

// resetEvidence begins with a match whose state 0 is there.
func (m *Machine) resetEvidence(p *Parameters) {
	if m.inquiry == nil {
		return
	}
	m.evidence.Reset()
	m.captured = m.sim.capture(&m.evidence, 0)
	m.inquiry.Begin(desync.Facts{
		Game: m.cfg.GameID, Build: m.cfg.Build, Match: m.match.number, TickRate: uint16(m.cfg.TickRate),
		Seed: p.Seed, Content: p.Content, Limit: uint32(p.Frames), Data: p.Data,
	})
}

// capture keeps the states that have become final, as far as they are wanted.
func (m *Machine) capture() {
	if m.inquiry != nil {
		m.captured = m.sim.capture(&m.evidence, m.captured+1)
	}
}

// verified forgets evidence of what all peers have been the same in.
func (m *Machine) verified() {
	all := NoFrame
	for _, l := range m.links {
		if l.state == connected {
			all = min(all, l.chain.Equal())
		}
	}
	if all != NoFrame {
		m.evidence.Verified(uint32(all), uint32(m.captured))
	}
}

// remember keeps the inputs of so many agreed frames, as far as so many bytes hold
// them.
func (s *simulator[S, I]) remember(frames, bytes int) desync.Inputs {
	if bytes <= 0 {
		return nil
	}
	s.past = newPast(s.plan, s.Players(), frames, bytes, s.orders)
	return s.past
}

// capture gives evidence the final states from one on that it wants, and returns the
// newest. All of them are still held: a frame runs at most a window ahead of what was
// final before it.
func (s *simulator[S, I]) capture(e *desync.Evidence, from Frame) (final Frame) {
	final = s.Final()
	for f := from; f <= final; f++ {
		if !e.Wants(uint32(f)) {
			continue
		}
		if s.layout != nil {
			e.Keep(uint32(f), s.layout.Append(e.Buffer(), s.StateAt(f)))
		} else if encoded, err := s.Marshal(e.Buffer(), f); err == nil {
			e.Keep(uint32(f), encoded)
		} else {
			e.Cannot()
		}
	}
	return final
}

// slow reports whether it is expensive to encode a state.
func (s *simulator[S, I]) slow() bool { return s.layout == nil }

func (s *simulator[S, I]) Scalar() (at func(offset int) canon.Scalar, size int) {
	if s.layout == nil {
		return nil, 0
	}
	return s.layout.ScalarAt, s.layout.Size()
}

func (s *simulator[S, I]) Sandbox() (desync.Sandbox, error) {
	can := rollback.CapabilitiesOf(s.game)
	if !can.New {
		return nil, errors.New("the game gives no New, so that nothing can be simulated beside the match")
	}
	b := &sandbox[S, I]{plan: s.plan, players: s.Players(), describe: can.Describe}
	err := guard(func() (err error) {
		b.Sandbox, err = rollback.NewSandbox(s.game, s.Players(), 0)
		return err
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// sandbox is an instance of the game beside the match. What the game does there for
// the first time must not end the match: a panic is an error.
type sandbox[S any, I comparable] struct {
	*rollback.Sandbox[S, I]
	plan     *canon.Plan[I]
	players  int
	describe func(s *S) any
	frame    rollback.SandboxFrame[I]
}

// guard turns a panic of the game into an error.
func guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the game panicked: %v", p)
		}
	}()
	return do()
}

func (b *sandbox[S, I]) Load(encoded []byte) error {
	return guard(func() error { return b.Unmarshal(encoded) })
}

func (b *sandbox[S, I]) Hash() (h uint64, err error) {
	err = guard(func() (err error) {
		h, err = b.Sandbox.Hash()
		return err
	})
	return h, err
}

func (b *sandbox[S, I]) Marshal(p []byte) (encoded []byte, err error) {
	err = guard(func() (err error) {
		encoded, err = b.Sandbox.Marshal(p)
		return err
	})
	return encoded, err
}

func (b *sandbox[S, I]) Text() (text []byte, err error) {
	err = guard(func() (err error) {
		var shown any = b.Live()
		if b.describe != nil {
			shown = b.describe(b.Live())
		}
		text, err = canon.AppendTextAny(nil, shown)
		return err
	})
	return text, err
}

func (b *sandbox[S, I]) Step(f *agreed.Frame) error {
	frame, size, players := &b.frame, b.plan.Size(), b.players // an input may have no bytes
	frame.Frame, frame.Resimulating = Frame(f.Number), true
	frame.Inputs, frame.Statuses = make([]I, players), make([]rollback.Status, players)
	frame.Orders = f.Orders
	for p := range players {
		if err := b.plan.Decode(&frame.Inputs[p], f.Inputs[p*size:(p+1)*size]); err != nil {
			return err
		}
		if frame.Statuses[p] = rollback.Confirmed; f.Gone>>p&1 != 0 {
			frame.Statuses[p] = rollback.Disconnected
		}
	}
	return guard(func() error {
		_, err := b.Sandbox.Step(*frame)
		return err
	})
}
