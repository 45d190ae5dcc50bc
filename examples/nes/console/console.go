// Package console is a game console for two as a game of Tickback: somebody else's emulator, github.com/fogleman/nes, as its
// module is. It knows nothing of rollback. Its memory is saved where it is, by [rollback.SaveInPlace], and a frame of the match
// is a picture of the console.
package console

import (
	"errors"
	"fmt"
	"os"

	"github.com/fogleman/nes/nes"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"

	"github.com/tickback/tickback/examples/nes/rom"
)

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

// Frequency of the sound that an emulator may be asked for; a match never is.
const noSound = 44_100

// Game is what Tickback needs to know of a console with a game in it, whose file is an iNES file. Over, if given, is
// asked after each frame whether the match is over, and how it ended. The error says that the file cannot be used.
func Game(file []byte, over func(c *nes.Console) (result uint64, is bool)) (rollback.OwnMemory[nes.Console, canon.Memento[nes.Console], Input], error) {
	var none rollback.OwnMemory[nes.Console, canon.Memento[nes.Console], Input]
	if _, err := Insert(file); err != nil {
		return none, err
	}
	return rollback.SaveInPlace(rollback.OwnMemory[nes.Console, canon.Memento[nes.Console], Input]{
		New: func() *nes.Console {
			c, err := Insert(file)
			if err != nil {
				panic(err) // it could be inserted before
			}
			return c
		},
		Step: func(c *nes.Console, t *rollback.Tick[Input]) {
			c.SetButtons1(buttons(t.Input(0)))
			c.SetButtons2(buttons(t.Input(1)))
			c.StepFrame()
			if over == nil {
				return
			}
			if result, is := over(c); is {
				t.Finish(result)
			}
		},
		Describe: describe,
	},
		// The processor's table of instructions: methods of the processor, which is a part of the state.
		canon.Functions(),
		// What is in the cartridge never changes.
		canon.Opaque("Cartridge.PRG", "Cartridge.CHR"),
		// Two pictures, one of which is shown, in turn. Which one is a part of the state; what is in them is painted by each
		// frame, again or not.
		canon.Opaque("PPU.front", "PPU.back"),
		// Where sound would go, and floats that filter it. They lead nowhere: a game cannot hear itself.
		canon.Leave("APU.channel", "APU.sampleRate", "APU.filterChain"),
	)
}

// Collect is a match of the game in package rom, which the first wins who has nine dots.
func Collect() (rollback.OwnMemory[nes.Console, canon.Memento[nes.Console], Input], error) {
	return Game(rom.File(), func(c *nes.Console) (uint64, bool) {
		for p := range Seats {
			if c.RAM[rom.Score+p] == rom.Goal {
				return uint64(p), true
			}
		}
		return 0, false
	})
}

// Insert returns a console with a game in it, just switched on.
func Insert(file []byte) (*nes.Console, error) {
	if len(file) < 16 || string(file[:4]) != "NES\x1a" {
		return nil, errors.New("this is no iNES file")
	}
	// The emulator only reads files.
	f, err := os.CreateTemp("", "*.nes")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(file)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	c, err := nes.NewConsole(f.Name())
	if err != nil {
		return nil, fmt.Errorf("the game cannot be inserted: %w", err)
	}
	c.SetAudioSampleRate(noSound)
	return c, nil
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

// Seek is a bot for the game in package rom: it walks to the dot.
func Seek(p tickback.Player, c *nes.Console) (in Input) {
	x, y := int(c.RAM[rom.PlayerX+int(p)]), int(c.RAM[rom.PlayerY+int(p)])
	dx, dy := int(c.RAM[rom.DotX])-x, int(c.RAM[rom.DotY])-y
	switch {
	case dx > 2:
		in |= Right
	case dx < -2:
		in |= Left
	}
	switch {
	case dy > 2:
		in |= Down
	case dy < -2:
		in |= Up
	}
	return in
}
