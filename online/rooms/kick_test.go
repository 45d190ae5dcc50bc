//go:build !js

package rooms

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// The host kicks a member, who is told so and gone for all; nobody else can.
func TestAMemberIsSentAway(t *testing.T) {
	s, url := serve(t, Config{})
	host := enter(t, url, Entry{Seats: 3})
	room := host.State().Room
	bo, cy := enter(t, url, Entry{Room: room}), enter(t, url, Entry{Room: room})
	if err := bo.Kick(host.You()); err != nil {
		t.Fatal(err)
	}
	if e := hears(t, bo, Refused); !errors.Is(e.Err, ErrHost) {
		t.Errorf("who is no host hears %v", e.Err)
	}
	for _, id := range []uint32{cy.You(), cy.You(), 77} { // once more, and a member that does not exist: it has just gone
		if err := host.Kick(id); err != nil {
			t.Fatal(err)
		}
	}
	if e := hears(t, cy, Closed); !errors.Is(e.Err, ErrKicked) || !errors.Is(cy.Err(), ErrKicked) {
		t.Errorf("who is sent away hears %v", e.Err)
	}
	for _, c := range []*Client{host, bo} {
		sees(t, c, "two members", func(s *State) bool {
			_, there := s.Member(cy.You())
			return s.Room != room && len(s.Members) == 2 && !there
		})
	}
	if _, err := Enter(within(t), url, Entry{GameID: "pong", Build: "1", Ticket: cy.Ticket()}); !errors.Is(err, ErrKicked) {
		t.Errorf("the ticket of who was sent away: %v", err)
	}
	// All have the same address here, which other members of the room have, too.
	enter(t, url, Entry{Room: host.State().Room})
	if err := host.Kick(host.You()); err != nil {
		t.Fatal(err)
	}
	if e := hears(t, host, Closed); !errors.Is(e.Err, ErrBadMessage) {
		t.Errorf("who sends itself away hears %v", e.Err)
	}
	counts(t, s, "what was refused", func(n Stats) bool { return n.Refused["host"] == 1 && n.Refused["bad-message"] == 1 })
}

// crowd is a room whose members come from anywhere.
type crowd struct {
	t     *testing.T
	hub   *hub
	now   time.Time
	lines map[*member]*fakeLine
}

func newCrowd(t *testing.T) *crowd {
	t.Helper()
	return newCrowdWith(t, Config{})
}

func (c *crowd) come(q request, from string) (connSeat, error) {
	q.Game = "g"
	l := &fakeLine{t: c.t}
	s, err := c.hub.enter(&q, addressOf(from), l, c.now)
	if err == nil {
		c.lines[s.member] = l
	}
	return s, err
}

func (c *crowd) must(q request, from string) connSeat {
	c.t.Helper()
	s, err := c.come(q, from)
	if err != nil {
		c.t.Fatal(err)
	}
	return s
}

func (c *crowd) leaves(s connSeat, left bool) { c.hub.gone(s, s.member.line, left, c.now) }

func (c *crowd) kick(host, s connSeat) error {
	return c.hub.handle(host, &request{Kind: kindKick, To: s.member.ID}, c.now)
}

