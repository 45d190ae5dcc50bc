//go:build !js

package rooms

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
)

// Whatever members, strangers and the clock do, the server answers, pushes, counts and
// logs the same as a simple ledger of its rooms.
func TestTheServerDoesWhatALedgerSays(t *testing.T) {
	for i, cfg := range []Config{
		{MaxRooms: 4, RoomsPerAddress: 2},
		{MaxRooms: 12, RoomsPerAddress: 2},
		{MaxRooms: 256, RoomsPerAddress: 3},
		{MaxRooms: 9, RoomsPerAddress: 9},
		{MaxRooms: 64, RoomsPerAddress: 1},
	} {
		for seed := range uint64(6) {
			t.Run(fmt.Sprintf("%d of %d an address, seed %d", cfg.MaxRooms, cfg.RoomsPerAddress, seed), func(t *testing.T) {
				newRehearsal(t, cfg, uint64(i)<<32|seed).run(400)
			})
		}
	}
}

// rehearsal does the same to a server and a ledger.
type rehearsal struct {
	t      *testing.T
	random *rand.Rand
	server Server
	ledger ledger
	calls  []*call
	seen   map[string]bool // links, secrets and tokens: none is given twice
	moves  map[*page][2]uint64
	log    records
	did    string
}

// call is a connection: where it is according to the server, and what it has received.
type call struct {
	ear
	at    connSeat
	heard []reply
	ended bool
	t     *testing.T
}

func (c *call) push(b []byte) {
	r, err := decodeReply(b)
	if err != nil || c.ended {
		c.t.Fatalf("a client would not take %s: %v", b, err)
	}
	c.heard = append(c.heard, r)
}

func (c *call) end(b []byte) {
	c.push(b)
	c.ended = true
}

// records is what a log has received.
type records struct {
	made, ended, refused uint64
	text                 strings.Builder
}

func (l *records) Enabled(context.Context, slog.Level) bool { return true }
func (l *records) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l *records) WithGroup(string) slog.Handler            { return l }
func (l *records) Handle(_ context.Context, r slog.Record) error {
	switch r.Message {
	case "room made":
		l.made++
	case "room ended":
		l.ended++
	case "refused":
		l.refused++
	}
	r.Attrs(func(a slog.Attr) bool { l.text.WriteString(a.String() + "\n"); return true })
	return nil
}

func newRehearsal(t *testing.T, cfg Config, seed uint64) *rehearsal {
	r := &rehearsal{t: t, random: rand.New(rand.NewPCG(seed, 1)), seen: map[string]bool{}, moves: map[*page][2]uint64{}}
	cfg.Grace, cfg.Vacancy, cfg.MaxIdle, cfg.MaxAge = 64*time.Second, 12*time.Second, 160*time.Second, 480*time.Second
	cfg.Games, cfg.ICE, cfg.Log = []string{"duel", "arena"}, []ICEServer{{URLs: []string{"stun:s"}}}, slog.New(&r.log)
	if err := cfg.complete(); err != nil {
		t.Fatal(err)
	}
	r.server.cfg = cfg
	r.server.hub = newHub(&r.server.cfg)
	r.ledger = ledger{cfg: &cfg, now: time.Unix(1000, 0), limited: map[string]uint64{}, ended: func(p *page) bool { return r.server.hub.rooms[p.room.id] != p.room }}
	return r
}

func (r *rehearsal) run(acts int) {
	for range acts {
		r.act()
		r.compare()
	}
	for secret := range r.seen {
		if strings.Contains(r.log.text.String(), secret) {
			r.t.Fatalf("the log has %s", secret)
		}
	}
}

// one returns a random element of a list.
func one[T any](r *rehearsal, list ...T) T { return list[r.random.IntN(len(list))] }

func (r *rehearsal) act() {
	switch n := r.random.IntN(100); {
	case n < 12 || len(r.calls) == 0:
		r.enter(request{Kind: kindCreate, Seats: 2 + r.random.IntN(3), Spectators: one(r, 0, 0, 1, 3), Data: one(r, "", "fast"), Seat: one(r, nil, nil, new(1), new(3), new(NoSeat))})
	case n < 34:
		r.enter(request{Kind: kindJoin, Room: r.link(), Role: one(r, AnyRole, AnyRole, Player, Spectator), Seat: one(r, nil, nil, nil, new(0), new(1), new(2), new(NoSeat)), Take: one(r, false, true)})
	case n < 39 && r.vacant() != nil:
		r.takes(r.vacant())
	case n < 46:
		r.enter(request{Kind: kindRejoin, Room: r.link(), Secret: r.secret(), Instance: one(r, "a", "b")})
	case n < 47:
		r.enter(request{Kind: one(r, kindLeave, kindStart, kindStatus)})
	case n < 60:
		c, left := one(r, r.calls...), r.random.IntN(3) == 0
		r.did = fmt.Sprintf("connection %d hangs up, for good: %v", slices.Index(r.calls, c), left)
		c.ended = true
		r.server.hub.gone(c.at, c, left, r.ledger.now)
		r.ledger.hangsUp(&c.ear, left)
	case n < 68:
		r.ledger.now = r.ledger.now.Add(one(r, 4*time.Second, 8*time.Second, 8*time.Second, 64*time.Second, 96*time.Second))
		r.did = "time passes"
		r.server.hub.sweep(r.ledger.now)
		r.ledger.sweep()
	default:
		r.wish()
	}
}

