package netplay

import (
	"strings"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/settings"
	"github.com/tickback/tickback/play/words"
)

// seatName returns the name of the player at a seat.
func (v *visit) seatName(p tickback.Player) string {
	if m, ok := v.state.At(int(p)); ok {
		return foyer.Called(m)
	}
	if name, ok := v.known[p]; ok {
		return name // of a player that has left
	}
	return words.F("Player %d", p+1)
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
			n[p] = words.T(app.Nobody)
		}
	}
	return n
}

// recorded returns the names of all seats for a recording, which may be watched in any language: they are what the
// members call themselves, or marked texts.
func recorded(v *visit) (names []string) {
	for p := range v.state.Seats {
		m, ok := v.state.At(p)
		switch {
		case ok:
			names = append(names, settings.Name(m.Name))
		case v.kind.bots(&v.terms):
			names = append(names, app.BotNames[p])
		default:
			names = append(names, app.Nobody)
		}
	}
	return names
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

// telling returns how many of the other members that play have a status, and their names: "BO, CY".
func telling(v *visit, status string) (n int, text string) {
	var names []string
	for _, m := range v.state.Members {
		if m.Seat != rooms.NoSeat && m.ID != v.room.Me().ID && m.Connected && m.Status == status {
			names = append(names, foyer.Called(m))
		}
	}
	return len(names), strings.Join(names, ", ")
}
