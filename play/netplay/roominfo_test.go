//go:build !js

package netplay

import (
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
)

// Rule: players keep their names after they have left, until another player takes the seat; a seat that nobody has had is
// named by its number, and no room has more seats than its game.
func TestNamesOfSeats(t *testing.T) {
	sits := func(seat int, name string) rooms.Member {
		return rooms.Member{ID: uint32(seat + 1), Seat: seat, Name: name}
	}
	c := roomInfo{kind: &kind{most: 4}}
	c.meet(rooms.State{Seats: 9, Host: 2, Members: []rooms.Member{sits(0, "Ada"), sits(1, "Bo"), sits(rooms.NoSeat, "Eve")}})
	if c.state.Seats != 4 || c.hostName() != "Bo" || c.list(tickback.SetOf(0, 1, 2)) != "Ada, Bo, Player 3" {
		t.Errorf("%d seats, %s, %s", c.state.Seats, c.hostName(), c.list(tickback.SetOf(0, 1, 2)))
	}
	if c.duelists() != [2]uint32{1, 2} {
		t.Errorf("%v", c.duelists())
	}
	c.meet(rooms.State{Seats: 2, Host: 7, Members: []rooms.Member{sits(0, "Cy")}})
	if c.state.Seats != 2 || c.hostName() != "The host" || c.list(tickback.SetOf(0, 1)) != "Cy, Bo" || c.duelists() != [2]uint32{1, 0} {
		t.Errorf("%d seats, %s, %s, %v", c.state.Seats, c.hostName(), c.list(tickback.SetOf(0, 1)), c.duelists())
	}
}
