//go:build !js

package rooms

import (
	"crypto/rand"
	"encoding/base64"
	"slices"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/session/shares"
)

// line is the connection to a member. push must not block.
type line interface {
	push(message []byte)
	// end sends a last message, and hangs up.
	end(message []byte)
}

// member is a member of a room.
type member struct {
	Member
	secret, instance string
	turn             string // its name at TURN servers, which reveals nothing
	late             bool   // it got its seat from another member, or during a match: others lead before it; meaningless without a seat
	from             shares.Origin
	line             line // nil if it is away
	since            time.Time
	served           time.Time // when it last got credentials for TURN
}

// terms are what a room is made for.
type terms struct {
	game, build       string
	seats, spectators int
}

// room is the server's data about a room. All times are passed as arguments.
type room struct {
	terms         terms
	id, token     string
	former        []string // earlier IDs, the newest last
	number        uint64   // grows with each room of the server
	maker         shares.Origin
	settings      string
	generation    uint64
	members       []*member
	lastID        uint32
	round         round
	departures    departures
	made, touched time.Time
	left          time.Time // when the last connection ended; zero while there are connections
}

// newID makes a random text of 128 bits that can be used in a URL.
func newID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

func newToken() string { return tickback.NewToken().String() }

func newRoom(r *request, maker shares.Origin, now time.Time) *room {
	return &room{
		terms: terms{r.Game, r.Build, r.Seats, r.Spectators}, id: newID(), token: newToken(), settings: r.Data, maker: maker, made: now, touched: now,
	}
}

// byID returns a member, or nil.
func (r *room) byID(id uint32) *member {
	i := slices.IndexFunc(r.members, func(m *member) bool { return m.ID == id })
	if i < 0 {
		return nil
	}
	return r.members[i]
}

// at returns the member who has a seat, or nil.
func (r *room) at(seat int) *member {
	i := slices.IndexFunc(r.members, func(m *member) bool { return m.Seat == seat })
	if i < 0 || seat == NoSeat {
		return nil
	}
	return r.members[i]
}

// host returns the connected member with the lowest seat, or nil. A member who came late is the host only if all
// connected members came late: knowing the link must not be enough to become the host of the players.
func (r *room) host() (late *member) {
	for seat := range r.terms.seats {
		switch m := r.at(seat); {
		case m == nil || m.line == nil:
		case !m.late:
			return m
		case late == nil:
			late = m
		}
	}
	return late
}

// place finds a place for a role; if seat is not nil, that seat.
func (r *room) place(role Role, seat *int) (int, error) {
	switch {
	case role == Spectator || seat != nil && *seat == NoSeat:
		return NoSeat, r.roomToWatch()
	case seat != nil && *seat >= r.terms.seats:
		return 0, refuse(ErrSeatTaken, "there is no seat %d: the room has %d", *seat, r.terms.seats)
	case seat != nil && r.at(*seat) != nil:
		return 0, refuse(ErrSeatTaken, "seat %d", *seat)
	case seat != nil:
		return *seat, nil
	}
	for s := range r.terms.seats {
		if r.at(s) == nil {
			return s, nil
		}
	}
	if role == AnyRole {
		return NoSeat, r.roomToWatch()
	}
	return 0, refuse(ErrFull, "all %d seats are taken", r.terms.seats)
}

func (r *room) roomToWatch() error {
	switch watching := len(r.watching()); {
	case r.terms.spectators == 0:
		return refuse(ErrFull, "all %d seats are taken, and nobody may watch", r.terms.seats)
	case watching >= r.terms.spectators:
		return refuse(ErrFull, "%d watch, and no more may", watching)
	}
	return nil
}

// watching returns the members without a seat.
func (r *room) watching() (list []*member) {
	for _, m := range r.members {
		if m.Seat == NoSeat {
			list = append(list, m)
		}
	}
	return list
}

