// Package overlay shows what a session is doing: frames, rollbacks, links, and scrolling graphs.
package overlay

import (
	"fmt"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// samples is the number of pictures that a graph shows: four seconds.
const samples = 240

// Graph has the newest values of a quantity, one for each picture.
type Graph struct {
	values [samples]float32
	next   int
}

// Add adds a value.
func (g *Graph) Add(v float32) {
	g.values[g.next] = v
	g.next = (g.next + 1) % samples
}

// Newest returns the last value.
func (g *Graph) Newest() float32 { return g.values[(g.next+samples-1)%samples] }

// Most returns the maximum value.
func (g *Graph) Most() (most float32) {
	for _, v := range g.values {
		most = max(most, v)
	}
	return most
}

// caption is the height of a graph's name, which no bar covers.
const caption = 22

// Draw draws the graph into a box, with values from least to most below its name.
func (g *Graph) Draw(c *draw.Canvas, b draw.Box, name string, least, most float32, col draw.Color) {
	c.RoundRect(b, 6, look.Ink.Alpha(0.8))
	high := b.H - caption
	zero := b.Y + caption + high*most/(most-least)
	w := b.W / samples
	for i := range samples {
		v := min(max(g.values[(g.next+i)%samples], least), most)
		if v == 0 {
			continue
		}
		h := v / (most - least) * high
		c.Rect(draw.Box{X: b.X + float32(i)*w, Y: zero - max(h, 0), W: max(w, 1), H: max(h, -h)}, col.Alpha(0.8))
	}
	c.Text(draw.Point{X: b.X + 8, Y: b.Y + 16}, 13, draw.Left, look.Paper, name)
}

// Monitor watches one session.
type Monitor struct {
	// Depth is the number of frames that each picture has resimulated. Lag is how late the inputs of the farthest
	// peer arrive, in milliseconds.
	Depth, Lag Graph
	// FPS is pictures per second, smoothed, and Ticks is frames of the game per second.
	FPS, Ticks float32

	stats       tickback.Stats
	links       []tickback.LinkStats
	resimulated uint64
	prepared    uint32
	rate        rate
	checksum    string
}

// rate measures quantities per second.
type rate struct {
	time             float32
	pictures, frames float32
	datagrams, bytes uint64
	last             tickback.Stats
}

// Look adds the statistics of a picture, dt seconds after the previous one. A dt of 0 means that time has passed
// without a picture, as in a hidden page.
func (m *Monitor) Look(dt float32, s tickback.Stats, checksum string) {
	m.links = append(m.links[:0], s.Links...)
	s.Links = m.links
	if s.Prepared != m.prepared || s.Engine.Resimulated < m.resimulated {
		m.prepared, m.resimulated = s.Prepared, 0
	}
	lag := time.Duration(0)
	for i := range s.Links {
		if i == 0 || s.Links[i].Lag > lag {
			lag = s.Links[i].Lag
		}
	}
	if dt > 0 {
		m.Depth.Add(float32(s.Engine.Resimulated - m.resimulated))
		m.resimulated = s.Engine.Resimulated
		m.Lag.Add(milliseconds(lag))
	}
	m.measure(dt, &s)
	m.stats, m.checksum = s, checksum
}

func milliseconds(d time.Duration) float32 { return float32(d.Microseconds()) / 1000 }

// measure updates the quantities per second, twice a second.
func (m *Monitor) measure(dt float32, s *tickback.Stats) {
	r := &m.rate
	if s.Frame < m.stats.Frame || s.Datagrams < r.last.Datagrams {
		r.last.Datagrams, r.last.Bytes = s.Datagrams, s.Bytes
	} else {
		r.frames += float32(s.Frame - m.stats.Frame)
	}
	r.time += dt
	if dt > 0 {
		r.pictures++
	}
	if r.time < 0.5 {
		return
	}
	m.FPS, m.Ticks = r.pictures/r.time, r.frames/r.time
	r.datagrams = uint64(float32(s.Datagrams-r.last.Datagrams)/r.time + 0.5)
	r.bytes = uint64(float32(s.Bytes-r.last.Bytes)/r.time + 0.5)
	r.last, r.time, r.pictures, r.frames = *s, 0, 0, 0
}

// healths has a name for each health of a match.
var healths = map[tickback.Health]string{
	tickback.Unverified: words.K("unverified"), tickback.Healthy: words.K("healthy"), tickback.Desynced: words.K("desynced"),
}

// Lines returns the figures, each with its name.
func (m *Monitor) Lines() [][2]string {
	s := &m.stats
	lines := [][2]string{
		{words.T("picture"), words.F("%.0f/s, ticks %.0f/s", m.FPS, m.Ticks)},
		{words.T("frame"), fmt.Sprint(s.Frame)},
		{words.T("newest remote"), fmt.Sprint(m.remote())},
		{words.T("state"), m.certainty()},
		{words.T("rollbacks"), words.F("%d, deepest %d", s.Engine.Rollbacks, s.Engine.Deepest)},
		{words.T("resimulated"), fmt.Sprint(s.Engine.Resimulated)},
		{words.T("stalls"), fmt.Sprintf("%d, %d ms", s.Stalls, s.Stalled.Milliseconds())},
		{words.T("traffic"), fmt.Sprintf("%d/s, %d B/s", m.rate.datagrams, m.rate.bytes)},
		{words.T("checksum"), m.checksum},
		{words.T("health"), words.T(healths[s.Health])},
	}
	for _, l := range s.Links {
		lines = append(lines,
			[2]string{words.F("ping to %v", l.Players), fmt.Sprintf("%.0f ± %.0f ms", milliseconds(l.RoundTrip), milliseconds(l.Deviation))},
			[2]string{words.T("  lag, jitter"), fmt.Sprintf("%.0f, %.0f ms", milliseconds(l.Lag), milliseconds(l.Jitter))})
	}
	return lines
}

// stateLine is the line with the state.
const stateLine = 3

// remote returns the newest frame for which all remote inputs have arrived.
func (m *Monitor) remote() tickback.Frame {
	if len(m.stats.Links) == 0 {
		return m.stats.Frame
	}
	return m.stats.Confirmed
}

func (m *Monitor) confirmed() bool { return m.stats.Confirmed >= m.stats.Frame }

func (m *Monitor) certainty() string {
	if m.confirmed() {
		return words.T("CONFIRMED")
	}
	return words.F("PREDICTED %d", m.stats.Frame-m.stats.Confirmed)
}

// Draw draws everything at the left of a box.
func (m *Monitor) Draw(c *draw.Canvas, b draw.Box) {
	lines := m.Lines()
	const row, width, graph = 19, 340, 320
	panel := draw.Box{X: b.X + 12, Y: b.Y + 104, W: width, H: float32(len(lines))*row + 14}
	c.RoundRect(panel, 8, look.Ink.Alpha(0.82))
	for i, l := range lines {
		y := panel.Y + 20 + float32(i)*row
		c.Text(draw.Point{X: panel.X + 10, Y: y}, 14, draw.Left, look.Dim, l[0])
		col := look.Paper
		if i == stateLine && !m.confirmed() {
			col = look.Gold
		}
		c.Text(draw.Point{X: panel.X + width - 10, Y: y}, 14, draw.Right, col, l[1])
	}
	// The graphs are beside the panel: below it they would cover the player who begins at the left.
	beside := draw.Box{X: panel.X + panel.W + 8, Y: panel.Y, W: graph, H: 70}
	m.DrawDepth(c, beside)
	beside.Y += beside.H + 8
	m.DrawLag(c, beside)
}

// DrawDepth draws the graph of rollbacks.
func (m *Monitor) DrawDepth(c *draw.Canvas, b draw.Box) {
	m.Depth.Draw(c, b, words.F("resimulated, at most %.0f", m.Depth.Most()), 0, max(m.Depth.Most(), 8), look.Gold)
}

// DrawLag draws the graph of arrivals.
func (m *Monitor) DrawLag(c *draw.Canvas, b draw.Box) {
	most := max(m.Lag.Most(), 60)
	m.Lag.Draw(c, b, Arrival(m.Lag.Newest()), -most/3, most, look.Green)
}

// Arrival returns a text that says how late or early inputs arrive.
func Arrival(ms float32) string {
	if ms <= -0.5 {
		return words.F("inputs arrive %.0f ms early", -ms)
	}
	return words.F("inputs arrive %.0f ms late", max(ms, 0))
}
