package netplay

import (
	"fmt"
	"strings"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/foyer"
)

// seatName returns the name of the player at a seat.
func (v *visit) seatName(p tickback.Player) string {
	if m, ok := v.state.At(int(p)); ok {
		return foyer.Called(m)
	}
	if name, ok := v.known[p]; ok {
		return name // of a player that has left
	}
	return fmt.Sprintf("Player %d", p+1)
}

// names returns the names of all seats, for the stage. An empty seat belongs to a bot if bots stand in.
func (v *visit) names() (n [8]string) {
	for p := range n {
		m, ok := v.state.At(p)
		switch {
		case ok:
			n[p] = foyer.Called(m)
		case v.kind.bots(&v.terms):
			n[p] = app.BotNames[p]
		default:
			n[p] = "nobody"
		}
	}
	return n
}

// list names players: "BO, CY".
func (v *visit) list(set tickback.PlayerSet) (text string) {
	for p := range set.All() {
		if text != "" {
			text += ", "
		}
		text += v.seatName(p)
	}
	return text
}

// telling says what the other members that play do, if they have this status, one of them or several; "" if there is none.
func telling(v *visit, status, one, several string) string {
	var names []string
	for _, m := range v.state.Members {
		if m.Seat != rooms.NoSeat && m.ID != v.room.Me().ID && m.Connected && m.Status == status {
			names = append(names, foyer.Called(m))
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " " + one
	}
	return strings.Join(names, ", ") + " " + several
}
