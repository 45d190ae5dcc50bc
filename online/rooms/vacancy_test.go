//go:build !js

package rooms

import (
	"errors"
	"testing"
	"time"
)

// do makes a request of a member.
func (c *crowd) do(s connSeat, q request) error { return c.hub.handle(s, &q, c.now) }

// pass lets time pass, after which the server checks its time-outs.
func (c *crowd) pass(d time.Duration) {
	c.now = c.now.Add(d)
	c.hub.sweep(c.now)
}

// sees returns the room in the last message to a member.
func (c *crowd) sees(s connSeat) *State { return &c.lines[s.member].state }

// party is a room of three seats in which two play a match, and a third watches.
func party(t *testing.T, spectators int) (c *crowd, ada, bo, cy connSeat) {
	t.Helper()
	c = newCrowdWith(t, Config{})
	ada = c.must(request{Kind: kindCreate, Seats: 2, Spectators: spectators, Name: "Ada"}, "10.0.0.1:1")
	join := request{Kind: kindJoin, Room: ada.room.id, Name: "Bo", Instance: "a"}
	bo = c.must(join, "10.0.1.1:1")
	if spectators > 0 {
		join.Name = "Cy"
		cy = c.must(join, "10.0.2.1:1")
	}
	if err := c.do(ada, request{Kind: kindStart}); err != nil {
		t.Fatal(err)
	}
	return c, ada, bo, cy
}

func take(seat int) request { return request{Kind: kindTake, Seat: &seat} }

// rejoins makes a member come back with its ticket.
func (c *crowd) rejoins(s connSeat) (connSeat, error) {
	return c.come(request{Kind: kindRejoin, Room: s.room.id, Secret: s.member.secret, Instance: "b"}, "10.0.1.1:9")
}

// A player closes the page: a while later anyone with the link can take the place and play it in the
// running match, and the player is told who has it, and watches.
func TestAPlaceThatWasLeftIsTaken(t *testing.T) {
	c, ada, bo, cy := party(t, 4)
	if err := c.do(bo, request{Kind: kindEnded, Match: 1}); err != nil { // as a page says that is closed
		t.Fatal(err)
	}
	c.leaves(bo, false)
	c.pass(20 * time.Second)
	if err := c.do(cy, take(1)); !errors.Is(err, ErrSeatTaken) || c.sees(cy).Members[1].Vacant {
		t.Fatalf("the page may be loading again: %v", err)
	}
	c.pass(time.Millisecond)
	if !c.sees(cy).Members[1].Vacant || !c.sees(ada).Members[1].Vacant {
		t.Fatal("nobody is told that the place can be taken")
	}
	token := ada.room.token
	if err := c.do(cy, take(1)); err != nil {
		t.Fatal(err)
	}
	if cy.member.Seat != 1 || ada.room.token == token {
		t.Errorf("who takes it has seat %d, and the old token is good: %v", cy.member.Seat, ada.room.token == token)
	}
	if err := c.do(cy, request{Kind: kindPlaying, Match: 1}); err != nil || cy.member.Playing != 1 {
		t.Errorf("who has taken it plays match %d: %v", cy.member.Playing, err)
	}
	back, err := c.rejoins(bo)
	if err != nil {
		t.Fatal(err)
	}
	if me, _ := c.sees(back).Member(bo.member.ID); me.Seat != NoSeat || me.Taken != cy.member.ID {
		t.Errorf("who comes back is told %+v", me)
	}
	if err := c.do(back, request{Kind: kindPlaying, Match: 1}); !errors.Is(err, ErrNotReady) {
		t.Errorf("who watches plays: %v", err)
	}
}

// Two want a place at the same time: one gets it, and the other is refused.
func TestTwoTakeOnePlace(t *testing.T) {
	c, ada, bo, cy := party(t, 4)
	di := c.must(request{Kind: kindJoin, Room: ada.room.id, Name: "Di"}, "10.0.3.1:1")
	c.do(bo, request{Kind: kindEnded, Match: 1})
	c.leaves(bo, false)
	c.pass(21 * time.Second)
	if err := c.do(di, take(1)); err != nil {
		t.Fatal(err)
	}
	if err := c.do(cy, take(1)); !errors.Is(err, ErrSeatTaken) {
		t.Errorf("the second: %v", err)
	}
	if di.member.Seat != 1 || cy.member.Seat != NoSeat {
		t.Errorf("they sit at %d and %d", di.member.Seat, cy.member.Seat)
	}
}

