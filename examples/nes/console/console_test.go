package console

import (
	"bytes"
	"errors"
	"flag"
	"image"
	"slices"
	"strings"
	"testing"

	"github.com/fogleman/nes/nes"
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
	match, err := Collect(nil)
	if err != nil {
		t.Fatal(err)
	}
	frames := 8
	if testing.Short() {
		frames = 6 // the game has begun: its picture is on from the fourth on
	}
	tickbacktest.Check(t, match.Game, tickbacktest.Options[Input]{Players: Seats, Frames: frames, Longest: frames, Generate: walking})
}

// walking draws directions: nobody presses left and right at once.
var walking = rapid.SampledFrom([]Input{0, Up, Down, Left, Right, Up | Left, Down | Right, A, Start})

// Rule: peers agree on a match over a bad network, at the rate of the console.
func TestMatch(t *testing.T) {
	if !*matches {
		t.Skip("it emulates some 35,000 frames, which takes a minute and a half: add -nes.matches")
	}
	match, err := Collect(nil)
	if err != nil {
		t.Fatal(err)
	}
	tickbacktest.Match(t, match.Game, Seats, "awful")
}

// Rule: the console shows both players, the dot and the scores, and bots collect dots until one has nine.
func TestBotsCollectDots(t *testing.T) {
	match, err := Collect(nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := rollback.New(match.Game, rollback.Config{Players: Seats, Local: rollback.SetOf(0, 1)})
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
		if best == Usual || testing.Short() && best == 1 {
			break
		}
	}
	if best != Usual && !(testing.Short() && best > 0) {
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
	unknown, empty, trained := slices.Clone(rom.File()), slices.Clone(rom.File()), slices.Clone(rom.File()[:20])
	unknown[6], empty[4], trained[6] = 0xF0, 0, 4
	for _, file := range [][]byte{
		nil, []byte("NES\x1a"), rom.File()[1:], rom.File()[:5000], append([]byte("NES\x1a\xFF\xFF"), make([]byte, 100)...), unknown, empty, trained,
	} {
		if _, err := Insert(file, Options{}); err == nil {
			t.Errorf("%d bytes are a game", len(file))
		} else if strings.Contains(err.Error(), "panic") {
			t.Error(err)
		}
	}
	if _, err := Insert(rom.File(), Options{}); err != nil {
		t.Error(err)
	}
}

// Rule: a frame is that of the emulator, for each kind of cartridge.
func TestFramesAreThoseOfTheEmulator(t *testing.T) {
	for _, kind := range []byte{0, 1, 2, 3, 4, 7, 225} {
		file := slices.Clone(rom.File())
		file[6] |= kind << 4
		file[7] |= kind & 0xF0
		if kind == 4 || kind == 7 || kind == 225 { // these have banks of 32 KiB
			file[4] = 2
			file = slices.Insert(file, headerSize, file[headerSize:headerSize+programBank]...)
		}
		cartridge, err := read(file)
		if err != nil {
			t.Fatal(kind, err)
		}
		var ours, theirs nes.Console
		if err := errors.Join(switchOn(&ours, cartridge), switchOn(&theirs, cartridge)); err != nil {
			t.Fatal(kind, err)
		}
		for range 3 {
			stepFrame(&ours)
			theirs.StepFrame()
		}
		if a, b := describe(&ours), describe(&theirs); a != b {
			t.Errorf("cartridge %d: %+v, want %+v", kind, a, b)
		}
	}
}

// Rule: the parameters of a match say how many dots win, and which game has to be in the console.
func TestParameters(t *testing.T) {
	match, err := Collect(nil)
	if err != nil {
		t.Fatal(err)
	}
	if size, c := match.Preview().Bounds().Size(), match.Preview().RGBAAt(12, 20); size != image.Pt(256, 240) || c.G == 0 {
		t.Errorf("the preview has %v, and the wall is %v", size, c)
	}
	for _, ok := range []struct {
		p    tickback.Parameters
		dots byte
	}{
		{tickback.Parameters{}, Usual},
		{tickback.Parameters{Content: match.Content, Data: Dots(0)}, 0},
		{tickback.Parameters{Data: Dots(rom.Most), Seed: 0x107}, rom.Most},
	} {
		begin, err := match.Start(ok.p)
		if err != nil {
			t.Error(ok.p, err)
			continue
		}
		c := match.Game.New()
		stepFrame(c)
		for range 2 { // whatever the console was before
			begin(c)
		}
		if c.RAM[rom.Goal] != ok.dots || c.RAM[rom.Luck] != byte(ok.p.Seed) || c.PPU.Frame != 0 {
			t.Errorf("%v: %d dots in frame %d", ok.p, c.RAM[rom.Goal], c.PPU.Frame)
		}
	}
	for _, wrong := range []tickback.Parameters{{Content: match.Content + 1}, {Data: []byte{rom.Most + 1}}, {Data: []byte{1, 2}}} {
		begin, err := match.Start(wrong)
		var content *ContentError
		if err == nil || begin != nil || errors.As(err, &content) != (wrong.Content != 0) {
			t.Error(wrong, err)
		}
	}
	if match.Game.New().RAM[rom.Goal] != Usual {
		t.Error("a match without parameters is another one than usual")
	}
}

// Rule: the match ends with the dot that wins, and not at all if none does; beyond 99 the score is 0 again.
func TestHowManyDotsWin(t *testing.T) {
	for _, tt := range []struct {
		dots, before, after byte
		over                bool
	}{{9, 8, 9, true}, {9, 7, 8, false}, {0, 8, 9, false}, {0, 99, 0, false}, {99, 98, 99, true}, {1, 0, 1, true}} {
		match, err := Collect(nil)
		if err != nil {
			t.Fatal(err)
		}
		begin, err := match.Start(tickback.Parameters{Data: Dots(int(tt.dots))})
		if err != nil {
			t.Fatal(err)
		}
		game := match.Game
		game.Init = func(c *nes.Console) {
			begin(c)
			for range 6 { // until the game has begun
				stepFrame(c)
			}
			c.RAM[rom.Score+1] = tt.before
			c.RAM[rom.DotX], c.RAM[rom.DotY] = c.RAM[rom.PlayerX+1], c.RAM[rom.PlayerY+1]
		}
		e, err := rollback.New(game, rollback.Config{Players: Seats, Local: rollback.SetOf(0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			for p := range tickback.Player(Seats) {
				if err := e.AddLocal(p, 0, nil); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(e.Tick(), e.Agree(e.Confirmed())); err != nil {
				t.Fatal(err)
			}
		}
		score := e.State().RAM[rom.Score+1]
		if result, over := e.Result(); over != tt.over || over && result.Result != 1 || score != tt.after {
			t.Errorf("%d dots of %d: %d, over %v, with %v", tt.before, tt.dots, score, over, result)
		}
	}
}

// Rule: each frame of the match is heard once, whatever is simulated again or ahead, and sound changes no state.
func TestWhatIsHeard(t *testing.T) {
	const frames, late, ahead = 24, 3, 2
	in := func(p tickback.Player, f int) Input { return []Input{Right, Left, Up, Down}[(f/4+int(p))%4] }
	play := func(cfg rollback.Config, late int) (heard []int, hash uint64, again rollback.Stats) {
		match, err := Collect(func(samples []float32) { heard = append(heard, len(samples)) })
		if err != nil {
			t.Fatal(err)
		}
		e, err := rollback.New(match.Game, cfg)
		if err != nil {
			t.Fatal(err)
		}
		for f := range frames + late {
			if f < frames {
				err = errors.Join(err, e.AddLocal(0, in(0, f), nil))
			}
			if g := f - late; g >= 0 {
				err = errors.Join(err, e.AddInput(1, rollback.Frame(g), in(1, g), nil))
			}
			if f < frames {
				err = errors.Join(err, e.Tick())
				rollback.Ahead(e, ahead)
			}
			if err = errors.Join(err, e.Agree(e.Confirmed())); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Settle(); err != nil {
			t.Fatal(err)
		}
		hash, err = e.Hash()
		if err != nil {
			t.Fatal(err)
		}
		return heard, hash, e.Stats()
	}
	plain, want, _ := play(rollback.Config{Players: Seats, Local: rollback.SetOf(0), Window: 8}, 0)
	heard, got, stats := play(rollback.Config{Players: Seats, Local: rollback.SetOf(0), Window: 8, RunAhead: ahead}, late)
	if got != want || stats.Resimulated == 0 {
		t.Errorf("%x after %d resimulated frames, want %x", got, stats.Resimulated, want)
	}
	if len(plain) != frames || len(heard) != frames {
		t.Fatalf("%d and %d frames of %d are heard", len(plain), len(heard), frames)
	}
	exact := SampleRate * float64(Rate.Seconds) / float64(Rate.Frames)
	for f := 3; f < frames; f++ { // those of the console's start are shorter
		if n := float64(heard[f]); n < exact-2 || n > exact+2 {
			t.Errorf("frame %d has %v samples, and not %.1f", f, n, exact)
		}
	}
}

// Rule: a dot that is collected is heard, and a player who stands is not.
func TestSounds(t *testing.T) {
	loudest := float32(0)
	match, err := Collect(func(samples []float32) {
		for _, x := range samples {
			loudest = max(loudest, x, -x)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	e, err := rollback.New(match.Game, rollback.Config{Players: Seats, Local: rollback.SetOf(0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	run := func(frames int, in Input) float32 {
		loudest = 0
		for range frames {
			err := errors.Join(e.AddLocal(0, in, nil), e.AddLocal(1, 0, nil), e.Tick(), e.Agree(e.Confirmed()))
			if err != nil {
				t.Fatal(err)
			}
		}
		return loudest
	}
	run(10, 0) // switching on clicks
	still, walk := run(10, 0), run(20, Left)
	c := e.State()
	c.RAM[rom.DotX], c.RAM[rom.DotY] = c.RAM[rom.PlayerX]+4, c.RAM[rom.PlayerY]+4
	bell := run(10, 0)
	if still > 0.01 || walk < 0.02 || bell < 0.05 {
		t.Errorf("standing is %.3f, walking %.3f and a dot %.3f", still, walk, bell)
	}
}

// Rule: the picture of a frame does not show its buttons yet. It is that of two frames later, so with RunAhead 2 it does.
func TestRunAheadHidesTheLag(t *testing.T) {
	match, err := Collect(nil)
	if err != nil {
		t.Fatal(err)
	}
	const lag = 2
	c, still := match.Game.New(), match.Game.New()
	for range 10 {
		stepFrame(c)
		stepFrame(still)
	}
	for f := range lag + 1 {
		c.SetButtons1(buttons(Right))
		stepFrame(c)
		stepFrame(still)
		if differs := !bytes.Equal(c.Buffer().Pix, still.Buffer().Pix); differs != (f == lag) {
			t.Errorf("%d frames after a button was pressed it is seen: %v", f, differs)
		}
	}
}
