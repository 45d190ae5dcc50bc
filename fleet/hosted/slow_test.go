package hosted

import (
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
)

// slowFigures are those of the last 20 seconds of 30 in which one machine is slow.
type slowFigures struct {
	ticks    float64   // of the server, a second
	shows    []float64 // pictures a second, by client
	gaps     []time.Duration
	replaced []uint64 // inputs that came too late
}

func (f slowFigures) String() string {
	s := fmt.Sprintf("%.1f ticks/s", f.ticks)
	for i := range f.shows {
		s += fmt.Sprintf("; client %d: %.1f pictures/s, longest gap %v, %d inputs too late", 1+i, f.shows[i], f.gaps[i].Round(100*time.Microsecond), f.replaced[i])
	}
	return s
}

func playSlowly(t *testing.T, rate int, server, client fleet.Cost) (f slowFigures) {
	t.Helper()
	little := fleet.Cost{Frame: time.Microsecond}
	if server == (fleet.Cost{}) {
		server = little
	}
	link := netem.Link{Delay: 25 * time.Millisecond}
	p := Plan{Seed: 1, Places: 4, TickRate: rate, Frames: Frame(35 * rate), DropAfter: 5 * time.Second, Cost: server}
	for i := range 3 {
		c := Client{Comes: time.Duration(i) * 3700 * time.Microsecond, Up: link, Down: link, Cost: little}
		if i == 0 && client != (fleet.Cost{}) {
			c.Cost = client
		}
		p.Clients = append(p.Clients, c)
	}
	const from, until = 10 * time.Second, 30 * time.Second
	begun, ended := false, false
	var first Frame
	pictures, late := make([]uint64, 3), make([]uint64, 3)
	res := playBoard(t, p, Options[board, uint8]{watch: func(r *run[board, uint8]) {
		switch {
		case !begun && r.now >= from:
			begun, first = true, r.server.server.Frame()
			for i, g := range r.guests {
				pictures[i], g.labour.Longest = g.labour.Pictures, 0
				n, _ := r.server.server.Client(Player(i))
				late[i] = n.Replaced
			}
		case begun && !ended && r.now >= until:
			ended = true
			f.ticks = float64(r.server.server.Frame()-first) / (until - from).Seconds()
			for i, g := range r.guests {
				f.shows = append(f.shows, float64(g.labour.Pictures-pictures[i])/(until-from).Seconds())
				f.gaps = append(f.gaps, g.labour.Longest)
				n, _ := r.server.server.Client(Player(i))
				f.replaced = append(f.replaced, n.Replaced-late[i])
			}
		}
	}})
	if !res.OK() || !ended {
		t.Errorf("%v %v", ended, res.Violations)
	}
	return f
}

// Rule: a server whose ticks take longer than their period runs each tick, and its clients are as fast as it is,
// without freezing. A client whose ticks take that long affects nobody else: it shows about as many pictures as its
// machine can, none of them for long, and most of its inputs come in time.
func TestASlowServerAndASlowClient(t *testing.T) {
	const ms = time.Millisecond
	for _, rate := range []int{60, 20} {
		period := time.Second / time.Duration(rate)
		for _, step := range []time.Duration{12, 17, 20, 25, 40, 60, 75} {
			each := max(step*ms, period)
			least := time.Second.Seconds() / each.Seconds() * 0.97
			f := playSlowly(t, rate, fleet.Cost{Frame: step * ms}, fleet.Cost{})
			t.Logf("| %d ticks/s, server | %v | %v |", rate, step*ms, f)
			gap := 2 * each
			if each > 5*period/2 {
				gap += each
			}
			for i := range f.shows {
				if f.ticks < least || f.shows[i] < least || f.gaps[i] > gap {
					t.Errorf("a server of %d ticks/s whose tick takes %v: %v", rate, step*ms, f)
				}
			}
			f = playSlowly(t, rate, fleet.Cost{}, fleet.Cost{Frame: step * ms, Again: step * ms})
			t.Logf("| %d ticks/s, client | %v | %v |", rate, step*ms, f)
			if f.ticks < float64(rate)-1 || f.shows[1] < float64(rate)*0.97 || f.gaps[1] > 2*period {
				t.Errorf("a client of %d ticks/s whose tick takes %v, beside others: %v", rate, step*ms, f)
			}
			sent := float64(rate) * 20
			if can := 1 / each.Seconds(); f.shows[0] < can*0.7 || f.gaps[0] > 2*period+6*step*ms || step <= 40 && float64(f.replaced[0]) > sent*0.3 {
				t.Errorf("a client of %d ticks/s whose tick takes %v: %v", rate, step*ms, f)
			}
		}
	}
}

