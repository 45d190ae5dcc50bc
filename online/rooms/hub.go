//go:build !js

package rooms

import (
	"errors"
	"slices"
	"time"

	"github.com/tickback/tickback/session/shares"
)

// hub holds the rooms of a server. It has no sockets and no clock.
type hub struct {
	cfg      *Config
	budget   budget
	rooms    map[string]*room
	former   map[string]*room // rooms by their earlier IDs
	empty    []*room          // rooms without connections, in the order in which they lost the last one
	made     tally            // the number of rooms, by wide prefix
	number   uint64           // the number of the newest room
	visitors visitors
	stats    Stats
}

func newHub(cfg *Config) *hub {
	b := newBudget(cfg)
	return &hub{
		cfg: cfg, budget: b, rooms: map[string]*room{}, former: map[string]*room{}, made: tally{share: b.roomShare},
		visitors: newVisitors(), stats: Stats{Refused: map[string]uint64{}, Limited: map[string]uint64{}},
	}
}

// connSeat is the room and the member that a connection belongs to.
type connSeat struct {
	room   *room
	member *member
}

// errorReply is the message for a refusal.
func errorReply(err error, final bool) reply {
	r := reply{Kind: kindError, Code: codeOf(err), Final: final}
	var e *Error
	var other *MismatchError
	var taken *TakenError
	switch {
	case errors.As(err, &other):
		r.Data = other.Item
		if r.Game, r.Build = other.Rooms, ""; other.Item == itemBuild {
			r.Game, r.Build = "", other.Rooms
		}
	case errors.As(err, &taken):
		r.Data, r.Text = itemTaken, taken.By
	case errors.As(err, &e):
		r.Text = e.Text
	}
	return r
}

// enter handles the first message of a connection.
func (h *hub) enter(q *request, from shares.Origin, l line, now time.Time) (connSeat, error) {
	switch q.Kind {
	case kindCreate:
		return h.create(q, from, l, now)
	case kindJoin, kindRejoin:
	default:
		return connSeat{}, refuse(ErrBadMessage, "the first message must be create, join or rejoin")
	}
	r, err := h.find(q)
	switch {
	case err != nil:
		return connSeat{}, err
	case r.terms.game != q.Game:
		return connSeat{}, &MismatchError{itemGame, q.Game, r.terms.game}
	case r.terms.build != q.Build:
		return connSeat{}, &MismatchError{itemBuild, q.Build, r.terms.build}
	case q.Kind == kindRejoin:
		return h.rejoin(r, q, from, l, now)
	case r.isBlocked(from):
		return connSeat{}, &Error{ErrKicked, ""}
	}
	place, err := r.place(q.Role, q.Seat)
	vacated := NoSeat
	if q.Take && (err != nil || place == NoSeat) {
		if vacated = r.vacated(q); vacated != NoSeat {
			place, err = NoSeat, nil
		}
	}
	if errors.Is(err, ErrFull) && q.Role != Player && h.evictSpectator(r, from) {
		place, err = NoSeat, nil
	}
	if err != nil {
		return connSeat{}, err
	}
	m := r.add(q, place, from, l, now)
	if vacated != NoSeat {
		r.seize(m, vacated)
	}
	h.attended(r, now)
	h.welcome(r, m, now)
	return connSeat{r, m}, nil
}

func (h *hub) create(q *request, from shares.Origin, l line, now time.Time) (connSeat, error) {
	if len(h.cfg.Games) > 0 && !slices.Contains(h.cfg.Games, q.Game) {
		return connSeat{}, refuse(ErrGame, "this server has no rooms for %q", q.Game)
	}
	if err := h.makePlace(from); err != nil {
		return connSeat{}, err
	}
	r := newRoom(q, from, now)
	place, err := r.place(Player, q.Seat)
	if err != nil {
		place = 0
	}
	h.keep(r)
	m := r.add(q, place, from, l, now)
	h.welcome(r, m, now)
	return connSeat{r, m}, nil
}

// rejoin returns a member to its place. Another connection to that place ends.
func (h *hub) rejoin(r *room, q *request, from shares.Origin, l line, now time.Time) (connSeat, error) {
	m := r.bySecret(q.Secret)
	switch {
	case m == nil && r.departures.hasKicked(q.Secret):
		return connSeat{}, &Error{ErrKicked, ""}
	case m == nil:
		return connSeat{}, r.departures.reason(q.Secret)
	case m.line != nil:
		m.line.end(encode(errorReply(&Error{ErrReplaced, ""}, true)))
	}
	if m.instance != q.Instance { // the page was reloaded, so it plays no match
		m.instance, m.Status = q.Instance, ""
		r.ended(m, m.Playing)
	}
	m.from, m.line, m.since, m.Vacant = from, l, now, false
	r.generation++
	h.attended(r, now)
	h.stats.Rejoined++
	h.welcome(r, m, now)
	return connSeat{r, m}, nil
}

// welcome sends a member everything that it has to know, and sends the others the new state.
func (h *hub) welcome(r *room, m *member, now time.Time) {
	r.touched = now
	hello := reply{Kind: kindWelcome, You: m.ID, Secret: m.secret, ICE: h.serve(m, now), State: r.state(), Ping: int(h.cfg.PingEvery.Milliseconds())}
	if m.Seat != NoSeat {
		hello.Token = r.token
	}
	m.line.push(encode(hello))
	r.push(m)
}

