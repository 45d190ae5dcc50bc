package skirmishview

import (
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/world"
)

// match is a match between bots, without a session, and a view of it.
type match struct {
	t       testing.TB
	stepper *rollback.Stepper[skirmish.World, skirmish.Input]
	view    *View
	canvas  *draw.Canvas
	inputs  []skirmish.Input
	orders  [][]byte
}

func begin(t testing.TB, units int) *match {
	t.Helper()
	game, err := skirmish.New(skirmish.Setup{Seed: 3, Size: 128, Players: 2, Units: units}, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := &match{
		t: t, view: New(look.New(0, false), 0), canvas: draw.NewCanvas(draw.NewAtlas()),
		inputs: make([]skirmish.Input, 2), orders: make([][]byte, 2),
	}
	if m.stepper, err = rollback.NewStepper(game, 2, skirmish.MaxOrderBytes); err != nil {
		t.Fatal(err)
	}
	return m
}

// tick runs ticks, with bots for both players.
func (m *match) tick(n int) {
	m.t.Helper()
	for range n {
		w := m.stepper.State()
		m.view.Mark(w, m.stepper.Frame())
		for p := range m.orders {
			m.orders[p] = skirmish.Bot{}.Orders(m.orders[p][:0], tickback.Player(p), w)
		}
		if err := m.stepper.Step(m.inputs, m.orders, 0); err != nil {
			m.t.Fatal(err)
		}
	}
}

// picture draws a fraction of the way from the previous state to the current one.
func (m *match) picture(share float64) {
	m.view.Advance(1.0/60, tickback.View[skirmish.World]{Current: m.stepper.State(), Frame: m.stepper.Frame(), Fraction: share})
	m.canvas.Begin(1)
	m.view.Draw(m.canvas, draw.Box{W: 1280, H: 720})
}

// Rule: drawing does not change the match.
func TestDrawingChangesNothing(t *testing.T) {
	seen, blind := begin(t, 40), begin(t, 40)
	for tick := range 120 {
		seen.tick(1)
		blind.tick(1)
		seen.picture(0.3)
		seen.picture(0.9)
		if a, b := world.Hash(seen.stepper.State()), world.Hash(blind.stepper.State()); a != b {
			t.Fatalf("tick %d: %#x was drawn, %#x was not", tick, a, b)
		}
	}
}

// Rule: a unit is shown on the way from its position in the previous state to that in the current one, even if several
// ticks have run since the last picture.
func TestUnitsAreShownBetweenTwoStates(t *testing.T) {
	m := begin(t, 40)
	for _, ticks := range []int{1, 1, 3, 5} {
		m.tick(60)
		m.picture(1)
		m.tick(ticks)
		moved := 0
		m.picture(0)
		from := append([]Unit{}, m.view.Units()...)
		m.picture(1)
		to := append([]Unit{}, m.view.Units()...)
		m.picture(0.25)
		for i, u := range m.view.Units() {
			want := from[i].At.Toward(to[i].At, 0.25)
			if u.At.Minus(want).Length() > 1e-3 {
				t.Fatalf("unit %d is at %v, want %v", i, u.At, want)
			}
			if now, vel, ok := m.view.Pos(u.Entity); !ok || point(now).Minus(to[i].At).Length() > 1e-3 {
				t.Fatalf("unit %d is at %v in the end, want %v", i, to[i].At, point(now))
			} else if d := to[i].At.Minus(from[i].At); d.Length() > 0 {
				moved++
				if d.Minus(point(vel)).Length() > 1e-3 {
					t.Fatalf("unit %d moves by %v, want one tick of %v", i, d, point(vel))
				}
			}
		}
		if moved == 0 {
			t.Fatal("nobody moves: the test proves nothing")
		}
	}
}

// Rule: states that are no longer shown are released: snapshots do not accumulate.
func TestPicturesAllocateLittle(t *testing.T) {
	m := begin(t, 100)
	m.tick(300)
	m.picture(1)
	n := testing.AllocsPerRun(200, func() {
		m.tick(1)
		m.picture(0.5)
	})
	if n > 20 {
		t.Errorf("%v allocations for a tick and a picture", n)
	}
}

// Rule: the camera keeps the place under the pointer while it zooms, and zooming back restores it.
func TestTheCamera(t *testing.T) {
	var c Camera
	c.Fit(draw.Box{W: 1280, H: 720}, 128)
	c.Jump(draw.Point{X: 60, Y: 70})
	p := draw.Point{X: 300, Y: 500}
	at := c.OnMap(p)
	c.Magnify(p, 1.5)
	if now := c.OnMap(p); now.Minus(at).Length() > 0.01 {
		t.Errorf("%v became %v", at, now)
	}
	if back := c.Shown(c.OnMap(p)); back.Minus(p).Length() > 0.01 {
		t.Errorf("%v became %v", p, back)
	}
	c.Move(draw.Point{X: 1e6, Y: -1e6})
	if c.At != (draw.Point{X: 0, Y: 128}) {
		t.Errorf("beyond the edge: %v", c.At)
	}
}

// Measures a picture of a battle of 2,500 units, all of them in sight, and a tick of it.
func BenchmarkBattle(b *testing.B) {
	m := begin(b, 1250)
	m.tick(30 * skirmish.TicksPerSecond)
	m.picture(1)
	m.view.Camera.Zoom = 0.1
	m.view.Camera.Jump(draw.Point{X: 64, Y: 64})
	b.Run("picture", func(b *testing.B) {
		for b.Loop() {
			m.picture(0.5)
		}
		b.ReportMetric(float64(len(m.view.Units())), "units")
		b.ReportMetric(float64(len(m.canvas.Vertices)), "vertices")
	})
	b.Run("tick", func(b *testing.B) {
		for b.Loop() {
			m.tick(1)
		}
	})
}
