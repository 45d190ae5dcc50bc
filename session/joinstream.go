package session

import (
	"errors"

	"github.com/tickback/tickback/session/stream"

	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// What a newcomer has from the machine that it asked: a state, and what is agreed from
// there on.

// maxFollow is how many frames are run in a call to catch up.
const maxFollow = 240

// follow takes what has come of the match.
func (m *Machine) follow() {
	j := m.joining
	for n := 0; n < maxFollow; {
		i := j.viewer.Front()
		if i == nil || m.phase == Over {
			return
		}
		if j.direct && j.agreed > m.frame && j.agreed+Frame(i.Count) > m.frame+m.ahead {
			return // there is no room for so many: first run those that are here
		}
		err := m.take(i)
		n += max(i.Count, 1)
		j.viewer.Pop()
		if err != nil {
			m.refuseHost(err)
			return
		}
	}
}

// refuseHost gives up the host, or the match, since what has come of it cannot be used.
func (m *Machine) refuseHost(err error) {
	j := m.joining
	var lacks *JoinError
	switch {
	case m.phase == Over:
	case errors.As(err, &lacks): // there is no way back to a state, but another host may have the frames
		j.viewer.Reject(err, m.match.number, uint32(max(j.agreed, m.frame)))
		j.follow.Stop()
	case j.direct:
		m.fail(err)
	default:
		m.events.add(Event{What: Lost, Text: err.Error()})
		j.viewer.Reject(err, 0, 0)
		j.loaded = false
		j.follow.Stop()
		m.stream.Chain.Lose()
	}
}

// rush runs at once what is agreed if that is much, or more has come than there is room for: we
// go on by ourselves already, and have fallen behind, since nobody was heard for a while,
// say. At the pace of the match we would never catch up.
func (m *Machine) rush() {
	j := m.joining
	if m.phase != Playing || !j.direct || !m.observing() {
		return
	}
	if m.agree(); j.viewer.Front() == nil && m.sim.Agreed() <= m.frame+maxBehind {
		return
	}
	for m.phase == Playing && !m.held() {
		before := m.frame
		if m.slot(m.now); m.frame == before {
			return // it waits, for a peer that takes messages too slowly, say
		}
	}
}

// take takes an item of the stream.
func (m *Machine) take(i *spectate.Item) error {
	j := m.joining
	switch {
	case j.direct && (i.Begin != nil || i.State != nil):
		return &JoinError{Why: "nobody has the frames any more that are missing here"}
	case i.Begin != nil:
		return m.beginAt(i.Begin)
	case i.State != nil:
		if err := m.sim.load(Frame(i.Frame), i.State); err != nil {
			return err
		}
		m.frame, m.captured, j.loaded = Frame(i.Frame), Frame(i.Frame), true
		m.stream.Chain.Lose() // what another host has told of the chain ends before this state
		return nil
	case i.From:
		if err := j.follow.From(m.shape(), Frame(i.Frame), max(m.frame, j.agreed)); err != nil { // not all that has come has run
			return err
		}
		j.loaded = true
		return nil
	case i.End != nil && j.at < Frame(i.End.Frames):
		return nil // we are in the match, and have all that came before
	case i.End != nil:
		m.fail(&JoinError{Why: "the match has ended"})
		return nil
	}
	for j.follow.Give(i.Frames, i.Count); j.follow.Left() > 0; {
		f, err := j.follow.Read()
		if err != nil {
			return err
		}
		if Frame(f.Number) < m.frame {
			continue
		}
		if err := m.feedOrSupply(f); err != nil {
			return err
		}
	}
	return nil
}

// beginAt makes state 0 of the match that is played.
func (m *Machine) beginAt(o *datagram.Offer) error {
	p := stream.ParametersOf(o)
	if err := p.Check(); err != nil {
		return err
	}
	if err := m.set(o.Match, p); err != nil {
		return err
	}
	if state, err := m.sim.Hash(); err == nil && o.State != 0 && state != o.State {
		return &MismatchError{0, "hash of state 0 of the match", quote(hex(state)), quote(hex(o.State))}
	}
	offer := *o
	offer.Data = append([]byte(nil), o.Data...)
	m.lobby.offer, m.lobby.accepted, m.lobby.ready = &offer, true, true
	if m.phase == Connecting {
		m.enterStarting()
	}
	if !m.sim.Marshals() {
		m.recordStart() // it runs from frame 0
	}
	return nil
}

// feedOrSupply takes an agreed frame: it runs it, or, if we go on by ourselves, gives the
// engine what it lacks of it.
func (m *Machine) feedOrSupply(f *agreed.Frame) error {
	j := m.joining
	if !j.direct {
		return m.feed(f)
	}
	fresh := m.observing() && Frame(f.Number) >= j.agreed // who comes and goes later, the log says
	j.agreed = max(j.agreed, Frame(f.Number)+1)
	size := m.sim.inputSize()
	for p := range Player(m.cfg.Players) {
		h := &m.history[p]
		if here, err := m.seated(p, f, fresh); err != nil {
			return err
		} else if !here {
			continue
		}
		input := f.Inputs[int(p)*size : (int(p)+1)*size]
		if h.Next() == f.Number {
			h.Push(input)
		}
		var orders []byte
		if f.Orders != nil {
			orders = f.Orders[p]
		}
		if err := m.sim.receive(p, Frame(f.Number), input, orders); err != nil {
			return err
		}
	}
	return nil
}

// seated has a player there, or not, in a frame as the stream says, if it says so for the
// first time; and reports whether it is there and its input is still missing.
func (m *Machine) seated(p Player, f *agreed.Frame, fresh bool) (missing bool, err error) {
	at, next := Frame(f.Number), m.sim.Next(p)
	switch gone := f.Gone>>p&1 != 0; {
	case fresh && gone && next == at:
		return false, m.sim.Disconnect(p, at)
	case gone || m.cfg.Local.Has(p):
		return false, nil
	case fresh && next == NoFrame:
		m.history[p].Start(m.sim.inputSize(), f.Number, nil)
		return true, m.sim.Connect(p, at)
	}
	return next == at, nil
}

// foresee has those leave and come of whom the log says so, and the stream not yet: as who
// plays was told to us, and as the log has gone on since. The same player may come and go.
func (m *Machine) foresee() error {
	j := m.joining
	known := max(j.agreed, m.frame)
	for p, a := range j.told.Absent[:m.cfg.Players] {
		if err := m.foreseeReturn(Player(p), a.Back, known); err != nil {
			return err
		}
	}
	for _, e := range m.log {
		for p := range e.Players.All() {
			switch e.Kind {
			case EntryLeave, EntryDrop, EntryKick:
				if e.Frame >= known && !m.cfg.Local.Has(p) && m.sim.Next(p) != NoFrame {
					m.disconnect(p, e.Frame)
				}
			case EntryJoin:
				if err := m.foreseeReturn(p, e.Frame, known); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// foreseeReturn has another player come with a frame that the stream has not told of.
func (m *Machine) foreseeReturn(p Player, at, known Frame) error {
	if at == NoFrame || at < known || m.cfg.Local.Has(p) || m.sim.Next(p) != NoFrame {
		return nil
	}
	m.history[p].Start(m.sim.inputSize(), uint32(at), nil)
	return m.sim.Connect(p, at)
}

// feed runs an agreed frame.
func (m *Machine) feed(f *agreed.Frame) error {
	j := m.joining
	if err := m.sim.feed(f, m.recorder); err != nil {
		return err
	}
	m.frame = m.sim.Frame()
	size := m.sim.inputSize()
	for p := range m.cfg.Players {
		h := &m.history[p]
		if h.Next() != f.Number { // this is the first frame after a state
			h.Start(size, f.Number, nil)
		}
		h.Push(f.Inputs[p*size : (p+1)*size])
	}
	if !f.Marked {
		return nil
	}
	j.viewer.Marked(f.Number+1, f.Mark.Chain)
	if ours, err := m.sim.Hash(); err == nil && f.Mark.Hash != 0 && ours != f.Mark.Hash {
		return errors.New("the states of the match come out otherwise here")
	}
	m.stream.Chain.Resume(f.Mark.Chain)
	return nil
}
