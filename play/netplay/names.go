package netplay

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/settings"
)

// nameOf returns our name: from the address, from the settings, or a random one.
func nameOf(a *app.App, c *Config) string {
	if name := settings.Name(c.Name); name != "" {
		return name
	}
	if a.Settings.Name == "" {
		a.Settings.Name = firstNames[a.NextSeed()>>8%uint32(len(firstNames))]
	}
	return a.Settings.Name
}

// firstNames are names for players that have not chosen one.
var firstNames = [...]string{"Ada", "Bo", "Cy", "Dot", "Eve", "Flo", "Gus", "Hal", "Ivy", "Jo", "Kit", "Lou", "Max", "Nia", "Ola", "Pip"}

// called returns a name for a member, whatever it says about itself.
func called(m rooms.Member) string {
	if name := settings.Name(m.Name); name != "" {
		return name
	}
	if m.Seat != rooms.NoSeat {
		return fmt.Sprintf("Player %d", m.Seat+1)
	}
	return fmt.Sprintf("Guest %d", m.ID)
}

// seatName returns the name of the player at a seat.
func (v *visit) seatName(p tickback.Player) string {
	if m, ok := v.state.At(int(p)); ok {
		return called(m)
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
			n[p] = called(m)
		case v.game == arenaID && v.terms.Bots > 0:
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
