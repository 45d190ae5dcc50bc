//go:build !js

package rooms

import (
	"slices"

	"github.com/tickback/tickback/session/shares"
)

// enter is the first message of a connection, with the secret that the server gives to a
// member that it admits.
func (l *ledger) enter(q *request, from shares.Origin, ear *ear) error {
	switch q.Kind {
	case kindCreate:
		return l.create(q, from, ear)
	case kindJoin, kindRejoin:
	default:
		return ErrBadMessage
	}
	var p *page
	for _, o := range l.rooms {
		if slices.Contains(o.links, q.Room) {
			p = o
		}
	}
	if p == nil {
		return ErrGone
	}
	bySecret := func(e *entry) bool { return e.secret == q.Secret }
	mine, out := p.find(bySecret), slices.ContainsFunc(p.out, bySecret)
	if i := slices.Index(p.links, q.Room); i < len(p.links)-1 && (i < len(p.links)-1-maxFormer || q.Kind == kindJoin || mine == nil && !out) {
		return ErrGone // the link was renewed
	}
	fromNear := func(e *entry) bool { return e.from.Near == from.Near }
	switch {
	case q.Game != p.q.Game || q.Build != p.q.Build:
		return ErrGame
	case q.Kind == kindRejoin && out:
		return ErrKicked
	case q.Kind == kindRejoin && mine == nil:
		if i := slices.IndexFunc(p.gone, bySecret); i >= 0 && p.gone[i].Taken != 0 {
			return &TakenError{p.gone[i].heir}
		}
		return ErrMember
	case q.Kind == kindRejoin:
		l.rejoin(p, mine, q, from, ear)
		return nil
	case from.Near.IsValid() && slices.ContainsFunc(p.out, fromNear) && p.find(fromNear) == nil:
		return ErrKicked
	}
	seat, err := p.place(q.Role, q.Seat)
	if q.Take && q.Role != Spectator && (err != nil || seat == NoSeat) && p.firstVacant(q.Seat) != nil {
		seat, err = NoSeat, nil
	}
	if err == ErrFull && q.Role != Player && l.yields(p, from) {
		seat, err = NoSeat, nil
	}
	if err != nil {
		return err
	}
	l.add(p, q, seat, from, ear)
	return nil
}

func (l *ledger) create(q *request, from shares.Origin, ear *ear) error {
	if !slices.Contains(l.cfg.Games, q.Game) {
		return ErrGame
	}
	if err := l.makePlace(from); err != nil {
		return err
	}
	p := &page{q: *q, maker: from, settings: q.Data, made: l.now, link: true, token: true}
	l.rooms = append(l.rooms, p)
	l.made++
	seat, err := p.place(Player, q.Seat)
	if err != nil {
		seat = 0
	}
	l.add(p, q, seat, from, ear)
	return nil
}

func (l *ledger) add(p *page, q *request, seat int, from shares.Origin, ear *ear) {
	p.lastID++
	e := &entry{Member: Member{ID: p.lastID, Seat: seat, Name: q.Name}, instance: q.Instance, from: from, ear: ear, since: l.now}
	e.guest = seat != NoSeat && p.played()
	p.list = append(p.list, e)
	if old := p.firstVacant(q.Seat); old != nil && seat == NoSeat && q.Take && q.Role != Spectator {
		p.inherits(e, old)
	}
	l.welcome(p, e)
}

func (l *ledger) rejoin(p *page, e *entry, q *request, from shares.Origin, ear *ear) {
	if e.ear != nil {
		e.ear.last(ErrReplaced)
	}
	if e.instance != q.Instance {
		e.instance, e.Status = q.Instance, ""
		p.stops(e, e.Playing)
	}
	e.from, e.ear, e.since, e.Vacant = from, ear, l.now, false
	l.rejoined++
	l.welcome(p, e)
}

func (l *ledger) welcome(p *page, e *entry) {
	p.moves++
	e.ear.page, e.ear.who, p.heard = p, e, l.now
	l.attended(p)
	hello := p.says(kindWelcome, e)
	hello.You, hello.Secret, hello.Ping = e.ID, "due", int(l.cfg.PingEvery.Milliseconds())
	hello.ICE = l.cfg.ICE
	e.ear.due = append(e.ear.due, hello)
	p.tell(e)
}

// yields takes a spectator's place from the network that has most of them.
func (l *ledger) yields(p *page, from shares.Origin) bool {
	var watching []*entry
	var origins []shares.Origin
	for _, e := range p.list {
		if e.Seat == NoSeat {
			watching, origins = append(watching, e), append(origins, e.from)
		}
	}
	i := shares.Evict(origins, from, 0)
	if i < 0 {
		return false
	}
	l.given++
	p.dismiss(watching[i], ErrFull)
	return true
}

// handle carries out a request of a member.
func (l *ledger) handle(ear *ear, q *request) error {
	p, e := ear.page, ear.who
	p.heard = l.now
	leads := q.Kind == kindAbsent || q.Kind == kindSettings || q.Kind == kindStart || q.Kind == kindKick
	switch {
	case leads && p.host() != e:
		return ErrHost
	case q.Kind == kindSignal:
		to := p.find(func(o *entry) bool { return o.ID == q.To && o != e && o.ear != nil })
		if to != nil {
			l.signals++
			to.ear.due = append(to.ear.due, reply{Kind: kindSignal, From: e.ID, Data: q.Data})
		}
		return nil
	case q.Kind == kindSit && q.Seat != nil && *q.Seat == e.Seat:
		return nil
	case q.Kind == kindCreate, q.Kind == kindJoin, q.Kind == kindRejoin:
		return ErrBadMessage
	}
	if err := l.does(p, e, q); err != nil {
		return err
	}
	p.tell(nil)
	return nil
}

