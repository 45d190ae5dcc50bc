package server

import (
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/online"
)

// ownedMatch is the server of a match.
type ownedMatch[S any, I comparable] struct {
	*tickback.Server[S, I]
	game   *typed[S, I]
	setup  *serverSetup
	status time.Time // the time of the next report
	told   sofar     // the counts at the last report
	peak   int       // the maximum number of players at the same time
	joins  int
}

// sofar has the counts at one moment.
type sofar struct {
	at             time.Time
	bytes          uint64
	taken, missing uint64
	all            []oddity
	of             [tickback.MaxPlayers][]oddity
}

// serve makes the server of a match.
func (g *typed[S, I]) serve(h *serverSetup) (serving, error) {
	o := h.flags
	m := &ownedMatch[S, I]{game: g, setup: h, told: sofar{at: time.Now()}}
	m.status = m.told.at.Add(o.status)
	hooks := g.Served
	options := tickback.ServerOptions[S, I]{
		Players: o.players, Transport: h.transport, GameID: g.ID, Build: g.Build, TickRate: g.TickRate, Rate: g.Rate,
		Token: o.secret, Match: tickback.Parameters{Seed: o.seed, Frames: h.frames}, Start: g.Begin, Spectators: h.spectators,
		PerAddress: o.perAddress, States: o.states, Correct: hooks.Correct, Check: hooks.Check, Carry: hooks.Carry, StandIn: hooks.StandIn,
		Timeouts: tickback.Timeouts{Drop: o.drop},
		Log:      h.observers.Log, Trace: h.observers.Trace, Record: h.observers.RecordTo(),
	}
	if h.journal != nil {
		options.Journal = h.journal
	}
	if h.frames > 0 {
		options.Match.Data = []byte(hooks.Endless)
	}
	if o.sight == sightPartial {
		options.Sight = hooks.Sight
	}
	var err error
	if h.room != nil {
		m.Server, err = online.Serve(h.room, g.Game, options, h.carry)
	} else {
		m.Server, err = tickback.Serve(g.Game, options)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Turn updates the server, reports its events and, from time to time, the status, and tells the room who plays.
func (m *ownedMatch[S, I]) Turn() (wait time.Duration, over bool, err error) {
	wait, err = m.Update()
	log := m.setup.log
	for _, e := range m.Events() {
		m.setup.roster.Hear(m.setup.room, &e)
		switch e.What {
		case tickback.Joined:
			m.joins++
			log.Say("%s joined from %s, at frame %d", words.People(e.Players), m.setup.origin(&e), e.Frame)
		case tickback.Started:
			log.Say("the match goes on at frame %d; players have %v to come back", e.Frame, m.setup.flags.drop)
		case tickback.Recorded:
			m.setup.observers.Recorded(e, log)
		case tickback.Ended:
			log.Say("the match is over after %d frames", e.Frame)
		default:
			log.Event(e)
		}
	}
	m.peak = max(m.peak, m.Members().Len())
	m.say()
	m.setup.tell(time.Now())
	_, over = m.Outcome()
	return wait, over, err
}

// say reports the status from time to time.
func (m *ownedMatch[S, I]) say() {
	now := time.Now()
	if m.setup.flags.status == 0 || now.Before(m.status) {
		return
	}
	m.status = now.Add(m.setup.flags.status)
	s := m.Stats()
	next := sofar{at: now, bytes: s.Bytes}
	for p := range m.Members().All() {
		c, _ := m.ClientStats(p)
		next.taken, next.missing = next.taken+c.Inputs, next.missing+c.Replaced
		next.of[p] = ofClient(&c.Faults)
	}
	counts := m.Counts()
	next.all = ofAll(&counts)
	// The counts of clients who have left are missing, so differences can be negative.
	rate := 0.0
	if next.bytes > m.told.bytes {
		rate = float64(next.bytes-m.told.bytes) / now.Sub(m.told.at).Seconds() / 1024
	}
	missing := 0.0
	if next.missing > m.told.missing && next.taken > m.told.taken {
		lost := float64(next.missing - m.told.missing)
		missing = 100 * lost / (lost + float64(next.taken-m.told.taken))
	}
	m.setup.log.Say("frame %d: %d of %d places taken, %d spectators, %.1f KiB/s sent, %.2f %% of inputs missing",
		s.Frame, m.Members().Len(), m.setup.flags.players, s.Spectators.Spectators, rate, missing)
	m.sayOdd(&next)
	m.told = next
}

// sayOdd reports abnormal events since the last report, and the clients that caused them.
func (m *ownedMatch[S, I]) sayOdd(next *sofar) {
	if more := since(next.all, m.told.all); len(more) > 0 {
		m.setup.log.Say("ignored since then: %s", list(more))
	}
	for p, of := range next.of {
		if more := since(of, m.told.of[p]); len(more) > 0 {
			m.setup.log.Say("  of player %d: %s", p+1, list(more))
		}
	}
}

// Rest waits for d, or until a datagram arrives that a tick may wait for.
func (m *ownedMatch[S, I]) Rest(d time.Duration) { m.Wait(d) }

// Frames returns the number of ticks that the server has run.
func (m *ownedMatch[S, I]) Frames() tickback.Frame { return m.View().Frame }

// Picture returns nil, because a server shows nothing.
func (m *ownedMatch[S, I]) Picture() []string { return nil }

// Leave closes the server, which tells clients and spectators, and reports the recording that ends with it.
func (m *ownedMatch[S, I]) Leave() error {
	err := m.Close()
	m.setup.observers.LastEvents(m.Events(), m.setup.log)
	return err
}

func (m *ownedMatch[S, I]) result(res *serveResult) {
	played, _ := m.Proposal()
	res.Seed = played.Seed
	counts := m.Counts()
	res.odd = ofAll(&counts)
	res.Counts = keyed(res.odd)
	res.begun, res.Frames, res.Peak, res.Joins = true, uint32(m.View().Frame), m.peak, m.joins
	if out, over := m.Outcome(); over {
		res.finished, res.Frames = out.Finished, uint32(out.Frames)
		res.Checksum, res.Result = m.game.EndChecksum(m.Server, out), m.game.ResultText(out)
	}
}
