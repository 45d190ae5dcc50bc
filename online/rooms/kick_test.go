//go:build !js

package rooms

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// The host sends somebody away, who is told so and gone for all; nobody else can.
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
	for _, id := range []uint32{cy.You(), cy.You(), 77} { // once more, and nobody: it has just gone
		if err := host.Kick(id); err != nil {
			t.Fatal(err)
		}
	}
	if e := hears(t, cy, Closed); !errors.Is(e.Err, ErrKicked) || !errors.Is(cy.Err(), ErrKicked) {
		t.Errorf("who is sent away hears %v", e.Err)
	}
	for _, c := range []*Client{host, bo} {
		sees(t, c, "two members", func(s *State) bool { _, there := s.Member(cy.You()); return len(s.Members) == 2 && !there })
	}
	if _, err := Enter(within(t), url, Entry{Game: "pong", Build: "1", Ticket: cy.Ticket()}); !errors.Is(err, ErrKicked) {
		t.Errorf("the ticket of who was sent away: %v", err)
	}
	// All are at one address here, which others of the room have, too.
	enter(t, url, Entry{Room: room})
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
	t   *testing.T
	hub *hub
	now time.Time
}

func newCrowd(t *testing.T) *crowd {
	t.Helper()
	var cfg Config
	if err := cfg.complete(); err != nil {
		t.Fatal(err)
	}
	return &crowd{t, newHub(&cfg), time.Unix(1, 0)}
}

func (c *crowd) come(q request, from string) (seat, error) {
	q.Game = "g"
	return c.hub.enter(&q, addressOf(from), &fakeLine{t: c.t}, c.now)
}

func (c *crowd) must(q request, from string) seat {
	c.t.Helper()
	s, err := c.come(q, from)
	if err != nil {
		c.t.Fatal(err)
	}
	return s
}

func (c *crowd) leaves(s seat, left bool) { c.hub.gone(s, s.member.line, left, c.now) }

func (c *crowd) kick(host, s seat) error {
	return c.hub.handle(host, &request{Kind: kindKick, To: s.member.ID}, c.now)
}

// From the address of who was sent away nobody comes any more, while nobody here has the
// same.
func TestWhoWasSentAwayStaysAway(t *testing.T) {
	c := newCrowd(t)
	host := c.must(request{Kind: kindCreate, Seats: 2, Spectators: 32}, "10.0.0.1:1")
	join := request{Kind: kindJoin, Room: host.room.id}
	kick := func(s seat) {
		t.Helper()
		if err := c.kick(host, s); err != nil {
			t.Fatal(err)
		}
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
	// Who plays and watches, from one address, is out when both are.
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
	if a, b := len(host.room.kicked), len(host.room.departed); a != maxDeparted || b > maxDeparted {
		t.Errorf("%d and %d are remembered", a, b)
	}
	if _, err := c.come(join, fmt.Sprintf("10.1.0.%d:1", 2*maxDeparted-1)); !errors.Is(err, ErrKicked) {
		t.Errorf("the last one comes back: %v", err)
	}
	c.must(join, "[2001:db8::1]:9")
}

// Who leaves while it is sent away does not come back either.
func TestWhoIsQuickerThanTheHost(t *testing.T) {
	c := newCrowd(t)
	host := c.must(request{Kind: kindCreate, Seats: 2}, "10.0.0.1:1")
	join := request{Kind: kindJoin, Room: host.room.id}
	troll := c.must(join, "10.0.0.2:1")
	c.leaves(troll, true)
	if err := c.kick(host, troll); err != nil {
		t.Fatal(err)
	}
	if _, err := c.come(join, "10.0.0.2:1"); !errors.Is(err, ErrKicked) {
		t.Errorf("who has left: %v", err)
	}
	c.must(join, "10.0.0.3:1")
}

// Who leads for as long as the first one is away does not take the room from it; who is
// sent away while away hears so when it is back.
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
	again := func(s seat) error {
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