// Nobody can enter from the address of a kicked member, unless another member has the same
// address.
func TestWhoWasSentAwayStaysAway(t *testing.T) {
	c := newCrowd(t)
	host := c.must(request{Kind: kindCreate, Seats: 2, Spectators: 32}, "10.0.0.1:1")
	join := request{Kind: kindJoin, Room: host.room.id}
	kick := func(s connSeat) {
		t.Helper()
		if err := c.kick(host, s); err != nil {
			t.Fatal(err)
		}
		join.Room = host.room.id // all know the new link
	}
	kick(c.must(join, "10.0.0.1:2")) // from the host's address
	c.leaves(c.must(join, "10.0.0.1:3"), true)
	kick(c.must(join, "[2001:db8::1]:9"))
	for from, want := range map[string]error{
		"[2001:db8::2]:1": ErrKicked, // the same customer
		"[2001:db9::2]:1": nil,
		"10.0.0.2:1":      nil,
	} {
		s, err := c.come(join, from)
		if !errors.Is(err, want) {
			t.Errorf("from %s: %v, want %v", from, err, want)
		}
		if err == nil {
			c.leaves(s, true)
		}
	}
	// A user who plays and watches, from one address, is out when both members are.
	troll, watcher := c.must(join, "10.0.0.3:1"), c.must(join, "10.0.0.3:2")
	kick(troll)
	kick(c.must(join, "10.0.0.3:3"))
	kick(watcher)
	if _, err := c.come(join, "10.0.0.3:4"); !errors.Is(err, ErrKicked) {
		t.Errorf("one more of the same: %v", err)
	}
	// Many more: the first are forgotten, and the room does not grow.
	for i := range 2 * maxDeparted {
		kick(c.must(join, fmt.Sprintf("10.1.0.%d:1", i)))
	}
	if a, b := len(host.room.departures.kicked), len(host.room.departures.left); a != maxDeparted || b > maxDeparted {
		t.Errorf("%d and %d are remembered", a, b)
	}
	if _, err := c.come(join, fmt.Sprintf("10.1.0.%d:1", 2*maxDeparted-1)); !errors.Is(err, ErrKicked) {
		t.Errorf("the last one comes back: %v", err)
	}
	c.must(join, "[2001:db8::1]:9")
}

// A member that was already kicked is not kicked again: the others keep the link and the
// token that they have.
func TestNobodyIsSentAwayTwice(t *testing.T) {
	c := newCrowd(t)
	host := c.must(request{Kind: kindCreate, Seats: 2}, "10.0.0.1:1")
	troll := c.must(request{Kind: kindJoin, Room: host.room.id}, "10.0.0.2:1")
	if err := c.kick(host, troll); err != nil {
		t.Fatal(err)
	}
	link, token := host.room.id, host.room.token
	if err := c.kick(host, troll); err != nil || host.room.id != link || host.room.token != token {
		t.Errorf("once more: %v, with another link: %v, with another token: %v", err, host.room.id != link, host.room.token != token)
	}
}

// A member that leaves while it is being kicked does not come back either.
func TestWhoIsQuickerThanTheHost(t *testing.T) {
	c := newCrowd(t)
	host := c.must(request{Kind: kindCreate, Seats: 2}, "10.0.0.1:1")
	join := request{Kind: kindJoin, Room: host.room.id}
	troll := c.must(join, "10.0.0.2:1")
	c.leaves(troll, true)
	if err := c.kick(host, troll); err != nil {
		t.Fatal(err)
	}
	join.Room = host.room.id
	if _, err := c.come(join, "10.0.0.2:1"); !errors.Is(err, ErrKicked) {
		t.Errorf("who has left: %v", err)
	}
	c.must(join, "10.0.0.3:1")
}

// A member that is the host while the first one is away cannot take the room from it; a
// member that is kicked while away learns so when it is back.
func TestWhoIsAwayIsSentAway(t *testing.T) {
	c := newCrowd(t)
	first := c.must(request{Kind: kindCreate, Seats: 3}, "10.0.0.1:1")
	join := request{Kind: kindJoin, Room: first.room.id}
	second, third := c.must(join, "10.0.0.2:1"), c.must(join, "10.0.0.3:1")
	c.leaves(first, false)
	c.leaves(third, false)
	if err := c.kick(second, first); !errors.Is(err, ErrHost) {
		t.Errorf("the first one is sent away: %v", err)
	}
	if err := c.kick(second, third); err != nil {
		t.Errorf("the third one is not: %v", err)
	}
	again := func(s connSeat) error {
		_, err := c.come(request{Kind: kindRejoin, Room: first.room.id, Secret: s.member.secret}, "10.0.0.9:1")
		return err
	}
	if err := again(first); err != nil {
		t.Errorf("the first one comes back: %v", err)
	}
	if err := again(third); !errors.Is(err, ErrKicked) {
		t.Errorf("the third one hears %v", err)
	}
}

