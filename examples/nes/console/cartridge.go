package console

import (
	"errors"
	"fmt"
	"slices"

	"github.com/fogleman/nes/nes"
)

// The sizes of what is in an iNES file, in bytes.
const (
	headerSize  = 16
	trainerSize = 512
	programBank = 0x4000
	tilesBank   = 0x2000
)

var errNoFile = errors.New("this is no iNES file")

// read reads an iNES file. The emulator does that, too, but only where there are files, as there are not in a page.
func read(file []byte) (*nes.Cartridge, error) {
	if len(file) < headerSize || string(file[:4]) != "NES\x1a" {
		return nil, errNoFile
	}
	program, tiles := int(file[4])*programBank, int(file[5])*tilesBank
	first, second := file[6], file[7]
	rest := file[headerSize:]
	if first&4 != 0 {
		rest = rest[min(trainerSize, len(rest)):]
	}
	switch {
	case program == 0:
		return nil, errors.New("the file has no program")
	case len(rest) < program+tiles:
		return nil, fmt.Errorf("the file is incomplete: %d bytes of %d", len(file), len(file)-len(rest)+program+tiles)
	}
	c := nes.NewCartridge(rest[:program], rest[program:program+tiles], first>>4|second&0xF0, first&1|first>>2&2, first>>1&1)
	if tiles == 0 {
		c.CHR = make([]byte, tilesBank)
	}
	return c, nil
}

// switchOn makes of *c a console that was just switched on, with a cartridge in it that belongs to it alone. Only the program
// is shared, since it never changes.
func switchOn(c *nes.Console, in *nes.Cartridge) (err error) {
	*c = nes.Console{
		Cartridge:   nes.NewCartridge(in.PRG, slices.Clone(in.CHR), in.Mapper, in.Mirror, in.Battery),
		Controller1: nes.NewController(), Controller2: nes.NewController(), RAM: make([]byte, 2048),
	}
	if c.Mapper, err = nes.NewMapper(c); err != nil {
		return fmt.Errorf("the game cannot be inserted: %w", err)
	}
	c.CPU = nes.NewCPU(c)
	c.APU = nes.NewAPU(c)
	c.PPU = nes.NewPPU(c)
	sampled(c)
	return nil
}

// stepFrame runs a console until its picture is painted, as its StepFrame does. But that asks the cartridge 89,342 times whether
// something is to be done, which is so only in some.
func stepFrame(c *nes.Console) {
	counts := false
	switch c.Mapper.(type) {
	case *nes.Mapper4, *nes.Mapper40:
		counts = true
	}
	for frame := c.PPU.Frame; frame == c.PPU.Frame; {
		cycles := c.CPU.Step()
		for range 3 * cycles {
			c.PPU.Step()
			if counts {
				c.Mapper.Step()
			}
		}
		for range cycles {
			c.APU.Step()
		}
	}
}

// try switches a console on once. The emulator does not check whether a program is as large as its kind of cartridge has to
// be.
func try(in *nes.Cartridge) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the game cannot be inserted: %v", r)
		}
	}()
	return switchOn(new(nes.Console), in)
}