// No member that may be present is displaced: neither by a message nor by a way of joining.
func TestNobodyIsDisplacedWhoMayBeThere(t *testing.T) {
	for what, prepare := range map[string]func(c *crowd, ada, bo, cy connSeat){
		"connected": func(c *crowd, _, _, _ connSeat) { c.pass(time.Minute) },
		"connected, and in no match": func(c *crowd, _, bo, _ connSeat) {
			c.do(bo, request{Kind: kindEnded, Match: 1})
			c.pass(time.Minute)
		},
		"away from the server, and in the match": func(c *crowd, _, bo, _ connSeat) { c.leaves(bo, false); c.pass(time.Minute) },
		"away for a moment": func(c *crowd, _, bo, _ connSeat) {
			c.do(bo, request{Kind: kindEnded, Match: 1})
			c.leaves(bo, false)
			c.pass(20 * time.Second)
		},
		"back": func(c *crowd, _, bo, _ connSeat) {
			c.do(bo, request{Kind: kindEnded, Match: 1})
			c.leaves(bo, false)
			c.pass(21 * time.Second)
			if _, err := c.rejoins(bo); err != nil {
				c.t.Fatal(err)
			}
		},
		"said to be absent by somebody else": func(c *crowd, _, bo, cy connSeat) {
			c.leaves(bo, false)
			if err := c.do(cy, request{Kind: kindAbsent, To: bo.member.ID, Match: 1}); !errors.Is(err, ErrHost) {
				c.t.Errorf("who watches says who is absent: %v", err)
			}
			c.pass(time.Minute)
		},
		"said to be absent, and connected": func(c *crowd, ada, bo, _ connSeat) {
			c.do(ada, request{Kind: kindAbsent, To: bo.member.ID, Match: 1})
			c.leaves(bo, false)
			c.pass(time.Minute)
		},
		"said to be absent from another match": func(c *crowd, ada, bo, _ connSeat) {
			c.leaves(bo, false)
			c.do(ada, request{Kind: kindAbsent, To: bo.member.ID, Match: 2})
			c.pass(time.Minute)
		},
	} {
		c, ada, bo, cy := party(t, 4)
		prepare(c, ada, bo, cy)
		if err := c.do(cy, take(1)); !errors.Is(err, ErrSeatTaken) {
			t.Errorf("%s: a watcher takes the place: %v", what, err)
		}
		if err := c.do(ada, take(1)); !errors.Is(err, ErrNotReady) {
			t.Errorf("%s: a player takes a second place: %v", what, err)
		}
		s, err := c.come(request{Kind: kindJoin, Room: ada.room.id, Take: true}, "10.0.4.1:1")
		if err != nil || s.member.Seat != NoSeat || bo.member.Seat != 1 {
			t.Errorf("%s: a newcomer has seat %d, %v", what, s.member.Seat, err)
		}
		if s, err := c.come(request{Kind: kindJoin, Room: ada.room.id, Seat: new(1), Take: true}, "10.0.5.1:1"); !errors.Is(err, ErrSeatTaken) {
			t.Errorf("%s: a newcomer has seat %d, %v", what, s.member.Seat, err)
		}
		if err := c.do(cy, take(2)); !errors.Is(err, ErrSeatTaken) {
			t.Errorf("a seat that does not exist: %v", err)
		}
	}
}

// A player's phone has died: the host, whose machine has noticed it, reports that.
func TestTheHostSaysWhoIsAbsent(t *testing.T) {
	c, ada, bo, cy := party(t, 4)
	c.leaves(bo, false)
	if err := c.do(ada, request{Kind: kindAbsent, To: bo.member.ID, Match: 1}); err != nil {
		t.Fatal(err)
	}
	c.pass(21 * time.Second)
	if err := c.do(cy, take(1)); err != nil {
		t.Error(err)
	}
}

// A member that was away while the next match began without it, and whose place was taken, no longer plays
// the old match: it may take another seat when the connection is back.
func TestWhosePlaceWasTakenMaySitElsewhere(t *testing.T) {
	c, ada, bo, cy := party(t, 4)
	c.leaves(bo, false)
	c.do(ada, request{Kind: kindEnded, Match: 1})
	if err := c.do(ada, request{Kind: kindStart}); err != nil {
		t.Fatal(err)
	}
	c.pass(21 * time.Second)
	if err := c.do(cy, take(1)); err != nil {
		t.Fatal(err)
	}
	back, err := c.come(request{Kind: kindRejoin, Room: ada.room.id, Secret: bo.member.secret, Instance: "a"}, "10.0.1.1:2")
	if err != nil {
		t.Fatal(err)
	}
	c.leaves(cy, true)
	if err := c.do(back, request{Kind: kindSit, Seat: new(1)}); err != nil || back.member.Taken != 0 {
		t.Errorf("it sits again: %v, and has lost its place to %d", err, back.member.Taken)
	}
}

