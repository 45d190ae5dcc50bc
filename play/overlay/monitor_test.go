package overlay_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/overlay"
	"github.com/tickback/tickback/rollback"
)

// text is all lines as one.
func text(m *overlay.Monitor) string {
	var all []string
	for _, l := range m.Lines() {
		all = append(all, l[0]+": "+l[1])
	}
	return strings.Join(all, "\n")
}

func TestTheFiguresAreThoseOfTheSession(t *testing.T) {
	var m overlay.Monitor
	s := tickback.Stats{Prepared: 1, Window: 8}
	for i := range 60 {
		s.Frame, s.Confirmed = tickback.Frame(i+1), tickback.Frame(max(i-2, 0))
		s.Datagrams, s.Bytes = uint64(i), uint64(i)*30
		s.Stalls, s.Stalled = 2, 40*time.Millisecond
		s.Engine = rollback.Stats{Rollbacks: 5, Deepest: 4, Resimulated: uint64(i / 10)}
		s.Links = []tickback.LinkStats{{
			Players: tickback.SetOf(1), RoundTrip: 80 * time.Millisecond, Deviation: 5 * time.Millisecond,
			Lag: 33 * time.Millisecond, Jitter: 7 * time.Millisecond,
		}}
		m.Look(1.0/60, s, "0x0000BEEF")
	}
	got := text(&m)
	for _, want := range []string{
		"picture: 60/s, ticks 60/s", "frame: 60", "newest remote: 57", "state: PREDICTED 3", "rollbacks: 5, deepest 4",
		"resimulated: 5", "stalls: 2, 40 ms", "traffic: 60/s, 1800 B/s", "checksum: 0x0000BEEF", "80 ± 5 ms", "lag, jitter: 33, 7 ms",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
	if m.Depth.Most() != 1 || m.Lag.Newest() != 33 {
		t.Errorf("the graphs: depth %v, lag %v", m.Depth.Most(), m.Lag.Newest())
	}
	s.Confirmed = s.Frame
	m.Look(1.0/60, s, "")
	if !strings.Contains(text(&m), "state: CONFIRMED") {
		t.Error("a frame with all inputs is not confirmed")
	}
}

// Another match begins at zero, which does not count as a rollback of four billion frames.
func TestANewMatchIsNoSpike(t *testing.T) {
	var m overlay.Monitor
	m.Look(1, tickback.Stats{Prepared: 1, Engine: rollback.Stats{Resimulated: 500}, Datagrams: 900, Frame: 600}, "")
	for range 300 {
		m.Look(1, tickback.Stats{Prepared: 2}, "")
	}
	if m.Depth.Most() != 0 || strings.Contains(text(&m), "184467") || m.Ticks != 0 {
		t.Errorf("most %v, ticks %v\n%s", m.Depth.Most(), m.Ticks, text(&m))
	}
}

func TestAGraphShowsItsNewestValues(t *testing.T) {
	var g overlay.Graph
	for i := range 1000 {
		g.Add(float32(i))
	}
	if g.Newest() != 999 || g.Most() != 999 {
		t.Errorf("newest %v, most %v", g.Newest(), g.Most())
	}
	c := draw.NewCanvas(draw.NewAtlas())
	g.Draw(c, draw.Box{W: 240, H: 50}, "values", 0, 1000, draw.RGB(0xFFFFFF))
	for _, v := range c.Vertices {
		if v.X < -2 || v.X > 242 || v.Y < -2 || v.Y > 52 {
			t.Fatalf("a corner at %v, %v is outside", v.X, v.Y)
		}
	}
}

// Rule: time that passes without a picture, as in a hidden page, does not count as a picture; frames that were
// resimulated meanwhile belong to the next one.
func TestOnlyPicturesCountAsPictures(t *testing.T) {
	var m overlay.Monitor
	s := tickback.Stats{Prepared: 1}
	for range 40 {
		s.Frame, s.Engine.Resimulated = s.Frame+3, s.Engine.Resimulated+1
		for range 20 {
			m.Look(0, s, "")
		}
		m.Look(0.05, s, "")
	}
	if m.FPS < 19 || m.FPS > 21 || m.Depth.Most() != 1 {
		t.Errorf("%v pictures a second, at most %v frames for one; 20 and 1 were", m.FPS, m.Depth.Most())
	}
}

func TestEarlyInputsAreNotLate(t *testing.T) {
	for ms, want := range map[float32]string{-7: "7 ms early", 7: "7 ms late", -0.2: "arrive 0 ms late"} {
		if got := overlay.Arrival(ms); !strings.Contains(got, want) {
			t.Errorf("%v ms: %q", ms, got)
		}
	}
}
