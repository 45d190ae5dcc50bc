package foyer

import (
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/settings"
	"github.com/tickback/tickback/play/words"
)

// NameOf returns our name: the given one, the one in the settings, or a random one.
func NameOf(a *app.App, given string) string {
	if name := settings.Name(given); name != "" {
		return name
	}
	if a.Settings.Name == "" {
		a.Settings.Name = firstNames[a.NextSeed()>>8%uint32(len(firstNames))]
	}
	return a.Settings.Name
}

// firstNames are names for players who have not chosen one.
var firstNames = [...]string{"Ada", "Bo", "Cy", "Dot", "Eve", "Flo", "Gus", "Hal", "Ivy", "Jo", "Kit", "Lou", "Max", "Nia", "Ola", "Pip"}

// Called returns a printable name for a member, whose own text is not trusted.
func Called(m rooms.Member) string {
	if name := settings.Name(m.Name); name != "" {
		return name
	}
	if m.Seat != rooms.NoSeat {
		return words.F("Player %d", m.Seat+1)
	}
	return words.F("Guest %d", m.ID)
}
