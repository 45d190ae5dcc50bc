package online

import (
	"net"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/webrtc"
	"github.com/tickback/tickback/rollback"
)

// lease lends the room's transport to a match. When the match closes it, the transport returns to the room with its
// connections, and the next match uses them.
type lease struct {
	Transport
	room   *Room
	match  uint32
	begins bool   // we are there when the match begins
	again  bool   // its server was restarted, and the room has not yet reported the new number of the match
	stop   func() // cancels onLeaving
	closed atomic.Bool
	tokens tokens
}

// Send sends a datagram. It fails after Close.
func (l *lease) Send(to netip.AddrPort, datagram []byte) error {
	if l.closed.Load() {
		return net.ErrClosed
	}
	return l.Transport.Send(to, datagram)
}

// Receive returns the next datagram. It fails after Close. First it passes the room's token to the match if the token
// has changed: only here is it certain that nothing else uses the match.
func (l *lease) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	if l.closed.Load() {
		return 0, netip.AddrPort{}, time.Time{}, false
	}
	l.tokens.renew(l.room.client, l.match)
	return l.Transport.Receive(buf)
}

// Close returns the transport to the room and reports that we no longer play the match. Closing twice is no error.
func (l *lease) Close() error {
	if l.closed.Swap(true) {
		return nil
	}
	l.stop()
	_ = l.room.client.Ended(l.match) // an error does not matter: a closed client plays no match anyway
	l.room.returned(l)
	return nil
}

// lend gives the transport to a match, and discards everything that has arrived since the previous match.
func (r *Room) lend(match uint32) (*lease, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return nil, rooms.ErrClosed
	case r.lease != nil:
		return nil, ErrBusy
	}
	var buf [inbox.MaxDatagram]byte
	for range inbox.PerPeer * webrtc.MaxPeers { // a limit is needed, since others may continue to send
		if _, _, _, ok := r.transport.Receive(buf[:]); !ok {
			break
		}
	}
	r.lease = &lease{Transport: r.transport, room: r, match: match, stop: func() {}}
	r.played = match
	return r.lease, nil
}

// returned takes the transport back from a match.
func (r *Room) returned(l *lease) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lease == l {
		r.lease = nil
	}
}

// revoke takes back a transport whose match could not be opened.
func (r *Room) revoke(l *lease) {
	l.closed.Store(true)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lease == l {
		r.lease, r.played = nil, 0
	}
}

// options completes the options of a match with the room's data. If the match is already running, it also returns the
// addresses to join it at; otherwise join is empty.
func options[S any, I comparable](r *Room, o tickback.Options[S, I]) (_ tickback.Options[S, I], join []netip.AddrPort, err error) {
	s := r.client.State()
	me, here := s.Member(r.client.You())
	switch {
	case s.Match == 0:
		return o, nil, ErrNoMatch
	case !here || me.Seat == rooms.NoSeat:
		return o, nil, ErrWatching
	}
	o.GameID, o.Build = r.cfg.GameID, r.cfg.Build
	o.Players, o.Local = s.Seats, tickback.SetOf(tickback.Player(me.Seat))
	o.OnLeave, o.Peers, o.Reserved = tickback.Continue, nil, 0
	if o.Spectators.Max == 0 {
		o.Spectators.Max = s.Spectators
	}
	if o.Spectators.Max > 0 && o.Spectators.Token == nil {
		o.Spectators.Open = true // only members of the room are connected, and those without a seat watch
	}
	if o.Token, err = tickback.ParseToken(r.client.Token()); err != nil {
		return o, nil, err
	}
	begins := r.begins(&s, me)
	if begins {
		o.Peers, o.Reserved = starters(&s, me)
	} else if join = hosts(&s, me.ID); len(join) == 0 {
		return o, nil, ErrNobody
	} else {
		o.Lobby = false
	}
	l, err := r.lend(s.Match)
	if err != nil {
		return o, nil, err
	}
	l.begins, o.Transport = begins, l
	_ = r.client.Playing(s.Match) // an error does not matter: players who are connected need no server
	return o, join, nil
}

// begins reports whether this machine takes part in the beginning of the match. It does not if it has already done so,
// or if its page has been reloaded since.
func (r *Room) begins(s *rooms.State, me rooms.Member) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.played != s.Match && slices.Contains(s.Starters, rooms.Starter{ID: me.ID, Seat: me.Seat})
}

