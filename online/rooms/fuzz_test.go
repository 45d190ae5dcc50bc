//go:build !js

package rooms

import (
	"fmt"
	"testing"
	"time"
)

// An accepted request keeps every limit, and survives being encoded again.
func FuzzRequest(f *testing.F) {
	f.Add(encode(request{Kind: kindCreate, Game: "pong", Build: "1", Seats: 8, Spectators: 32, Name: "Ada", Data: "x"}))
	f.Add(encode(request{Kind: kindJoin, Room: "x", Game: "pong", Seat: new(3), Role: Player}))
	f.Add(encode(request{Kind: kindSignal, To: 1, Data: "\r\n\u2028"}))
	f.Add([]byte(`{"t":"create","seats":2,"game":"\ud800"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		q, err := decodeRequest(b)
		if err != nil {
			if codeOf(err) != "bad-message" {
				t.Fatal(err)
			}
			return
		}
		if len(q.Game) > maxShort || len(q.Name) > MaxName || len(q.Data) > MaxSignal || q.Seat != nil && *q.Seat >= MaxSeats {
			t.Fatalf("%+v", q)
		}
		if again, err := decodeRequest(encode(q)); err == nil && again.Data != q.Data {
			t.Fatalf("%+v becomes %+v", q, again)
		}
	})
}

// An accepted reply has a state that makes sense, whatever a server sends.
func FuzzReply(f *testing.F) {
	s := &State{Room: "x", GameID: "pong", Seats: 2, Members: []Member{{ID: 1, Seat: 0}, {ID: 2, Seat: NoSeat}}, Match: 1, Starters: []Starter{{ID: 1, Seat: 0, Gone: true}}}
	f.Add(encode(reply{Kind: kindWelcome, You: 1, Secret: "y", State: s, ICE: []ICEServer{{URLs: []string{"stun:x"}}}}))
	f.Add(encode(reply{Kind: kindState, State: s, Token: "z"}))
	f.Add(encode(errorReply(&MismatchError{itemBuild, "1", "2"}, true)))
	f.Add([]byte(`{"t":"state","state":{"room":"x","seats":2,"members":[{"id":1,"seat":0},{"id":2,"seat":0}]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := decodeReply(b)
		if err != nil {
			return
		}
		if r.Kind == kindError {
			if text := errorOf(&r, Entry{}).Error(); len(text) > 2*maxText {
				t.Fatal(text)
			}
		}
		if r.State == nil || r.Kind != kindState && r.Kind != kindWelcome {
			return
		}
		taken := map[int]bool{}
		for _, m := range r.State.Members {
			if m.Seat != NoSeat && (taken[m.Seat] || m.Seat < 0 || m.Seat >= r.State.Seats) {
				t.Fatalf("%+v", r.State)
			}
			taken[m.Seat] = true
		}
	})
}

// fakeLine is a connection that accepts everything.
type fakeLine struct {
	t     *testing.T
	ended bool
	state State
	said  error // the last message
	ice   []ICEServer
}

func (l *fakeLine) push(b []byte) {
	r, err := decodeReply(b)
	if err != nil {
		l.t.Fatalf("a client would not take %s: %v", b, err)
	}
	if l.ended {
		l.t.Fatal("a message after the last one")
	}
	if r.Kind == kindICE {
		l.ice = r.ICE
	}
	if r.State != nil {
		if r.State.Room == l.state.Room && r.State.Generation < l.state.Generation {
			l.t.Fatal("the generation goes back")
		}
		l.state = *r.State
	}
}

func (l *fakeLine) end(b []byte) {
	l.ended = true
	if r, err := decodeReply(b); err == nil {
		l.said = errorOf(&r, Entry{})
	}
}

// FuzzHub lets members do anything in any order, in virtual time: the rooms stay
// consistent, and clients accept every push.
func FuzzHub(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 0, 0, 1, 0, 0, 2, 1, 3, 5, 0, 0, 3, 0, 0, 4, 0, 0, 9, 0, 200})
	f.Add([]byte{0, 0, 0, 1, 0, 0, 7, 1, 0, 8, 1, 0, 5, 0, 0, 9, 0, 255, 9, 0, 255})
	f.Add([]byte{0, 0, 0, 1, 1, 1, 4, 0, 0, 11, 0, 2, 1, 1, 1, 2, 2, 0})
	// The room of two expires, and then the server hears that one of them has hung up.
	f.Add([]byte{0, 0, 0, 1, 1, 1, 9, 0, 255, 9, 0, 255, 9, 0, 255, 9, 0, 255, 9, 0, 255, 10, 0, 0})
	f.Fuzz(func(t *testing.T, script []byte) {
		cfg := Config{MaxRooms: 3, RoomsPerAddress: 2}
		if err := cfg.complete(); err != nil {
			t.Fatal(err)
		}
		p := puppets{t: t, hub: newHub(&cfg), now: time.Unix(1, 0), rooms: []string{"none"}, secrets: []string{"none"}}
		for ; len(script) >= 3 && len(p.seats) < 64; script = script[3:] {
			p.act(script[0], script[1], script[2])
			p.check()
		}
	})
}