// A kicked member knows the room's link and its token, which are worthless from then on: all
// others get another link and another token at once, and the next match has yet another
// token.
func TestTheLinkIsRenewedWhenSomebodyIsSentAway(t *testing.T) {
	_, url := serve(t, Config{})
	host := enter(t, url, Entry{Seats: 3})
	old, token := host.State().Room, host.Token()
	bo, troll := enter(t, url, Entry{Room: old}), enter(t, url, Entry{Room: old})
	away := bo.Ticket()
	bo.Abandon()
	sees(t, host, "bo away", func(s *State) bool { return len(s.Members) == 3 && !s.Members[1].Connected })
	if err := host.Kick(troll.You()); err != nil {
		t.Fatal(err)
	}
	sees(t, host, "another link", func(s *State) bool { return s.Room != old && len(s.Members) == 2 })
	if RoomOf(host.Ticket()) != host.State().Room {
		t.Error("the host's ticket is for the old link")
	}
	if host.Token() == token {
		t.Error("the token is the old one")
	}
	token = host.Token()
	_, err := Enter(within(t), url, Entry{GameID: "pong", Build: "1", Room: old})
	if !errors.Is(err, ErrGone) || !strings.Contains(err.Error(), "renewed") {
		t.Errorf("by the old link: %v", err)
	}
	if _, err := Enter(within(t), url, Entry{GameID: "pong", Build: "1", Ticket: ticket(old, newID())}); !errors.Is(err, ErrGone) {
		t.Errorf("by a ticket that is none: %v", err)
	}
	if _, err := Enter(within(t), url, Entry{GameID: "pong", Build: "1", Ticket: troll.Ticket()}); !errors.Is(err, ErrKicked) {
		t.Errorf("by the ticket of who was sent away: %v", err)
	}
	bo = enter(t, url, Entry{Ticket: away}) // a member that was away in the meantime comes back by the old one
	if bo.State().Room != host.State().Room || bo.Me().Seat != 1 {
		t.Errorf("who was away is at %+v", bo.Me())
	}
	enter(t, url, Entry{Room: host.State().Room})
	host.Start()
	sees(t, host, "a match", func(s *State) bool { return s.Match == 1 })
	sees(t, bo, "a match", func(s *State) bool { return s.Match == 1 })
	if host.Token() == token || bo.Token() != host.Token() {
		t.Errorf("the match has the token %q, and the lobby had %q", host.Token(), token)
	}
}

// A room is found by a limited number of its earlier links, and by none when it has ended. A
// kick of nobody renews nothing.
func TestEarlierLinksAreBounded(t *testing.T) {
	c := newCrowd(t)
	host := c.must(request{Kind: kindCreate, Seats: 2}, "10.0.0.1:1")
	away := c.must(request{Kind: kindJoin, Room: host.room.id, Role: AnyRole}, "10.0.0.2:1")
	c.leaves(away, false)
	first := host.room.id
	if err := c.kick(host, connSeat{host.room, &member{Member: Member{ID: 77}}}); err != nil || host.room.id != first {
		t.Errorf("nobody is sent away: %v, and the link is another one: %v", err, host.room.id != first)
	}
	var second string
	const promised = 16 // in docs/online.md
	for i := range promised + 1 {
		if i == 1 {
			second = host.room.id
		}
		c.hub.renew(host.room)
	}
	if len(c.hub.former) != promised || len(host.room.former) != promised || len(c.hub.rooms) != 1 {
		t.Fatalf("%d links lead to %d rooms", len(c.hub.former), len(c.hub.rooms))
	}
	back := request{Kind: kindRejoin, Room: first, Secret: away.member.secret}
	if _, err := c.come(back, "10.0.0.2:1"); !errors.Is(err, ErrGone) {
		t.Errorf("by the first of too many: %v", err)
	}
	if back.Room = second; back.Room == "" {
		t.Fatal("there is no second link")
	}
	c.leaves(c.must(back, "10.0.0.2:1"), true)
	c.leaves(host, true)
	if len(c.hub.former)+len(c.hub.rooms) != 0 {
		t.Errorf("of a room that has ended %d links are left", len(c.hub.former))
	}
}
