//go:build !js

package online

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
)

// vacated is a match of Ada and Bob, during which Bob's page is closed, while Cy watches the room. It returns when
// Bob's place can be taken; Ada plays on until the end of the test.
func vacated(t *testing.T) (a, b, c *Room, token string) {
	t.Helper()
	page, _ := roomstest.Serve(t, rooms.Config{Vacancy: time.Millisecond})
	const frames = 1 << 20 // more than are played
	a = must(t)(Create(within(t), page, config("Ada")))
	b = must(t)(Join(within(t), a.Link(), config("Bob")))
	c = must(t)(Join(within(t), a.Link(), config("Cy")))
	sees(t, a, "three", func(s rooms.State) bool { return len(s.Members) == 3 })
	a.Start()
	wait(t, a)
	wait(t, b)
	token = b.client.Token()
	first, second := match(t, a, frames), match(t, b, frames)
	var running sync.WaitGroup
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop); running.Wait() })
	running.Go(func() {
		until(t, "Ada", first, func() bool {
			select {
			case <-stop:
				return true
			default:
				return false
			}
		})
	})
	until(t, "Bob", second, func() bool { return second.View().Frame > 60 })
	sees(t, a, "Bob to have left the match", func(s rooms.State) bool { m, _ := s.At(1); return m.Playing == 0 })
	b.Abandon()
	sees(t, c, "the offer", func(s rooms.State) bool { m, ok := s.At(1); return ok && m.Vacant })
	return a, b, c, token
}

// A player's page is closed during a match, and the link is opened on another machine: the newcomer takes the place,
// and plays it in the same match. The page is told who has it, and cannot go back into the match with the token that
// it knows.
func TestAPlaceIsTakenInARunningMatch(t *testing.T) {
	t.Parallel()
	a, b, c, token := vacated(t)
	if err := c.Take(1); err != nil {
		t.Fatal(err)
	}
	sees(t, c, "its place", func(s rooms.State) bool { return c.Me().Seat == 1 })
	late := match(t, c, 1)
	live := false
	until(t, "Cy", late, func() bool {
		for _, e := range late.Events() {
			live = live || e.What == tickback.Joined && e.Players.Has(1)
		}
		return live
	})
	if !live {
		t.Error("who has taken the place is not in the match")
	}
	if c.client.Token() == token || c.client.Token() != a.client.Token() {
		t.Error("who had the place still knows the token of the match")
	}
	old := config("Bob")
	old.Ticket = b.Ticket()
	back := must(t)(Join(within(t), c.Link(), old))
	s := back.State()
	if by, ok := s.Member(back.Me().Taken); back.Me().Seat != rooms.NoSeat || !ok || by.Name != "Cy" || back.Lost() != nil {
		t.Errorf("who comes back is told %+v, %v", back.Me(), back.Lost())
	}
	if _, err := Play(back, arena.Game(7), tickback.Options[arena.State, arena.Input]{}); !errors.Is(err, ErrWatching) {
		t.Errorf("who comes back plays: %v", err)
	}
}

// The link to a place is for another machine of the same player: that machine gets the place, and the first client
// ends. It is not an invitation for two.
func TestAPlaceMovesToAnotherMachine(t *testing.T) {
	a := must(t)(Create(within(t), serveRooms(t), config("Ada")))
	b := must(t)(Join(within(t), a.Link(), config("Bob")))
	me, link := b.Me(), PlaceLink(b)
	if RoomOf(link) != a.State().Room || LinkIn("mine: "+link+".") != link {
		t.Errorf("%s does not lead to the room", link)
	}
	laptop := must(t)(Join(within(t), link, config("Bob")))
	if is := laptop.Me(); is.ID != me.ID || is.Seat != me.Seat {
		t.Errorf("the other machine is %+v, and was %+v", is, me)
	}
	sees(t, b, "the end", func(rooms.State) bool { return b.Err() != nil })
	if !errors.Is(b.Err(), rooms.ErrReplaced) {
		t.Errorf("the first machine is told %v", b.Err())
	}
	sees(t, a, "the same two", func(s rooms.State) bool {
		m, ok := s.Member(me.ID)
		return len(s.Members) == 2 && ok && m.Connected && m.Seat == me.Seat
	})
}

// If nobody may watch, a newcomer says while joining that it takes a vacant place; the member that had it joins like
// anybody else, and learns why.
func TestALostPlaceIsNamed(t *testing.T) {
	page, _ := roomstest.Serve(t, rooms.Config{Vacancy: time.Millisecond})
	cfg := config("Ada")
	cfg.Spectators = 0
	cfg.Seats = 2
	a := must(t)(Create(within(t), page, cfg))
	b := must(t)(Join(within(t), a.Link(), config("Bob")))
	b.Abandon()
	sees(t, a, "the offer", func(s rooms.State) bool { m, ok := s.At(1); return ok && m.Vacant })
	newcomer := config("Cy")
	newcomer.Take = true
	c := must(t)(Join(within(t), a.Link(), newcomer))
	if me := c.Me(); me.Seat != 1 {
		t.Fatalf("%+v", me)
	}
	old := config("Bob")
	old.Ticket = b.Ticket()
	if _, err := Join(within(t), a.Link(), old); !errors.Is(err, rooms.ErrFull) {
		t.Fatal(err)
	}
	c.Close()
	back := must(t)(Join(within(t), a.Link(), old))
	var taken *rooms.TakenError
	if !errors.As(back.Lost(), &taken) || taken.By != "Cy" {
		t.Errorf("whose place was taken is told %v", back.Lost())
	}
}
