package games

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/game"
	"github.com/tickback/tickback/cmd/cli/internal/build"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/rollback"
)

// Info is what is known about a game without playing it.
type Info struct {
	ID, About, Build       string
	TickRate               int
	Rate                   tickback.Rate // the exact tick rate, if it is no integer
	MinPlayers, MaxPlayers int
	MaxOrders              int // in bytes, of one player in a frame
	Bots, scripts          []string
	StandIns               []string
	Classic, Screen        bool
	Served, Sight          bool // a server can own matches, and can hide parts of the state
	Keys                   string
	Settings               []game.Setting

	data func(values []int) []byte // encodes the values of Settings
}

// Players lists the scripts and bots that can play in a simulation.
func (g *Info) Players() []string { return append(slices.Clone(g.scripts), g.Bots...) }

// Typed is a game with its types, for use by families of commands.
type Typed[S any, I comparable] struct {
	game.Spec[S, I]
	about Info
}

// New completes a Spec. It panics if the Spec is incomplete, which is a mistake in the program, and names what is
// missing.
func New[S any, I comparable](spec game.Spec[S, I]) *Typed[S, I] {
	if spec.TickRate == 0 {
		spec.TickRate = cmp.Or(spec.Rate.Nearest(), 60)
	}
	if spec.MinPlayers == 0 {
		spec.MinPlayers = 2
	}
	if spec.Build == "" {
		spec.Build = build.This()
	}
	g := &Typed[S, I]{Spec: spec}
	if missing := g.incomplete(); missing != "" {
		panic(fmt.Sprintf("cli: game %q is not complete: %s", spec.ID, missing))
	}
	g.about = Info{
		ID: spec.ID, About: spec.About, Build: spec.Build, TickRate: spec.TickRate, Rate: spec.Rate,
		MinPlayers: spec.MinPlayers, MaxPlayers: spec.MaxPlayers, MaxOrders: spec.MaxOrders,
		StandIns: spec.StandIns, Settings: spec.Settings, data: spec.Data,
		Classic: spec.Classic != nil, Screen: spec.Screen != nil,
	}
	if spec.Served != nil {
		g.about.Served, g.about.Sight = true, spec.Served.Sight != nil
	}
	for _, b := range spec.Bots {
		g.about.Bots = append(g.about.Bots, b.Name)
	}
	for _, s := range spec.Scripts {
		g.about.scripts = append(g.about.scripts, s.Name)
	}
	if spec.Screen != nil {
		g.about.Keys = spec.Screen.Help
	}
	return g
}

// incomplete returns a text about what is wrong with a Spec, or "".
func (g *Typed[S, I]) incomplete() string {
	switch c, s := g.Classic, g.Screen; {
	case g.ID == "" || g.About == "" || g.Game == nil || len(g.Bots) == 0:
		return "it needs ID, About, Game and Bots"
	case len(g.ID) > build.MaxText || len(g.Build) > build.MaxText:
		return fmt.Sprintf("ID and Build have at most %d bytes", build.MaxText)
	case g.MinPlayers < 2 || g.MaxPlayers < g.MinPlayers || g.MaxPlayers > tickback.MaxPlayers:
		return fmt.Sprintf("it has %d to %d players, not 2 to %d", g.MinPlayers, g.MaxPlayers, tickback.MaxPlayers)
	case g.Rate.Given() && (g.Rate.Canonical() != nil || g.TickRate != g.Rate.Nearest()):
		return fmt.Sprintf("Rate is %v, and TickRate %d: it is 1 to 1000 frames a second in lowest terms, and no integer; leave TickRate out then", g.Rate, g.TickRate)
	case g.Rate.Given() && c != nil:
		return "Classic is for tick rates that are integers"
	case slices.ContainsFunc(g.Bots, func(b game.Bot[S, I]) bool { return b.Name == "" || b.New == nil && b.Orders == nil }):
		return "a Bot needs Name, and New or Orders"
	case slices.ContainsFunc(g.Scripts, func(s game.Script[I]) bool { return s.Name == "" || s.New == nil && s.Orders == nil }):
		return "a Script needs Name, and New or Orders"
	case c != nil && (c.Buttons == nil || c.Input == nil || c.Play == nil || g.Checksum == nil || g.MinPlayers != 2):
		return "Classic needs Buttons, Input, Play, Spec.Checksum and two players"
	case s != nil && (s.View == nil || s.Keys == nil || s.Help == ""):
		return "Screen needs View, Keys and Help"
	}
	if _, plain := g.Game.(rollback.Game[S, I]); g.Classic != nil && !plain {
		return "Classic needs a rollback.Game"
	}
	return cmp.Or(g.unordered(), g.unset())
}

