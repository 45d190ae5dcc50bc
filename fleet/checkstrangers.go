package fleet

import (
	"errors"
	"time"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/spectate"
)

// strangersChecker checks spectators that do not know the token required of spectators: they see no frames and get no
// events but that a host does not let them in, and soon end with a TokenError if there is a host that can refuse them.
type strangersChecker struct {
	noCheck
	asks []time.Duration // by spectator: the time since which a host could refuse it
}

func (*strangersChecker) name() string { return "strangers" }

func (c *strangersChecker) seen(r *referee, w *spectatorState, a *agreement) {
	if w.plan.Stranger != "" {
		r.violate(c, w.node, "match %d: it sees frame %d, and does not know the token", a.match, a.frame)
	}
}

func (c *strangersChecker) heard(r *referee, w *spectatorState, e *session.Event) {
	switch {
	case w.plan.Stranger == "":
	case e.What == session.Closed:
		c.closed(r, w)
	case e.What == session.Lost && e.Frame == 0: // a host that has left says so to whoever asks
	default:
		r.violate(c, w.node, "it does not know the token, and hears: %v", e)
	}
}

func (c *strangersChecker) closed(r *referee, w *spectatorState) {
	err, could := w.Err(), r.now-c.since(r, w)
	var token *admission.TokenError
	var nobody *spectate.HostsError
	switch {
	case errors.As(err, &token) && token.Missing == (w.plan.Stranger == Tokenless) && !token.Revoked:
	case w.gone != "" && errors.Is(err, session.ErrClosed):
	case errors.As(err, &nobody) && token == nil && could < heardWithin+time.Duration(len(w.plan.Hosts))*3*time.Second+20*w.reach:
		// No host was able to refuse it.
	default:
		r.violate(c, w.node, "it gives %s, and could have been told so for %v; it ends with: %v", w.plan.Stranger, could, err)
	}
}

func (c *strangersChecker) look(r *referee) {
	for i, w := range r.watchers {
		since := c.since(r, w)
		if reaches(r, w) {
			c.asks[i] = max(since, w.calm, r.calm)
		} else {
			c.asks[i] = r.now
		}
		if waits := r.now - c.asks[i]; w.plan.Stranger != "" && waits > toldWithin(w) {
			r.violate(c, w.node, "it gives %s, and for %v nothing keeps it from being told so: it is %v", w.plan.Stranger, waits, w.stats.Phase)
		}
	}
}

// since returns the time since which a host could refuse a spectator.
func (c *strangersChecker) since(r *referee, w *spectatorState) time.Duration {
	if c.asks == nil {
		c.asks = make([]time.Duration, len(r.watchers))
	}
	return c.asks[w.node-len(r.machines)]
}

// toldWithin returns how long it takes until all present hosts have refused a token, and all others have been given
// up.
func toldWithin(w *spectatorState) time.Duration { return w.resigns() + wrongFor }

// wrongFor is how long a spectator with a wrong token asks again, in case the token has just been changed.
const wrongFor = 4 * time.Second
