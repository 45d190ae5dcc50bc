package fleet

import (
	"errors"
	"strings"
	"time"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

// spectatorsChecker checks that spectators see exactly the agreed frames, with the states and the ends that the players
// have, and nothing that their hosts still hold back.
type spectatorsChecker struct{ noCheck }

func (spectatorsChecker) name() string { return "spectators" }

func (c spectatorsChecker) seen(r *referee, w *spectatorState, a *agreement) {
	if w.apart {
		return
	}
	rec := r.match(a.match)
	f := int(a.frame)
	switch {
	case int64(a.frame) <= w.last && w.back+1 >= w.found: // another host may begin with an earlier state
		r.violate(c, w.node, "match %d: frame %d is seen after frame %d", a.match, a.frame, w.last)
	case f >= len(rec.facts) || rec.facts[f].inputs != a.inputs:
		r.violate(c, w.node, "match %d, frame %d: other inputs, orders or statuses than the players'", a.match, a.frame)
	case a.hashed && rec.facts[f].hashed && a.hash != rec.facts[f].hash && !r.mayHaveBadState(w, a.match, int64(a.frame)):
		r.violate(c, w.node, "match %d: the state after frame %d has the hash %016x, offline %016x", a.match, a.frame, a.hash, rec.facts[f].hash)
	case !r.shown(w, a.match, a.frame):
		r.violate(c, w.node, "match %d: frame %d is seen, and no host shows it yet", a.match, a.frame)
	}
}

// mayHaveBadState reports whether a spectator may have got the state of the machine that the plan breaks.
func (r *referee) mayHaveBadState(w *spectatorState, match uint32, frame int64) bool {
	broken, from := r.plan.diverges()
	if broken < 0 || match != 1 || frame < from {
		return false
	}
	for _, h := range w.plan.Hosts {
		if h == broken {
			return true
		}
	}
	return false
}

// shown reports whether any host may show a frame.
func (r *referee) shown(w *spectatorState, match uint32, frame session.Frame) bool {
	if r.plan.invites() || restarted(r) != 0 {
		return int(frame) < len(r.match(match).facts) // a host that has come back starts over
	}
	for _, h := range w.plan.Hosts {
		frames, _ := r.visible(h)
		if m := r.machines[h]; m.match > match || m.match == match && frame < frames {
			return true
		}
	}
	return false
}

func (c spectatorsChecker) heard(r *referee, w *spectatorState, e *session.Event) {
	switch e.What {
	case session.Desync:
		if wrong := r.match(w.match).anyWrong(); !w.apart && (wrong < 0 || wrong >= int64(e.Frame)) {
			r.violate(c, w.node, "match %d: %v, although all states are equal until then", w.match, e)
		}
	case session.Lost:
		if broken, _ := r.plan.diverges(); broken >= 0 && strings.Contains(e.Text, ": a state comes out otherwise here") {
			return // one of the two hosts is the machine that the plan breaks
		}
		if !w.apart && !expectedLoss(e.Text) && !restartedAt(r, e.Text) {
			r.violate(c, w.node, "%v", e)
		}
	case session.Closed:
		c.closed(r, w)
	}
}

// expectedLoss reports whether a host may be lost for this reason: it is gone, or another host has more frames. All
// other reasons accuse a machine of breaking the protocol.
func expectedLoss(text string) bool {
	for _, why := range []string{": it is silent", ": it does not answer", ": it sends nothing", ": it is behind", ": it says: "} {
		if strings.Contains(text, why) {
			return true
		}
	}
	return false
}

// restartedAt reports whether a host is reported as lost because it was started again, and was in fact started again.
func restartedAt(r *referee, text string) bool {
	for i := range r.machines {
		if v := &r.revenants[i]; (v.at > 0 || v.before) && strings.Contains(text, Addr(i).String()+": it was started again") {
			return true
		}
	}
	return false
}

func (c spectatorsChecker) closed(r *referee, w *spectatorState) {
	err := w.Err()
	var nobody *spectate.HostsError
	switch {
	case errors.Is(err, session.ErrClosed):
		if w.gone == "" {
			r.violate(c, w.node, "it is closed, although nobody has closed it")
		}
	case errors.Is(err, spectate.ErrEnd):
		if len(w.outcomes) == 0 {
			r.violate(c, w.node, "it says that the match is over, but has no outcome")
		}
		c.early(r, w, err)
	case errors.As(err, &nobody):
		c.early(r, w, err)
	default:
		r.violate(c, w.node, "an unexpected error: %v", err)
	}
}

// early reports a violation if a spectator gives up although it could watch.
func (c spectatorsChecker) early(r *referee, w *spectatorState, err error) {
	if could := r.now - w.entitled; w.can(r) && could > heardWithin+time.Duration(len(w.plan.Hosts))*3*time.Second+20*w.reach {
		r.violate(c, w.node, "%v, although it could have watched for %v", err, could.Round(time.Millisecond))
	}
}

// heardWithin is how long it may take until a spectator is connected to a host again, if there is one, not counting
// attempts with other hosts, and the path.
const heardWithin = 8 * time.Second

// event checks what hosts report about spectators.
func (c spectatorsChecker) event(r *referee, machine int, e *session.Event) {
	if e.What == session.SpectatorLeft && (strings.Contains(e.Text, "protocol") || strings.Contains(e.Text, "request")) {
		r.violate(c, machine, "%v", e)
	}
}

func (c spectatorsChecker) look(r *referee) {
	for _, w := range r.watchers {
		if w.dead || w.apart || w.over || w.stats.Match == 0 || w.stats.Match != w.match {
			continue
		}
		if f := w.stats.Frame; f > 0 && !r.shown(w, w.match, f-1) {
			r.violate(c, w.node, "match %d: it has state %d, and no host shows that yet", w.match, f)
		}
	}
}

func (c spectatorsChecker) end(r *referee) {
	if r.mayLose < r.now {
		return // sides that have lost each other have different ends
	}
	for _, w := range r.watchers {
		for i := range w.outcomes {
			c.compare(r, w, &w.outcomes[i])
		}
	}
}

// compare compares an outcome with the players' outcome.
func (c spectatorsChecker) compare(r *referee, w *spectatorState, o *session.Outcome) {
	broken, _ := r.plan.diverges()
	for h, theirs := range r.match(o.Match).outcome {
		if theirs == nil || h == broken {
			continue
		}
		same := o.Frames == theirs.Frames && o.Result == theirs.Result && o.Finished == theirs.Finished
		if broken < 0 {
			same = same && o.Hash == theirs.Hash && o.Chain == theirs.Chain && o.Health != session.Desynced
		}
		if !same {
			r.violate(c, w.node, "match %d: its end is %+v, that of machine %d %+v", o.Match, *o, h, *theirs)
		}
	}
}
