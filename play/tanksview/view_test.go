package tanksview

import (
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

const picture = float32(1.0 / 60)

// field is a state with the given number of tanks, in rows.
func field(players int) tanks.State {
	s := tanks.New(1)
	s.Frame = 100
	for p := range players {
		t := &s.Tanks[p]
		t.Stance, t.Hp = tanks.Alive, tanks.FullHp
		t.Pos = fixed.Vec2{X: fixed.FromInt(int64(p%8*110 - 380)), Y: fixed.FromInt(int64(p/8*300 - 100))}
	}
	return s
}

// still is a session's view of a state in which nothing moves.
func still(s *tanks.State) tickback.View[tanks.State] {
	return tickback.View[tanks.State]{Previous: s, Current: s, Before: s, After: s, Fraction: 1, Share: 1, Frame: tickback.Frame(s.Frame), Running: true}
}

func newView(mine tickback.PlayerSet) *View {
	v := New(look.New(0, true), mine)
	for p := range v.Names {
		v.Names[p] = string(rune('A' + p))
	}
	return v
}

func paint(t *testing.T, v *View, name string) *image.RGBA {
	t.Helper()
	box := draw.Box{W: 1280, H: 720}
	c := draw.NewCanvas(draw.NewAtlas())
	v.Draw(c, box)
	v.DrawHud(c, box)
	m := image.NewRGBA(image.Rect(0, 0, int(box.W), int(box.H)))
	draw.Paint(m, c)
	f, err := os.Create(filepath.Join(t.ArtifactDir(), name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
	return m
}

// near counts the pixels with a colour, or nearly that colour.
func near(m *image.RGBA, c draw.Color) (n int) {
	want := [3]float32{c.R * 255, c.G * 255, c.B * 255}
	for i := 0; i < len(m.Pix); i += 4 {
		off := float32(0)
		for k := range 3 {
			d := float32(m.Pix[i+k]) - want[k]
			off += max(d, -d)
		}
		if off < 12 {
			n++
		}
	}
	return n
}

// All sixteen are in the picture, each in its colour; and a player who has left is not.
func TestEverybodyIsSeen(t *testing.T) {
	s := field(tanks.MaxPlayers)
	v := newView(0)
	for range 120 { // until the camera rests
		v.Advance(picture, still(&s))
	}
	m := paint(t, v, "sixteen")
	for p := range tanks.MaxPlayers {
		if n := near(m, v.Colour(p)); n < 25 {
			t.Errorf("player %d has %d pixels", p+1, n)
		}
	}
	s = field(3)
	v.Advance(picture, still(&s))
	m = paint(t, v, "three")
	if n := near(m, v.Colour(5)); n > 5 {
		t.Errorf("who is not there has %d pixels", n)
	}
}

// In the picture of the whole field no part of it is below the scores or beyond the borders, in a wide picture and in a
// small one.
func TestNothingLiesBeneathTheScores(t *testing.T) {
	s := field(tanks.MaxPlayers)
	for _, box := range []draw.Box{{W: 1280, H: 720}, {X: 128, W: 1024, H: 576}} {
		v, c := newView(0), draw.NewCanvas(draw.NewAtlas())
		for range 120 {
			v.Advance(picture, still(&s))
			c.Begin(1)
			v.Draw(c, box)
		}
		k := box.W / v.camera.width
		left := box.Centre().X + (-tanks.HalfWidth-v.camera.at.X)*k
		right := box.Centre().X + (tanks.HalfWidth-v.camera.at.X)*k
		top := box.Centre().Y + (-tanks.HalfHeight-v.camera.at.Y)*k
		if left < box.X || right > box.X+box.W-boardWidth-14 || top < box.Y {
			t.Errorf("%v: the field is from %v to %v, its top at %v", box, left, right, top)
		}
	}
}

// Whatever is drawn and played, the states do not change.
func TestDrawingChangesNoState(t *testing.T) {
	s := field(tanks.MaxPlayers)
	v := newView(tickback.SetOf(2))
	bot := tanks.Bot{Seed: 3, Mood: tanks.Busy}
	var present rollback.PlayerSet
	for p := range rollback.Player(tanks.MaxPlayers) {
		present |= rollback.SetOf(p)
	}
	ticks := 60
	if testing.Short() {
		ticks = 10
	}
	for range ticks {
		before := s
		var in [tanks.MaxPlayers]tanks.Input
		for p := range rollback.Player(tanks.MaxPlayers) {
			in[p] = bot.Input(p, rollback.Frame(s.Frame), &s)
		}
		tanks.Step(&s, &in, present, nil)
		keptBefore, keptNow := before, s
		seen := still(&s)
		seen.Previous, seen.Before, seen.Fraction, seen.Share = &before, &before, 0.4, 0.7
		v.Advance(picture, seen)
		if s.Frame%30 == 0 {
			paint(t, v, "fight")
			v.DrawScores(draw.NewCanvas(draw.NewAtlas()), draw.Box{W: 960, H: 540})
		}
		if before != keptBefore || s != keptNow {
			t.Fatalf("at frame %d a state has changed", s.Frame)
		}
	}
}

// shown returns where a tank is shown.
func (v *View) shown(p int) float64 { return float64(v.bodies[p].at.X) }

// Our own tank is shown where it is predicted; others are shown where they were known to be, between two states.
func TestWhereTanksAreShown(t *testing.T) {
	var states [4]tanks.State // before, after, previous, current
	for i := range states {
		states[i] = field(2)
		for p := range 2 {
			states[i].Tanks[p].Pos.X = fixed.FromInt(int64(10 * i))
		}
		states[i].Frame = uint32(100 + i)
	}
	v := newView(tickback.SetOf(1))
	v.Advance(picture, tickback.View[tanks.State]{
		Before: &states[0], After: &states[1], Share: 0.3, Previous: &states[2], Current: &states[3], Fraction: 0.5, Frame: 103, Running: true,
	})
	if a, b := v.shown(0), v.shown(1); math.Abs(a-3) > 0.01 || math.Abs(b-25) > 0.01 {
		t.Errorf("the other one is shown at %v, and the own one at %v", a, b)
	}
}

// A correction of our own tank does not make it jump: it follows within 400 ms. Another tank is shown where it is known
// to be, and so is, at once, a tank that was moved far.
func TestCorrectionsAreFollowed(t *testing.T) {
	for name, c := range map[string]struct {
		by     int64
		frames tickback.Frame // since the last picture
		jumps  bool
	}{
		"in the same frame":  {12, 0, false},
		"in the next frame":  {12, 1, false},
		"a far one":          {400, 0, true},
		"after a long pause": {12, 5, true},
	} {
		first := field(2)
		v := newView(tickback.SetOf(0))
		v.Advance(picture, still(&first))
		before := v.shown(0)
		second := first
		second.Tanks[0].Pos.X += fixed.FromInt(c.by)
		second.Tanks[1].Pos.X += fixed.FromInt(c.by)
		seen := still(&second)
		seen.Frame += c.frames
		v.Advance(picture, seen)
		if moved := v.shown(0) - before; (moved > float64(c.by)/2) != c.jumps {
			t.Errorf("%s: the own tank moves by %v at once", name, moved)
		}
		if moved := v.shown(1) - before; c.by < far && math.Abs(moved-float64(c.by)-110) > 0.01 {
			t.Errorf("%s: the other one is shown %v beside where it is", name, moved-float64(c.by)-110)
		}
		for range 30 {
			v.Advance(picture, still(&second))
		}
		if off := v.shown(0) - before - float64(c.by); math.Abs(off) > 0.01 {
			t.Errorf("%s: after half a second it is off by %v", name, off)
		}
	}
}

// Rule: a large correction, if it is not so large that it is shown at once, is followed by at most three units per
// picture, and completely.
func TestNoPictureShowsALargeCorrection(t *testing.T) {
	first := field(1)
	v := newView(tickback.SetOf(0))
	v.Advance(picture, still(&first))
	before := v.shown(0)
	const by = 60
	first.Tanks[0].Pos.X += fixed.FromInt(by)
	largest, last := 0.0, before
	for range 60 {
		v.Advance(picture, still(&first))
		largest, last = max(largest, v.shown(0)-last), v.shown(0)
	}
	if most := tanks.CorrectionSpeed * picture; largest > float64(most)+0.01 || largest < 2 {
		t.Errorf("a picture shows it %v further", largest)
	}
	if math.Abs(last-before-by) > 0.01 {
		t.Errorf("after a second it is shown %v further, not %v", last-before, by)
	}
}

// shots returns how many shots are shown, of player 0 and of others.
func (v *View) counted() (mine, others int) {
	for _, s := range v.shots {
		if s.player == 0 {
			mine++
		} else {
			others++
		}
	}
	return mine, others
}

// Our own shots are shown as predicted, and others as known.
func TestWhichShotsAreShown(t *testing.T) {
	known, predicted := field(2), field(2)
	flies := tanks.Shot{Vel: fixed.Vec2{X: fixed.FromInt(24)}, Life: 10}
	predicted.Shots[0][0], predicted.Shots[1][0] = flies, flies
	v := newView(tickback.SetOf(0))
	seen := still(&predicted)
	seen.Before, seen.After = &known, &known
	v.Advance(picture, seen)
	if mine, others := v.counted(); mine != 1 || others != 0 {
		t.Errorf("%d own shots and %d others are shown", mine, others)
	}
	known.Shots[1][0] = flies
	v.Advance(picture, seen)
	if mine, others := v.counted(); mine != 1 || others != 1 {
		t.Errorf("%d own shots and %d others are shown", mine, others)
	}
}

// started returns the event of an effect that a tick at frame f caused.
func started(t *testing.T, step func(out *effects.Emitter), f effects.Frame) effects.Event {
	t.Helper()
	list := emit(t, step, f)
	if len(list) == 0 || list[0].What != effects.Started {
		t.Fatalf("%+v", list)
	}
	return list[0]
}

// emit returns the events for the effects of a tick.
func emit(t *testing.T, step func(out *effects.Emitter), f effects.Frame) []effects.Event {
	t.Helper()
	game := rollback.Game[tanks.State, tanks.Input]{
		Step: func(s *tanks.State, tick *rollback.Tick[tanks.Input]) {
			if tick.Frame() == f {
				step(tick.Effects())
			}
		},
		Effects: []effects.Declaration{tanks.Fired, tanks.Hit, tanks.Destroyed},
	}
	m, err := tickback.Local(game, tickback.Options[tanks.State, tanks.Input]{Players: 2, Sample: func(tickback.Player) tanks.Input { return tanks.Input{} }})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var list []effects.Event
	for m.View().Frame <= f {
		if _, err := m.Advance(); err != nil {
			t.Fatal(err)
		}
		list = append(list, m.Effects()...)
	}
	return list
}

// A shot of another player is seen and heard in the picture that shows the others as they were then; our own shot at
// once; and one that never happened not at all.
func TestEffectsOfOthersWait(t *testing.T) {
	fired := func(p uint8) func(*effects.Emitter) {
		return func(out *effects.Emitter) { tanks.Fired.Emit(out, uint32(p), tanks.Salvo{Player: p}) }
	}
	own, other := started(t, fired(0), 5), started(t, fired(1), 5)
	s := field(2)
	s.Frame = 3
	v := newView(tickback.SetOf(0))
	v.Advance(picture, still(&s))
	v.Hear(&own)
	if v.flies.Count() == 0 {
		t.Error("the own shot is not seen")
	}
	v.flies.Clear()
	cancelled := other
	cancelled.What = effects.Cancelled
	for range 2 {
		v.Hear(&other)
	}
	v.Hear(&cancelled) // one of them
	if n := v.flies.Count(); n != 0 || len(v.pending) != 1 {
		t.Errorf("%d particles, %d effects wait", n, len(v.pending))
	}
	s.Frame = 5
	v.Advance(picture, still(&s))
	if v.flies.Count() == 0 || len(v.pending) != 0 {
		t.Error("the other shot is not seen when its time has come")
	}
	for range 2 * maxPending {
		other.Frame = 1000
		v.Hear(&other)
	}
	if len(v.pending) != maxPending {
		t.Errorf("%d effects wait", len(v.pending))
	}
}

// The scores are those that determine the result of the match.
func TestTheRankingIsThatOfTheResult(t *testing.T) {
	s := field(4)
	for p, score := range [][2]uint16{{2, 1}, {3, 5}, {2, 0}, {3, 4}} {
		s.Tanks[p].Kills, s.Tanks[p].Deaths = score[0], score[1]
	}
	v := newView(0)
	v.Advance(picture, still(&s))
	if got := v.ranking(); len(got) != 4 || got[0] != 3 || got[1] != 1 || got[2] != 2 || got[3] != 0 || s.Result() != 4 {
		t.Errorf("the ranking is %v, and the result %d", got, s.Result())
	}
}
