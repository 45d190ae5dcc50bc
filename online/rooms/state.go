package rooms

import "slices"

// Limits of a room, the same for server and client.
const (
	// MinSeats is the number of seats for a match that a server owns: the seat is the server's, and the players are
	// members without one.
	MinSeats = 1
	// MaxSeats is the most seats: the most players of a match.
	MaxSeats = 16
	// MaxSpectators is the most spectators of a room: the most that one player can have.
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

// State is a room as the server sees it. Its slices belong to the caller: State makes copies.
type State struct {
	Room       string `json:"room"`
	GameID     string `json:"game"`
	Build      string `json:"build"`
	Seats      int    `json:"seats"`      // 1 to MaxSeats
	Spectators int    `json:"spectators"` // how many may watch
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
	Members  []Member  `json:"members"` // in the order of their IDs
}

// Starter is a player who was present when a match began.
type Starter struct {
	ID   uint32 `json:"id"`
	Seat int    `json:"seat"`
	// Gone: the player no longer plays the match that it began. It said so, its page was reloaded, or it is no longer
	// a member. It may have joined the match again since.
	Gone bool `json:"gone,omitempty"`
}

// Member is a member of a room.
type Member struct {
	ID   uint32 `json:"id"`   // 1 or more; never used again in the same room
	Seat int    `json:"seat"` // 0 to MaxSeats - 1, or NoSeat
	Name string `json:"name,omitempty"`
	// Status is the member's own text, such as "away".
	Status    string `json:"status,omitempty"`
	Connected bool   `json:"connected"` // to the server
	// Playing is the number of the match that it plays, or 0.
	Playing uint32 `json:"playing,omitempty"`
	// Vacant: the member has been away for a while, and plays nothing. A member without a seat may take its seat; see
	// [Client.Take].
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
