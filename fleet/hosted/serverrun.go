package hosted

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/served"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/session/stream"
)

// serverRun is the machine with the server.
type serverRun[S any, I comparable] struct {
	machine
	r      *run[S, I]
	server *served.Server[S, I]
	counts [rollback.MaxPlayers]served.ClientStats // the statistics at the last tick
	// refused has the players whose inputs Correct has changed or Check has not allowed in the running tick.
	refused PlayerSet
	closed  bool
	fullAt  int64 // when all places were last taken, in nanoseconds; -1: never
	process process
}

// process is one process of the server.
type process struct {
	number int                      // how often it was started again
	since  time.Duration            // when it was started
	holds  [rollback.MaxPlayers]int // by place: the machine that had it last, or 0
}

// about returns the game for the server and its clients.
func (r *run[S, I]) about() served.Game {
	return served.Game{ID: "hosted", Players: r.plan.Places, TickRate: r.plan.TickRate, MaxOrders: r.game.MaxOrders}
}

// start makes state 0.
func (r *run[S, I]) start(p session.Parameters) (func(*S), error) {
	if r.game.Start == nil {
		return nil, nil
	}
	return r.game.Start(p)
}

// open makes the server.
func (h *serverRun[S, I]) open() error {
	r := h.r
	luck := uint64(1)
	if !r.options.twins {
		luck |= uint64(h.process.number) << 32
	}
	random := rand.New(rand.NewPCG(r.plan.Seed, luck))
	cfg := served.ServerConfig{
		Game: r.about(), Match: matchOf(r.plan, h.process.number), States: r.plan.States,
		DropAfter: r.plan.DropAfter, EffectTolerance: effects.DefaultTolerance, Random: random.Uint64, Observe: h.observe,
	}
	if !r.options.open {
		cfg.Token = r.plan.token()
	}
	if len(r.plan.Spectators) > 0 || slices.ContainsFunc(r.plan.Strangers, func(s Stranger) bool { return s.Watches }) {
		cfg.Spectators = spectate.Config{Max: MaxSpectators, Delay: r.plan.Delay, Live: true}
	}
	hooks := served.ServerHooks[S, I]{Start: r.start, Carry: r.game.Carry, StandIn: r.game.StandIn, Agreed: h.ran}
	if r.plan.Partial {
		hooks.Sight = r.game.Sight
	}
	if r.game.Correct != nil {
		hooks.Correct = func(s *S, p Player, in I, behind int) I {
			out := r.game.Correct(s, p, in, behind)
			if out != in {
				h.refused |= rollback.SetOf(p)
			}
			return out
		}
	}
	if r.game.Check != nil {
		hooks.Check = func(s *S, p Player, in I) bool {
			ok := r.game.Check(s, p, in)
			if !ok {
				h.refused |= rollback.SetOf(p)
			}
			return ok
		}
	}
	var err error
	if h.server, err = served.NewServer(r.gameOf(0), cfg, hooks); err != nil {
		return err
	}
	h.fullAt, h.refused, h.counts, h.process.since = -1, 0, [rollback.MaxPlayers]served.ClientStats{}, r.now
	h.stays = h.process.number > 0
	h.switchOn(serving[S, I]{h.server}, r.now, 0, labour(r.plan, r.plan.Cost))
	if r.truth, err = newTruth(r.game, r.plan); err != nil {
		return err
	}
	r.truths = append(r.truths, r.truth)
	return r.truth.begin(h.server.State())
}

// matchOf returns the parameters of the match of a process of the server. Each match is a tick longer than the one
// before, so that the parameters identify the process.
func matchOf(p *Plan, process int) stream.Parameters {
	return stream.Parameters{Seed: p.Seed + uint64(process), Frames: p.Frames + Frame(process)}
}

// truthOf returns the truth of the match with these parameters, and the process of the server that played it.
func truthOf[S any, I comparable](r *run[S, I], p session.Parameters) (t *truth[S, I], process int) {
	process = int(p.Frames - r.plan.Frames)
	return r.truths[process], process
}

