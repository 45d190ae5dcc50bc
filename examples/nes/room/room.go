package room

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"log"
	"math/rand/v2"

	"github.com/fogleman/nes/nes"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"

	"github.com/tickback/tickback/examples/nes/console"
)

// Build identifies how the console is driven: programs with different builds do not play together. What is in it is compared by
// the parameters of a match.
const Build = "1"

// Spectators is how many may watch.
const Spectators = 8

// Screen is where the game is played: a page, or a window.
type Screen interface {
	Say(text string)     // shows a line
	Hint(text string)    // shows another line, below the first one
	Begins(can bool)     // says whether the player can begin a match
	Struck() bool        // reports, once, that the player wants to begin
	Held() console.Input // what the player does now
}

// Options are what a player chooses. All of it may be left out.
type Options struct {
	// Dots is how many win, in matches that this machine begins: 0 for console.Usual, and less for a match that does not end
	// by itself.
	Dots int
	// RunAhead is how many frames ahead of the match the picture is, here: 0 to 8.
	RunAhead int
	// Net is the name of a profile of package netem, if what is sent should go through such a network. Machines then find each
	// other on a local network only.
	Net string
	// Hear gets the sound, as in console.Options.
	Hear func(samples []float32)
	// Bot plays instead of the person.
	Bot bool
	// Record, if given, gets a recording of the first match that is played or watched here.
	Record io.Writer
}

// Game is a room, and the match that is played or watched in it.
type Game struct {
	room    *online.Room
	console console.Match
	options Options
	screen  Screen
	session tickback.Session[nes.Console] // nil before the first one
	over    bool
	bot     console.Input // what the bot does next
	said    string
	marks   marks
}

// Open enters the room at an address, or makes one there; in a page, "" means the page's own address.
func Open(address string, s Screen, o Options) (*Game, error) {
	match, err := console.Collect(o.Hear)
	if err != nil {
		return nil, err
	}
	cfg := online.Config{GameID: "collect", Build: Build, Seats: console.Seats, Spectators: Spectators}
	if o.Net != "" {
		profile, err := netem.ProfileNamed(o.Net)
		if err != nil {
			return nil, err
		}
		cfg.Transport = through(profile.Link)
	}
	room, err := online.Open(context.Background(), address, cfg)
	if err != nil {
		return nil, err
	}
	return &Game{room: room, console: match, options: o, screen: s}, nil
}

// Link returns the address that others need to join.
func (g *Game) Link() string { return g.room.Link() }

// Background returns update as a function that is also called while nobody looks; see [online.Room.Background].
func (g *Game) Background(update func() error) func() error { return g.room.Background(update) }

// Close leaves the room.
func (g *Game) Close() {
	if g.session != nil {
		g.session.Close()
	}
	g.room.Close()
}

// View returns the view of the match to draw, which is valid until the next Update. Without a match, its states are nil.
func (g *Game) View() (v tickback.View[nes.Console]) {
	if g.session != nil {
		v = g.session.View()
	}
	return v
}

// Preview returns the console's picture before a match: 256 by 240 dots.
func (g *Game) Preview() *image.RGBA { return g.console.Preview() }

// Update runs what is due. It is called for each picture.
func (g *Game) Update() error {
	if g.session != nil && !g.over {
		g.play()
		return nil
	}
	if err := g.room.Err(); err != nil {
		return err
	}
	if !g.over {
		g.say(g.waiting())
	}
	host := g.room.IsHost()
	g.screen.Begins(host)
	switch {
	case host && g.alone():
		g.screen.Hint("Space begins, against a bot.")
	case host:
		g.screen.Hint("Space begins.")
	default:
		g.screen.Hint("The other player begins.")
	}
	if g.screen.Struck() && host {
		if err := g.room.Start(); err != nil {
			g.say(err.Error())
		}
	}
	if g.room.Started() {
		g.begin()
	}
	return nil
}

// players returns how many are here who have a controller.
func (g *Game) players() (n int) {
	for _, m := range g.room.State().Members {
		if m.Connected && m.Seat != rooms.NoSeat {
			n++
		}
	}
	return n
}