// A member that takes the first place does not become the host of members that were there before, and can
// be kicked.
func TestWhoTakesTheFirstPlaceDoesNotLead(t *testing.T) {
	c, ada, bo, cy := party(t, 4)
	c.do(ada, request{Kind: kindEnded, Match: 1})
	c.leaves(ada, false)
	c.pass(21 * time.Second)
	if err := c.do(cy, take(0)); err != nil {
		t.Fatal(err)
	}
	if h := ada.room.host(); h != bo.member {
		t.Fatalf("%s leads", h.Name)
	}
	if err := c.kick(cy, bo); !errors.Is(err, ErrHost) {
		t.Errorf("who has taken a place sends away: %v", err)
	}
	if err := c.kick(bo, cy); err != nil {
		t.Errorf("who has taken a place cannot be sent away: %v", err)
	}
	// Nor does one that takes a place that was given up during a match.
	eve := c.must(request{Kind: kindJoin, Room: ada.room.id, Seat: new(0)}, "10.0.6.1:1")
	if h := ada.room.host(); eve.member.Seat != 0 || h != bo.member {
		t.Errorf("%s leads, and who came has seat %d", h.Name, eve.member.Seat)
	}
	c.leaves(bo, true)
	if h := ada.room.host(); h != eve.member {
		t.Error("the last one does not lead")
	}
}

// In a room without places for spectators, a newcomer takes the place while joining. The member that had it
// is told who has it, as long as the room remembers.
func TestAPlaceIsTakenWhereNobodyWatches(t *testing.T) {
	c, ada, bo, _ := party(t, 0)
	c.do(bo, request{Kind: kindEnded, Match: 1})
	c.leaves(bo, false)
	c.pass(21 * time.Second)
	join := request{Kind: kindJoin, Room: ada.room.id, Name: "Cy"}
	if _, err := c.come(join, "10.0.2.1:1"); !errors.Is(err, ErrFull) {
		t.Errorf("without the word: %v", err)
	}
	join.Take = true
	if cy := c.must(join, "10.0.2.1:1"); cy.member.Seat != 1 || len(ada.room.members) != 2 {
		t.Errorf("who comes has seat %d of %+v", cy.member.Seat, ada.room.state())
	}
	_, err := c.rejoins(bo)
	var taken *TakenError
	if !errors.As(err, &taken) || taken.By != "Cy" || !errors.Is(err, ErrMember) {
		t.Errorf("whose place it was is told %v", err)
	}
	r := errorReply(err, true)
	if arrived := errorOf(&r, Entry{}); !errors.As(arrived, &taken) || taken.By != "Cy" {
		t.Errorf("as it arrives: %v", arrived)
	}
}

// The seat of a machine that owns a match is not a player's: nobody else can take it.
func TestTheSeatOfAnOwnerIsNotTaken(t *testing.T) {
	c := newCrowdWith(t, Config{})
	owner := c.must(request{Kind: kindCreate, Seats: 1, Spectators: 4}, "10.0.0.1:1")
	guest := c.must(request{Kind: kindJoin, Room: owner.room.id, Role: Spectator}, "10.0.1.1:1")
	c.leaves(owner, false)
	c.pass(time.Minute)
	if err := c.do(guest, take(0)); !errors.Is(err, ErrSeatTaken) {
		t.Error(err)
	}
}

// The clients of a server report all of that: over a socket, a place is offered and taken.
func TestAClientTakesAPlace(t *testing.T) {
	_, url := serve(t, Config{Vacancy: 20 * time.Millisecond})
	ada := enter(t, url, Entry{Seats: 2, Spectators: 2, Name: "Ada"})
	bo := enter(t, url, Entry{Room: ada.State().Room, Name: "Bo"})
	cy := enter(t, url, Entry{Room: ada.State().Room, Name: "Cy"})
	ada.Start()
	sees(t, ada, "a match", func(s *State) bool { return s.Match == 1 })
	cy.Take(1)
	if e := hears(t, cy, Refused); !errors.Is(e.Err, ErrSeatTaken) {
		t.Fatal(e.Err)
	}
	bo.Abandon()
	sees(t, ada, "Bo away", func(s *State) bool { return !s.Members[1].Connected })
	ada.Absent(bo.You(), 1)
	sees(t, cy, "the offer", func(s *State) bool { return s.Members[1].Vacant })
	cy.Take(1)
	sees(t, cy, "the place", func(s *State) bool { m, _ := s.Member(cy.You()); return m.Seat == 1 })
	until(t, cy, "the token", func(Event) bool { return cy.Token() != "" })
	back := enter(t, url, Entry{Ticket: bo.Ticket()})
	if me := back.Me(); me.Taken != cy.You() || me.Seat != NoSeat {
		t.Errorf("who comes back is told %+v", me)
	}
	late := enter(t, url, Entry{Room: ada.State().Room, Take: true})
	if me := late.Me(); me.Seat != NoSeat {
		t.Errorf("%+v", me)
	}
}
