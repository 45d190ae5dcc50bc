package session

import (
	"errors"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/lobby"
	"github.com/tickback/tickback/session/stream"

	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

// maxFollow is the maximum number of frames of the host's stream that are handled per call.
const maxFollow = 240

// follow handles what has arrived of the host's stream.
func (m *joining) follow() {
	j := m.lateJoin
	for n := 0; n < maxFollow; {
		i := j.follower.Front()
		if i == nil || m.phase == Over {
			return
		}
		if j.direct && j.agreed > m.frame && j.agreed+Frame(i.Count) > m.frame+m.cfg.ahead() {
			return // there is no room for so many frames until some have run
		}
		err := m.take(i)
		n += max(i.Count, 1)
		j.follower.Pop()
		if err != nil {
			m.rejectHost(err)
			return
		}
	}
}

// rejectHost gives up the host, or the match, because its stream cannot be used.
func (m *joining) rejectHost(err error) {
	j := m.lateJoin
	var lacks *JoinError
	switch {
	case m.phase == Over:
	case errors.As(err, &lacks): // we cannot go back to a state, but another host may have the frames
		j.follower.SkipHost(err, m.match.Number(), uint32(max(j.agreed, m.frame)))
		j.follow.Stop()
	case j.direct:
		m.fail(err)
	default:
		m.events.Add(Event{What: Lost, Text: err.Error()})
		j.follower.Reject(err)
		m.restartJoin()
	}
}

// restartJoin discards what hosts have sent if the follower has started over.
func (m *joining) restartJoin() {
	j := m.lateJoin
	if !j.follower.WasReset() {
		return
	}
	j.loaded = false
	j.follow.Stop()
	m.stream.Chain.Lose()
	if _, recorded := m.stream.Recording.Of(); recorded {
		m.endRecording(&RecordEnd{Failed: errFault})
	}
}

// catchUp runs agreed frames at once if there are many, or if more have arrived than there is room for: we have
// fallen behind since takeFromMembers, perhaps because nothing was received for a while. At the pace of the match
// we would never catch up.
func (m *joining) catchUp() {
	j := m.lateJoin
	if m.phase != Playing || !j.direct || !m.lateJoin.observing() {
		return
	}
	if m.agree(); j.follower.Front() == nil && m.sim.Agreed() <= m.frame+maxBehind {
		return
	}
	for m.phase == Playing && !m.held() {
		before := m.frame
		if m.slot(m.now); m.frame == before {
			return // no frame can run, perhaps because a peer takes messages too slowly
		}
	}
}

// take handles an item of the host's stream.
func (m *joining) take(i *spectate.Item) error {
	j := m.lateJoin
	switch {
	case j.direct && (i.Begin != nil || i.State != nil):
		return &JoinError{Why: "nobody has the frames any more that are missing here"}
	case i.Begin != nil:
		return m.beginAt(i.Begin)
	case i.State != nil:
		if err := m.sim.Load(Frame(i.Frame), i.State); err != nil {
			return err
		}
		m.moveTo(Frame(i.Frame))
		j.loaded, j.proof = true, proof{since: m.now}
		m.stream.Chain.Lose() // the chain reported by an earlier host ends before this state
		if i.Chained {
			j.follower.Marked(i.Frame, i.Chain)
			m.stream.Chain.Resume(i.Chain)
		}
		return nil
	case i.From:
		if err := j.follow.From(m.shape(), Frame(i.Frame), max(m.frame, j.agreed)); err != nil { // not all frames that have arrived have run
			return err
		}
		if !j.loaded {
			j.loaded, j.proof = true, proof{since: m.now}
		}
		return nil
	case i.End != nil && j.at < Frame(i.End.Frames):
		return nil // we are in the match, and have all earlier frames
	case i.End != nil:
		m.fail(&JoinError{Why: "the match has ended"})
		return nil
	}
	for j.follow.Add(i.Frames, i.Count); j.follow.Left() > 0; {
		f, err := j.follow.Read()
		switch {
		case err != nil:
			return err
		case Frame(f.Number) < m.frame:
			continue
		case j.direct:
			err = j.supply(f)
		default:
			err = j.feed(f, m.recorder)
			m.moveTo(m.sim.Frame())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// beginAt creates state 0 of the running match.
func (m *joining) beginAt(o *datagram.Offer) error {
	p := stream.ParametersOf(o)
	if err := p.Check(); err != nil {
		return err
	}
	if err := m.set(o.Match, p, 0); err != nil {
		return err
	}
	if state, err := m.sim.Hash(); err == nil && o.State != 0 {
		if err := admission.CompareBegin(0, state, o.State, false); err != nil {
			return err
		}
	}
	m.lobby.Set(lobby.Proposal{Offer: *o})
	if m.phase == Connecting {
		m.enterStarting()
	}
	if !m.sim.Marshals() && m.stream.Recording.Pending() {
		m.recordFrom(0, nil) // without states, we run all frames from frame 0
	}
	return nil
}
