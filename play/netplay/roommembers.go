package netplay

import (
	"strings"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
)

// Names of connections, as in a Status.
const (
	selfText      = "self"
	noneText      = "none"
	connectedText = "connected"
)

// roomMembers has the members of a room, as the server reports them, and our connections to them. It has nothing to
// do with matches.
type roomMembers struct {
	room  *online.Room
	state rooms.State                // as last received from the server
	known map[tickback.Player]string // the names of players, including those who have left
}

// meet stores a state of the room. most is the most seats of the game.
func (c *roomMembers) meet(s rooms.State, most int) {
	c.state = s
	c.state.Seats = min(s.Seats, most) // whatever the server says later
	if c.known == nil {
		c.known = make(map[tickback.Player]string)
	}
	for _, m := range s.Members {
		if m.Seat != rooms.NoSeat {
			c.known[tickback.Player(m.Seat)] = foyer.Called(m)
		}
	}
}

// mine returns the players on this machine: none if we watch.
func (c *roomMembers) mine() tickback.PlayerSet {
	if seat := c.room.Me().Seat; seat != rooms.NoSeat {
		return tickback.SetOf(tickback.Player(seat))
	}
	return 0
}

// connection describes the connection to a member.
func (c *roomMembers) connection(m rooms.Member) string {
	if m.ID == c.room.Me().ID {
		return selfText
	}
	for _, p := range c.room.Peers() {
		if p.ID == m.ID {
			return p.State.String()
		}
	}
	return noneText
}

// unconnected returns the names of members who have a seat but are not connected to us.
func (c *roomMembers) unconnected() string {
	var names []string
	for _, m := range c.state.Members {
		if link := c.connection(m); m.Seat != rooms.NoSeat && link != selfText && link != connectedText {
			names = append(names, foyer.Called(m))
		}
	}
	return strings.Join(names, ", ")
}

// why returns why there is no connection to a member; 0 if none has failed.
func (c *roomMembers) why(m rooms.Member) peers.Reason {
	for _, p := range c.room.Peers() {
		if p.ID == m.ID && p.State == peers.Failed {
			return p.Reason
		}
	}
	return peers.NoReason
}

// present returns how many members have a seat, and whether all of them are connected to the server and to us.
func (c *roomMembers) present() (sit int, all bool) {
	all = true
	for _, m := range c.state.Members {
		if m.Seat == rooms.NoSeat {
			continue
		}
		sit++
		if link := c.connection(m); !m.Connected || link != connectedText && link != selfText {
			all = false
		}
	}
	return sit, all
}

// free reports whether any seat is free.
func (c *roomMembers) free() bool {
	sit, _ := c.present()
	return sit < c.state.Seats
}

// duelists returns the members at the two seats.
func (c *roomMembers) duelists() (who [2]uint32) {
	for p := range who {
		if m, ok := c.state.At(p); ok {
			who[p] = m.ID
		}
	}
	return who
}

// seatName returns the name of the player at a seat.
func (c *roomMembers) seatName(p tickback.Player) string {
	if m, ok := c.state.At(int(p)); ok {
		return foyer.Called(m)
	}
	if name, ok := c.known[p]; ok {
		return name // of a player who has left
	}
	return words.F("Player %d", p+1)
}

// list returns the names of players: "BO, CY".
func (c *roomMembers) list(set tickback.PlayerSet) (text string) {
	for p := range set.All() {
		if text != "" {
			text += ", "
		}
		text += c.seatName(p)
	}
	return text
}

// hostName returns the name of the host.
func (c *roomMembers) hostName() string {
	if m, ok := c.state.Member(c.state.Host); ok {
		return foyer.Called(m)
	}
	return words.T("The host")
}

// telling returns how many of the other players have a status, and their names: "BO, CY".
func (c *roomMembers) telling(status string) (n int, text string) {
	var names []string
	for _, m := range c.state.Members {
		if m.Seat != rooms.NoSeat && m.ID != c.room.Me().ID && m.Connected && m.Status == status {
			names = append(names, foyer.Called(m))
		}
	}
	return len(names), strings.Join(names, ", ")
}