// add adds a member.
func (r *room) add(q *request, seat int, from shares.Origin, l line, now time.Time) *member {
	r.lastID++
	m := &member{Member: Member{ID: r.lastID, Seat: seat, Name: q.Name}, secret: newID(), turn: newID(), instance: q.Instance, from: from, line: l, since: now}
	m.late = r.isPlayed()
	r.members = append(r.members, m)
	r.generation++
	return m
}

// remove removes a member.
func (r *room) remove(m *member) {
	r.members = slices.DeleteFunc(r.members, func(o *member) bool { return o == m })
	r.departures.add(departed{m.ID, m.secret, m.from, r.takerOf(m)})
	r.generation++
	r.ended(m, m.Playing)
}

// plays records a member's report that it plays a match. The match may just have ended.
func (r *room) plays(m *member, match uint32) error {
	switch {
	case match > r.round.number || m.Seat == NoSeat:
		return refuse(ErrNotReady, "match %d is not played here", match)
	case r.round.runs(match):
		m.Playing = match
	}
	return nil
}

// ended records that a member no longer plays a match. The member may be in a newer match meanwhile.
func (r *room) ended(m *member, match uint32) {
	if m.Playing != match {
		return
	}
	m.Playing = 0
	r.round.gone(m.ID, match)
	r.settle()
}

// settle ends the match if nobody plays it any more.
func (r *room) settle() {
	match := r.round.number
	if match == 0 || !slices.ContainsFunc(r.members, func(m *member) bool { return m.Playing == match }) {
		r.round.end()
	}
}

// isPlayed reports whether any connected member plays the match. Absent members do not count, so that the others can
// begin the next match: most of them have closed the page.
func (r *room) isPlayed() bool {
	return slices.ContainsFunc(r.members, func(m *member) bool { return m.line != nil && r.round.runs(m.Playing) })
}

// start begins a match of all connected members with a seat.
func (r *room) start() error {
	switch m := r.at(0); {
	case r.isPlayed():
		return refuse(ErrNotReady, "one is played")
	case m == nil || m.line == nil:
		return refuse(ErrNotReady, "the member of seat 0 is not connected")
	}
	r.token = newToken() // former players only know an older token
	var starters []Starter
	for seat := range r.terms.seats {
		if m := r.at(seat); m != nil && m.line != nil {
			starters = append(starters, Starter{ID: m.ID, Seat: seat})
			m.Playing = r.round.number + 1
		}
	}
	r.round.begin(starters)
	return nil
}

// state returns the room's state, in the form that its members receive.
func (r *room) state() *State {
	s := &State{
		Room: r.id, GameID: r.terms.game, Build: r.terms.build, Seats: r.terms.seats, Spectators: r.terms.spectators,
		Generation: r.generation, Settings: r.settings, Members: make([]Member, len(r.members)),
	}
	if h := r.host(); h != nil {
		s.Host = h.ID
	}
	if len(r.round.starters) > 0 {
		s.Match, s.Starters = r.round.number, r.round.starters
	}
	for i, m := range r.members {
		s.Members[i] = m.Member
		s.Members[i].Connected = m.line != nil
	}
	return s
}

// push sends the state of the room to all connected members except but; only members with
// a seat get the token.
func (r *room) push(but *member) {
	s := r.state()
	var watching, sitting []byte
	for _, m := range r.members {
		switch {
		case m.line == nil || m == but:
		case m.Seat == NoSeat:
			if watching == nil {
				watching = encode(reply{Kind: kindState, State: s})
			}
			m.line.push(watching)
		default:
			if sitting == nil {
				sitting = encode(reply{Kind: kindState, State: s, Token: r.token})
			}
			m.line.push(sitting)
		}
	}
}

// end ends the room, and sends its members the reason. It ends all their connections: neither later messages nor the
// ends of these connections are reported to members that have received the end.
func (r *room) end(reason error) {
	last := encode(errorReply(reason, true))
	for _, m := range r.members {
		if m.line != nil {
			m.line.end(last)
			m.line = nil
		}
	}
}
