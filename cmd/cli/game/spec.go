package game

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/rollback"
)

// Spec describes a game for the command line: S is its state, I what a player does in one frame. ID, About, Game,
// MaxPlayers and Bots are required.
type Spec[S any, I comparable] struct {
	// ID names the game on the command line, in output and to peers: "duel", at most 64 bytes.
	ID string
	// About is a line for help texts.
	About string
	// Build distinguishes versions of the game that cannot play together, in at most 64 bytes. The default is version
	// and commit of the binary.
	Build string
	// TickRate is the number of frames per second; the default is 60. Rate is it instead, if it is no integer; TickRate
	// is then the integer next to it.
	TickRate int
	Rate     tickback.Rate
	// MinPlayers and MaxPlayers say how many can play; if MinPlayers is 0, it means 2. The maximum is 16.
	MinPlayers, MaxPlayers int
	// MaxOrders is the maximum size of a player's orders in a frame, in bytes; 0 means a game without orders. They
	// are made by Bots and Scripts.
	MaxOrders int

	// Game is the game; its state 0 must not depend on a seed.
	Game rollback.Definition[S, I]
	// Start returns a function that makes state 0 of a match with these parameters, or an error if they are invalid;
	// see tickback.Options. Nil accepts any seed and ignores it.
	Start func(p tickback.Parameters) (func(s *S), error)
	// Settings are numbers that can be chosen for a match, with --set. Data encodes their values, in the same order,
	// as the Data of the match's parameters; it is required if there are any settings, which also require Start, and
	// exclude StandIns and Served.Endless.
	Settings []Setting
	Data     func(values []int) []byte
	// Result describes in words the result that the game passed to rollback.Tick's Finish. Nil shows the number.
	Result func(result uint64) string
	// Checksum identifies a state, shown as 0x and 8 digits. Nil means the engine's 64-bit hash, with 16 digits.
	Checksum func(s *S) uint32
	// Units, if given, returns the number of units in a state, for games with many: the soak command reports it.
	Units func(s *S) int

	// Bots play instead of people. The first one is the default.
	Bots []Bot[S, I]
	// StandIns are names of bots that can play for absent players, as a part of the game's rules: for --stand-in.
	// Start finds the name in Data of the parameters, which is empty without a stand-in.
	StandIns []string
	// Scripts play for all players of the sim command, which also accepts bots.
	Scripts []Script[I]
	// Classic, if given, allows the game to be recorded (RPLK v1) and played over RBN1.
	Classic *Classic[S, I]
	// Screen, if given, lets people play in a terminal.
	Screen *Screen[S, I]
	// Served, if given, allows a server to own matches: with the commands serve, join and bots below that of the
	// game.
	Served *Served[S, I]
}

// Setting is a number that can be chosen for a match. Spec.Start checks which combinations of values are valid.
type Setting struct {
	// Name is the name for --set, and About a short description.
	Name, About string
	// Usual is the default value.
	Usual, Min, Max int
}

// Bot plays instead of a person. New or Orders is required.
type Bot[S any, I comparable] struct {
	Name string
	// New returns a bot for a match with this seed. The bot is called for each new frame of a player who plays here,
	// with the state at that frame. Without it, inputs are zero.
	New func(seed uint64) func(p tickback.Player, f tickback.Frame, s *S) I
	// Orders is like New, but the bot makes the orders of that frame, which it appends to b.
	Orders func(seed uint64) func(b []byte, p tickback.Player, f tickback.Frame, s *S) []byte
}

// Script plays without looking at the state. New or Orders is required.
type Script[I comparable] struct {
	Name string
	// New returns a new run of the script. It is called once for each frame, in order, from frame 0, and sets the
	// input of each player. Without it, inputs are zero.
	New func(seed uint64) (func(f tickback.Frame, in []I), error)
	// Orders returns a function that appends the orders of a player in a frame to b. The orders must depend on nothing
	// else.
	Orders func(seed uint64) func(b []byte, p tickback.Player, f tickback.Frame) []byte
}

// Classic has what RPLK v1 and RBN1 need from a game: two players with 16 buttons each, a 32-bit seed and
// Spec.Checksum. Spec.Game must be a rollback.Game. All fields are required.
type Classic[S any, I comparable] struct {
	// Buttons and Input convert an input to a mask of buttons, and back.
	Buttons func(in I) uint16
	Input   func(buttons uint16) I
	// Play advances a state by one frame for each element, without an engine. It must not keep the slice.
	Play func(s *S, frames []rplk.Inputs)
}

// Served describes a game whose matches a server can own. All fields may be zero; see tickback.ServerOptions for the
// first five.
type Served[S any, I comparable] struct {
	// Sight is needed for --sight partial, which is not available without it.
	Sight   func(s *S, p tickback.Player) tickback.PlayerSet
	Correct func(s *S, p tickback.Player, in I, behind int) I
	Check   func(s *S, p tickback.Player, in I) bool
	Carry   func(late, next I) I
	StandIn func(s *S, p tickback.Player) I
	// Seen stores in an input how many ticks behind its player saw the other players, for games in which shots hit
	// what the player has seen.
	Seen func(in I, ticks int) I
	// Endless is the Data of parameters with which the game does not end a match by itself: for serve --length.
	Endless string
}

// Screen lets people play a game in a terminal. All fields are required.
type Screen[S any, I comparable] struct {
	// View draws a state as lines of text, at most 24 of 80 columns.
	View func(s *S, players int) []string
	// Keys makes an input from the keys that are held: letters (lower case), digits, "space", "enter", "up", "down",
	// "left", "right". P pauses the match.
	Keys func(held func(key string) bool) I
	// Help says in one line which keys do what.
	Help string
}
