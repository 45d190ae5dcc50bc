package online

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"unicode/utf8"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
)

// Roster assigns names to the players of a match that a server owns, which has more players than the room has seats.
// The server keeps it, and publishes it as the settings of its room; the others read it with [ParseRoster]. The zero
// value is empty.
type Roster struct {
	names     [tickback.MaxPlayers]string
	published string
}

// rosterText is the encoded form of a roster: the names of the players, "" for nobody.
type rosterText struct {
	Names []string `json:"names"`
}

// Set sets the name of a player; "" means that there is none.
func (t *Roster) Set(p tickback.Player, name string) {
	if int(p) < len(t.names) {
		t.names[p] = clean(name)
	}
}

// Name returns the name of a player, or "".
func (t *Roster) Name(p tickback.Player) string {
	if int(p) >= len(t.names) {
		return ""
	}
	return t.names[p]
}

// Names returns all names.
func (t *Roster) Names() [tickback.MaxPlayers]string { return t.names }

// Hear updates the roster by an event of the server. A client that joins gets the name of its member in the room, or
// is named after the number of its player.
func (t *Roster) Hear(r *Room, e *tickback.Event) {
	for p := range e.Players.All() {
		switch e.What {
		case tickback.Joined:
			t.Set(p, r.nameAt(e.Text, p))
		case tickback.Left, tickback.Lost, tickback.Dropped:
			t.Set(p, "")
		}
	}
}

// nameAt returns the name of the client at an address, which is in the form that the event Joined has.
func (r *Room) nameAt(address string, p tickback.Player) string {
	if at, err := netip.ParseAddrPort(address); err == nil && r != nil {
		if id, ok := peers.IDOf(at); ok {
			s := r.client.State()
			if m, ok := s.Member(id); ok && m.Name != "" {
				return m.Name
			}
		}
	}
	return fmt.Sprintf("Player %d", p+1)
}

// Publish sends the roster to the room if it has changed since the last call. Only the host can publish it. The error
// is that of [Room.SetSettings]: try again later.
func (t *Roster) Publish(r *Room) error {
	text := t.text()
	if text == t.published {
		return nil
	}
	err := r.SetSettings(text)
	if err == nil {
		t.published = text
	}
	return err
}

func (t *Roster) text() string {
	n := len(t.names)
	for n > 0 && t.names[n-1] == "" {
		n--
	}
	b, err := json.Marshal(rosterText{t.names[:n]})
	if err != nil {
		return "" // there is no error: names can always be encoded
	}
	return string(b)
}

// ParseRoster reads the names of the players from the settings of a room. The settings come from others: anything
// that is not a roster yields no names.
func ParseRoster(settings string) (names [tickback.MaxPlayers]string) {
	var t rosterText
	if len(settings) > rooms.MaxSettings || json.Unmarshal([]byte(settings), &t) != nil {
		return names
	}
	for p, name := range t.Names[:min(len(t.Names), len(names))] {
		names[p] = clean(name)
	}
	return names
}

// clean cuts a name to the maximum length.
func clean(name string) string {
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r < ' ' || r == utf8.RuneError }), " ")
	for len(name) > rooms.MaxName {
		_, n := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-n]
	}
	return name
}
