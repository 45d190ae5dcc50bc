package hosted

import (
	"errors"
	"strings"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/served"
)

// The checkers, by name.
const (
	checkServer      = "server"
	checkStates      = "states"
	checkPrediction  = "prediction"
	checkCorrections = "corrections"
	checkEffects     = "effects"
	checkEntry       = "entry"
	checkLosses      = "losses"
	checkProgress    = "progress"
	checkErrors      = "errors"
	checkEnds        = "ends"
	checkBounds      = "bounds"
	checkSpectators  = "spectators"
	checkSecrets     = "secrets"
	checkPace        = "pace"
	checkRestarts    = "restarts"
	checkStrangers   = "strangers"
	checkPanics      = "panics"
)

// Checkers returns the names of the checkers, each with what it checks.
func Checkers() [][2]string {
	return [][2]string{
		{checkServer, "the server's states are those that its inputs give offline"},
		{checkStates, "every state that a client knows is what its player may know of the server's, to the bit"},
		{checkPrediction, "what a client predicts, a naive one without an engine predicts as well, in every tick"},
		{checkCorrections, "a client corrects its own player only for a cause that can be named"},
		{checkEffects, "a client's effects are those that have happened, as far as it may know: none is shown twice, none is left over"},
		{checkEntry, "a client that nothing hinders is in the match soon"},
		{checkLosses, "a client is lost only if it is gone, or was cut off for long enough"},
		{checkProgress, "a client that nothing hinders is not far behind the server"},
		{checkErrors, "who is over has an expected, typed error"},
		{checkEnds, "all who are there at the end learn the same outcome and the last state, and come to an end"},
		{checkBounds, "nothing is dropped for lack of room"},
		{checkSpectators, "spectators see exactly what is agreed, and nothing that is held back"},
		{checkSecrets, "with partial sight no client is told the seed, or what depends on a generator of the state"},
		{checkPace, "in a slow plan a client shows as many pictures as its machine can, and none of them for long"},
		{checkRestarts, "a client learns within a second and some round trips that its server was started again, longer only where datagrams are lost, and then enters its new match, at its own place unless somebody else was faster; so does one that was started again itself"},
		{checkStrangers, "who has no token, another one, another game or another build gets in nowhere, and is told so soon; so little does noise"},
		{checkPanics, "there are none"},
	}
}

const (
	// harmSlack is how much shorter the silence of a machine may seem than allowed, because of datagrams that are in
	// flight or lost.
	harmSlack = time.Second
	// harmMemory is how long trouble may have consequences.
	harmMemory = 20 * time.Second
	// calmTime is the time after a trouble in which everything must be well again.
	calmTime = 5 * time.Second
)

// harms reports whether a fault cuts a machine off from the server.
func harms(f *fleet.Fault, machine int) bool {
	switch f.Kind {
	case fleet.OneWay:
		return f.Machine == machine || f.Other == machine
	case fleet.Stall, fleet.Hitch, fleet.Suspend, fleet.Restart:
		return f.Machine == machine || f.Machine == 0
	}
	return false
}

// harm returns how long a machine was cut off from the server in a span of time: the sum over all faults.
func (r *run[S, I]) harm(machine int, from, to time.Duration) (sum time.Duration) {
	for i := range r.plan.Faults {
		f := &r.plan.Faults[i]
		if harms(f, machine) {
			sum += max(min(f.At+f.For, to)-max(f.At, from), 0)
		}
	}
	return sum
}

// calm returns the time since which nothing has cut a machine off from the server, or the current time if something
// still does.
func (r *run[S, I]) calm(machine int) (since time.Duration) {
	for i := range r.plan.Faults {
		f := &r.plan.Faults[i]
		if (harms(f, machine) || f.Kind == fleet.Detour && f.Machine == machine) && f.At <= r.now {
			since = max(since, min(f.At+f.For, r.now))
		}
	}
	return since
}

// reach returns how long a datagram and its answer take, with a margin for jitter.
func (r *run[S, I]) reach(machine int) time.Duration {
	up, down := r.plan.ways(machine)
	d := up.Delay + down.Delay + 3*(up.Jitter+down.Jitter)
	for _, f := range r.plan.Faults {
		if f.Kind == fleet.Detour && f.Machine == machine {
			d += 2 * time.Duration(f.Value) * time.Millisecond
		}
	}
	return d
}

// lossExplains reports whether losses can plausibly last this long on the link to the server or from it, given how
// many datagrams a second the plan sends.
func (r *run[S, I]) lossExplains(machine int, d time.Duration) bool {
	up, down := r.plan.ways(machine)
	states := r.plan.States
	if states == 0 {
		states = r.plan.TickRate
	}
	if lasts(up.Burst, d, r.plan.TickRate) || lasts(down.Burst, d, max(states, keepAlives)) {
		return true
	}
	return allLost(up.Loss, d, r.plan.TickRate) || allLost(down.Loss, d, states)
}

// allLost reports whether all datagrams in a time are lost with a probability of more than one in a million. At a few
// ticks a second these are few datagrams.
func allLost(loss netem.PPM, d time.Duration, rate int) bool {
	chance := int64(netem.Always)
	for n := int64(d/time.Millisecond) * int64(rate) / 1000; n > 0 && chance > 0; n-- {
		chance = chance * int64(loss) / int64(netem.Always)
	}
	return chance > 0
}

