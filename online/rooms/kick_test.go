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
	if _, err := Enter(within(t), url, Entry{Game: "pong", Build: "1", Ticket: cy.Ticket()}); !errors.Is(err, ErrMember) {
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

// From the address of who was sent away nobody comes any more, while other addresses are
// not forgotten for it.
func TestWhoWasSentAwayStaysAway(t *testing.T) {
	var cfg Config
	if err := cfg.complete(); err != nil {
		t.Fatal(err)
	}
	h, now := newHub(&cfg), time.Unix(1, 0)
	come := func(q request, from string) (seat, error) {
		q.Game = "g"
		return h.enter(&q, addressOf(from), &fakeLine{t: t}, now)
	}
	kick := func(host, s seat) {
		t.Helper()
		if err := h.handle(host, &request{Kind: kindKick, To: s.member.ID}, now); err != nil {
			t.Fatal(err)
		}
	}
	host, err := come(request{Kind: kindCreate, Seats: 2, Spectators: 32}, "10.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	join := request{Kind: kindJoin, Room: host.room.id}
	other, _ := come(join, "[2001:db8::1]:9")
	kick(host, other)
	for from, want := range map[string]error{
		"[2001:db8::2]:1": ErrKicked, // the same customer
		"[2001:db9::2]:1": nil,
		"10.0.0.2:1":      nil,
	} {
		s, err := come(join, from)
		if !errors.Is(err, want) {
			t.Errorf("from %s: %v, want %v", from, err, want)
		}
		if err == nil {
			h.gone(s, s.member.line, true, now)
		}
	}
	// Many more: the first are forgotten, and the room does not grow.
	for i := range 2 * maxKicked {
		s, err := come(join, fmt.Sprintf("10.1.0.%d:1", i))
		if err != nil {
			t.Fatal(err)
		}
		kick(host, s)
	}
	if n := len(host.room.kicked); n != maxKicked {
		t.Errorf("%d addresses are kept", n)
	}
	if _, err := come(join, fmt.Sprintf("10.1.0.%d:1", 2*maxKicked-1)); !errors.Is(err, ErrKicked) {
		t.Errorf("the last one comes back: %v", err)
	}
	if _, err := come(join, "[2001:db8::1]:9"); err != nil {
		t.Errorf("the first one is still kept: %v", err)
	}
}
