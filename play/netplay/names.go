package netplay

import (
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/settings"
	"github.com/tickback/tickback/play/words"
)

// names returns the names of all seats, for the stage. An empty seat belongs to a bot if bots stand in.
func (v *stay) names() (n [8]string) {
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

// recorded returns the names of all seats for a recording, which may be watched in any language: the members' own
// names, or marked texts.
func recorded(v *stay) (names []string) {
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
