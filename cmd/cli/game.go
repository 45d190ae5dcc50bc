package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
)

// maxText is how many bytes a session takes for the names of a game and a build.
const maxText = 64

// Spec is what a game gives to be played from the command line: S is its state, I
// what a player does in one frame. ID, About, Game, MaxPlayers and Bots are
// required.
type Spec[S any, I comparable] struct {
	// ID names the game on the command line, in output and to peers: "duel", at
	// most 64 bytes.
	ID string
	// About is a line for help texts.
	About string
	// Build tells versions of the game apart that cannot play together, in at most
	// 64 bytes. The default is version and commit of the binary.
	Build string
	// TickRate is the number of frames in a second of play; the default is 60.
	TickRate int
	// MinPlayers and MaxPlayers say how many can play; the least is 2 if it is 0.
	MinPlayers, MaxPlayers int

	// Game is the game; its state 0 must not depend on a seed.
	Game rollback.Definition[S, I]
	// Start returns what makes state 0 of a match with these parameters, or why
	// they are no good; see tickback.Options. Nil takes any seed and ignores it.
	Start func(p tickback.Parameters) (func(s *S), error)
	// Result says in words what the game gave to rollback.Tick's Finish. Nil shows
	// the number.
	Result func(result uint64) string
	// Checksum identifies a state, shown as 0x and 8 digits. Nil is the engine's
	// 64-bit hash, with 16 digits.
	Checksum func(s *S) uint32

	// Bots play in place of people, the usual one first.
	Bots []Bot[S, I]
	// StandIns are names of bots that can play for players who are not there, as a part
	// of the game's rules: for --stand-in, whose name Start finds in Data of the
	// parameters, which is empty without.
	StandIns []string
	// Scripts play for all players of the sim command, which also takes bots.
	Scripts []Script[I]
	// Classic, if given, lets the game be recorded (RPLK v1) and played over RBN1.
	Classic *Classic[S, I]
	// Screen, if given, lets people play in a terminal.
	Screen *Screen[S, I]
}

// Bot plays in place of a person.
type Bot[S any, I comparable] struct {
	Name string
	// New returns a bot for a match with this seed. It is asked for each new frame of
	// a player who plays here, with the state as it is then.
	New func(seed uint64) func(p tickback.Player, f tickback.Frame, s *S) I
}

// Script plays without looking.
type Script[I comparable] struct {
	Name string
	// New returns a new run of the script. It is asked for each frame once, in order,
	// from frame 0, and sets the input of each player.
	New func(seed uint64) (func(f tickback.Frame, in []I), error)
}

// Classic is what RPLK v1 and RBN1 need of a game: two players with 16 buttons
// each, a 32-bit seed and Spec.Checksum. Spec.Game must be a rollback.Game. All
// fields are required.
type Classic[S any, I comparable] struct {
	// Buttons and Input translate an input to a mask of buttons, and back.
	Buttons func(in I) uint16
	Input   func(buttons uint16) I
	// Play advances a state by one frame for each element, without an engine, and
	// keeps nothing of the slice.
	Play func(s *S, frames []rplk.Inputs)
}

// Screen is a game in a terminal. All fields are required.
type Screen[S any, I comparable] struct {
	// View draws a state as lines of text, at most 24 of 80 columns.
	View func(s *S, players int) []string
	// Keys makes an input of the keys that are held: letters (lower case), digits,
	// "space", "enter", "up", "down", "left", "right". P pauses the match.
	Keys func(held func(key string) bool) I
	// Help says in a line which keys do what.
	Help string
}

// Game is a game as the command line knows it; [NewGame] makes one.
type Game interface {
	info() *gameInfo
	// check refuses a seed that the game cannot play.
	check(seed uint64) error
	// replay starts a match that is replayed from a recording. Classic games only.
	replayClassic(seed uint32) (replayed, error)
	// simulate plays a whole match on this machine alone.
	simulate(ctx context.Context, s simulation) (simulated, error)
	// soak plays a plan, as long as goOn says so.
	soak(p fleet.Plan, goOn func() bool) (fleet.Result, error)
	// join makes this machine's part of a match over a network.
	join(s *seat) (playing, error)
	// watch follows a match that is played elsewhere.
	watch(s *stand) (spectating, error)
	// follow goes on from an encoded state with agreed inputs.
	follow(begin []byte, players int) (follower, error)
	// recorded is the game as the tools for recordings know it.
	recorded() (replay.Game, error)
	checksumOf(s replay.Sim) string // of the live state, as match and sim print it; empty if it is not known
	// buttons and rplkHeader are what RPLK needs to be translated. Classic games only.
	buttons() replay.Buttons
	rplkHeader(h rplk.Header) tbr.Header
}

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

// game is a game with its types.
type game[S any, I comparable] struct {
	Spec[S, I]
	about gameInfo
}

// NewGame returns the game that a Spec describes. One that is not complete is a
// mistake in the program, and a panic that names what is missing.
func NewGame[S any, I comparable](spec Spec[S, I]) Game {
	if spec.TickRate == 0 {
		spec.TickRate = 60
	}
	if spec.MinPlayers == 0 {
		spec.MinPlayers = 2
	}
	if spec.Build == "" {
		spec.Build = thisBuild()
	}
	g := &game[S, I]{Spec: spec}
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
func (g *game[S, I]) incomplete() string {
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

func (g *game[S, I]) info() *gameInfo { return &g.about }

// start is Spec.Start, where there may be none.
func (g *game[S, I]) start(p tickback.Parameters) (func(*S), error) {
	if g.Start == nil {
		return nil, nil
	}
	return g.Start(p)
}

func (g *game[S, I]) check(seed uint64) error {
	return survive(func() error {
		_, err := g.start(tickback.Parameters{Seed: seed})
		return err
	})
}

// bot returns the bot of this name, the first one for an empty name.
func (g *game[S, I]) bot(name string) (Bot[S, I], bool) {
	i := slices.IndexFunc(g.Bots, func(b Bot[S, I]) bool { return b.Name == name || name == "" })
	if i < 0 {
		return Bot[S, I]{}, false
	}
	return g.Bots[i], true
}
