package netplay

import (
	"slices"
	"strings"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/settings"
	"github.com/tickback/tickback/play/words"
)

// roomInfo is what we know of a room: its members, our connections to them, and the terms of its matches. It is
// independent of the match that is shown here.
type roomInfo struct {
	room     *online.Room
	kind     *kind                      // the kind of the room's game
	frames   tickback.Frame             // the length of matches that we begin; 0 means that of the terms
	state    rooms.State                // as last received from the server
	terms    terms                      // as set by the host
	known    map[tickback.Player]string // the names of players, including those who have left
	unserved bool                       // the server is out of reach
}

// refresh reads the state of the room, and returns the one before.
func (c *roomInfo) refresh() (before rooms.State) {
	before = c.state
	c.meet(c.room.State())
	return before
}

// meet stores a state of the room.
func (c *roomInfo) meet(s rooms.State) {
	c.state, c.terms = s, parse(c.kind, s.Settings)
	c.state.Seats = min(s.Seats, c.kind.most) // whatever the server says later
	if c.known == nil {
		c.known = make(map[tickback.Player]string)
	}
	for _, m := range s.Members {
		if m.Seat != rooms.NoSeat {
			c.known[tickback.Player(m.Seat)] = foyer.Called(m)
		}
	}
}

// change sends new terms to the room. It fails while the client is reconnecting.
func (c *roomInfo) change(t terms) error {
	t.Frames = int(c.frames)
	c.terms = t
	return c.room.SetSettings(t.text())
}

// reach records whether the server is out of reach.
func (c *roomInfo) reach(unserved bool) { c.unserved = unserved }

// noServer reports whether no server is available that could begin a match.
func (c *roomInfo) noServer() bool { return c.unserved || c.room.Err() != nil }

// watching reports whether we have no seat.
func (c *roomInfo) watching() bool { return c.room.Me().Seat == rooms.NoSeat }

// mine returns the players on this machine: none if we are spectators.
func (c *roomInfo) mine() tickback.PlayerSet { return playersAt(c.room.Me().Seat) }

func playersAt(seat int) tickback.PlayerSet {
	if seat == rooms.NoSeat {
		return 0
	}
	return tickback.SetOf(tickback.Player(seat))
}

// people returns those of the players whose places are not empty from the beginning.
func (c *roomInfo) people(players tickback.PlayerSet) tickback.PlayerSet {
	for p := range players.All() {
		if _, known := c.known[p]; !known {
			players &^= tickback.SetOf(p)
		}
	}
	return players
}

// seated returns the members with a seat.
func (c *roomInfo) seated() (list []rooms.Member) {
	for _, m := range c.state.Members {
		if m.Seat != rooms.NoSeat {
			list = append(list, m)
		}
	}
	return list
}

// linked reports whether a member is connected to us, or ourselves.
func (c *roomInfo) linked(m rooms.Member) bool {
	link := foyer.Connection(c.room, m)
	return link == foyer.Connected || link == foyer.Self
}

// unconnected returns the names of members who have a seat but are not connected to us.
func (c *roomInfo) unconnected() string {
	var names []string
	for _, m := range c.seated() {
		if !c.linked(m) {
			names = append(names, foyer.Called(m))
		}
	}
	return strings.Join(names, ", ")
}

// present returns how many members have a seat, and whether all of them are connected to the server and to us.
func (c *roomInfo) present() (sit int, all bool) {
	list := c.seated()
	return len(list), !slices.ContainsFunc(list, func(m rooms.Member) bool { return !m.Connected || !c.linked(m) })
}

// free reports whether any seat is free, and firstFree whether that of the host is.
func (c *roomInfo) free() bool { return len(c.seated()) < c.state.Seats }

func (c *roomInfo) firstFree() bool {
	_, taken := c.state.At(0)
	return !taken
}

// open reports whether we, without a seat, could take this one now.
func (c *roomInfo) open(seat int) bool {
	m, taken := c.state.At(seat)
	return c.watching() && !c.noServer() && (!taken || m.Vacant)
}

// duelists returns the members at the two seats.
func (c *roomInfo) duelists() (who [2]uint32) {
	for p := range who {
		if m, ok := c.state.At(p); ok {
			who[p] = m.ID
		}
	}
	return who
}

// sameTwo reports whether the two players of the round are still in the room.
func (c *roomInfo) sameTwo() bool {
	who := c.duelists()
	return c.terms.Who == who && !slices.Contains(who[:], 0)
}

// betweenRounds reports whether a duel continues with another round of the same two players.
func (c *roomInfo) betweenRounds() bool {
	score := c.terms.score()
	_, over := score.Over()
	return c.kind.id == duelID && score.Round > 0 && !over && c.terms.Who == c.duelists()
}

// startedHere reports whether the match begins or has begun with us, and we have not left it.
func (c *roomInfo) startedHere() bool {
	me := c.room.Me().ID
	return slices.ContainsFunc(c.state.Starters, func(s rooms.Starter) bool { return s.ID == me && !s.Gone })
}

// seatName returns the name of the player at a seat.
func (c *roomInfo) seatName(p tickback.Player) string {
	if m, ok := c.state.At(int(p)); ok {
		return foyer.Called(m)
	}
	if name, ok := c.known[p]; ok {
		return name // the name of a player who has left
	}
	return words.F("Player %d", p+1)
}

// list returns the names of players: "BO, CY".
func (c *roomInfo) list(set tickback.PlayerSet) string {
	var names []string
	for p := range set.All() {
		names = append(names, c.seatName(p))
	}
	return strings.Join(names, ", ")
}

// hostName returns the name of the host.
func (c *roomInfo) hostName() string {
	if m, ok := c.state.Member(c.state.Host); ok {
		return foyer.Called(m)
	}
	return words.T("The host")
}

// telling returns the number of other players with a given status, and their names: "BO, CY".
func (c *roomInfo) telling(status string) (n int, text string) {
	var names []string
	for _, m := range c.seated() {
		if m.ID != c.room.Me().ID && m.Connected && m.Status == status {
			names = append(names, foyer.Called(m))
		}
	}
	return len(names), strings.Join(names, ", ")
}

// missing names the players that a match waits for.
func (c *roomInfo) missing() string {
	for _, m := range c.seated() {
		if !m.Connected {
			return words.F("%s has lost the connection", foyer.Called(m))
		}
	}
	for _, m := range c.seated() {
		if foyer.FailedBecause(c.room, m) != peers.NoReason {
			return words.F("No connection to %s", foyer.Called(m))
		}
	}
	if text := c.unconnected(); text != "" {
		return words.F("Connecting to %s", text)
	}
	return words.T("Waiting for one more")
}

// names returns the names of all seats, for the stage. An empty seat belongs to a bot if bots stand in.
func (c *roomInfo) names() (n [8]string) {
	for p := range n {
		n[p] = c.nameAt(p, foyer.Called, words.T(app.Nobody))
	}
	return n
}

// recorded returns the names of all seats for a recording, which may be watched in any language: the members' own
// names, or marked texts.
func (c *roomInfo) recorded() (names []string) {
	for p := range c.state.Seats {
		names = append(names, c.nameAt(p, func(m rooms.Member) string { return settings.Name(m.Name) }, app.Nobody))
	}
	return names
}

func (c *roomInfo) nameAt(seat int, of func(m rooms.Member) string, nobody string) string {
	m, ok := c.state.At(seat)
	switch {
	case ok:
		return of(m)
	case c.kind.bots(&c.terms):
		return app.BotNames[seat]
	}
	return nobody
}
