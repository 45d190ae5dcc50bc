package fleet

import (
	"time"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

// onlooking is a spectator as the referee sees it.
type onlooking interface {
	Phase() session.Phase
	Frame() session.Frame
	Err() error
	Stats(links []session.LinkStats) session.Stats
	Outcome() (session.Outcome, bool)
}

// onlooker is one who watches, as it is known from outside.
type onlooker struct {
	onlooking
	node  int
	plan  *Viewer
	reach time.Duration // of the longest way to or from a host
	plain bool          // all of these ways carry what it needs

	match    uint32 // that it watches, or did last
	last     int64  // the newest frame of it that was seen, -1 before the first
	live     uint32 // the match in which it was live last
	gone     string // how, if it is gone by the plan
	dead     bool   // it does nothing any more
	over     bool
	apart    bool // it watches one that plays on without others who are there
	troubles int  // of its own, that last now
	outcomes []session.Outcome
	stats    session.Stats
	links    []session.LinkStats

	frames, jumps, found uint64
	back                 uint64 // how often it has gone back

	moved    time.Duration // when anything changed that it shows
	calm     time.Duration // since when nothing of its own goes wrong
	entitled time.Duration // since when it has everything that it needs
	inTime   time.Duration // when it was last as far as its hosts allow
	distant  time.Duration // when it was last too far behind to be live
	deserted time.Duration // since when no host is there; never
}

func newOnlooker(p *Plan, i int) *onlooker {
	v := &p.Watchers[i]
	w := &onlooker{node: len(p.Machines) + i, plan: v, plain: true, last: -1, deserted: never}
	for _, h := range v.Hosts {
		for _, l := range [...]struct{ from, to int }{{h, w.node}, {w.node, h}} {
			link := p.way(l.from, l.to)
			w.reach = max(w.reach, reach(link))
			w.plain = w.plain && plainWay(link)
		}
	}
	for _, f := range p.Faults {
		if f.Kind == Detour {
			w.reach += time.Duration(f.Value) * time.Millisecond
		}
	}
	return w
}

// there reports whether a machine plays, or will: it can be watched.
func (r *referee) there(host int) bool {
	m := r.machines[host]
	return !m.dead && m.Phase() != session.Over
}

// visible is how many frames of its match a machine may show, and whether that is all
// there is: its match is over. A machine that is closed while it waits for the others at
// the end has no outcome, and still shows everything to those who watch.
func (r *referee) visible(host int) (frames session.Frame, ended bool) {
	m := r.machines[host]
	phase := m.Phase()
	ended = phase == session.Ending || phase == session.Over || r.match(m.match).outcome[host] != nil
	if ended {
		return m.next, true
	}
	return m.next - min(m.next, session.Frame(r.plan.Audience.Delay)), false
}

// can reports whether one who watches has all that it needs, now: a host, a way to it,
// and room there.
func (w *onlooker) can(r *referee) bool {
	if w.dead || w.gone != "" || w.over || w.apart || !w.plain || w.troubles > 0 || r.now < w.plan.Late || w.plan.CatchUp == 1 {
		return false
	}
	wanted := len(r.plan.Watchers)
	for _, f := range r.plan.Faults {
		wanted += btoi(f.Kind == Move && r.plan.watches(f.Machine)) // the place that is left is free only later
	}
	if wanted > r.plan.Audience.Max {
		return false
	}
	for _, h := range w.plan.Hosts {
		if r.there(h) && r.now >= r.plan.Machines[h].Late && !r.moved(h) {
			return true
		}
	}
	return false
}

// moved reports whether a machine is no longer where it was at first, or has come back
// somewhere else: spectators do
// not follow a host.
func (r *referee) moved(machine int) bool {
	for _, f := range r.plan.Faults {
		if (f.Kind == Move || f.Kind == Return) && f.Machine == machine && f.Match == 0 && f.At <= r.now {
			return true
		}
	}
	return false
}

// slack is how many frames one who watches may be behind what its hosts allow: those
// in hand, what is not yet caught up with in a hurry, and what is on its way.
func (w *onlooker) slack(r *referee) session.Frame {
	delay := w.plan.Delay
	if delay == 0 {
		delay = usualViewerDelay
	}
	return session.Frame(delay+usualHurry) + session.Frame((time.Second+6*w.reach)*time.Duration(r.plan.TickRate)/time.Second)
}

const (
	// usualViewerDelay and usualCatchUp are the defaults of a session.SpectatorConfig,
	// and usualHurry from how many frames on it catches up.
	usualViewerDelay = 12
	usualCatchUp     = 8
	usualHurry       = 30
)

// behind reports whether it has seen less than it could have, at whichever host it is:
// by more than the slack, or less than all of a match that is over.
func (w *onlooker) behind(r *referee, slack session.Frame) bool {
	for _, h := range w.plan.Hosts {
		m := r.machines[h]
		if !r.there(h) || m.match == 0 || w.match > m.match {
			continue
		}
		frames, ended := r.visible(h)
		switch {
		case frames <= slack && !ended:
			return false
		case w.match < m.match:
		case ended && w.ended(m.match), !ended && session.Frame(w.last+1)+slack >= frames:
			return false
		}
	}
	return true
}

// ended reports whether it has an outcome of a match.
func (w *onlooker) ended(match uint32) bool {
	for i := range w.outcomes {
		if w.outcomes[i].Match == match {
			return true
		}
	}
	return false
}

// patience is how long it may take until it has caught up: all hosts may have to be
// tried, and what is old comes at the common rate and is run a few frames at a time.
func (w *onlooker) patience(r *referee) time.Duration {
	most := session.Frame(0)
	for _, h := range w.plan.Hosts {
		most = max(most, r.machines[h].next)
	}
	catchUp, bytes := w.plan.CatchUp, r.plan.Audience.Rate
	if catchUp == 0 {
		catchUp = usualCatchUp
	}
	if bytes == 0 {
		bytes = spectate.DefaultRate
	}
	frames := time.Duration(most)
	return 20*time.Second + 40*w.reach + time.Duration(len(w.plan.Hosts))*5*time.Second +
		frames*time.Second/time.Duration((catchUp-1)*r.plan.TickRate) +
		frames*time.Duration(len(r.plan.Watchers)*frameBytes)*time.Millisecond/time.Duration(max(bytes/1000, 1))
}

// frameBytes is more than an agreed frame has on average, with orders.
const frameBytes = 100

// look is the regular look at one who watches.
func (w *onlooker) look(r *referee) {
	if w.dead {
		return
	}
	w.stats = w.Stats(w.links[:0])
	w.links = w.stats.Links
	deserted := true
	for _, h := range w.plan.Hosts {
		deserted = deserted && !r.there(h)
	}
	w.apart = w.apart || r.partedAt(w.plan.Hosts)
	switch {
	case !deserted:
		w.deserted = never
	case w.deserted == never:
		w.deserted = r.now
	}
	if !w.can(r) {
		w.entitled = r.now
	}
	w.entitled = max(w.entitled, w.calm, r.calm)
	if r.now <= w.entitled || !w.behind(r, w.slack(r)) {
		w.inTime = r.now
	}
	if r.now <= w.entitled || w.stats.Phase != session.Playing || w.last < 0 || w.behind(r, w.slack(r)/2) {
		w.distant = r.now
	}
}

// saw takes a frame that one who watches has seen.
func (r *referee) saw(w *onlooker, a *agreement) {
	w.apart = w.apart || r.partedAt(w.plan.Hosts)
	for _, c := range r.checkers {
		c.seen(r, w, a)
	}
	w.frames++
	if w.last >= 0 && int64(a.frame) > w.last+1 || w.last < 0 && a.frame > 0 {
		w.jumps++
	}
	w.back += uint64(btoi(int64(a.frame) <= w.last))
	w.last, w.moved = int64(a.frame), r.now
}

// toldBy takes an event of one who watches.
func (r *referee) toldBy(w *onlooker, e *session.Event) {
	w.moved = r.now
	switch e.What {
	case session.Live:
		w.live = w.match
	case session.Ended:
		if o, ok := w.Outcome(); ok {
			w.outcomes = append(w.outcomes, o)
		}
	}
	for _, c := range r.checkers {
		c.heard(r, w, e)
	}
	w.over = w.over || e.What == session.Closed
}