// link is the link of a room, or of none.
func (r *rehearsal) link() string {
	if len(r.ledger.rooms) == 0 || r.random.IntN(20) == 0 {
		return "nowhere"
	}
	p := one(r, r.ledger.rooms...)
	if r.random.IntN(4) > 0 {
		return p.links[len(p.links)-1]
	}
	return one(r, p.links...)
}

// secret returns one of the secrets, mostly of the newest room that has lost a member.
func (r *rehearsal) secret() string {
	if c := one(r, r.calls...); c.who != nil && r.random.IntN(20) > 0 {
		return c.who.secret
	}
	return "none"
}

func (r *rehearsal) enter(q request) {
	q.Game, q.Build, q.Name = one(r, "duel", "duel", "duel", "duel", "duel", "duel", "arena", "chess"), one(r, "1", "1", "1", "1", "1", "2"), one(r, "", "Ada")
	from := addressOf(one(r, "10.0.0.1:1", "10.0.0.1:2", "10.0.0.2:1", "10.0.0.3:1", "10.0.0.4:1", "10.0.0.5:1", "10.0.0.6:1", "10.0.1.1:1", "10.0.1.2:1", "10.0.2.1:1", "10.0.3.1:1", "nowhere"))
	if q.Kind == kindRejoin { // by a ticket, mostly
		if c := one(r, r.calls...); c.page != nil && r.random.IntN(10) > 0 {
			q.Room, q.Secret, q.Game, q.Build = one(r, c.page.links...), c.who.secret, c.page.q.Game, c.page.q.Build
		}
	}
	if q.Kind == kindJoin {
		for _, p := range r.ledger.rooms {
			if slices.Contains(p.links, q.Room) && r.random.IntN(10) > 0 {
				q.Game, q.Build = p.q.Game, p.q.Build
			}
		}
	}
	r.did = fmt.Sprintf("%+v from %v", q, from.Near)
	q = r.travelled(q)
	c := &call{t: r.t}
	at, err := r.server.hub.enter(&q, from, c, r.ledger.now)
	r.same(err, r.ledger.enter(&q, from, &c.ear))
	if err != nil {
		if c.page != nil || at != (connSeat{}) {
			r.t.Fatalf("%s: refused, and let in", r.did)
		}
		return
	}
	c.at, c.page.room = at, at.room
	r.calls = append(r.calls, c)
}

// vacant returns a room with a place that can be taken, or nil.
func (r *rehearsal) vacant() *page {
	i := slices.IndexFunc(r.ledger.rooms, func(p *page) bool { return p.firstVacant(nil) != nil })
	if i < 0 {
		return nil
	}
	return r.ledger.rooms[i]
}

// takes makes a spectator, or otherwise a newcomer, take a vacant place.
func (r *rehearsal) takes(p *page) {
	q := request{Kind: kindTake, Seat: new(p.firstVacant(nil).Seat)}
	for _, c := range r.calls {
		if c.page == p && !c.ended && c.who.ear == &c.ear && c.who.Seat == NoSeat {
			r.did = fmt.Sprintf("member %d takes seat %d", c.who.ID, *q.Seat)
			r.same(r.server.hub.handle(c.at, &q, r.ledger.now), r.ledger.handle(&c.ear, &q))
			return
		}
	}
	r.enter(request{Kind: kindJoin, Room: p.links[len(p.links)-1], Take: true})
}