const (
	costly      = 8       // at least the cost of a message that goes to all members, and of a ping
	costlyBytes = 4 << 10 // the number of bytes that cost as much as one message
)

// cost returns the cost of a message, which is taken from the sender's bucket and depends on the work that the message
// causes. Its bytes also count, since they have to be read.
func (q *request) cost(bytes, hearers int) float64 {
	cost := 1 + float64(bytes)/costlyBytes
	if q.Kind != kindSignal {
		cost += float64(max(costly, hearers) - 1)
	}
	return cost
}

// handle carries out a request of a member.
func (h *hub) handle(s connSeat, q *request, now time.Time) error {
	r, m := s.room, s.member
	r.touched = now
	switch q.Kind {
	case kindSignal:
		h.signal(s, q)
		return nil
	case kindStatus:
		m.Status = q.Data
	case kindSit:
		if q.Seat != nil && *q.Seat == m.Seat {
			return nil
		}
		place, err := r.place(Player, q.Seat)
		if err != nil {
			return err
		}
		if m.Playing != 0 {
			return refuse(ErrNotReady, "players cannot change seats during a match")
		}
		r.sit(m, place)
	case kindTake:
		if err := r.take(m, *q.Seat); err != nil {
			return err
		}
	case kindPlaying:
		if err := r.plays(m, q.Match); err != nil {
			return err
		}
	case kindEnded:
		r.ended(m, q.Match)
	case kindSettings, kindStart, kindKick, kindAbsent:
		if r.host() != m {
			return &Error{ErrHost, ""}
		}
		if err := h.lead(s, q); err != nil {
			return err
		}
	default:
		return refuse(ErrBadMessage, "%s is no message of a member", q.Kind)
	}
	r.push(nil)
	return nil
}

// lead carries out a request that only the host may make. A kicked member knows the room's link, so a kick changes
// it.
func (h *hub) lead(s connSeat, q *request) error {
	switch r := s.room; q.Kind {
	case kindSettings:
		r.settings = q.Data
	case kindStart:
		return r.start()
	case kindAbsent:
		r.misses(r.byID(q.To), q.Match)
	case kindKick:
		sent, err := r.kick(s.member, q.To)
		if sent {
			h.renew(r)
			r.token = newToken() // all players pass it to their match
		}
		return err
	}
	return nil
}

// signal passes data to another member. It is dropped if that member is absent: the two sides begin their connection
// again when it is back. Everything that fits into a request also fits into a pushed message.
func (h *hub) signal(s connSeat, q *request) {
	to := s.room.byID(q.To)
	if to == nil || to.line == nil || to == s.member {
		return // the member has just left; the next state says so
	}
	h.stats.Signals++
	to.line.push(encode(reply{Kind: kindSignal, From: s.member.ID, Data: q.Data}))
}

// gone handles the end of a connection. If left is true, its place is given up; otherwise the place is kept for
// Grace.
func (h *hub) gone(s connSeat, l line, left bool, now time.Time) {
	m := s.member
	if m == nil || m.line != l {
		return // another connection has taken over the place
	}
	m.line, m.since = nil, now
	s.room.generation++
	if left {
		s.room.remove(m)
	}
	if len(s.room.members) == 0 {
		h.drop(s.room, "left")
		return
	}
	h.attended(s.room, now)
	s.room.push(nil)
}

// sweep ends everything that has reached its time limit.
func (h *hub) sweep(now time.Time) {
	signed := slices.ContainsFunc(h.cfg.ICE, func(s ICEServer) bool { return h.cfg.signed(&s) })
	for _, r := range h.rooms {
		if now.Sub(r.made) > h.cfg.MaxAge || now.Sub(r.touched) > h.cfg.MaxIdle {
			h.drop(r, "age")
			r.end(refuse(ErrExpired, "rooms last %v, and %v if nothing happens", h.cfg.MaxAge, h.cfg.MaxIdle))
			continue
		}
		h.sweepMembers(r, now)
		if signed {
			h.renewICE(r, now)
		}
	}
	for len(h.empty) > 0 && now.Sub(h.empty[0].left) > h.grace() {
		h.drop(h.empty[0], "empty")
	}
	h.visitors.sweep(&h.budget, now)
}

func (h *hub) sweepMembers(r *room, now time.Time) {
	changed := false
	for _, m := range slices.Clone(r.members) {
		if m.line == nil && now.Sub(m.since) > h.cfg.Grace {
			r.remove(m)
			changed = true
			continue
		}
		if vacant := r.isVacant(m, now.Sub(m.since), h.cfg.Vacancy); vacant != m.Vacant {
			m.Vacant, changed = vacant, true
		}
	}
	switch {
	case len(r.members) == 0:
		h.drop(r, "empty")
	case changed:
		r.push(nil)
	}
}

// end ends all rooms.
func (h *hub) end(reason error) {
	for _, r := range h.rooms {
		r.end(reason)
		h.drop(r, "shutdown")
	}
}
