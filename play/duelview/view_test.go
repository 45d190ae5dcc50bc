package duelview_test

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/duelview"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/rollback"
)

// match is a local duel that is shown, with its time controlled by the test.
type match struct {
	t    *testing.T
	m    *tickback.Match[duel.State, duel.Input]
	now  *fakeClock
	in   [2]duel.Input
	view *duelview.View
}

func newMatch(t *testing.T, init func(s *duel.State)) *match {
	t.Helper()
	game, err := duel.Game(1)
	if err != nil {
		t.Fatal(err)
	}
	first := game.Init
	game.Init = func(s *duel.State) {
		first(s)
		if init != nil {
			init(s)
		}
	}
	m := &match{t: t, now: newClock(), view: duelview.New(look.New(0, false))}
	m.view.Look.Names = [8]string{"YOU", "BOT"}
	m.m, err = tickback.Local(game, tickback.Options[duel.State, duel.Input]{
		Players: 2, Sample: func(p tickback.Player) duel.Input { return m.in[p] },
		Advanced: tickback.Advanced{Now: m.now.Now, Snapshots: 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// play runs the given number of ticks, with these inputs.
func (m *match) play(ticks int, in ...duel.Input) *match {
	m.t.Helper()
	m.in = [2]duel.Input{}
	copy(m.in[:], in)
	for range ticks {
		m.now.tick()
		if _, err := m.m.Update(); err != nil {
			m.t.Fatal(err)
		}
		for _, e := range m.m.Effects() {
			m.view.Hear(&e)
		}
		m.view.Advance(1.0/60, m.m.View())
	}
	return m
}

// picture paints what is seen.
func (m *match) picture(name string) *image.RGBA {
	m.t.Helper()
	c := draw.NewCanvas(draw.NewAtlas())
	box := draw.Box{W: 1280, H: 720}
	m.view.Draw(c, box)
	m.view.DrawHud(c, box, duelview.Score{Wins: [2]int{1, 0}, Needed: 2, Seconds: 42})
	to := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	draw.Paint(to, c)
	save(m.t, to, name)
	return to
}

func save(t *testing.T, m *image.RGBA, name string) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.ArtifactDir(), name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
}

// differ counts the pixels in which two pictures differ clearly.
func differ(a, b *image.RGBA) (n int) {
	for i := 0; i < len(a.Pix); i += 4 {
		for k := range 3 {
			if d := int(a.Pix[i+k]) - int(b.Pix[i+k]); d > 40 || d < -40 {
				n++
				break
			}
		}
	}
	return n
}

func facing(s *duel.State) { s.P[0].X, s.P[1].X = 8600, 10900 }

// Names are above the fighters, unless another text is there.
func TestNamesMakeRoom(t *testing.T) {
	m := newMatch(t, facing).play(3)
	for _, untagged := range []bool{false, true} {
		m.view.Untagged = untagged
		c := draw.NewCanvas(draw.NewAtlas())
		c.Marks = new(draw.Marks)
		m.view.Draw(c, draw.Box{W: 1280, H: 720})
		if seen := slices.ContainsFunc(c.Marks.List, func(m draw.Mark) bool { return m.Text == "BOT" }); seen == untagged {
			t.Errorf("untagged %v: the name is there: %v", untagged, seen)
		}
	}
}

// Every pose can be distinguished from standing: the pictures differ in many pixels. The pictures are stored as
// artifacts for inspection.
func TestPosesCanBeToldApart(t *testing.T) {
	if testing.Short() {
		t.Skip("painting in memory takes seconds")
	}
	idle := newMatch(t, facing).play(20).picture("idle")
	for _, c := range []struct {
		name string
		play func() *match
	}{
		{"run", func() *match { return newMatch(t, nil).play(12, duel.Right, duel.Left) }},
		{"jump-up", func() *match { return newMatch(t, facing).play(10).play(7, duel.Jump) }},
		{"jump-down", func() *match { return newMatch(t, facing).play(10).play(1, duel.Jump).play(17) }},
		{"wind-up", func() *match { return newMatch(t, facing).play(10).play(1, duel.Attack) }},
		{"strike", func() *match { return newMatch(t, facing).play(10).play(4, duel.Attack) }},
		{"recovery", func() *match { return newMatch(t, facing).play(10).play(11, duel.Attack) }},
		{"hit", func() *match {
			return newMatch(t, func(s *duel.State) { s.P[0].X, s.P[1].X = 9000, 10100 }).play(10).play(4, duel.Attack)
		}},
		{"dazed", func() *match {
			return newMatch(t, func(s *duel.State) { s.P[0].X, s.P[1].X = 9000, 10100 }).play(10).play(11, duel.Attack)
		}},
		{"knocked-out", func() *match {
			return newMatch(t, func(s *duel.State) { s.P[0].X, s.P[1].X, s.P[1].Hp = 9000, 10100, 20 }).play(10).play(90, duel.Attack)
		}},
		{"landing", func() *match { return newMatch(t, facing).play(10).play(1, duel.Jump).play(25) }},
	} {
		if n := differ(idle, c.play().picture(c.name)); n < 2500 {
			t.Errorf("%s differs from standing in %d pixels", c.name, n)
		}
	}
}

// Drawing never changes a match: the state is that of plain steps.
func TestAViewLeavesTheMatchAlone(t *testing.T) {
	script, err := duel.Scripted("random", 5)
	if err != nil {
		t.Fatal(err)
	}
	want, err := duel.New(1)
	if err != nil {
		t.Fatal(err)
	}
	m := newMatch(t, nil).play(1)
	start := m.m.View().Frame
	for f := rollback.Frame(0); f < start; f++ {
		duel.Step(&want, [2]duel.Input{})
	}
	for f := range uint32(300) {
		in := script(f)
		m.play(1, in[0], in[1])
		duel.Step(&want, in)
	}
	if got := m.m.View(); *got.Current != want {
		t.Errorf("frame %d: checksum 0x%08X, want 0x%08X of frame %d", got.Frame, duel.Checksum(got.Current), duel.Checksum(&want), want.Frame)
	}
}

// Rule: when a match is over, and its state no longer changes, no fighter stays in the air, in a run or in a blow: the
// winner stands, and the loser lies, on the ground.
func TestNobodyStaysInTheAir(t *testing.T) {
	near := func(s *duel.State) { s.P[0].X, s.P[1].X, s.P[1].Hp = 9000, 10100, 20 }
	for name, play := range map[string]func(m *match){
		"the loser":  func(m *match) { m.play(1, 0, duel.Jump).play(20).play(2, duel.Attack) },
		"the winner": func(m *match) { m.play(1, duel.Jump).play(4, duel.Attack) },
		"both":       func(m *match) { m.play(1, duel.Jump, duel.Jump).play(6, duel.Attack, 0) },
		"by time":    func(m *match) { m.play(8, duel.Jump|duel.Right, duel.Jump|duel.Left) },
	} {
		m := newMatch(t, near).play(10)
		play(m)
		seen := m.m.View()
		if name == "the loser" && (seen.Current.P[1].Y == 0 || seen.Current.P[1].Hp > 0) {
			t.Fatalf("it is not hit in the air: %+v", seen.Current.P[1])
		}
		if seen.Current.P[0].Y == 0 && seen.Current.P[1].Y == 0 {
			t.Fatalf("%s: nobody is in the air", name)
		}
		m.view.Over = true
		for range 180 {
			m.view.Advance(1.0/60, seen)
		}
		box := draw.Box{W: 1280, H: 720}
		for p := range 2 {
			m.view.Own = p
			c := draw.NewCanvas(draw.NewAtlas())
			c.Marks = new(draw.Marks)
			m.view.Draw(c, box)
			i := slices.IndexFunc(c.Marks.List, func(m draw.Mark) bool { return m.Kind == draw.MarkOwn })
			at := c.Marks.List[i].Box
			if feet, ground := at.Y+at.H, m.view.Feet(p, box).Y; feet < ground-1 || feet > ground+1 {
				t.Errorf("%s: the feet of fighter %d are at %v, and the ground at %v", name, p, feet, ground)
			}
		}
		m.view.Own = -1
		m.picture("over, " + name)
	}
}
