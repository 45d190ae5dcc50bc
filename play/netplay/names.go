package netplay

import (
	"fmt"

	"github.com/tickback/tickback"
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
