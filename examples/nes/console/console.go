// Package console is a game console for two as a game of Tickback: somebody else's emulator, github.com/fogleman/nes, as its
// module is. It knows nothing of rollback. Its memory is saved where it is, by [rollback.SaveInPlace], and a frame of the match
// is a picture of the console.
package console

import (
	"fmt"
	"image"

	"github.com/fogleman/nes/nes"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"

	"github.com/tickback/tickback/examples/nes/rom"
)

// Minute is how many frames a minute has, rounded up.
const Minute = 3606

// Seats is the number of controllers.
const Seats = 2

// Rate is that of the console's picture, in frames a second: 60.0988.
var Rate = tickback.Rate{Frames: 39_375_000, Seconds: 655_171}

// Input has a bit for each button of a controller.
type Input uint8

// The buttons.
const (
	A Input = 1 << iota
	B
	Select
	Start
	Up
	Down
	Left
	Right
)

// Options are what a front wants of a console. All of it may be left out.
type Options struct {
	// Begin, if given, prepares a console that was just switched on for a match with these parameters, or says why they
	// cannot be played. Without parameters, of which all are zero, a match can always be played.
	Begin func(p tickback.Parameters) (func(c *nes.Console), error)
	// Over, if given, is asked after each frame whether the match is over, and how it ended.
	Over func(c *nes.Console) (result uint64, is bool)
	// StandIn, if given, presses the buttons of a player who is not there. It depends on nothing but its arguments.
	StandIn func(p tickback.Player, c *nes.Console) Input
	// Hear, if given, gets the sound of each frame that is simulated for the first time and belongs to the match: some 734
	// samples, SampleRate of which are a second, from -1 to 1. They belong to the caller, who uses them again for the next
	// frame. Only one match may be played by a game with Hear at a time.
	Hear func(samples []float32)
}

// Match is a console with a game in it, as Tickback plays it.
type Match struct {
	// Game is for all sessions. Its state 0 is that of parameters that are all zero.
	Game rollback.OwnMemory[nes.Console, canon.Memento[nes.Console], Input]
	// Start is for tickback.Options: it compares the Content of the parameters, which is Content, unless it is 0, as from
	// command lines.
	Start func(p tickback.Parameters) (func(c *nes.Console), error)
	// Content identifies what is in the console.
	Content uint64
}

// Insert makes a match of a game, whose file is an iNES file. The error says that the file cannot be used.
func Insert(file []byte, o Options) (Match, error) {
	cartridge, err := read(file)
	if err == nil {
		err = try(cartridge)
	}
	if err != nil {
		return Match{}, err
	}
	m := Match{Content: rom.Digest(file)}
	m.Start = func(p tickback.Parameters) (func(c *nes.Console), error) {
		if p.Content != 0 && p.Content != m.Content {
			return nil, &ContentError{Here: m.Content, There: p.Content}
		}
		begin := func(*nes.Console) {}
		if o.Begin != nil {
			var err error
			if begin, err = o.Begin(p); err != nil {
				return nil, err
			}
		}
		return func(c *nes.Console) {
			if err := switchOn(c, cartridge); err != nil {
				panic(err) // it could be switched on before
			}
			begin(c)
		}, nil
	}
	start, err := m.Start(tickback.Parameters{})
	if err != nil {
		return Match{}, err
	}
	e := newEar(o.Hear)
	m.Game, err = rollback.SaveInPlace(rollback.OwnMemory[nes.Console, canon.Memento[nes.Console], Input]{
		New: func() *nes.Console {
			c := new(nes.Console)
			start(c)
			return c
		},
		Init: start,
		Step: func(c *nes.Console, t *rollback.Tick[Input]) {
			var in [Seats]Input
			for p := range min(Seats, t.Players()) {
				in[p] = t.Input(p)
				if o.StandIn != nil && t.Status(p) == rollback.Disconnected {
					in[p] = o.StandIn(p, c)
				}
			}
			c.SetButtons1(buttons(in[0]))
			c.SetButtons2(buttons(in[1]))
			// What is simulated again has been heard, and what is ahead will be.
			e.step(c, !t.Resimulating() && !t.Ahead())
			if o.Over == nil {
				return
			}
			if result, is := o.Over(c); is {
				t.Finish(result)
			}
		},
		Describe: describe,
	}, append(parts(), canon.Encoded())...)
	return m, err
}

// Preview returns the picture of a console that was switched on a moment ago, and that nobody plays: 256 by 240 dots.
func (m Match) Preview() *image.RGBA {
	const moment = 10 // frames
	c := m.Game.New()
	for range moment {
		stepFrame(c)
	}
	return c.Buffer()
}

// parts says what of a console's memory is no part of a match.
func parts() []canon.SaverOption {
	return []canon.SaverOption{
		// The processor's table of instructions: methods of the processor, which is a part of the state.
		canon.Functions(),
		// The program in the cartridge never changes. Its tiles may: many cartridges have memory there, and this emulator lets
		// programs write to all of them.
		canon.Opaque("Cartridge.PRG"),
		// Two pictures, one of which is shown, in turn. Which one is a part of the state; what is in them is painted by each
		// frame, again or not.
		canon.Opaque("PPU.front", "PPU.back"),
		// Where sound goes, and how it is sampled. That leads nowhere: a game cannot hear itself.
		canon.Leave("APU.channel", "APU.sampleRate", "APU.filterChain"),
	}
}

// ContentError says that two machines have different games in their consoles.
type ContentError struct{ Here, There uint64 }

// Error has both digests.
func (e *ContentError) Error() string {
	return fmt.Sprintf("another game is in the console: %016x here, and %016x there", e.Here, e.There)
}

// buttons returns an input as the emulator takes it.
func buttons(in Input) (list [8]bool) {
	for i := range list {
		list[i] = in>>i&1 != 0
	}
	return list
}

// Shown is what reports show of a console.
type Shown struct {
	PC, SP, A, X, Y int
	Cycles, Frame   uint64
	RAM             [2048]byte
}

func describe(c *nes.Console) any {
	s := Shown{
		PC: int(c.CPU.PC), SP: int(c.CPU.SP), A: int(c.CPU.A), X: int(c.CPU.X), Y: int(c.CPU.Y),
		Cycles: c.CPU.Cycles, Frame: c.PPU.Frame,
	}
	copy(s.RAM[:], c.RAM)
	return s
}

// Seek is a bot for the game in package rom: it walks to the dot. The first player goes there sideways first, and the second
// one up or down, so that they do not walk as one.
func Seek(p tickback.Player, c *nes.Console) Input {
	x, y := int(c.RAM[rom.PlayerX+int(p)])+4, int(c.RAM[rom.PlayerY+int(p)])+4
	dx, dy := int(c.RAM[rom.DotX])-x, int(c.RAM[rom.DotY])-y
	sideways, upright := toward(dx, Left, Right), toward(dy, Up, Down)
	if sideways != 0 && (p == 0 || upright == 0) {
		return sideways
	}
	return upright
}

// toward returns the button that makes a distance shorter, or none if it is short.
func toward(d int, less, more Input) Input {
	switch {
	case d > 2:
		return more
	case d < -2:
		return less
	}
	return 0
}
