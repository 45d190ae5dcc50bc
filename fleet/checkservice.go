package fleet

import (
	"time"

	"github.com/tickback/tickback/session"
)

// serviceChecker checks that a spectator with a host, a path to it and room there catches up in time, is told so, and
// gets to the end, and that a spectator without any host notices that in time.
type serviceChecker struct{ noCheck }

func (serviceChecker) name() string { return "service" }

func (c serviceChecker) look(r *referee) {
	for _, w := range r.watchers {
		if w.dead || w.over || w.gone != "" {
			continue
		}
		if late := r.now - w.inTime; late > w.patience(r) {
			r.violate(c, w.node, "for %v it has seen less than it could: it is %v in match %d, frame %d, agreed %d; hosts %v",
				late.Round(time.Millisecond), w.stats.Phase, w.match, w.stats.Frame, w.stats.Agreed, w.plan.Hosts)
			w.inTime = r.now
		}
		if near := r.now - w.distant; near > liveWithin && w.live != w.match {
			r.violate(c, w.node, "match %d: for %v it has kept up with its hosts, but was not told that it is live", w.match, near.Round(time.Millisecond))
			w.distant = r.now
		}
		if alone := r.now - max(w.hostsGone, w.moved, w.calm, w.plan.Late); w.troubles == 0 && alone > w.resigns() {
			r.violate(c, w.node, "for %v there has been no host, and it is still %v", alone.Round(time.Millisecond), w.stats.Phase)
			w.moved = r.now
		}
	}
}

// liveWithin is how long a spectator may be caught up before it is told that it is live.
const liveWithin = 3 * time.Second

// resigns returns how long a spectator may take to notice that all hosts are gone.
func (w *spectatorState) resigns() time.Duration {
	return session.DefaultConnectTimeout + session.DefaultLinger + 3*time.Second + time.Duration(len(w.plan.Hosts))*3*time.Second + 4*w.reach
}

func (c serviceChecker) end(r *referee) {
	for _, w := range r.watchers {
		if !w.dead && w.Phase() != session.Over {
			r.violate(c, w.node, "at the end it is still %v in match %d, frame %d", w.Phase(), w.match, w.Frame())
		}
	}
}
