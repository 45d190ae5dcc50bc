package hosted

import (
	"errors"
	"time"

	"github.com/tickback/tickback/session/served"
)

// ended records that the match is over at the server.
func (r *run[S, I]) ended() {
	r.over, r.overAt = true, r.now
	for _, g := range r.guests {
		judgePace(r, g)
	}
	out, ok := r.server.server.Outcome()
	if s := r.server.server.Final(); !ok || s == nil || out.Frames != r.truth.newest {
		r.violate(checkEnds, 0, "its outcome is %+v after %d frames", out, r.truth.newest)
	}
	if !out.Finished && out.Frames != matchOf(r.plan, r.server.process.number).Frames {
		r.violate(checkEnds, 0, "the match has %d frames, and not %d", out.Frames, matchOf(r.plan, r.server.process.number).Frames)
	}
	for _, g := range r.guests {
		if !g.off && g.plays() && g.naive.truth == r.truth {
			g.stay.ended = r.now
		}
	}
}

// endTime returns how long after the match all machines must be over: the server lingers, and a client that has not
// been told notices the silence.
func endTime(p *Plan) time.Duration { return maxSpan + p.DropAfter + 15*time.Second }

// finish ends the run: machines that are not over by now never will be.
func (r *run[S, I]) finish() {
	if !r.server.closed {
		r.violate(checkEnds, 0, "the match was over at %v, and the server is not", r.overAt)
	}
	for _, g := range r.guests {
		if !g.off && !g.stay.closed {
			r.violate(checkEnds, g.number, "the match was over at %v, and it is %v", r.overAt, g.client.Phase())
		}
	}
	for _, w := range r.watchers {
		if !w.off && !w.closed {
			r.violate(checkEnds, w.number, "the match was over at %v, and it is %v", r.overAt, w.follower.Phase())
		}
	}
}

// conclude checks the ends of all machines.
func (r *run[S, I]) conclude() {
	if !r.over {
		r.violate(checkEnds, 0, "the match is not over after %v", r.now)
		return
	}
	for _, g := range r.guests {
		if !g.off {
			r.concludeFor(g)
			r.tally(g)
		}
	}
}

// concludeFor checks what a client knows of the end.
func (r *run[S, I]) concludeFor(g *clientRun[S, I]) {
	ours, _ := r.server.server.Outcome()
	theirs, ok := g.client.Outcome()
	if g.naive.truth != r.truth {
		if ok || g.client.Final() != nil {
			r.violate(checkEnds, g.number, "it has an end of a match that the server has not ended: %+v", theirs)
		}
		return
	}
	var sight func(s *S, p Player) PlayerSet
	if r.plan.Partial {
		sight = r.game.Sight
	}
	p, _ := g.client.Player()
	r.truth.knows(sight, ours.Frames, p, &g.naive.state)
	if ok {
		a, b := theirs, ours
		if r.plan.Partial { // the client's hash only covers what it is allowed to know
			b.Hash, b.Chain = r.truth.values.Hash(&g.naive.state), 0
		}
		a.Match, a.Health, a.Told, b.Match, b.Health, b.Told = 0, 0, false, 0, 0, false // these are the client's own values
		if a != b {
			r.violate(checkEnds, g.number, "its outcome is %+v, the server's %+v", a, b)
		}
		g.count.Outcomes++
	}
	if s := g.client.Final(); s != nil {
		if !r.truth.values.Equal(s, &g.naive.state) {
			r.violate(checkEnds, g.number, "its last state is another one: %v", r.truth.values.Diff(s, &g.naive.state, 3))
		}
		g.count.Finals++
	}
	calm := g.stay.ended > 0 && g.stay.gone == "" && r.harm(g.number, r.overAt-calmTime, r.overAt+leaveTime) == 0
	switch {
	case !calm:
	case !ok || g.client.Final() == nil:
		r.violate(checkEnds, g.number, "it has played to the end, and has no outcome or no last state: %v", g.client.Err())
	case !errors.Is(g.client.Err(), served.ErrEnd):
		r.violate(checkEnds, g.number, "it has played to the end, which is an error: %v", g.client.Err())
	}
}