// Rule: a client that is too slow predicts less far than its inputs are made, and skips ticks; one that cannot even run
// each tick once requests whole states, once a second at most, and continues from there. One that has time for
// everything does neither.
func TestWhatASlowClientGivesUp(t *testing.T) {
	const ms = time.Millisecond
	little := fleet.Cost{Frame: time.Microsecond}
	link := netem.Link{Delay: 25 * ms}
	for _, c := range []struct {
		tick         time.Duration
		lags, renews bool
	}{{5 * ms, false, false}, {30 * ms, true, false}, {90 * ms, true, true}} {
		p := Plan{Seed: 1, Places: 4, TickRate: 20, Frames: 600, DropAfter: 5 * time.Second, Cost: little}
		p.Clients = []Client{{Up: link, Down: link, Cost: fleet.Cost{Frame: c.tick, Again: c.tick}}, {Up: link, Down: link, Cost: little}}
		lagged := Frame(0)
		res := playBoard(t, p, Options[board, uint8]{watch: func(r *run[board, uint8]) {
			if g := r.guests[0]; g.stay.in {
				lagged = max(lagged, g.client.Counts().Lag)
			}
		}})
		n := res.Clients[0]
		if !res.OK() || c.lags != (lagged >= 3) || c.lags != (n.Skipped > 0) || c.renews != (n.Wholes >= 15) || n.Wholes > 31 || !c.renews && n.Wholes != 1 {
			t.Errorf("a tick takes %v: up to %d ticks behind, %d left out, %d whole states; %v", c.tick, lagged, n.Skipped, n.Wholes, res.Violations)
		}
	}
}

// Rule: a client whose machine has become fast again makes up for everything, and predicts as far as the others.
func TestASlowClientRecovers(t *testing.T) {
	const ms = time.Millisecond
	little := fleet.Cost{Frame: time.Microsecond}
	link := netem.Link{Delay: 25 * ms}
	p := Plan{Seed: 1, Places: 4, TickRate: 20, Frames: 700, DropAfter: 5 * time.Second, Cost: little}
	p.Clients = []Client{{Up: link, Down: link, Cost: fleet.Cost{Frame: 30 * ms, Again: 30 * ms}}, {Up: link, Down: link, Cost: little}}
	lagged, lags, cooled := Frame(0), Frame(0), false
	res := playBoard(t, p, Options[board, uint8]{watch: func(r *run[board, uint8]) {
		g := r.guests[0]
		if !g.stay.in {
			return
		}
		switch lags = g.client.Counts().Lag; {
		case r.now < 10*time.Second:
			lagged = max(lagged, lags)
		case !cooled && !g.labour.Busy() && lags > 0:
			cooled = true
			g.labour = fleet.NewLabour(little, 50*ms)
		}
	}})
	if !res.OK() || lagged < 3 || !cooled || lags != 0 {
		t.Errorf("up to %d ticks behind while it was slow, %d in the end, cooled %v; %v", lagged, lags, cooled, res.Violations)
	}
}

// Rule: with partial sight a client also runs ticks to learn a state, and these take time on its machine. One that has no time for
// that gets plain states, and shows at least half of the pictures that its machine can, instead of a quarter. One that has time gets
// differences once it has proved that.
func TestASlowClientWithPartialSight(t *testing.T) {
	const ms = time.Millisecond
	little := fleet.Cost{Frame: time.Microsecond}
	link := netem.Link{Delay: 40 * ms}
	for _, tick := range []time.Duration{0, 30 * ms, 45 * ms, 60 * ms} {
		p := Plan{Seed: 1, Places: 8, TickRate: 20, Frames: 600, Partial: true, DropAfter: 5 * time.Second, Cost: little}
		p.Clients = []Client{{Up: link, Down: link, Cost: fleet.Cost{Frame: max(tick, time.Microsecond), Again: tick}}}
		for range 4 {
			p.Clients = append(p.Clients, Client{Up: link, Down: link, Cost: little})
		}
		const from = 10 * time.Second
		begun, pictures, shown, span := false, uint64(0), uint64(0), time.Duration(0)
		var mirrored, plain, looks uint64
		res := play(t, p, options{watch: func(r lies) {
			g := r.guests[0]
			switch {
			case r.now < from || r.over:
			case !begun:
				begun, pictures = true, g.labour.Pictures
			default:
				span, shown = r.now-from, g.labour.Pictures-pictures
				mirrored = g.program.(worker).Worked().Again - g.client.Inspect().Stats().Resimulated
				if player, ok := g.client.Player(); ok {
					n, _ := r.server.server.Client(player)
					if looks++; n.Plain {
						plain++
					}
				}
			}
		}})
		can := uint64(span / max(tick, 50*ms))
		if tick == 0 && (mirrored < can || plain > 0) || tick >= 45*ms && plain < looks/2 || !res.OK() || looks == 0 || shown < can*45/100 {
			t.Errorf("a tick takes %v: %d pictures of %d; %d ticks run to learn states, which are told as such for %d of %d moments; %v",
				tick, shown, can, mirrored, plain, looks, res.Violations)
		}
	}
}