// observe is called with each event as soon as it happens.
func (h *serverRun[S, I]) observe(e event.Event) {
	if e.What == event.Joined {
		for p := range e.Players.All() {
			h.counts[p] = served.ClientStats{}
			for _, m := range h.r.machines {
				if m.number > 0 && m.addr.String() == e.Text {
					if h.process.holds[p] = m.number; m.number >= h.r.plan.honest() {
						h.r.violate(checkStrangers, m.number, "the server has let it in: %v", &e)
					}
				}
			}
		}
	}
}

// ran takes a tick that the server has run.
func (h *serverRun[S, I]) ran(a *rollback.Agreed[I]) {
	because := reasons{refused: h.refused}
	h.refused = 0
	for p := range Player(h.r.plan.Places) {
		now, there := h.server.Client(p)
		was := &h.counts[p]
		if there && now.Replaced > was.Replaced {
			because.replaced |= rollback.SetOf(p)
		}
		if there && now.Carried > was.Carried {
			because.carried |= rollback.SetOf(p)
		}
		*was = now
	}
	t := h.r.truth
	t.add(a, h.server.State(), because)
	h.r.total.Ticks++
	if err := h.r.secrets.state(t.newest, h.server.State()); err != nil {
		h.r.violate(checkSecrets, 0, "state %d: %v", t.newest, err)
	}
	m := t.at(a.Frame)
	if err := t.offline.Step(m.inputs, m.orders, m.gone); err != nil {
		h.r.violate(checkServer, 0, "tick %d: %v", a.Frame, err)
		return
	}
	if now := t.at(t.newest); !t.values.Equal(t.offline.State(), &now.state) {
		h.r.violate(checkServer, 0, "state %d is not what its inputs lead to: %v", t.newest, t.values.Diff(&now.state, t.offline.State(), 3))
	}
}

// updated checks the server after it has done something.
func (h *serverRun[S, I]) updated() {
	r := h.r
	for _, e := range h.server.Effects() {
		if m := r.truth.at(e.Frame); m != nil && e.What == effects.Confirmed && !e.Sustained() {
			m.effects = append(m.effects, occurrenceOf(&e))
		}
	}
	for _, e := range h.server.Events() {
		r.digestText(e.String())
		switch e.What {
		case event.Joined:
			r.total.Joined++
		case event.Lost:
			r.total.Lost++
			r.lost(&e)
		case event.Left:
			r.total.Left++
		case event.Ended:
			r.ended()
		case event.Closed:
			h.closed = true
			if err := h.server.Err(); !errors.Is(err, served.ErrEnd) {
				r.violate(checkErrors, 0, "the server is over: %v", err)
			}
		}
	}
	if h.server.Members().Len() == r.plan.Places {
		h.fullAt = int64(r.now)
	}
}

// lost checks whether a client could be lost at the server.
func (r *run[S, I]) lost(e *event.Event) {
	switch {
	case strings.HasPrefix(e.Text, "silent for"), strings.HasPrefix(e.Text, "it has come again"), e.Text == "another client has come from its address":
	default:
		r.violate(checkLosses, 0, "%v", e)
		return
	}
	for _, g := range r.guests {
		if g.off || g.lives > 1 || g.stay.closed || g.naive.truth != r.truth {
			continue
		}
		p, placed := g.client.Player()
		if !placed || !e.Players.Has(p) {
			continue
		}
		if r.harm(g.number, r.now-r.plan.DropAfter-harmSlack, r.now) < r.plan.DropAfter-harmSlack && !r.lossExplains(g.number, r.plan.DropAfter) {
			r.violate(checkLosses, g.number, "the server has lost it: %s", e.Text)
		}
	}
}

// serving is a server as a [fleet.Program].
type serving[S any, I comparable] struct{ *served.Server[S, I] }

// Worked returns the work that the server has done.
func (s serving[S, I]) Worked() fleet.Work {
	return fleet.Work{First: uint64(s.Frame()), Shown: uint64(s.Frame())}
}
