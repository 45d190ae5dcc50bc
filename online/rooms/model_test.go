//go:build !js

package rooms

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/tickback/tickback/session/shares"
)

// ledger is the state of a room server in the simplest form: lists that are searched each time, and no counters. It
// returns the answer to a request, what each member gets, and the counts. It copies random values (links, secrets,
// tokens) from the server that it is compared with.
type ledger struct {
	cfg      *Config
	now      time.Time
	rooms    []*page // in the order in which they were made
	made     uint64
	signals  uint64
	rejoined uint64
	given    uint64 // places that were given to others
	dropped  uint64
	ended    func(*page) bool // whether the server has ended a room
	limited  map[string]uint64
}

// page is a room of a ledger.
type page struct {
	room        *room // of the server: for its link, its token, and nothing else
	links       []string
	q           request // that made it
	maker       shares.Origin
	settings    string
	match       uint32
	starters    []Starter
	list        []*entry
	lastID      uint32
	gone, out   []*entry // members who have left, and those of them who were kicked
	made, heard time.Time
	left        time.Time // since then nobody is connected
	emptied     int       // in this order rooms were left
	moves       int       // grows whenever a member comes, leaves, is lost, is back or changes its seat
	link, token bool      // others are due
}

// entry is a member of a ledger.
type entry struct {
	Member
	secret, instance string
	from             shares.Origin
	ear              *ear // nil: away
	since            time.Time
	guest            bool   // its seat was given to it by another member's leaving, or after a match had begun
	heir             string // who has its seat, when it has gone
}

// ear is what a connection should have received since the last look.
type ear struct {
	page *page
	who  *entry
	due  []reply
	over bool
}

func (e *ear) last(err error) {
	e.due, e.over = append(e.due, errorReply(err, true)), true
}

func (p *page) find(so func(*entry) bool) *entry {
	if i := slices.IndexFunc(p.list, so); i >= 0 {
		return p.list[i]
	}
	return nil
}

func (p *page) sitting(seat int) *entry {
	return p.find(func(e *entry) bool { return seat != NoSeat && e.Seat == seat })
}

// host returns the connected member with the lowest seat, and no guest while there are others.
func (p *page) host() *entry {
	var first *entry
	for _, e := range p.list {
		if e.Seat != NoSeat && e.ear != nil && (first == nil || first.guest && !e.guest || e.guest == first.guest && e.Seat < first.Seat) {
			first = e
		}
	}
	return first
}

// tell sends a message to all connected members except one.
func (p *page) tell(but *entry) {
	for _, e := range p.list {
		if e.ear != nil && e != but {
			e.ear.due = append(e.ear.due, p.says(kindState, e))
		}
	}
}

// says returns the room as a member gets it. Only members with a seat get the token.
func (p *page) says(kind string, to *entry) reply {
	s := State{GameID: p.q.Game, Build: p.q.Build, Seats: p.q.Seats, Spectators: p.q.Spectators, Settings: p.settings}
	if h := p.host(); h != nil {
		s.Host = h.ID
	}
	if len(p.starters) > 0 {
		s.Match, s.Starters = p.match, slices.Clone(p.starters)
	}
	for _, e := range p.list {
		m := e.Member
		m.Connected = e.ear != nil
		s.Members = append(s.Members, m)
	}
	r := reply{Kind: kind, State: &s}
	if to.Seat != NoSeat {
		r.Token = "due"
	}
	return r
}

// place returns the place that a member can have, or why there is none.
func (p *page) place(role Role, seat *int) (int, error) {
	watching := 0
	for _, e := range p.list {
		if e.Seat == NoSeat {
			watching++
		}
	}
	free := -1
	for s := p.q.Seats - 1; s >= 0; s-- {
		if p.sitting(s) == nil {
			free = s
		}
	}
	wants := role == Spectator || seat != nil && *seat == NoSeat
	switch {
	case !wants && seat != nil && (*seat >= p.q.Seats || p.sitting(*seat) != nil):
		return 0, ErrSeatTaken
	case !wants && seat != nil:
		return *seat, nil
	case !wants && free >= 0:
		return free, nil
	case (wants || role == AnyRole) && watching < p.q.Spectators:
		return NoSeat, nil
	}
	return 0, ErrFull
}

// stops makes a member stop playing the match, which ends when nobody plays it.
func (p *page) stops(e *entry, match uint32) {
	if e.Playing != match {
		return
	}
	e.Playing = 0
	for i := range p.starters {
		if p.starters[i].ID == e.ID && match == p.match {
			p.starters[i].Gone = true
		}
	}
	if p.match == 0 || p.find(func(o *entry) bool { return o.Playing == p.match }) == nil {
		p.starters = nil
	}
}

func (p *page) remove(e *entry) {
	if heir := p.find(func(o *entry) bool { return o.ID == e.Taken }); heir != nil {
		e.heir = heir.Name
	}
	p.list = slices.DeleteFunc(p.list, func(o *entry) bool { return o == e })
	p.gone = append(p.gone, e)
	p.moves++
	p.stops(e, e.Playing)
}

