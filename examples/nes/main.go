// Command nes plays, records and verifies matches on a console's emulator: see docs/emulators.md.
package main

import (
	"fmt"
	"image/color"
	"log"

	"github.com/fogleman/nes/nes"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"

	"github.com/tickback/tickback/examples/nes/console"
	"github.com/tickback/tickback/examples/nes/rom"
)

func main() {
	match, err := console.Collect(nil)
	if err != nil {
		log.Fatal(err)
	}
	cli.Main(cli.NewGame(cli.Spec[nes.Console, console.Input]{
		ID: "collect", About: "who has nine dots first wins, on a console of 1985",
		Rate:       console.Rate,
		MaxPlayers: console.Seats,
		Game:       match.Game, Start: match.Start,
		Settings: []cli.Setting{{Name: "dots", About: "how many dots win; 0 for a match that does not end by itself", Usual: console.Usual, Max: rom.Most}},
		Data:     func(values []int) []byte { return console.Dots(values[0]) },
		// Nobody plays with another game in the console: the digest of its file is a part of what is compared.
		Build:  fmt.Sprintf("collect %016x", match.Content),
		Result: func(winner uint64) string { return fmt.Sprintf("player %d wins", winner+1) },
		Bots:   []cli.Bot[nes.Console, console.Input]{{Name: "seeker", New: seeker}},
		Screen: &cli.Screen[nes.Console, console.Input]{View: view, Keys: keys, Help: "W, A, S and D, or the arrows"},
	}))
}

// seeker returns the bot, which plays when no person does.
func seeker(uint64) func(tickback.Player, tickback.Frame, *nes.Console) console.Input {
	return func(p tickback.Player, _ tickback.Frame, c *nes.Console) console.Input { return console.Seek(p, c) }
}

// The terminal shows a character for each 4 by 10 dots of the picture.
const columns, lines, across, down = 64, 24, 4, 10

// view draws the console's picture as lines of text: the brightest dot of each patch.
func view(c *nes.Console, _ int) []string {
	const shades = " .:*#"
	picture := c.Buffer()
	list := make([]string, lines)
	for line := range list {
		text := make([]byte, columns)
		for column := range text {
			most := uint8(0)
			for y := range down {
				for x := range across {
					most = max(most, color.GrayModel.Convert(picture.RGBAAt(column*across+x, line*down+y)).(color.Gray).Y)
				}
			}
			text[column] = shades[int(most)*(len(shades)-1)/255]
		}
		list[line] = string(text)
	}
	return list
}

func keys(held func(key string) bool) (in console.Input) {
	for _, k := range []struct {
		button    console.Input
		one, also string
	}{
		{console.Up, "w", "up"},
		{console.Down, "s", "down"},
		{console.Left, "a", "left"},
		{console.Right, "d", "right"},
		{console.A, "k", "space"},
		{console.B, "l", "l"},
		{console.Start, "enter", "enter"},
		{console.Select, "q", "q"},
	} {
		if held(k.one) || held(k.also) {
			in |= k.button
		}
	}
	return in
}