// unordered returns a text about what is wrong with the orders, or "".
func (g *Typed[S, I]) unordered() string {
	orders := slices.ContainsFunc(g.Bots, func(b game.Bot[S, I]) bool { return b.Orders != nil }) ||
		slices.ContainsFunc(g.Scripts, func(s game.Script[I]) bool { return s.Orders != nil })
	switch {
	case g.MaxOrders < 0 || g.MaxOrders > rollback.MaxOrderBytes:
		return fmt.Sprintf("MaxOrders is %d, not 0 to %d", g.MaxOrders, rollback.MaxOrderBytes)
	case orders && g.MaxOrders == 0:
		return "Bots or Scripts give orders, but MaxOrders is 0"
	case g.MaxOrders > 0 && g.Classic != nil:
		return "Classic is for games without orders"
	}
	return ""
}

// unset returns a text about what is wrong with the settings, or "".
func (g *Typed[S, I]) unset() string {
	switch {
	case (g.Data == nil) != (len(g.Settings) == 0):
		return "Settings and Data go together"
	case g.Data != nil && (g.Start == nil || len(g.StandIns) > 0 || g.Served != nil && g.Served.Endless != ""):
		return "Settings need Start, and the Data of parameters for themselves"
	}
	for _, s := range g.Settings {
		if s.Name == "" || s.About == "" || s.Usual < s.Min || s.Usual > s.Max {
			return "a Setting needs Name and About, and its Usual value must be Min to Max"
		}
	}
	return ""
}

// Info returns what is known about the game without playing it.
func (g *Typed[S, I]) Info() *Info { return &g.about }

// Begin calls Spec.Start, if there is one.
func (g *Typed[S, I]) Begin(p tickback.Parameters) (func(*S), error) {
	if g.Start == nil {
		return nil, nil
	}
	return g.Start(p)
}

// Check returns an error if the game cannot play this seed or data.
func (g *Typed[S, I]) Check(seed uint64, data []byte) error {
	return console.CatchPanic(func() error {
		_, err := g.Begin(tickback.Parameters{Seed: seed, Data: data})
		return err
	})
}

// Bot returns the bot of this name, or the first one if the name is empty.
func (g *Typed[S, I]) Bot(name string) (game.Bot[S, I], bool) {
	i := slices.IndexFunc(g.Bots, func(b game.Bot[S, I]) bool { return b.Name == name || name == "" })
	if i < 0 {
		return game.Bot[S, I]{}, false
	}
	return g.Bots[i], true
}

// EndChecksum identifies the state in which a match ended; it is empty if that is not known.
func (g *Typed[S, I]) EndChecksum(m tickback.Session[S], out tickback.Outcome) string {
	if g.Checksum == nil {
		return words.Checksum64(out.Hash)
	}
	v := m.View()
	if v.Current == nil || v.Frame != out.Frames {
		return ""
	}
	return words.Checksum32(g.Checksum(v.Current))
}

// ResultText returns the game's own result of a match, if there is one.
func (g *Typed[S, I]) ResultText(out tickback.Outcome) string {
	switch {
	case !out.Finished:
		return ""
	case g.Result == nil:
		return fmt.Sprint(out.Result)
	}
	return g.Result(out.Result)
}

// Plain returns the game of a Spec with Classic.
func (g *Typed[S, I]) Plain() rollback.Game[S, I] { return g.Game.(rollback.Game[S, I]) }
