//go:build !js

package online

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/online/rooms"
)

// Sixteen members of a room, as many as there are seats, play one match, each over connections of
// its own to all others, and agree on its end. One more only watches.
func TestSixteenInARoom(t *testing.T) {
	if testing.Short() {
		t.Skip("120 connections")
	}
	const frames = 60
	sixteen := func(name string) Config {
		return Config{GameID: tanks.ID, Build: "1", Name: name, Seats: rooms.MaxSeats, Spectators: 1, Loopback: true}
	}
	list := []*Room{must(t)(Create(within(t), serveRooms(t), sixteen("0")))}
	for i := 1; i < rooms.MaxSeats; i++ {
		list = append(list, must(t)(Join(within(t), list[0].Link(), sixteen(fmt.Sprint(i)))))
	}
	late := must(t)(Join(within(t), list[0].Link(), sixteen("late")))
	if seat := late.Me().Seat; seat != rooms.NoSeat {
		t.Errorf("a seventeenth member has seat %d", seat)
	}
	sees(t, list[0], "all", func(s rooms.State) bool { return len(s.Members) == rooms.MaxSeats+1 })
	if err := list[0].Start(); err != nil {
		t.Fatal(err)
	}
	var ends [rooms.MaxSeats]tickback.Outcome
	var all sync.WaitGroup
	for i, r := range list {
		wait(t, r)
		m, err := Play(r, tanks.Game(0), tickback.Options[tanks.State, tanks.Input]{
			TickRate: 60, Match: tickback.Parameters{Seed: 7, Frames: frames, Data: []byte("endless")}, Start: startTanks,
			Sample: func(p tickback.Player) tanks.Input {
				return tanks.Input{Throttle: tanks.StickEnd, Turn: int8(p)}
			},
			Timeouts: tickback.Timeouts{Connect: patience, Drop: patience / 2, Linger: patience / 4},
		})
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() { ends[i] = until(t, r.Me().Name, tickback.Session[tanks.State](m), nil) })
	}
	began := time.Now()
	all.Wait()
	t.Logf("120 connections and %d frames in %v", frames, time.Since(began))
	for i, end := range ends {
		if end.Frames != frames || end.Hash != ends[0].Hash || end.Left != 0 || end.Health != tickback.Healthy {
			t.Errorf("member %d ends with %+v, the first one with %+v", i, end, ends[0])
		}
	}
}