// keepAlives is the minimum number of datagrams sent per second.
const keepAlives = 4

// lasts reports whether a burst lasts this long with a probability of more than one in a million, which is e to the
// power of -14.
func lasts(b netem.Burst, d time.Duration, rate int) bool {
	datagrams := int64(d/time.Millisecond) * int64(rate) / 1000
	return b.Begin > 0 && datagrams*int64(b.End+netem.Always-b.Loss) < 14*int64(netem.Always)
}

// lookAround is called once a second.
func (r *run[S, I]) lookAround() {
	if s := r.server.server.Stats(nil); s.DroppedEvents+s.DroppedDatagrams > 0 || s.PendingDatagrams > 0 {
		r.violate(checkBounds, 0, "%d events and %d datagrams are dropped, %d datagrams wait", s.DroppedEvents, s.DroppedDatagrams, s.PendingDatagrams)
	}
	lookAtStrangers(r)
	for _, g := range r.guests {
		if g.off || g.stay.closed {
			continue
		}
		if s := g.client.Stats(nil); s.DroppedEvents+s.DroppedDatagrams > 0 || s.PendingDatagrams > 0 {
			r.violate(checkBounds, g.number, "%d events and %d datagrams are dropped, %d datagrams wait", s.DroppedEvents, s.DroppedDatagrams, s.PendingDatagrams)
		}
		if g.stay.gone == "" && !r.over {
			pacing(r, g)
			r.lookAt(g)
		}
	}
	if p := r.options.Progress; p != nil && !p(r.now, r.limit()) {
		r.stopped = true
	}
	if r.over && r.now > r.overAt+endTime(r.plan) {
		r.finish()
	}
}

// entryTime is how long the handshake, and the first state, take with bad luck.
const entryTime = 6 * time.Second

// lookAt checks that a client is admitted, and keeps up.
func (r *run[S, I]) lookAt(g *clientRun[S, I]) {
	calm, reach := r.calm(g.number), r.reach(g.number)
	switch {
	case g.stay.in && g.naive.truth != r.truth:
		restartUnnoticed(r, g)
	case !g.stay.in:
		if r.now > max(calm, g.stay.came)+entryTime+10*reach {
			r.violate(checkEntry, g.number, "it has come at %v, and is %v", g.stay.came, g.client.Phase())
		}
	case r.now > max(calm, g.stay.inAt)+calmTime+4*reach:
		rate := time.Duration(r.plan.TickRate)
		slack := Frame((2*time.Second + 3*reach) * rate / time.Second)
		if r.plan.States > 0 {
			slack += Frame(3 * r.plan.TickRate / r.plan.States)
		}
		if g.labour != nil { // it receives nothing while it works
			_, gap := pictureTakes(r, g)
			slack += Frame(gap * rate / time.Second)
		}
		behind := r.truth.newest - min(g.client.Known(), r.truth.newest)
		if behind > slack && !r.lossExplains(g.number, time.Duration(behind)*time.Second/rate) {
			r.violate(checkProgress, g.number, "it knows state %d, and the server is at %d", g.client.Known(), r.truth.newest)
		}
	}
}

// closed checks why a client has ended.
func (r *run[S, I]) closed(g *clientRun[S, I]) {
	err := g.client.Err()
	g.count.Err = err
	var bye *served.ByeError
	var lost *served.LostError
	harm := r.harm(g.number, r.now-harmMemory, r.now)
	switch {
	case errors.Is(err, served.ErrEnd):
		if !r.over {
			r.violate(checkEnds, g.number, "it is at the end, and the match is not over")
		}
	case errors.Is(err, session.ErrClosed):
		if g.stay.gone != "left" {
			r.violate(checkErrors, g.number, "nobody has left: %v", err)
		}
	case errors.As(err, &bye):
		r.dismissed(g, bye.Reason, harm)
	case errors.As(err, &lost):
		g.count.Losses++
		if harm < r.plan.DropAfter-harmSlack && !(r.server.closed && harm > 0) && !r.lossExplains(g.number, r.plan.DropAfter) {
			r.violate(checkLosses, g.number, "%v; it was kept from the server for %v lately", err, harm)
		}
	default:
		r.violate(checkErrors, g.number, "it is over: %v", err)
	}
}

// dismissed checks the reason that the server has given.
func (r *run[S, I]) dismissed(g *clientRun[S, I], why string, harm time.Duration) {
	switch {
	case strings.HasPrefix(why, "kicked") && g.stay.gone == "kicked":
	case why == "all places are taken" && r.server.fullAt >= int64(g.stay.came-r.plan.DropAfter):
		g.count.Refusals++
	case why == "the match is over" && r.over && !g.stay.in:
		g.count.Refusals++
	case strings.HasPrefix(why, "silent for") && (harm >= r.plan.DropAfter-harmSlack || r.lossExplains(g.number, r.plan.DropAfter)):
		g.count.Losses++
	default:
		r.violate(checkLosses, g.number, "the server says: %s; it was kept from the server for %v lately", why, harm)
	}
}
