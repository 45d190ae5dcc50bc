package cli

import (
	"fmt"
	"slices"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
)

// gameInfo is what there is to know about a game without playing it.
type gameInfo struct {
	id, about, build       string
	tickRate               int
	minPlayers, maxPlayers int
	bots, scripts          []string
	standIns               []string
	classic, screen        bool
	keys                   string
}

// players lists what can play in a simulation.
func (g *gameInfo) players() []string { return append(slices.Clone(g.scripts), g.bots...) }

// typed is a game with its types, as families of commands need it.
type typed[S any, I comparable] struct {
	Spec[S, I]
	about gameInfo
}

// newTyped completes a Spec. One that lacks something is a mistake in the program, and a
// panic that names what is missing.
func newTyped[S any, I comparable](spec Spec[S, I]) *typed[S, I] {
	if spec.TickRate == 0 {
		spec.TickRate = 60
	}
	if spec.MinPlayers == 0 {
		spec.MinPlayers = 2
	}
	if spec.Build == "" {
		spec.Build = thisBuild()
	}
	g := &typed[S, I]{Spec: spec}
	if missing := g.incomplete(); missing != "" {
		panic(fmt.Sprintf("cli: game %q is not complete: %s", spec.ID, missing))
	}
	g.about = gameInfo{
		id: spec.ID, about: spec.About, build: spec.Build, tickRate: spec.TickRate,
		minPlayers: spec.MinPlayers, maxPlayers: spec.MaxPlayers,
		standIns: spec.StandIns,
		classic:  spec.Classic != nil, screen: spec.Screen != nil,
	}
	for _, b := range spec.Bots {
		g.about.bots = append(g.about.bots, b.Name)
	}
	for _, s := range spec.Scripts {
		g.about.scripts = append(g.about.scripts, s.Name)
	}
	if spec.Screen != nil {
		g.about.keys = spec.Screen.Help
	}
	return g
}

// incomplete says what is wrong with a Spec.
func (g *typed[S, I]) incomplete() string {
	switch c, s := g.Classic, g.Screen; {
	case g.ID == "" || g.About == "" || g.Game == nil || len(g.Bots) == 0:
		return "it needs ID, About, Game and Bots"
	case len(g.ID) > maxText || len(g.Build) > maxText:
		return fmt.Sprintf("ID and Build have at most %d bytes", maxText)
	case g.MinPlayers < 2 || g.MaxPlayers < g.MinPlayers || g.MaxPlayers > tickback.MaxPlayers:
		return fmt.Sprintf("it has %d to %d players, not 2 to %d", g.MinPlayers, g.MaxPlayers, tickback.MaxPlayers)
	case slices.ContainsFunc(g.Bots, func(b Bot[S, I]) bool { return b.Name == "" || b.New == nil }):
		return "a Bot needs Name and New"
	case slices.ContainsFunc(g.Scripts, func(s Script[I]) bool { return s.Name == "" || s.New == nil }):
		return "a Script needs Name and New"
	case c != nil && (c.Buttons == nil || c.Input == nil || c.Play == nil || g.Checksum == nil || g.MinPlayers != 2):
		return "Classic needs Buttons, Input, Play, Spec.Checksum and two players"
	case s != nil && (s.View == nil || s.Keys == nil || s.Help == ""):
		return "Screen needs View, Keys and Help"
	}
	if _, plain := g.Game.(rollback.Game[S, I]); g.Classic != nil && !plain {
		return "Classic needs a rollback.Game"
	}
	return ""
}

func (g *typed[S, I]) info() *gameInfo { return &g.about }

// start is Spec.Start, where there may be none.
func (g *typed[S, I]) start(p tickback.Parameters) (func(*S), error) {
	if g.Start == nil {
		return nil, nil
	}
	return g.Start(p)
}

func (g *typed[S, I]) check(seed uint64) error {
	return survive(func() error {
		_, err := g.start(tickback.Parameters{Seed: seed})
		return err
	})
}

// bot returns the bot of this name, the first one for an empty name.
func (g *typed[S, I]) bot(name string) (Bot[S, I], bool) {
	i := slices.IndexFunc(g.Bots, func(b Bot[S, I]) bool { return b.Name == name || name == "" })
	if i < 0 {
		return Bot[S, I]{}, false
	}
	return g.Bots[i], true
}

// checksum identifies the state at which a match ended; empty if it is not known.
func (g *typed[S, I]) checksum(m tickback.Session[S], out tickback.Outcome) string {
	if g.Checksum == nil {
		return checksum64(out.Hash)
	}
	v := m.View()
	if v.Current == nil || v.Frame != out.Frames {
		return ""
	}
	return checksum32(g.Checksum(v.Current))
}

// resultText is what the game said at the end of a match, if it did.
func (g *typed[S, I]) resultText(out tickback.Outcome) string {
	switch {
	case !out.Finished:
		return ""
	case g.Result == nil:
		return fmt.Sprint(out.Result)
	}
	return g.Result(out.Result)
}

// plain is the game of a Spec with Classic.
func (g *typed[S, I]) plain() rollback.Game[S, I] { return g.Game.(rollback.Game[S, I]) }
