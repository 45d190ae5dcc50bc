package session

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

// source is the match as spectators need it.
type source struct{ *Machine }

func (s source) Items() datagram.Items { return s.items() }

func (s source) Marshals() bool { return s.sim.Marshals() }

func (s source) Marshal(b []byte) ([]byte, uint32, error) {
	if s.audience.Match() != s.match.number {
		return nil, 0, nil // the simulation is at the beginning of the next match
	}
	encoded, f, err := s.sim.marshal(b)
	return encoded, uint32(f), err
}

// Admit lets in who can have a place.
func (s source) Admit(players byte, id uint64, from netip.AddrPort) string {
	if s.audience.Match() != s.match.number && s.phase == Playing {
		return "this machine has joined the match itself, and cannot show it (yet): ask another one"
	}
	if s.Joined(players, id) {
		return "" // it lacks what somebody has done who has left
	}
	return s.place(PlayerSet(players), id)
}

func (s source) Joined(players byte, id uint64) bool {
	if !s.logged() {
		return false
	}
	p, state := PlayerSet(players), s.core.State()
	return p != 0 && state.Has(p) && state.IDs[lowest(p)] == id
}

// seatAudience makes room for spectators and newcomers, if any are welcome.
func (m *Machine) seatAudience() {
	if !m.cfg.Spectators.Welcomes() && m.cfg.Token == nil {
		return
	}
	m.audience = spectate.NewAudience(m.cfg.Spectators, m.cfg.Token, source{m}, m.shape(), m.nominal, m.cfg.Random, &m.out)
	m.stream.Audience = m.audience
	m.out.Most = spectate.MaxOutgoing + maxOutgoing
	m.listen()
}

// showStart tells spectators which match begins.
func (m *Machine) showStart() {
	if m.audience == nil || m.lobby.offer == nil {
		return
	}
	if err := m.audience.Begin(m.lobby.offer); err != nil {
		m.fail(err)
	}
}

// showEnd tells spectators how the match has ended.
func (m *Machine) showEnd(o *Outcome) {
	if m.audience != nil {
		m.audience.Finish(spectate.End{
			Frames: uint32(o.Frames), Hash: o.Hash, Chain: o.Chain, Result: o.Result, Finished: o.Finished, Gone: byte(o.Left),
		})
	}
}

// serve gives spectators what is due, and returns when more will be.
func (m *Machine) serve() (next time.Duration) {
	if m.audience == nil || m.silent() {
		return m.now + time.Hour
	}
	next = m.audience.Update(m.now)
	for _, n := range m.audience.News() {
		if n.Seat.Players != 0 {
			continue // it has come to play
		}
		e := Event{What: SpectatorLeft, Text: n.Addr.String() + ": " + n.Why}
		if n.Joined {
			e = Event{What: SpectatorJoined, Text: n.Addr.String()}
		}
		m.events.add(e)
	}
	return next
}

// unfinished reports whether spectators still wait for something.
func (m *Machine) unfinished() bool { return m.audience != nil && !m.audience.Done() }

// silent reports whether the session is over, and its last word to spectators is
// spoken, heard or not: who is still there has to notice it.
func (m *Machine) silent() bool { return m.phase == Over && m.now >= m.farewell }

// receiveSpectator takes a datagram that is from no peer, if it is a spectator's.
func (m *Machine) receiveSpectator(at time.Duration, from netip.AddrPort, b []byte) bool {
	return m.audience != nil && !m.silent() && m.audience.Receive(at, from, b)
}