func (p *page) dismiss(e *entry, why error) {
	if e.ear != nil {
		e.ear.last(why)
		e.ear = nil
	}
	p.remove(e)
}

// empty returns the rooms without connected members, in the order in which they were left.
func (l *ledger) empty(so func(*page) bool) []*page {
	var list []*page
	for _, p := range l.rooms {
		if !p.left.IsZero() && so(p) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b *page) int { return cmp.Compare(a.emptied, b.emptied) })
	return list
}

func (l *ledger) count(so func(*page) bool) (n int) {
	for _, p := range l.rooms {
		if so(p) {
			n++
		}
	}
	return n
}

func (l *ledger) drop(p *page) {
	l.rooms = slices.DeleteFunc(l.rooms, func(o *page) bool { return o == p })
	l.dropped++
}

func (l *ledger) expire(p *page, why error) {
	l.drop(p)
	for _, e := range p.list {
		if e.ear != nil {
			e.ear.last(why)
			e.ear = nil
		}
	}
}

// attended records since when a room has no connected members. A network has a limited number of such
// rooms.
func (l *ledger) attended(p *page) {
	here := p.find(func(e *entry) bool { return e.ear != nil }) != nil
	if here {
		p.left = time.Time{}
		return
	}
	if !p.left.IsZero() || !slices.Contains(l.rooms, p) {
		return
	}
	near := func(o *page) bool { return o.maker.Wide == p.maker.Wide }
	for _, o := range l.rooms {
		p.emptied = max(p.emptied, o.emptied+1)
	}
	p.left = l.now
	if list := l.empty(near); len(list) > 2*max(l.cfg.MaxRooms/128, 1) {
		l.given++
		l.drop(list[0])
	}
}

// refuse counts a refusal by a limit.
func (l *ledger) refuse(limit string, why error) error {
	l.limited[limit]++
	return why
}

// makePlace makes room for a new room: rooms without connected members end first, and then one of the
// network that has most.
func (l *ledger) makePlace(from shares.Origin) error {
	give := func(so func(*page) bool) bool {
		list := l.empty(so)
		if len(list) > 0 {
			l.given++
			l.drop(list[0])
		}
		return len(list) > 0
	}
	near := func(p *page) bool { return p.maker.Near == from.Near }
	wide := func(p *page) bool { return p.maker.Wide == from.Wide }
	if l.count(near) >= l.cfg.RoomsPerAddress && !give(near) || l.count(wide) >= 4*l.cfg.RoomsPerAddress && !give(wide) {
		return l.refuse(limitRooms, ErrRate)
	}
	if len(l.rooms) < l.cfg.MaxRooms {
		return nil
	}
	all := func(*page) bool { return true }
	if list := l.empty(all); len(list) > 0 {
		most := slices.MaxFunc(list, func(a, b *page) int {
			of := func(p *page) int {
				return len(l.empty(func(o *page) bool { return o.maker.Wide == p.maker.Wide }))
			}
			return cmp.Compare(of(a), of(b))
		})
		give(func(p *page) bool { return p.maker.Wide == most.maker.Wide })
		return nil
	}
	p := l.heaviest(from)
	if p == nil {
		return l.refuse(limitAllRooms, ErrServerFull)
	}
	l.given++
	l.expire(p, ErrExpired)
	return nil
}

// heaviest returns the room that ends for a new one, or nil. Among networks that have equally many,
// the server may choose any.
func (l *ledger) heaviest(from shares.Origin) (found *page) {
	of := func(p *page) int { return l.count(func(o *page) bool { return o.maker.Wide == p.maker.Wide }) }
	most := slices.MaxFunc(l.rooms, func(a, b *page) int { return cmp.Compare(of(a), of(b)) })
	for _, p := range l.rooms {
		if of(p) < of(most) {
			continue
		}
		var list []*page
		var makers []shares.Origin
		for _, o := range l.rooms {
			if o.maker.Wide == p.maker.Wide || o.maker.Wide == from.Wide {
				list, makers = append(list, o), append(makers, o.maker)
			}
		}
		if i := shares.Evict(makers, from, max(l.cfg.MaxRooms/128, 1)); i >= 0 && (found == nil || l.ended(list[i])) {
			found = list[i]
		}
	}
	return found
}

// counts returns the figures that a ledger knows.
func (l *ledger) counts() Stats {
	st := Stats{
		Rooms: len(l.rooms), Empty: len(l.empty(func(*page) bool { return true })),
		RoomsMade: l.made, Signals: l.signals, Rejoined: l.rejoined, Displaced: l.given,
		Refused: map[string]uint64{}, Limited: maps.Clone(l.limited),
	}
	for _, p := range l.rooms {
		st.Members += len(p.list)
		if len(p.starters) > 0 {
			st.Matches++
		}
		for _, e := range p.list {
			if e.ear != nil {
				st.Connected++
			}
		}
	}
	return st
}