// wish is a request of a connected member.
func (r *rehearsal) wish() {
	c := one(r, r.calls...)
	if c.ended {
		return
	}
	seat := r.random.IntN(5) - 1
	q := request{
		Kind: one(r, kindSignal, kindStatus, kindSettings, kindSettings, kindSit, kindSit, kindTake, kindTake, kindAbsent, kindStart, kindStart, kindPlaying, kindEnded, kindEnded, kindKick, kindCreate, kindRejoin),
		To:   uint32(1 + r.random.IntN(6)), Match: c.page.match + uint32(r.random.IntN(3)) - 1, Data: one(r, "", "x", "y"), Seat: one(r, nil, &seat),
		Room: "x", Secret: "y", Game: "duel", Seats: 2,
	}
	if q.Kind == kindTake && (seat == NoSeat || q.Seat == nil || r.random.IntN(2) == 0) {
		q.Seat = new(0)
		if v := c.page.firstVacant(nil); v != nil {
			q.Seat = new(v.Seat)
		}
	}
	if h := c.page.host(); h != nil && h.ear != nil && r.random.IntN(2) == 0 && (q.Kind == kindAbsent || q.Kind == kindSettings || q.Kind == kindStart || q.Kind == kindKick) {
		i := slices.IndexFunc(r.calls, func(o *call) bool { return h.ear == &o.ear })
		c = r.calls[i]
	}
	if q.Match > 1<<31 || q.Match == 0 {
		q.Match = 1
	}
	r.did = fmt.Sprintf("member %d: %+v", c.who.ID, q)
	q = r.travelled(q)
	r.same(r.server.hub.handle(c.at, &q, r.ledger.now), r.ledger.handle(&c.ear, &q))
}

// travelled returns a request as it arrives.
func (r *rehearsal) travelled(q request) request {
	b, err := decodeRequest(encode(q))
	if err != nil {
		r.t.Fatalf("%s: %v", r.did, err)
	}
	if !reflect.DeepEqual(b, q) {
		r.t.Fatalf("%+v arrives as %+v", q, b)
	}
	return b
}

func (r *rehearsal) same(got, want error) {
	var taken, due *TakenError
	if errors.As(want, &due) && errors.As(got, &taken) && *taken == *due {
		return
	}
	if (got == nil) != (want == nil) || !errors.Is(got, want) {
		r.t.Fatalf("%s: %v, want %v", r.did, got, want)
	}
}

// fresh reports whether a text is new and has 128 bits: in base 64, and tokens as package
// tickback writes them.
func (r *rehearsal) fresh(text string) bool {
	old := r.seen[text]
	r.seen[text] = true
	_, wrong := tickback.ParseToken(text)
	return !old && (len(text) == 22 || wrong == nil)
}

func (r *rehearsal) compare() {
	for _, p := range r.ledger.rooms {
		if p.link {
			p.links, p.link = append(p.links, p.room.id), false
			if !r.fresh(p.room.id) {
				r.t.Fatalf("%s: the link is an old one", r.did)
			}
		}
		if p.token && !r.fresh(p.room.token) {
			r.t.Fatalf("%s: the token is an old one", r.did)
		}
		p.token = false
	}
	for i, c := range r.calls {
		for k := range c.due {
			if k < len(c.heard) {
				r.fill(c, &c.due[k], &c.heard[k])
			}
		}
		if c.over && !c.ended || !reflect.DeepEqual(c.heard, c.due) {
			r.t.Fatalf("%s: connection %d hears\n%+v, want\n%+v", r.did, i, c.heard, c.due)
		}
		c.heard, c.due = nil, nil
	}
	got, want := r.server.Stats(), r.ledger.counts()
	want.Visitors = got.Visitors
	if !reflect.DeepEqual(got, want) {
		r.t.Fatalf("%s: counted are\n%+v, want\n%+v", r.did, got, want)
	}
	if r.log.made != r.ledger.made || r.log.ended != r.ledger.dropped {
		r.t.Fatalf("%s: the log has %d rooms that were made and %d that have ended, of %d and %d", r.did, r.log.made, r.log.ended, r.ledger.made, r.ledger.dropped)
	}
}

// fill copies values that only the server can know into the expected message, if they are
// valid.
func (r *rehearsal) fill(c *call, due, got *reply) {
	if due.Kind == kindError {
		due.Text = got.Text
		return
	}
	if due.Secret != "" {
		if c.who.secret == "" && r.fresh(got.Secret) {
			c.who.secret = got.Secret
		}
		due.Secret = c.who.secret
	}
	if due.Token != "" {
		due.Token = c.page.room.token
	}
	if due.State == nil || got.State == nil {
		return
	}
	due.State.Room = c.page.links[len(c.page.links)-1]
	// The generation grows when the members change, and not otherwise.
	last, is := r.moves[c.page], [2]uint64{uint64(c.page.moves), got.State.Generation}
	if (is[0] > last[0]) != (is[1] > last[1]) || is[1] < last[1] {
		r.t.Fatalf("%s: the generation goes from %d to %d", r.did, last[1], is[1])
	}
	r.moves[c.page] = is
	due.State.Generation = got.State.Generation
}
