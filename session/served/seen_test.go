package served_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/predict/smooth"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/served"
)

// picture is how long a picture is shown.
const picture = time.Second / 60

// at is a place, and whether a tank is there.
type at struct {
	x, y  float64
	there bool
	life  uint16 // deaths before
}

func place(s *tanks.State, p int) at {
	if s == nil || s.Tanks[p].Stance != tanks.Alive {
		return at{}
	}
	x, y := s.Tanks[p].Pos.FloatsForDrawing()
	return at{x, y, true, s.Tanks[p].Deaths}
}

// with reports whether both are of one life.
func (a at) with(b at) bool { return a.there && b.there && a.life == b.life }

func (a at) minus(b at) (x, y float64) { return a.x - b.x, a.y - b.y }

// between returns the place at a share of the distance from a to b. A new life begins at its
// place.
func between(a, b at, share float64) at {
	if !a.with(b) {
		return b
	}
	return at{a.x + share*(b.x-a.x), a.y + share*(b.y-a.y), true, b.life}
}

// moment is a time in ticks: this share of the tick that leads to state frame has passed.
type moment struct {
	frame rollback.Frame
	share float64
}

// on returns the place of a tank at a moment, in a series of states.
func (m moment) on(state func(rollback.Frame) *tanks.State, p int) at {
	return between(place(state(m.frame-1), p), place(state(m.frame), p), m.share)
}

func momentOf(ticks float64) moment {
	f := math.Ceil(ticks)
	return moment{rollback.Frame(f), ticks - f + 1}
}

// screen is what a player sees of a match: the own tank where it is predicted, smoothed, and the
// others where they were a while ago.
type screen struct {
	g      *guest
	plain  smooth.Offset         // hides corrections of the own tank
	offset smooth.Offset         // and limits how fast, as tanks.CorrectionSpeed recommends
	now    moment                // of the prediction in the last picture
	was    at                    // the own tank, as it was predicted then
	late   float64               // the moment of the others in the last picture, in ticks
	others [tanks.MaxPlayers]at  // as they were shown
	naive  [tanks.MaxPlayers]at  // as they were predicted
	begun  bool                  // there was a picture
	jumps  map[string]*[]float64 // by what is measured
}

// draw draws a picture, and measures how much everything has moved since the last one beyond its
// own motion.
func (s *screen) draw(h *house) {
	g := s.g
	me, ok := g.Player()
	shown, known := g.Shown(h.now)
	if !ok || !known || g.Phase() != session.Playing {
		s.begun = false
		return
	}
	passed, period := g.Progress(h.now)
	now := moment{g.Frame(), float64(passed) / float64(period)}
	s.own(int(me), now)
	late := shownAt(shown)
	for q := range tanks.MaxPlayers {
		if q != int(me) {
			s.other(h, q, shown, late, now)
		}
	}
	s.now, s.was, s.late, s.begun = now, now.on(g.StateAt, int(me)), late, true
}

// shownAt is the moment at which others are shown, in ticks.
func shownAt(s served.Shown[tanks.State]) float64 {
	if s.Period == 0 {
		return float64(s.After.Frame)
	}
	return float64(s.Before.Frame) + float64(s.After.Frame-s.Before.Frame)*float64(s.Passed)/float64(s.Period)
}

func (s *screen) own(me int, now moment) {
	is := now.on(s.g.StateAt, me)
	then := s.now.on(s.g.StateAt, me) // where the last picture would show it with today's knowledge
	if !s.begun || !s.was.with(then) || !is.with(then) {
		s.plain.Reset()
		s.offset.Reset()
		return
	}
	dx, dy := s.was.minus(then)
	s.add("own, as it is", math.Hypot(dx, dy))
	for what, o := range map[string]*smooth.Offset{"own, smoothed": &s.plain, "own, as recommended": &s.offset} {
		before := o.At()
		o.Add(smooth.Vec{dx, dy})
		o.Advance(picture)
		after := o.At()
		// Shown things have moved by their motion, and from one offset to the other.
		s.add(what, math.Hypot(after[0]-before[0]-dx, after[1]-before[1]-dy))
	}
}

func (s *screen) add(what string, v float64) {
	if s.jumps[what] == nil {
		s.jumps[what] = new([]float64)
	}
	*s.jumps[what] = append(*s.jumps[what], v)
}

func (s *screen) other(h *house, q int, shown served.Shown[tanks.State], late float64, now moment) {
	truth := func(f rollback.Frame) *tanks.State {
		if int(f) >= len(h.states) {
			return nil
		}
		return &h.states[f]
	}
	share := 1.0
	if shown.Period > 0 {
		share = float64(shown.Passed) / float64(shown.Period)
	}
	is, was := between(place(shown.Before, q), place(shown.After, q), share), s.others[q]
	predicted, guessed := now.on(s.g.StateAt, q), s.naive[q]
	s.others[q], s.naive[q] = is, predicted
	step := picture.Seconds() * tanks.TicksPerSecond
	if s.begun && is.with(was) {
		from, to := momentOf(s.late).on(truth, q), momentOf(s.late+step).on(truth, q)
		if from.with(to) {
			mx, my := to.minus(from)
			dx, dy := is.minus(was)
			s.add("others, a while ago", math.Hypot(dx-mx, dy-my))
		}
	}
	if then := s.now.on(s.g.StateAt, q); s.begun && predicted.with(guessed) && guessed.with(then) {
		dx, dy := guessed.minus(then)
		s.add("others, as predicted", math.Hypot(dx, dy))
	}
}

