package console

import (
	"fmt"

	"github.com/fogleman/nes/nes"

	"github.com/tickback/tickback"

	"github.com/tickback/tickback/examples/nes/rom"
)

// Usual is how many dots win, unless the parameters of the match say something else.
const Usual = 9

// Collect is a match of the game in package rom: the first who has as many dots as the parameters say (see [Dots]) wins. Where
// dots are depends on the lowest 8 bits of their seed. A bot plays for a player who is not there. Hear is that of [Options].
func Collect(hear func(samples []float32)) (Match, error) {
	return Insert(rom.File(), Options{
		Begin: func(p tickback.Parameters) (func(c *nes.Console), error) {
			dots, err := dotsIn(p.Data)
			return func(c *nes.Console) { c.RAM[rom.Goal], c.RAM[rom.Luck] = dots, byte(p.Seed) }, err
		},
		Over: func(c *nes.Console) (uint64, bool) {
			for p := range Seats {
				if goal := c.RAM[rom.Goal]; goal > 0 && c.RAM[rom.Score+p] == goal {
					return uint64(p), true
				}
			}
			return 0, false
		},
		StandIn: Seek, Hear: hear,
	})
}

// Dots returns the Data of parameters for a match that the first wins who has so many dots: 1 to rom.Most. A match for 0
// dots does not end by itself.
func Dots(n int) []byte { return []byte{byte(n)} }

// dotsIn reads what Dots has made. Nothing stands for Usual.
func dotsIn(data []byte) (byte, error) {
	switch {
	case len(data) == 0:
		return Usual, nil
	case len(data) > 1:
		return 0, fmt.Errorf("the parameters of the match have %d bytes, and not one, the number of dots that win", len(data))
	case data[0] > rom.Most:
		return 0, fmt.Errorf("%d dots cannot be collected: the most is %d", data[0], rom.Most)
	}
	return data[0], nil
}