// puppets are members controlled by a fuzzer.
type puppets struct {
	t              *testing.T
	hub            *hub
	now            time.Time
	seats          []connSeat
	lines          []*fakeLine
	rooms, secrets []string
}

func (p *puppets) enter(q request) {
	l := &fakeLine{t: p.t}
	at, err := p.hub.enter(&q, addressOf(fmt.Sprintf("10.0.0.%d:1", len(p.seats)%3)), l, p.now)
	if err != nil {
		return
	}
	p.seats, p.lines = append(p.seats, at), append(p.lines, l)
	p.rooms, p.secrets = append(p.rooms, at.room.id), append(p.secrets, at.member.secret)
}

func (p *puppets) act(op, a, b byte) {
	const ops = 15
	kind := [...]string{3: kindSignal, 4: kindStart, 5: kindPlaying, 6: kindSit, 7: kindStatus, 8: kindSettings, 11: kindKick, 12: kindEnded, 13: kindTake, ops - 1: kindAbsent}
	seat := int(b%18) - 1
	switch op %= ops; {
	case op == 0:
		p.enter(request{Kind: kindCreate, Game: "g", Seats: MinSeats + int(a)%MaxSeats, Spectators: int(b % 33)})
	case op == 1:
		p.enter(request{Kind: kindJoin, Game: "g", Room: p.rooms[int(a)%len(p.rooms)], Role: []Role{AnyRole, Player, Spectator}[b%3], Take: b&8 != 0})
	case op == 2:
		i := int(a) % len(p.rooms)
		p.enter(request{Kind: kindRejoin, Game: "g", Room: p.rooms[i], Secret: p.secrets[i], Instance: string(rune('a' + b%2))})
	case op == 9:
		p.now = p.now.Add(time.Duration(b) * 10 * time.Second)
		p.hub.sweep(p.now)
	case len(p.seats) == 0:
	case op == 10:
		i := int(a) % len(p.seats)
		p.hub.gone(p.seats[i], p.lines[i], b%2 == 0, p.now)
		p.lines[i].ended = true
	default:
		i := int(a) % len(p.seats)
		if p.seats[i].member.line == line(p.lines[i]) && !p.lines[i].ended {
			if kind[op] == kindTake {
				seat = max(seat, 0)
			}
			_ = p.hub.handle(p.seats[i], &request{Kind: kind[op], To: uint32(b), Match: uint32(b % 4), Seat: &seat, Data: "x"}, p.now)
		}
	}
}

func (p *puppets) check() {
	made := 0
	for id, r := range p.hub.rooms {
		made++
		s := r.state()
		if err := s.check(nil); err != nil || s.Room != id || len(s.Members) == 0 {
			p.t.Fatalf("%+v: %v", s, err)
		}
		watching := s.sitting(NoSeat)
		if watching > r.terms.spectators+r.terms.seats || len(s.Members)-watching > r.terms.seats {
			p.t.Fatalf("too many: %+v", s)
		}
		for _, m := range s.Members {
			if m.Playing != 0 && m.Playing == s.Match && m.Seat == NoSeat {
				p.t.Fatalf("who watches plays: %+v", s)
			}
		}
	}
	if made > 3 {
		p.t.Fatalf("%d rooms", made)
	}
}