func (g *Game) alone() bool { return g.players() < console.Seats }

func (g *Game) waiting() string {
	switch {
	case g.alone():
		return "You are alone. Invite somebody by the address of this room."
	case g.watches():
		return "Both players are here, and you will watch."
	}
	return "You are two."
}

func (g *Game) watches() bool { return g.room.Me().Seat == rooms.NoSeat }

// begin plays or watches the match of the room, from its beginning or from now on. What it cannot do is said, and tried again
// when the room has another match.
func (g *Game) begin() {
	g.screen.Begins(false)
	g.marks = marks{}
	var err error
	if g.watches() {
		g.session, err = session(online.Spectate(g.room, g.console.Game, tickback.SpectatorOptions[nes.Console, console.Input]{
			Rate: console.Rate, Start: g.console.Start, Agreed: g.marks.take, Record: g.options.Record,
		}))
		g.say("You watch.")
	} else {
		g.session, err = session(online.Play(g.room, g.console.Game, tickback.Options[nes.Console, console.Input]{
			Players: console.Seats, Rate: console.Rate, Sample: g.sample, RunAhead: g.options.RunAhead,
			// A frame of an emulator is too costly for long rollbacks, so an input waits for as long as the way to the other takes,
			// but for some frames.
			AutoDelay: tickback.AutoDelay{On: true, Rollback: 3},
			// The host's are the ones that are used. Whoever has another game in the console cannot play.
			Match: tickback.Parameters{Seed: rand.Uint64(), Content: g.console.Content, Data: g.dots()},
			Start: g.console.Start, Agreed: g.marks.take, Record: g.options.Record,
		}))
		g.say(fmt.Sprintf("You are %s.", [console.Seats]string{"the red player", "the blue player"}[g.room.Me().Seat]))
	}
	g.screen.Hint("")
	g.options.Record = nil
	g.over = err != nil
	if err != nil {
		g.session = nil
		g.say(g.room.Explain(err).Error())
	}
}

// session makes a session of any kind one of all kinds: an error leaves it nil.
func session[M tickback.Session[nes.Console]](m M, err error) (tickback.Session[nes.Console], error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (g *Game) dots() []byte {
	switch {
	case g.options.Dots == 0:
		return console.Dots(console.Usual)
	case g.options.Dots < 0:
		return console.Dots(0)
	}
	return console.Dots(g.options.Dots)
}

// sample returns what the player does now.
func (g *Game) sample(tickback.Player) console.Input {
	if g.options.Bot {
		return g.bot
	}
	return g.screen.Held()
}

// look decides what a bot does next, by what a person would see.
func (g *Game) look() {
	if seat := g.room.Me().Seat; g.options.Bot && seat != rooms.NoSeat {
		if c := g.View().Current; c != nil {
			g.bot = console.Seek(tickback.Player(seat), c)
		}
	}
}

// play runs the frames that are due, and ends the match when it is over.
func (g *Game) play() {
	g.look()
	_, err := g.session.Update()
	for _, e := range g.session.Events() {
		log.Println(e) // in the browser's console
	}
	end, over := g.session.Outcome() // it takes precedence over an error: the others may have left
	switch {
	case over && end.Finished && g.watches():
		g.say(fmt.Sprintf("The %s player wins.", [console.Seats]string{"red", "blue"}[end.Result%console.Seats]))
	case over && end.Finished && int(end.Result) == g.room.Me().Seat:
		g.say("You win!")
	case over && end.Finished:
		g.say("The other player wins.")
	case over:
		g.say("The match is over.")
	case err != nil:
		g.say(g.room.Explain(err).Error())
	default:
		return
	}
	g.over = true
	g.session.Close()
	var removed *tickback.RemovedError
	if errors.As(err, &removed) || errors.Is(err, tickback.ErrClosed) {
		g.begin() // the others have continued without us
	}
}

func (g *Game) say(text string) {
	g.said = text
	g.screen.Say(text)
}
