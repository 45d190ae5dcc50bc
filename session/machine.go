package session

import (
	"iter"
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/session/inputs"
	"github.com/tickback/tickback/session/match"
	"github.com/tickback/tickback/session/pace"
	"github.com/tickback/tickback/wire/rate"
)

// Phase is the phase of a session; see [match.Phase].
type Phase = match.Phase

// The phases; package match describes each of them.
const (
	Connecting = match.Connecting
	Lobby      = match.Lobby
	Starting   = match.Starting
	Playing    = match.Playing
	Ending     = match.Ending
	Over       = match.Over
)

// Machine is the protocol of a session, independent of the game; [Session] adds the game.
type Machine struct{ lobbying }

// newMachine creates the machine for a simulation.
func newMachine(cfg Config, sim simulation) (*Machine, error) {
	m := &Machine{}
	m.ran = sim.reached()
	m.cfg, m.sim, m.out.Most, m.nominal = cfg, sim, maxOutgoing, rate.Tick(cfg.TickRate, cfg.Rate)
	m.clock, m.exact = pace.NewClock(m.nominal, cfg.DropAfter), cfg.Rate.Given()
	m.now, m.since = m.clock.Now(), m.clock.Now()
	m.match = match.New(match.Rules{
		Local: cfg.Local, Everybody: cfg.everybody(), Continues: cfg.continues(),
		MaxPause: cfg.MaxPause, QuorumTimeout: cfg.QuorumTimeout, Linger: cfg.Linger,
	}, roster{&m.play})
	m.local = slices.Collect(cfg.Local.All())
	m.inputs = inputs.New(inputs.Config{Players: cfg.Players, Local: m.local, MaxOrders: cfg.MaxOrders, Ahead: cfg.ahead()}, sim)
	m.links = make([]*link, len(cfg.Peers))
	for i, p := range cfg.Peers {
		l := m.newLink(p)
		l.Heard = m.now
		l.HelloAt(m.now)
		m.put(i, l)
	}
	state, err := sim.Hash()
	if err != nil && len(cfg.Peers) > 0 {
		return nil, refusef("peers compare states, and this game gives none to hash: %w", err)
	}
	m.items = itemsOf(&m.cfg, sim.InputSize(), state)
	m.recorder, m.eagerly, m.events.Observe = &m.readers, true, cfg.Observe
	m.openToSpectators()
	m.beginInquiry()
	if cfg.Join != nil {
		m.beginJoining()
	} else if cfg.host() && !cfg.Lobby {
		if err := m.prepare(1, cfg.Match); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Phase returns the phase of the session.
func (m *Machine) Phase() Phase { return m.phase }

// Err returns why the session is over: [ErrClosed] after Leave, one of the typed errors of this package, or an
// error of the engine. It is nil before that.
func (m *Machine) Err() error { return m.err }

// Events returns the events since the last call. The slice belongs to the session and is valid until the next call;
// Data belongs to the application.
func (m *Machine) Events() []Event { return m.events.Take() }

// maxOutgoing limits the number of waiting datagrams: eight for each peer. The owner fetches them after every call,
// so the limit is never reached.
const maxOutgoing = 8 * MaxPlayers

// Outgoing yields the datagrams to send, each with its destination, and removes them from the outbox. The bytes are
// valid until the next call on the session.
func (m *Machine) Outgoing() iter.Seq2[netip.AddrPort, []byte] { return m.out.All() }

// Poll does everything except running frames: it keeps connections alive, resends what was lost, and notices silent
// peers. It returns the latest time for the next call.
func (m *Machine) Poll(now time.Duration) (next time.Duration) {
	m.wake(now)
	return m.clock.External(m.poll())
}

func (m *Machine) poll() (next time.Duration) {
	defer m.handleLosses()
	if m.phase == Over {
		m.goodbye()
		return min(m.serve(), m.now+m.nominal)
	}
	m.watch()
	m.handleLosses()
	joining := m.now + time.Hour
	if m.lateJoin != nil {
		joining = m.join()
	}
	switch m.phase {
	case Connecting, Lobby, Starting:
		if m.lateJoin == nil {
			m.connectPeers()
		}
		m.updateInquiry()
	case Playing, Ending:
		m.progress()
	}
	m.flush()
	return min(m.nextPoll(), m.serve(), joining)
}

// Update does what Poll does, and runs a frame if one is due. It returns when the next one is due, which is not
// later than now if there are more frames to catch up on: see [pace.MaxDebt]. The caller sends the outgoing
// datagrams after each call, and calls it again at once as long as there is time; see [pace.Turn].
func (m *Machine) Update(now time.Duration) (next time.Duration) {
	m.wake(now)
	if m.phase != Playing {
		if next = m.poll(); m.phase != Playing {
			m.handleLosses()
			return m.clock.External(next)
		}
	}
	if m.now >= m.watched+watchEvery {
		m.watch()
		m.handleLosses()
	}
	if m.lateJoin != nil {
		m.join()
	}
	began, slots, s := m.frame, 0, &m.pacing.schedule
	if !s.Blocked() {
		s.SkipLost(m.now)
	} else if m.phase == Playing && !m.held() {
		m.run() // what it waited for may have arrived
	}
	s.SkipAll(m.now)
	for ; m.frame == began && m.now >= s.Next() && m.phase == Playing; slots++ {
		m.slot(s.Take(s.Slow(m.period(m.nominal), m.now)))
	}
	m.progress()
	if slots > 0 && m.cfg.AutoDelay.On {
		m.adaptDelay()
	}
	if slots > 0 && (s.Next() > m.now || m.frame == began || m.now >= m.lastAll+m.nominal/2) {
		m.sendAll()
	} else { // the next frame runs at once, and its datagram will include what this one would
		m.flush()
	}
	if next = s.Next(); m.phase == Playing {
		next = min(next, m.nextInPlay())
	} else {
		next = min(next, m.nextPoll())
	}
	if m.audience != nil {
		next = min(next, m.serve())
	}
	next = m.clock.External(next)
	m.handleLosses()
	return next
}

// Step does what Poll does, and runs the next frame if possible: for an owner that calls it once per frame and does
// its own timing. It returns how long the period until the next call should be: the nominal one, or a few percent
// more or less to keep pace with the peers.
func (m *Machine) Step(now time.Duration) (period time.Duration) {
	defer m.handleLosses()
	m.wake(now)
	m.holdBack() // poll sends nothing, since sendAll below sends to all peers
	if m.poll(); m.phase != Playing {
		return m.nominal
	}
	period = m.pacing.schedule.Slow(m.period(m.nominal), m.now)
	m.pacing.schedule.SetNext(m.now + period)
	m.slot(m.now)
	m.progress()
	m.adaptDelay()
	m.sendAll()
	m.serve()
	return period
}

// Urgent reports whether calling Update before it is due can be useful: a frame waits for something that may have
// arrived, or a match is about to start or to end.
func (m *Machine) Urgent() bool { return m.phase != Playing || m.idle() }

// Progress returns how much of the current tick period has passed, for drawing between two states.
func (m *Machine) Progress(now time.Duration) (passed, period time.Duration) {
	if m.phase != Playing || m.pacing.stalls.Stalled() || m.idle() {
		return m.nominal, m.nominal
	}
	return m.pacing.schedule.Progress(m.clock.Internal(now)), m.nominal
}
