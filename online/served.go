package online

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"net/netip"
	"strings"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/rollback"
)

var (
	// ErrNotServing means that this member cannot own the match of a room, because only the member with the first seat
	// can.
	ErrNotServing = errors.New("online: the member with the first seat owns the match")
	// ErrServing means that this member owns the match, and so cannot be its client.
	ErrServing = errors.New("online: the match is owned here")
)

// Serve owns the match of the room, which Start has begun. The room must have one seat, and it must be ours. All other
// members can [Connect] to the match, at any time. Serve fills in the options that follow from the room: GameID, Build
// and Transport. wrap, if given, returns the transport to use instead, such as one that joins this transport and
// others (see transport/joint); the returned transport closes the one that it was given.
//
// No Token is needed: only members of the room are connected.
//
// After the server is closed, the room can play another match. Errors: [ErrNoMatch], [ErrNotServing], [ErrBusy], and
// those of tickback.Serve.
func Serve[S any, I comparable](r *Room, game rollback.Definition[S, I], o tickback.ServerOptions[S, I], wrap func(tickback.Transport) tickback.Transport) (*tickback.Server[S, I], error) {
	s := r.client.State()
	me, _ := s.Member(r.client.You())
	switch {
	case s.Match == 0:
		return nil, ErrNoMatch
	case me.Seat != 0:
		return nil, ErrNotServing
	}
	l, err := r.lend(s.Match)
	if err != nil {
		return nil, err
	}
	o.GameID, o.Build, o.Transport = r.cfg.GameID, r.cfg.Build, l
	if wrap != nil {
		o.Transport = wrap(l)
	}
	m, err := tickback.Serve(game, o)
	if err != nil {
		r.revoke(l)
		_ = r.client.Ended(l.match) // return the other error
		return nil, err
	}
	_ = r.client.Playing(l.match)                // an error does not matter: players who are connected do not need the server of rooms
	l.stop = onLeaving(func() { _ = m.Close() }) // informs the clients immediately
	return m, nil
}

// clientID identifies this member to the owners of matches. It stays the same after a reload of the page, and nobody
// else knows it.
func (r *Room) clientID() uint64 {
	_, secret, _ := strings.Cut(r.client.Ticket(), ".")
	sum := sha256.Sum256([]byte("tickback client " + secret))
	return max(binary.LittleEndian.Uint64(sum[:]), 1)
}

// Connect plays in the match of the room that another member owns. It fills in the options that follow from the room:
// Server, Transport, GameID, Build, and an ID, with which a member that connects again gets its place back. The member
// must not take a seat (set Config.Role to rooms.Spectator): seats are for machines that own a match.
//
// After the client is closed, another one can be opened, in this match or in the next one. Errors: [ErrNoMatch],
// [ErrServing], [ErrNobody] if the owner has gone, [ErrBusy], and those of tickback.Connect.
func Connect[S any, I comparable](r *Room, game rollback.Definition[S, I], o tickback.ClientOptions[S, I]) (*tickback.Client[S, I], error) {
	s := r.client.State()
	owner, there := s.At(0)
	switch {
	case s.Match == 0:
		return nil, ErrNoMatch
	case there && owner.ID == r.client.You():
		return nil, ErrServing
	case !there || owner.Playing != s.Match:
		return nil, ErrNobody
	}
	l, err := r.lend(s.Match)
	if err != nil {
		return nil, err
	}
	o.GameID, o.Build = r.cfg.GameID, r.cfg.Build
	if o.ID == 0 {
		o.ID = r.clientID()
	}
	o.Server, o.Transport = peers.AddrOf(owner.ID), l
	m, err := tickback.Connect(game, o)
	if err != nil {
		r.revoke(l)
		return nil, err
	}
	l.stop = onLeaving(func() { _ = m.Close() })
	return m, nil
}

// Restarted reports to the room that the server of the client opened by Connect was restarted (the event Restarted).
// The client continues in the match that the server plays now. The room counts this as another match, but Started does
// not report it.
func Restarted(r *Room) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lease != nil {
		r.lease.again = true
		r.lease.renumber()
	}
}

// renumber adopts the number of the match that a restarted server plays. The room may report it later than the server
// does. The caller holds the room's mutex.
func (l *lease) renumber() {
	if now := l.room.client.State().Match; l.again && now > l.room.played {
		l.room.played, l.again = now, false
	}
}

// Owner returns the member that owns the match of a room with one seat, and false if there is none at the moment.
func (r *Room) Owner() (m rooms.Member, ok bool) {
	s := r.client.State()
	return s.At(0)
}

// OwnsAddress reports whether an address belongs to a member of a room, for a transport that combines several
// transports.
func OwnsAddress(a netip.AddrPort) bool {
	_, ok := peers.IDOf(a)
	return ok
}
