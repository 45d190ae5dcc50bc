package fleet

import (
	"time"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

// spectatorView is a spectator as the referee sees it.
type spectatorView interface {
	Phase() session.Phase
	Frame() session.Frame
	Err() error
	Stats(links []session.LinkStats) session.Stats
	Outcome() (session.Outcome, bool)
}

// spectatorState is a spectator as known from outside.
type spectatorState struct {
	spectatorView
	node  int
	plan  *SpectatorPlan
	reach time.Duration // the delay of the longest path to or from a host
	plain bool          // all these paths carry what it needs

	match    uint32 // the match that it watches, or did last
	last     int64  // the newest frame of it that was seen; -1 before the first
	live     uint32 // the match in which it was last live
	gone     string // why it is gone, if the plan has caused that
	dead     bool   // it does nothing any more
	over     bool
	apart    bool // it watches a machine that plays on without others that are there
	troubles int  // the number of its own troubles in progress
	outcomes []session.Outcome
	stats    session.Stats
	links    []session.LinkStats

	frames, jumps, found uint64
	back                 uint64 // how often it has gone back

	moved     time.Duration // when anything visible last changed
	calm      time.Duration // the time since which it has had no trouble of its own
	entitled  time.Duration // the time since which it has had everything that it needs
	inTime    time.Duration // when it was last caught up as far as its hosts allow
	distant   time.Duration // when it was last too far behind to be live
	hostsGone time.Duration // the time since which it has had no host; never if it has one
}

func newOnlooker(p *Plan, i int) *spectatorState {
	v := &p.Spectators[i]
	w := &spectatorState{node: len(p.Machines) + i, plan: v, plain: true, last: -1, hostsGone: never}
	for _, h := range v.Hosts {
		for _, l := range [...]struct{ from, to int }{{h, w.node}, {w.node, h}} {
			link := p.network().way(l.from, l.to)
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

// there reports whether a machine plays, or will play, so that it can be watched.
func (r *referee) there(host int) bool {
	m := r.machines[host]
	return !m.dead && m.Phase() != session.Over
}

// visible returns how many frames of its match a machine may show, and whether that is everything because its match is
// over. A machine that is closed while it waits for the others at the end has no outcome, but still shows everything to
// its spectators.
func (r *referee) visible(host int) (frames session.Frame, ended bool) {
	m := r.machines[host]
	phase := m.Phase()
	ended = phase == session.Ending || phase == session.Over || r.match(m.match).outcome[host] != nil
	if ended {
		return m.next, true
	}
	return m.next - min(m.next, session.Frame(r.plan.Hosting.Delay)), false
}

// can reports whether a spectator has everything that it needs now: a host, a path to it, and room there.
func (w *spectatorState) can(r *referee) bool {
	if w.apart || w.plan.Stranger != "" || w.plan.CatchUp == 1 {
		return false
	}
	wanted := 0
	for i := range r.plan.Spectators {
		wanted += btoi(r.plan.Spectators[i].Stranger == "")
	}
	for _, f := range r.plan.Faults {
		wanted += btoi(f.Kind == Move && r.plan.watches(f.Machine)) // the place it leaves becomes free only later
	}
	return wanted <= r.plan.Hosting.Max && reaches(r, w)
}

// reaches reports whether a spectator has a host, and a path to it.
func reaches(r *referee, w *spectatorState) bool {
	if w.dead || w.gone != "" || w.over || !w.plain || w.troubles > 0 || r.now < w.plan.Late {
		return false
	}
	for _, h := range w.plan.Hosts {
		if r.there(h) && r.now >= r.plan.Machines[h].Late && !r.moved(h) {
			return true
		}
	}
	return false
}

// moved reports whether a machine is no longer at its first address, or has come back at another one:
// spectators do not follow a host.
func (r *referee) moved(machine int) bool {
	for _, f := range r.plan.Faults {
		if (f.Kind == Move || f.Kind == Return) && f.Machine == machine && f.Match == 0 && f.At <= r.now {
			return true
		}
	}
	return false
}

// slack returns how many frames a spectator may lag behind what its hosts allow: those that it holds back, those for
// which it need not hurry, and those in flight.
func (w *spectatorState) slack(r *referee) session.Frame {
	frames := func(d time.Duration) session.Frame {
		return session.Frame(d * time.Duration(r.plan.TickRate) / time.Second)
	}
	delay := session.Frame(w.plan.Delay)
	if delay == 0 {
		delay = max(frames(usualViewerDelay), leastViewerDelay)
	}
	return delay + max(frames(usualHurry), leastHurry) + frames(time.Second+6*w.reach)
}

const (
	// usualViewerDelay, leastViewerDelay and usualCatchUp are the defaults of a session.SpectatorConfig. A spectator
	// catches up when it has usualHurry, or leastHurry, frames more than that in hand.
	usualViewerDelay = 200 * time.Millisecond
	leastViewerDelay = 2
	usualCatchUp     = 8
	usualHurry       = 500 * time.Millisecond
	leastHurry       = 8
)

// behind reports whether a spectator has seen less than it could have at any of its hosts: by more than the slack, or
// less than all of a match that is over.
func (w *spectatorState) behind(r *referee, slack session.Frame) bool {
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
func (w *spectatorState) ended(match uint32) bool {
	for i := range w.outcomes {
		if w.outcomes[i].Match == match {
			return true
		}
	}
	return false
}

// patience returns how long catching up may take: all hosts may have to be tried, old frames come at the shared rate,
// and only a few frames run at a time.
func (w *spectatorState) patience(r *referee) time.Duration {
	most := session.Frame(0)
	for _, h := range w.plan.Hosts {
		most = max(most, r.machines[h].next)
	}
	catchUp, bytes := w.plan.CatchUp, r.plan.Hosting.Rate
	if catchUp == 0 {
		catchUp = usualCatchUp
	}
	if bytes == 0 {
		bytes = spectate.DefaultRate
	}
	frames := time.Duration(most)
	return 20*time.Second + 40*w.reach + time.Duration(len(w.plan.Hosts))*5*time.Second +
		frames*time.Second/(time.Duration(catchUp-1)*time.Duration(r.plan.TickRate)) +
		frames*time.Duration(len(r.plan.Spectators))*time.Duration(frameBytes)*time.Millisecond/time.Duration(max(bytes/1000, 1))
}

// frameBytes is more than the average size of an agreed frame with orders.
const frameBytes = 100

// look updates what is known about the spectator.
func (w *spectatorState) look(r *referee) {
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
		w.hostsGone = never
	case w.hostsGone == never:
		w.hostsGone = r.now
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

// spectatorFrame processes a frame that a spectator has seen.
func (r *referee) spectatorFrame(w *spectatorState, a *agreement) {
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

// toldBy processes an event of a spectator.
func (r *referee) toldBy(w *spectatorState, e *session.Event) {
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
