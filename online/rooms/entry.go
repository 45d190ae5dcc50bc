package rooms

import (
	"strings"
	"time"
)

// DefaultPatience is how long a client tries to reconnect by default: as long as a server keeps its place by default.
const DefaultPatience = 2 * time.Minute

// Entry says how to enter a room. GameID is required.
type Entry struct {
	// GameID and Build identify the game: texts of at most 64 bytes. A room for another game or build refuses with a
	// [MismatchError].
	GameID, Build string
	// Name is shown to the others: at most MaxName bytes of visible characters. Between these may be characters that
	// join or separate their neighbours (U+200D, U+200C).
	Name string

	// Room is the ID of the room to join; without one a room is made, with these Seats (1 to 16), places for
	// Spectators, and Settings.
	Room              string
	Seats, Spectators int
	Settings          string

	// Role is the role that is wanted in a room to join, and Seat the wanted seat (0 to 15); nil means any free one. The
	// maker of a room gets seat 0 by default. With Take, a vacant seat is taken if none is free; see [Client.Take].
	Role Role
	Seat *int
	Take bool

	// Ticket, if given, is used to take the place again that this or an earlier program had; Room and the other fields
	// about the place are ignored then. See [Client.Ticket].
	Ticket string

	// Patience is how long the client tries to reconnect after a loss; 0 means DefaultPatience.
	Patience time.Duration
}

// ticket combines a room and a secret into a ticket.
func ticket(room, secret string) string { return room + "." + secret }

// RoomOf returns the room that a ticket is for, or "" if the text is not a ticket.
func RoomOf(text string) string {
	room, secret, _ := strings.Cut(text, ".")
	if room == "" || secret == "" {
		return ""
	}
	return room
}

// request returns the first message.
func (e *Entry) request(instance string) (request, error) {
	q := request{Game: e.GameID, Build: e.Build, Name: e.Name, Instance: instance}
	switch {
	case e.GameID == "":
		return q, refuse(ErrBadMessage, "Entry.GameID is required: the ID of what is played")
	case e.Ticket != "":
		room, secret, _ := strings.Cut(e.Ticket, ".")
		q.Kind, q.Room, q.Secret = kindRejoin, room, secret
	case e.Room != "":
		q.Kind, q.Room, q.Role, q.Seat, q.Take = kindJoin, e.Room, e.Role, e.Seat, e.Take
	default:
		q.Kind, q.Seats, q.Spectators, q.Seat, q.Data = kindCreate, e.Seats, e.Spectators, e.Seat, e.Settings
	}
	return q, q.check()
}
