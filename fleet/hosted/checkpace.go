package hosted

import (
	"time"

	"github.com/tickback/tickback/fleet"
)

// paced is the time from which the pictures of a client count.
type paced struct {
	at       time.Duration
	pictures uint64
}

const (
	// settled is how long a client plays before its pace counts, and measured is the minimum time for which it is
	// measured.
	settled, measured = 4 * time.Second, 5 * time.Second
	// bearable is the percentage of pictures that may be missing on a slow machine: while it finds out how far it can
	// predict, and while it waits for a whole state. With partial sight each received state costs ticks, too.
	bearable, bearablePartly = 40, 60
)

// pacing records when a client has settled. Its pace counts in plans in which nothing goes wrong except that work takes
// time.
func pacing[S any, I comparable](r *run[S, I], g *clientRun[S, I]) {
	if r.plan.Profile == fleet.Slow && g.labour != nil && g.paced.at == 0 && g.stay.in && r.now >= g.stay.inAt+settled {
		g.paced = paced{r.now, g.labour.Pictures}
		g.labour.Longest = 0
	}
	if late := r.truth.newest - min(g.client.Frame(), r.truth.newest); g.paced.at > 0 && Frame(mostLate*r.plan.TickRate) < late {
		r.violate(checkPace, g.number, "it shows state %d, and the server is at %d", g.client.Frame(), r.truth.newest)
	}
}

// mostLate is the maximum delay, in seconds, of what a slow client shows: it asks for a whole state once a second.
const mostLate = 2

// judgePace checks, when the match is over, that a client has shown as many pictures as its machine can, and none of
// them for too long.
func judgePace[S any, I comparable](r *run[S, I], g *clientRun[S, I]) {
	if g.paced.at == 0 || g.stay.closed || g.off {
		return
	}
	each, gap := pictureTakes(r, g)
	missing := uint64(bearable)
	if r.plan.Partial {
		missing = bearablePartly
	}
	span := max(g.labour.Since-g.paced.at, 0) // it may have shown nothing since
	shown, least := g.labour.Pictures-g.paced.pictures, uint64(span/each)
	ago := r.now - g.labour.Since
	if g.client.Frame() >= r.plan.Frames { // it has shown the last one, ahead of the server
		ago = 0
	}
	if r.now-g.paced.at >= measured && (shown < least-least*missing/100 || ago > gap) {
		r.violate(checkPace, g.number, "it shows %d pictures in %v, must be about %d; the last one was %v ago", shown, span, least, ago)
	}
	if g.labour.Longest > gap {
		r.violate(checkPace, g.number, "it shows the same picture for %v, at most %v", g.labour.Longest, gap)
	}
}

// learning limits how many ticks a client runs for received states between two ticks of its own: the number of tick
// periods in this time, but at least two.
const learning = 400 * time.Millisecond

// pictureTakes returns the maximum average time of a client's picture, and the maximum time for which one picture may
// be shown. A client resimulates at most the ticks that it has predicted: as many as the round trip takes, and twice as
// many while its machine finds out that it has no time for that. With partial sight, received states cost half as much
// again, or as much as learning allows if that is more.
func pictureTakes[S any, I comparable](r *run[S, I], g *clientRun[S, I]) (each, gap time.Duration) {
	period := time.Second / time.Duration(r.plan.TickRate)
	c := g.plan.Cost
	if c.Throttled > 0 {
		c.Frame, c.Again, c.Picture, c.Burst = c.Frame*3/2, c.Again*3/2, c.Picture*3/2, c.Burst*3/2
	}
	each = max(period, c.Frame+c.Picture)
	if c.Every > 0 {
		each += c.Burst / time.Duration(c.Every)
	}
	again := 2 * (r.reach(g.number)/period + 3) * c.Again
	if r.plan.Partial {
		again += max(again/2, max(learning/period, 2)*c.Again)
	}
	return each, 2*each + again + 2*c.Burst + 2*period + 4*(g.plan.Up.Jitter+g.plan.Down.Jitter)
}