// quantile returns the value below which a share of the list is. It sorts the list.
func quantile(list []float64, share float64) float64 {
	slices.Sort(list)
	return list[min(int(share*float64(len(list))), len(list)-1)]
}

// watch makes 16 clients play and watch, and returns their jumps.
func watch(t *testing.T, seed uint64, look func(*tanks.State, rollback.Player) rollback.PlayerSet, link func(h *house, node int) netem.Link, length time.Duration) map[string]*[]float64 {
	h := newHouse(t, seed, 16, netem.Link{}, look, nil)
	jumps := map[string]*[]float64{}
	var screens []*screen
	for node := range 16 {
		l := link(h, node)
		for _, err := range []error{h.net.SetLink(0, node+1, l), h.net.SetLink(node+1, 0, l)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		screens = append(screens, &screen{g: h.join(node + 1), jumps: jumps, offset: smooth.Offset{Fastest: tanks.CorrectionSpeed}})
	}
	h.run(min(12*time.Second, length))
	for range length / picture {
		h.run(picture)
		for _, s := range screens {
			s.g.Update(h.now) // as a game does before it draws
			s.draw(h)
		}
	}
	return jumps
}

// Rule: corrections of the own tank are hidden, and the others move smoothly. docs/benchmarks.md
// has the figures that -v prints, without -short.
func TestWhatIsSeenOfAMatch(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		length, list := time.Minute, ways[2:]
		if testing.Short() {
			length, list = 3*time.Second, ways[2:3]
		}
		for _, w := range list {
			jumps := watch(t, 1, look, w.link, length)
			for _, k := range []struct {
				what  string
				share float64
				most  float64 // at this quantile; 0: it is only shown
			}{
				{"own, as it is", 1, 0},
				{"own, smoothed", 1, 0},
				{"own, as recommended", 1, 3.001},
				{"others, as predicted", 1, 0},
				{"others, a while ago", 0.999, 4.5},
			} {
				list := *jumps[k.what]
				t.Logf("| %s | %s | %.2f | %.2f | %.2f | %d |", w.name, k.what, quantile(list, 1), quantile(list, 0.999), quantile(list, 0.5), len(list))
				if got := quantile(list, k.share); k.most > 0 && got > k.most {
					t.Errorf("%s: %s: %v, must be at most %v", w.name, k.what, got, k.most)
				}
			}
			if raw, smoothed := *jumps["own, as it is"], *jumps["own, smoothed"]; quantile(raw, 1) < 2*quantile(smoothed, 1) {
				t.Errorf("%s: smoothing hides nothing", w.name)
			}
		}
	})
}

// hits plays a match whose players aim at what they see, and returns how many of their shots hit.
func hits(t *testing.T, rtt time.Duration, back bool, length time.Duration) (fired, hit int) {
	h := newHouse(t, 1, 16, netem.Link{Delay: rtt / 2}, nil, nil)
	for node := range 16 {
		g := h.join(node + 1)
		g.player = func(me rollback.Player) tanks.Input {
			s := *g.State() // the own tank where it is, the others where they are shown
			shown, ok := g.Shown(h.now)
			if !ok {
				return tanks.Input{}
			}
			others := shown.Before
			if shown.Passed > shown.Period/2 {
				others = shown.After
			}
			for q := range s.Tanks {
				if q != int(me) {
					s.Tanks[q] = others.Tanks[q]
				}
			}
			bot := g.bot
			if back {
				bot.Seen = uint8(shown.Seen)
			}
			return bot.Input(me, g.Frame(), &s)
		}
	}
	h.run(12 * time.Second)
	h.server.Effects()
	for range length / time.Second {
		h.run(time.Second)
		for _, e := range h.server.Effects() {
			if e.What != effects.Started {
				continue
			}
			if tanks.Fired.Is(&e) {
				fired++
			}
			if tanks.Hit.Is(&e) {
				hit++
			}
		}
	}
	return fired, hit
}

// Rule: more shots hit if they go back to what the player has seen.
func TestShotsHitWhatIsSeen(t *testing.T) {
	length := 2 * time.Minute
	if testing.Short() {
		t.Skip("few shots say nothing")
	}
	for _, rtt := range []time.Duration{200 * ms, 250 * ms} {
		var share [2]float64
		for i, back := range []bool{false, true} {
			fired, hit := hits(t, rtt, back, length)
			share[i] = float64(hit) / float64(fired)
			t.Logf("RTT %v, going back: %v: %d of %d shots hit, %.0f %%", rtt, back, hit, fired, 100*share[i])
		}
		if share[1] < share[0] {
			t.Errorf("RTT %v: %.2f of the shots hit, and %.2f if they go back", rtt, share[0], share[1])
		}
	}
}
