package main

import (
	"fmt"
	"strings"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/digest"
	"github.com/tickback/tickback/games/tanks"
)

// tanksGame returns the tanks game for the command line.
func tanksGame() cli.Game {
	return cli.NewGame(cli.Spec[tanks.State, tanks.Input]{
		ID:         tanks.ID,
		Build:      digest.Build(digest.Tanks),
		About:      "tanks among walls, seen from above",
		TickRate:   tanks.TicksPerSecond,
		MaxPlayers: tanks.MaxPlayers,
		Game:       tanks.Game(0),
		Start:      func(p tickback.Parameters) (func(*tanks.State), error) { return tanks.Start(p.Seed, p.Data) },
		Result:     tanksResult,
		Bots:       []cli.Bot[tanks.State, tanks.Input]{tanksBot("busy", tanks.Busy), tanksBot("calm", tanks.Calm)},
		Scripts:    []cli.Script[tanks.Input]{{Name: "random", New: randomTanks}},
		Served: &cli.Served[tanks.State, tanks.Input]{
			Sight: tanks.Sight, Correct: tanks.Correct, Carry: tanks.Carry, Seen: seenTanks, Endless: "endless",
		},
		Screen: &cli.Screen[tanks.State, tanks.Input]{
			View: viewTanks, Keys: tanksKeys, Help: "arrows or WASD turn and drive, space shoots",
		},
	})
}

func tanksBot(name string, mood tanks.Mood) cli.Bot[tanks.State, tanks.Input] {
	return cli.Bot[tanks.State, tanks.Input]{
		Name: name,
		New: func(seed uint64) func(tickback.Player, tickback.Frame, *tanks.State) tanks.Input {
			return tanks.Bot{Seed: seed, Mood: mood}.Input
		},
	}
}

func seenTanks(in tanks.Input, ticks int) tanks.Input {
	in.Seen = uint8(min(max(ticks, 0), tanks.Rewind))
	return in
}

func randomTanks(seed uint64) (func(tickback.Frame, []tanks.Input), error) {
	script := tanks.Random(seed)
	return func(f tickback.Frame, in []tanks.Input) {
		all := script(f)
		copy(in, all[:])
	}, nil
}

func tanksResult(result uint64) string {
	if winner, ok := tanks.WinnerOf(result); ok {
		return fmt.Sprintf("player %d has won", winner+1)
	}
	return "a draw"
}

func tanksKeys(held func(string) bool) (in tanks.Input) {
	axis := func(less, more [2]string) (v int8) {
		if held(less[0]) || held(less[1]) {
			v -= tanks.StickEnd
		}
		if held(more[0]) || held(more[1]) {
			v += tanks.StickEnd
		}
		return v
	}
	in.Turn = axis([2]string{"left", "a"}, [2]string{"right", "d"})
	in.Throttle = axis([2]string{"down", "s"}, [2]string{"up", "w"})
	if held("space") {
		in.Buttons = tanks.Fire
	}
	return in
}

// The picture of the tanks, in characters, which are twice as high as wide.
const (
	tanksWidth  = 60
	tanksHeight = 17
	tankNames   = "123456789ABCDEFG"
)

// compass has an arrow for each eighth of a turn, clockwise from the right.
var compass = []rune(">\\v/<\\^/")

func viewTanks(s *tanks.State, players int) []string {
	picture := newPicture(tanksWidth, tanksHeight)
	put := func(x, y float64, r rune) {
		picture.put(int((x/tanks.HalfWidth+1)/2*(tanksWidth-1)+0.5), int((y/tanks.HalfHeight+1)/2*(tanksHeight-1)+0.5), r)
	}
	for i := range tanks.Walls {
		w := tanks.WallAt(i)
		for x := w.X - w.HalfX; x <= w.X+w.HalfX; x += 16 {
			for y := w.Y - w.HalfY; y <= w.Y+w.HalfY; y += 16 {
				put(float64(x), float64(y), '#')
			}
		}
	}
	for _, shots := range s.Shots {
		for _, shot := range shots {
			if x, y := shot.Pos.FloatsForDrawing(); shot.Life > 0 {
				put(x, y, '*')
			}
		}
	}
	var scores []string
	for p := range players {
		t := &s.Tanks[p]
		x, y := t.Pos.FloatsForDrawing()
		switch t.Stance {
		case tanks.Alive:
			muzzleX, muzzleY := t.Pos.Add(t.Ahead().Scale(40 * fixed.One)).FloatsForDrawing()
			eighth := int(t.Heading.FloatForDrawing()/fixed.TwoPi.FloatForDrawing()*8+0.5) % 8
			put(muzzleX, muzzleY, compass[eighth])
			put(x, y, rune(tankNames[p]))
		case tanks.Out:
			put(x, y, 'x')
		}
		scores = append(scores, fmt.Sprintf("%c:%3d hp%3d-%d", tankNames[p], t.Hp, t.Kills, t.Deaths))
	}
	lines := []string{fmt.Sprintf("%d s", s.Frame/tanks.TicksPerSecond)}
	for ; len(scores) > 4; scores = scores[4:] {
		lines = append(lines, strings.Join(scores[:4], "   "))
	}
	return append(append(lines, strings.Join(scores, "   ")), picture.framed()...)
}
