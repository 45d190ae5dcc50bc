package rooms

import "slices"

// Limits of a room, which are the same for the server and the client.
const (
	// MinSeats is the number of seats in the room of a match that a server owns: the seat is the server's, and the
	// players are members without one.
	MinSeats = 1
	// MaxSeats is the maximum number of seats, which is the maximum number of players in a match.
	MaxSeats = 16
	// MaxSpectators is the maximum number of spectators in a room, which is also the maximum for one player.
	MaxSpectators = 32
	// NoSeat is the seat of a spectator.
	NoSeat = -1
)

// Role is the role that a newcomer wants in a room.
type Role string

// The roles. AnyRole plays if a seat is free, and watches if none is.
const (
	AnyRole   Role = ""
	Player    Role = "player"
	Spectator Role = "spectator"
)

// State is the state of a room, as the server reports it. Its slices belong to the caller: the method State returns
// copies.
type State struct {
	Room       string `json:"room"`
	GameID     string `json:"game"`
	Build      string `json:"build"`
	Seats      int    `json:"seats"`      // 1 to MaxSeats
	Spectators int    `json:"spectators"` // how many may watch: 0 to MaxSpectators
	// Generation grows whenever a member joins, leaves, loses its connection or comes back.
	Generation uint64 `json:"generation"`
	// Host is the ID of the member who may change the settings, start a match and kick others, or 0.
	Host uint32 `json:"host"`
	// Settings are set by the host, and opaque to the server: at most MaxSettings bytes of text.
	Settings string `json:"settings,omitempty"`
	// Match is the number of the running match; 0 is the lobby. The next match has a higher number.
	Match uint32 `json:"match,omitempty"`
	// Starters are the players who were present when the match began.
	Starters []Starter `json:"starters,omitempty"`
	Members  []Member  `json:"members"` // ordered by ID
}

// Starter is a player who was present when a match began.
type Starter struct {
	ID   uint32 `json:"id"`
	Seat int    `json:"seat"`
	// Gone means that the player no longer plays the match as it began it: the player reported this, its page was
	// reloaded, or it is no longer a member. It may have joined the match again since.
	Gone bool `json:"gone,omitempty"`
}

// Member is a member of a room.
type Member struct {
	ID   uint32 `json:"id"`   // 1 or more; never used again in the same room
	Seat int    `json:"seat"` // 0 to MaxSeats - 1, or NoSeat
	Name string `json:"name,omitempty"`
	// Status is the member's own text, such as "away".
	Status    string `json:"status,omitempty"`
	Connected bool   `json:"connected"` // connected to the server
	// Playing is the number of the match that the member plays, or 0.
	Playing uint32 `json:"playing,omitempty"`
	// Vacant means that the member has been away for a while, and plays no match. A member without a seat may take its
	// seat; see [Client.Take].
	Vacant bool `json:"vacant,omitempty"`
	// Taken is the ID of the member who took its seat while it was away, or 0. It has been watching since.
	Taken uint32 `json:"taken,omitempty"`
}

// Member returns the member with this ID.
func (s *State) Member(id uint32) (Member, bool) {
	for _, m := range s.Members {
		if m.ID == id {
			return m, true
		}
	}
	return Member{}, false
}

// At returns the member with a seat, and whether there is one.
func (s *State) At(seat int) (Member, bool) {
	for _, m := range s.Members {
		if m.Seat == seat && seat != NoSeat {
			return m, true
		}
	}
	return Member{}, false
}

// clone copies the state with its slices.
func (s *State) clone() State {
	c := *s
	c.Starters, c.Members = slices.Clone(s.Starters), slices.Clone(s.Members)
	return c
}

// ICEServer is a STUN or TURN server that the members should use.
type ICEServer struct {
	URLs       []string `json:"urls"` // "stun:host:port", "turn:host:port?transport=udp"
	Username   string   `json:"username,omitempty"`
	Credential string   `json:"credential,omitempty"`
}