func (l *ledger) does(p *page, e *entry, q *request) error {
	switch q.Kind {
	case kindStatus:
		e.Status = q.Data
	case kindSettings:
		p.settings = q.Data
	case kindSit:
		seat, err := p.place(Player, q.Seat)
		if err != nil {
			return err
		}
		if e.Playing != 0 {
			return ErrNotReady
		}
		p.seats(e, seat)
	case kindTake:
		old := p.sitting(*q.Seat)
		switch {
		case e.Seat != NoSeat:
			return ErrNotReady
		case *q.Seat >= p.q.Seats || old != nil && !old.Vacant:
			return ErrSeatTaken
		case old != nil:
			p.inherits(e, old)
		default:
			p.seats(e, *q.Seat)
		}
	case kindAbsent:
		if o := p.find(func(o *entry) bool { return o.ID == q.To && o.ear == nil && q.Match == p.match }); o != nil {
			p.stops(o, q.Match)
		}
	case kindPlaying:
		if q.Match > p.match || e.Seat == NoSeat {
			return ErrNotReady
		}
		if q.Match == p.match && len(p.starters) > 0 {
			e.Playing = q.Match
		}
	case kindEnded:
		p.stops(e, q.Match)
	case kindStart:
		return p.start()
	case kindKick:
		return p.kick(e, q.To)
	}
	return nil
}

// seats gives a member another seat, or none.
func (p *page) seats(e *entry, seat int) {
	e.Seat, e.Taken, e.guest = seat, 0, seat != NoSeat && p.played()
	p.moves++
}

// inherits gives a member the place of another, who watches if there is a place for a
// spectator.
func (p *page) inherits(e, old *entry) {
	seat := old.Seat
	old.Seat, old.Taken, old.Vacant, old.Status, old.guest = NoSeat, e.ID, false, "", false
	p.stops(old, old.Playing)
	p.seats(e, seat)
	e.guest, p.token = true, true
	watching := 0
	for _, o := range p.list {
		if o.Seat == NoSeat {
			watching++
		}
	}
	if watching > p.q.Spectators {
		p.remove(old)
	}
}

// firstVacant returns the member whose place a newcomer would take.
func (p *page) firstVacant(seat *int) (first *entry) {
	for _, e := range p.list {
		if e.Vacant && (seat == nil || *seat == e.Seat) && (first == nil || e.Seat < first.Seat) {
			first = e
		}
	}
	return first
}

// played reports whether any connected member plays.
func (p *page) played() bool {
	return p.find(func(e *entry) bool {
		return e.ear != nil && p.match != 0 && e.Playing == p.match && len(p.starters) > 0
	}) != nil
}

func (p *page) start() error {
	if first := p.sitting(0); p.played() || first == nil || first.ear == nil {
		return ErrNotReady
	}
	p.match++
	p.token, p.starters = true, nil
	for s := range p.q.Seats {
		if e := p.sitting(s); e != nil && e.ear != nil {
			p.starters = append(p.starters, Starter{ID: e.ID, Seat: s})
			e.Playing = p.match
		}
	}
	return nil
}

func (p *page) kick(host *entry, id uint32) error {
	byID := func(e *entry) bool { return e.ID == id }
	e := p.find(byID)
	switch {
	case e == host:
		return ErrBadMessage
	case e != nil && e.Seat != NoSeat && e.Seat < host.Seat && !e.guest:
		return ErrHost
	case e != nil:
		p.dismiss(e, ErrKicked)
	}
	if i := slices.IndexFunc(p.gone, byID); i >= 0 && !slices.ContainsFunc(p.out, byID) {
		p.out = append(p.out, p.gone[i])
		p.link, p.token = true, true
	}
	return nil
}

// hangsUp handles the end of a connection.
func (l *ledger) hangsUp(ear *ear, left bool) {
	p, e := ear.page, ear.who
	if e == nil || e.ear != ear {
		return
	}
	e.ear, e.since = nil, l.now
	p.moves++
	if left {
		p.remove(e)
	}
	if len(p.list) == 0 {
		l.drop(p)
		return
	}
	l.attended(p)
	p.tell(nil)
}

// sweep ends everything that has reached its time limit.
func (l *ledger) sweep() {
	for _, p := range slices.Clone(l.rooms) {
		if l.now.Sub(p.made) > l.cfg.MaxAge || l.now.Sub(p.heard) > l.cfg.MaxIdle {
			l.expire(p, ErrExpired)
			continue
		}
		news := false
		for _, e := range slices.Clone(p.list) {
			away := l.now.Sub(e.since)
			if e.ear == nil && away > l.cfg.Grace {
				p.remove(e)
				news = true
				continue
			}
			was := e.Vacant
			e.Vacant = e.ear == nil && e.Seat != NoSeat && p.q.Seats > 1 && away > l.cfg.Vacancy && (len(p.starters) == 0 || e.Playing != p.match)
			news = news || e.Vacant != was
		}
		if len(p.list) == 0 {
			l.drop(p)
		} else if news {
			p.tell(nil)
		}
	}
	for _, p := range l.empty(func(*page) bool { return true }) {
		grace := l.cfg.Grace
		if 2*len(l.rooms) > l.cfg.MaxRooms {
			grace = l.cfg.Grace / 8
		}
		if l.now.Sub(p.left) <= grace {
			break
		}
		l.drop(p)
	}
}