// Abandoned reports whether a match that was opened here but has not begun will never begin, as far as the server
// knows: a player left before it began, or nobody else plays it any more. Close it, so that the next one can begin.
// For other players it may have begun: if it continues, call Play again, which joins it.
func (r *Room) Abandoned() bool {
	s, me := r.client.State(), r.client.You()
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.lease
	if l == nil {
		return false
	}
	if l.begins && l.match == s.Match && slices.ContainsFunc(s.Starters, func(st rooms.Starter) bool { return st.Gone && st.ID != me }) {
		return true
	}
	return !slices.ContainsFunc(s.Members, func(m rooms.Member) bool { return m.ID != me && m.Playing == l.match })
}

// starters returns the other players who are present when a match begins, and the seats reserved for absent ones.
func starters(s *rooms.State, me rooms.Member) (others []tickback.Peer, reserved tickback.PlayerSet) {
	reserved = tickback.PlayerSet(1<<s.Seats - 1)
	for _, st := range s.Starters {
		seat := tickback.SetOf(tickback.Player(st.Seat))
		reserved &^= seat
		if st.ID != me.ID {
			others = append(others, tickback.Peer{Players: seat, Addr: peers.AddrOf(st.ID)})
		}
	}
	return others, reserved
}

// hosts returns the addresses of the other players.
func hosts(s *rooms.State, me uint32) (list []netip.AddrPort) {
	for _, m := range s.Members {
		if m.ID != me && m.Connected && m.Playing == s.Match && s.Match != 0 {
			list = append(list, peers.AddrOf(m.ID))
		}
	}
	return list
}

// spectatorOptions completes the options of a spectator with the room's data.
func spectatorOptions[S any, I comparable](r *Room, o tickback.SpectatorOptions[S, I]) (tickback.SpectatorOptions[S, I], error) {
	s := r.client.State()
	if s.Match == 0 {
		return o, ErrNoMatch
	}
	if o.Hosts = hosts(&s, r.client.You()); len(o.Hosts) == 0 {
		return o, ErrNobody
	}
	l, err := r.lend(s.Match)
	if err != nil {
		return o, err
	}
	o.Transport, o.GameID, o.Build, o.Players = l, r.cfg.GameID, r.cfg.Build, s.Seats
	return o, nil
}

// Play plays the match of the room: from its beginning if we are there, otherwise by joining it. It fills in the
// options that follow from the room: Players, Local, Peers, Reserved, Token, Transport, GameID and Build. OnLeave is
// Continue, so that a player who leaves can come back; and spectators may watch here, if the room has places for them.
//
// After the match is closed, the room can play another one. A page that is left closes its match, so that the others
// need not wait for a time-out.
//
// Errors: [ErrNoMatch], [ErrWatching], [ErrNobody], [ErrBusy], and those of tickback.P2P and tickback.Join.
func Play[S any, I comparable](r *Room, game rollback.Definition[S, I], o tickback.Options[S, I]) (*tickback.Match[S, I], error) {
	o, join, err := options(r, o)
	if err != nil {
		return nil, err
	}
	l := o.Transport.(*lease)
	var m *tickback.Match[S, I]
	if len(join) > 0 {
		m, err = tickback.Join(game, join, o)
	} else {
		m, err = tickback.P2P(game, o)
	}
	if err != nil {
		r.revoke(l)
		_ = r.client.Ended(l.match) // return the other error
		return nil, err
	}
	l.tokens.follow(o.Token.String(), m.SetToken)
	l.stop = onLeaving(func() { _ = m.Close() }) // informs the others immediately
	return m, nil
}

// Spectate watches the match of the room. It fills in the options that follow from the room: Hosts, Transport, GameID,
// Build and Players.
//
// Errors: [ErrNoMatch], [ErrNobody], [ErrBusy], and those of tickback.Spectate.
func Spectate[S any, I comparable](r *Room, game rollback.Definition[S, I], o tickback.SpectatorOptions[S, I]) (*tickback.Spectator[S, I], error) {
	o, err := spectatorOptions(r, o)
	if err != nil {
		return nil, err
	}
	l := o.Transport.(*lease)
	m, err := tickback.Spectate(game, o)
	if err != nil {
		r.revoke(l)
		return nil, err
	}
	l.stop = onLeaving(func() { _ = m.Close() })
	return m, nil
}
