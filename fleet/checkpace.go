package fleet

import (
	"time"

	"github.com/tickback/tickback/session"
)

// paceChecker checks that a match runs as fast as its slowest machine, and not more slowly, and that no machine shows
// the same picture for long. It applies to plans in which nothing goes wrong except that work takes time.
type paceChecker struct {
	noCheck
	begun []paced // by machine
}

// paced is the time from which a machine's pictures count.
type paced struct {
	at       time.Duration
	pictures uint64
}

const (
	// settled is how long a match is played before its pace counts, and measured is the minimum time for which it is
	// measured.
	settled, measured = 3 * time.Second, 5 * time.Second
	// bearable is the percentage of pictures that may be missing.
	bearable = 10
)

func (*paceChecker) name() string { return "pace" }

// look records when a machine has settled.
func (c *paceChecker) look(r *referee) {
	if r.work == nil || r.plan.Profile != Slow {
		return
	}
	if c.begun == nil {
		c.begun = make([]paced, len(r.machines))
	}
	for i, m := range r.machines {
		if l := r.work(i); c.begun[i].at == 0 && l != nil && m.phase == session.Playing && r.now-m.began >= settled {
			c.begun[i] = paced{r.now, l.Pictures}
			l.Longest = 0
		}
	}
}

func (c *paceChecker) end(r *referee) {
	most, gap := frameTakes(r.plan)
	for i, m := range r.machines {
		if c.begun == nil || c.begun[i].at == 0 || m.gone != "" && m.goneAt < r.now-time.Minute {
			continue
		}
		l, since := r.work(i), c.begun[i]
		shown, span := l.Pictures-since.pictures, l.Since-since.at
		if least := uint64(span / most); span >= measured && shown < least-least*bearable/100 {
			r.violate(c, i, "it shows %d pictures in %v, must be about %d: a frame takes %v somewhere", shown, span, least, most)
		}
		if l.Longest > gap {
			r.violate(c, i, "it shows the same picture for %v, at most %v", l.Longest, gap)
		}
	}
}

// frameTakes returns the maximum average time of a frame of a plan on its slowest machine, and how long a picture may
// be shown: twice that, plus the bursts.
//
// A single slow machine is behind the others, so it knows their inputs, and never rolls back. Several slow machines
// wait for each other's inputs: then each frame resimulates up to as many frames as a path takes. With a cost C for
// each and a path of D, a frame takes T = (2 + D/T)·C or a little more, which is less than 3.5·C + D/2.
func frameTakes(p *Plan) (most, gap time.Duration) {
	period := time.Second / time.Duration(p.TickRate)
	slow, lockstep, slowest := 0, false, slowest(p)
	var again, burst, back, whole time.Duration
	longest := period + period/limitOfPace
	most = longest
	for i := range p.Machines {
		c := &p.Machines[i].Cost
		lockstep = lockstep || p.Machines[i].Window == 0
		frame := c.Frame + c.Picture
		rolled, still := c.Again, time.Duration(0)
		if c.Every > 0 {
			still = c.Burst / time.Duration(c.Every)
			frame += still
			burst = max(burst, c.Burst)
		}
		if c.Throttled > 0 {
			frame, rolled, burst, still = frame+frame/2, rolled+rolled/2, burst+burst/2, still+still/2
		}
		if frame+rolled > period*3/4 {
			slow++
		}
		window := time.Duration(p.Machines[i].Window) * rolled
		if whole = max(whole, window); i != slowest { // the machine is ahead of another one, and rolls back by up to its window
			back = max(back, window)
		}
		// Frames that come due during a burst are made up for several at a time, or not at all: either way they do not
		// count as pictures.
		most, again = max(most, frame, longest+still), max(again, rolled)
	}
	if slow > 1 { // each of them is ahead at times, while the other rolls back
		back = whole
	}
	// A machine that is only slightly slow is not always behind. If it is ahead by its window, and takes longer to roll
	// that back than the slow machine takes for a frame, it falls behind the slow machine, and gets ahead again.
	if !lockstep && (slow > 1 || most < period*3/2 || back > most) {
		most += again*5/2 + (p.Link.Delay+p.Link.Jitter)/2
	}
	return most, 2*most + back + 2*burst + 4*p.Link.Jitter + 2*period
}

// slowest returns the machine that is never ahead of another, or -1, since a machine that gets hot can fall behind one
// that was slower.
func slowest(p *Plan) int {
	cool, hot := 0, 0
	for i := range p.Machines {
		if p.Machines[i].Cost.Frame > p.Machines[cool].Cost.Frame {
			cool = i
		}
		if p.Machines[i].Cost.slowed(p.Machines[i].Cost.Frame, MaxPlanTime) > p.Machines[hot].Cost.slowed(p.Machines[hot].Cost.Frame, MaxPlanTime) {
			hot = i
		}
	}
	if cool != hot {
		return -1
	}
	return cool
}

// limitOfPace is the limit on how much sessions stretch a period to keep pace: by one part in this many.
const limitOfPace = 25
