package hosted

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/spectate"
)

// spectatorRun is a machine with a spectator.
type spectatorRun[S any, I comparable] struct {
	machine
	r        *run[S, I]
	plan     *SpectatorPlan
	follower *session.Spectator[S, I]
	came     time.Duration
	gone     string
	closed   bool
	truth    *truth[S, I] // the truth of the match that it sees
	any      bool         // it has seen something of it
	last     Frame
	count    SpectatorResult
}

// come switches a spectator on.
func (w *spectatorRun[S, I]) come() error {
	r := w.r
	random := rand.New(rand.NewPCG(r.plan.Seed, uint64(w.number)<<16))
	cfg := session.SpectatorConfig{
		Hosts: []netip.AddrPort{r.server.addr}, GameID: "hosted", TickRate: r.plan.TickRate, MaxOrders: r.game.MaxOrders,
		Token: r.plan.token(), HashEvery: 1, Random: random.Uint64, DropAfter: max(r.plan.DropAfter, time.Second),
	}
	var err error
	w.follower, err = session.NewSpectator(r.gameOf(w.number), cfg, session.SpectatorHooks[S, I]{Start: w.startAt, Agreed: w.saw})
	if err != nil {
		return err
	}
	w.switchOn(showing[S, I]{w.follower}, r.now, w.plan.Drift, labour(r.plan, w.plan.Cost))
	w.came = r.now
	return nil
}

// startAt makes state 0. From then on the spectator sees another match.
func (w *spectatorRun[S, I]) startAt(p session.Parameters) (func(*S), error) {
	w.truth, _ = truthOf(w.r, p)
	w.any = false
	return w.r.start(p)
}

// saw compares a frame that the spectator has seen with the truth.
func (w *spectatorRun[S, I]) saw(a *rollback.Agreed[I]) {
	r := w.r
	a = r.options.witnessed(w.number, a)
	w.count.Frames++
	m, after := w.truth.at(a.Frame), w.truth.at(a.Frame+1)
	switch {
	case w.any && a.Frame <= w.last:
		r.violate(checkSpectators, w.number, "frame %d is seen after frame %d", a.Frame, w.last)
	case a.Frame+Frame(r.plan.Delay) >= w.truth.newest && !r.over:
		r.violate(checkSpectators, w.number, "frame %d is seen when the server is at %d, and spectators are %d behind", a.Frame, w.truth.newest, r.plan.Delay)
	case m == nil || after == nil:
		r.violate(checkSpectators, w.number, "frame %d is seen when the server is at %d", a.Frame, w.truth.newest)
	case !w.agrees(a, m):
		r.violate(checkSpectators, w.number, "frame %d has other inputs, orders or statuses than were played", a.Frame)
	case a.Hashed && a.Hash != after.hash:
		r.violate(checkSpectators, w.number, "the state after frame %d has the hash %016x, the server's %016x", a.Frame, a.Hash, after.hash)
	}
	if w.any && a.Frame > w.last+1 {
		w.count.Jumps++
	}
	w.any, w.last = true, a.Frame
}

func (w *spectatorRun[S, I]) agrees(a *rollback.Agreed[I], m *moment[S, I]) bool {
	if len(a.Inputs) != len(m.inputs) {
		return false
	}
	for p := range a.Inputs {
		gone := a.Statuses[p] == rollback.Disconnected
		if a.Inputs[p] != m.inputs[p] || gone != m.gone.Has(Player(p)) || a.Orders != nil && !bytes.Equal(a.Orders[p], m.orders[p]) {
			return false
		}
	}
	return true
}

// updated checks the spectator after it has done something.
func (w *spectatorRun[S, I]) updated() {
	w.follower.Effects()
	for _, e := range w.follower.Events() {
		w.r.digestText(e.String())
		switch e.What {
		case event.Desync:
			w.r.violate(checkSpectators, w.number, "%v", &e)
		case event.Closed:
			w.closed = true
			w.end()
		}
	}
}

// end checks how the spectator has ended.
func (w *spectatorRun[S, I]) end() {
	r := w.r
	err := w.follower.Err()
	w.count.Err = err
	switch {
	case w.gone != "" || errors.Is(err, session.ErrClosed):
	case errors.Is(err, spectate.ErrEnd):
		w.outcome()
	case r.harm(w.number, r.now-harmMemory, r.now) > 0 || r.over:
		w.count.Lost = true
	default:
		r.violate(checkErrors, w.number, "the spectator is over: %v", err)
	}
}

// outcome compares the outcome that the spectator has seen.
func (w *spectatorRun[S, I]) outcome() {
	theirs, ok := w.follower.Outcome()
	ours, over := w.r.server.server.Outcome()
	switch {
	case !ok || !over || w.truth != w.r.truth:
		w.r.violate(checkEnds, w.number, "the spectator is at the end, and has no outcome")
	case theirs.Summary.Frames != ours.Summary.Frames || theirs.Result != ours.Result || theirs.Finished != ours.Finished ||
		theirs.Summary.Hash != ours.Summary.Hash:
		w.r.violate(checkEnds, w.number, "its outcome is %+v, the server's %+v", theirs, ours)
	default:
		w.count.Ended = true
	}
}

// showing is a spectator as a [fleet.Program].
type showing[S any, I comparable] struct{ *session.Spectator[S, I] }

// Worked returns the work that the spectator has done.
func (s showing[S, I]) Worked() fleet.Work {
	ticks := s.Inspect().Stats().Ticks
	return fleet.Work{First: ticks, Shown: ticks}
}
