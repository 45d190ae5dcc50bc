package console

import (
	"flag"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/tickbacktest"

	"github.com/tickback/tickback/examples/nes/rom"
)

var matches = flag.Bool("nes.matches", false, "play whole matches over a bad network")

// Rule: a console is the same when its frames are simulated again, and in two instances. A frame of an emulator takes
// milliseconds, so few are tried.
func TestDeterminism(t *testing.T) {
	game, err := Collect()
	if err != nil {
		t.Fatal(err)
	}
	frames := 8
	if testing.Short() {
		frames = 6 // the game has begun: its picture is on from the fourth on
	}
	tickbacktest.Check(t, game, tickbacktest.Options[Input]{Players: Seats, Frames: frames, Longest: frames, Generate: walking})
}

// walking draws directions: nobody presses left and right at once.
var walking = rapid.SampledFrom([]Input{0, Up, Down, Left, Right, Up | Left, Down | Right, A, Start})

// Rule: peers agree on a match over a bad network, at the rate of the console.
func TestMatch(t *testing.T) {
	if !*matches {
		t.Skip("it emulates some 35,000 frames, which takes a minute and a half: add -nes.matches")
	}
	game, err := Collect()
	if err != nil {
		t.Fatal(err)
	}
	tickbacktest.Match(t, game, Seats, "awful")
}

// Rule: the console shows both players, the dot and the scores, and bots collect dots until one has nine.
func TestBotsCollectDots(t *testing.T) {
	game, err := Collect()
	if err != nil {
		t.Fatal(err)
	}
	e, err := rollback.New(game, rollback.Config{Players: Seats, Local: rollback.SetOf(0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	best := 0
	for range 3000 {
		for p := range tickback.Player(Seats) {
			if err := e.AddLocal(p, Seek(p, e.State()), nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Tick(); err != nil {
			t.Fatal(err)
		}
		if err := e.Agree(e.Confirmed()); err != nil {
			t.Fatal(err)
		}
		c := e.State()
		for p := range Seats {
			best = max(best, int(c.RAM[rom.Score+p]))
		}
		if best == rom.Goal || testing.Short() && best == 1 {
			break
		}
	}
	if best != rom.Goal && !(testing.Short() && best > 0) {
		t.Errorf("nobody has more than %d dots", best)
	}
	colours := map[[3]uint8]int{}
	picture := e.State().Buffer()
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			c := picture.RGBAAt(x, y)
			colours[[3]uint8{c.R, c.G, c.B}]++
		}
	}
	if len(colours) < 4 { // the background, two players, the dot
		t.Errorf("the picture has the colours %v", colours)
	}
	if result, over := e.Result(); !testing.Short() && (!over || result.Result > 1) {
		t.Errorf("the match is over: %v, with %v", over, result)
	}
}

// Rule: a file that is no game is refused when it is inserted.
func TestFilesThatAreNoGames(t *testing.T) {
	for _, file := range [][]byte{nil, []byte("NES\x1a"), rom.File()[1:], rom.File()[:5000], append([]byte("NES\x1a\xFF\xFF"), make([]byte, 100)...)} {
		if _, err := Game(file, nil); err == nil {
			t.Errorf("%d bytes are a game", len(file))
		} else if strings.Contains(err.Error(), "panic") {
			t.Error(err)
		}
	}
	if _, err := Game(rom.File(), nil); err != nil {
		t.Error(err)
	}
}
